"""What changed between two releases, by problem id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.display import Rows
from ..errors import UserError
from ..problem import Problem, all_images
from ..release import answers_file, private_folder, read_manifest, read_problems
from .withdraw import withdrawals
from .withhold import problem_without_answers

# kind of change -> what is compared
ASPECTS: dict[str, Any] = {
    "text": lambda p: [
        p.question,
        p.options,
        [(s.condition, s.question, s.options) for s in p.steps],
    ],
    "answer": lambda p: [
        p.answer,
        p.answer_kind,
        p.unit,
        p.tolerance,
        p.ordered,
        p.parts,
        [s.answer for s in p.steps],
    ],
    "solution": lambda p: p.solution,
    "picture": lambda p: [image.sha256 for image in all_images(p)],
    "label": lambda p: p.labels,
    "annotation": lambda p: [
        p.spans,
        p.diagram,
        p.placement,
        [s.knowledge for s in p.steps],
    ],
    "source": lambda p: p.source,
    "version": lambda p: [(s.id, s.question, s.answer) for s in p.samples],
}


class Change(msgspec.Struct, kw_only=True):
    """One problem's change: its kinds, and what was and is.

    Kinds: added, removed, withdrawn (with the `reason` in `new`), split, withheld (or no longer),
    and those of ASPECTS.
    """

    id: str
    kinds: list[str]
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}


class Placed(NamedTuple):
    """A problem in its split; `hidden`: its answers are withheld, and nobody gave them."""

    split: str
    problem: Problem
    withheld: bool = False
    hidden: bool = False


ProblemsById = dict[str, Placed]


def by_id(
    splits: Mapping[str, Sequence[Problem]],
    withheld: Collection[str] = (),
    hidden: Collection[str] = (),
) -> ProblemsById:
    """The problems of a release by id; `withheld` and `hidden` are names of splits."""
    return {
        problem.id: Placed(name, problem, name in withheld, name in hidden)
        for name, problems in splits.items()
        for problem in problems
    }


def read_by_id(release: str | Path, answers: str | Path | None = None) -> ProblemsById:
    """A release's problems by id.

    The answers of withheld splits come from the private folder `answers`, or from the one beside
    the release where there is one.
    """
    splits = read_manifest(release)["splits"]
    private = answers_file(private_folder(release) if answers is None else answers)
    folder = private.parent
    withheld = [name for name, split in splits.items() if split.get("withheld")]
    hidden = [
        name
        for name in withheld
        if not (folder / "problems" / f"{name}.jsonl").is_file()
    ]
    if answers is not None and hidden:
        raise UserError(
            f"{answers} has no problems of {', '.join(hidden)}", "give the whole folder"
        )
    opened = set(withheld) - set(hidden)
    problems = {
        name: read_problems(release, name, folder if name in opened else None)
        for name in splits
    }
    return by_id(problems, withheld, hidden)


class Changes(Rows[Change]):
    """What `diff` found, in the order of ids."""

    __slots__ = ()

    def headline(self) -> str:
        counts = ", ".join(f"{kind}: {n}" for kind, n in summary(self).items())
        return counts or "no problem changed"


def diff(
    old: str | Path,
    new: str | Path,
    *,
    old_answers: str | Path | None = None,
    new_answers: str | Path | None = None,
) -> Changes:
    """Changes by id, in the order of ids. Raises UserError when either is not a release.

    Withheld answers are compared where both private folders are given or lie beside the releases;
    otherwise neither side's answers are looked at, so that like is compared with like.

    Args:
        old: Folder of the older release.
        new: Folder of the newer release.
        old_answers: Private folder of the older release.
        new_answers: Private folder of the newer release.

    Example: `diff("out/math-v-mini-1.0.0", "out/math-v-mini-1.1.0")[0].kinds`
    """
    withdrawn = withdrawals(read_manifest(new).get("stages", ()))
    before = read_by_id(old, old_answers)
    after = read_by_id(new, new_answers)
    return Changes(changes(before, after, withdrawn))


def changes(
    old: ProblemsById, new: ProblemsById, withdrawn: Mapping[str, str] | None = None
) -> list[Change]:
    """Changes between two sets of problems; `withdrawn` are reasons by id."""
    reasons = withdrawn or {}
    changed = []
    for name in sorted(old.keys() | new.keys()):
        if name not in old:
            change = Change(id=name, kinds=["added"], new={"split": new[name].split})
        elif name in new:
            change = _changed(name, old[name], new[name])
        else:
            change = Change(id=name, kinds=["removed"], old={"split": old[name].split})
            if name in reasons:
                change.kinds = ["withdrawn"]
                change.new = {"reason": reasons[name]}
        if change.kinds:
            changed.append(change)
    return changed


def _changed(name: str, old: Placed, new: Placed) -> Change:
    change = Change(id=name, kinds=[])
    public = old.hidden or new.hidden  # like is compared with like
    after = _aspects(new, public=public)
    for kind, value in _aspects(old, public=public).items():
        if value != after[kind]:
            change.kinds.append(kind)
            change.old[kind] = msgspec.to_builtins(value)
            change.new[kind] = msgspec.to_builtins(after[kind])
    return change


def _aspects(placed: Placed, *, public: bool) -> dict[str, Any]:
    """What is compared of a problem, by kind; of a `public` one without its answers."""
    problem = problem_without_answers(placed.problem) if public else placed.problem
    return {"split": placed.split, "withheld": placed.withheld} | {
        kind: aspect(problem) for kind, aspect in ASPECTS.items()
    }


def why(change: Change) -> list[str]:
    """The reason of a withdrawal."""
    return [change.new["reason"]] if "withdrawn" in change.kinds else []


def summary(changed: list[Change]) -> dict[str, int]:
    """How many problems were touched in each way."""
    counts = Counter(kind for change in changed for kind in change.kinds)
    return dict(sorted(counts.items()))
