"""What changed between two releases, by problem id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..display import Rows
from ..problem import Problem, all_images
from ..release import read_problems, split_names

# kind of change -> what is compared
ASPECTS: dict[str, Any] = {
    "text": lambda p: [
        p.question,
        p.options,
        [(s.condition, s.question, s.options) for s in p.steps],
    ],
    "answer": lambda p: [p.answer, p.unit, p.tolerance, p.parts, [s.answer for s in p.steps]],
    "picture": lambda p: [image.sha256 for image in all_images(p)],
    "label": lambda p: p.labels,
    "version": lambda p: [(s.id, s.question, s.answer) for s in p.samples],
}


class Change(msgspec.Struct, kw_only=True):
    """One problem's change: added, removed, split, text, answer, picture, label, version."""

    id: str
    kinds: list[str]
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}


ProblemsById = dict[str, tuple[str, Problem]]  # id -> split, problem


def by_id(splits: Mapping[str, Sequence[Problem]]) -> ProblemsById:
    return {p.id: (name, p) for name, problems in splits.items() for p in problems}


def read_by_id(release: str | Path) -> ProblemsById:
    return by_id({name: read_problems(release, name) for name in split_names(release)})


class Changes(Rows[Change]):
    """What `diff` found, in the order of ids."""

    __slots__ = ()

    def headline(self) -> str:
        counts = ", ".join(f"{kind}: {n}" for kind, n in summary(self).items())
        return counts or "no problem changed"


def diff(old: str | Path, new: str | Path) -> Changes:
    """Changes by id, in the order of ids. Raises UserError when either is not a release.

    Example: `diff("out/math-v-mini-1.0.0", "out/math-v-mini-1.1.0")[0].kinds`
    """
    return Changes(changes(read_by_id(old), read_by_id(new)))


def changes(old: ProblemsById, new: ProblemsById) -> list[Change]:
    """Changes between two sets of problems.

    Withheld answers compare equal to each other; a split that opens its answers shows as answer.
    """
    changed = []
    for name in sorted(set(old) | set(new)):
        if name not in new:
            changed.append(Change(id=name, kinds=["removed"], old={"split": old[name][0]}))
        elif name not in old:
            changed.append(Change(id=name, kinds=["added"], new={"split": new[name][0]}))
        else:
            changed.append(_changed(name, old[name], new[name]))
    return [change for change in changed if change.kinds]


def _changed(name: str, old: tuple[str, Problem], new: tuple[str, Problem]) -> Change:
    change = Change(id=name, kinds=[])
    before = {"split": old[0]} | {kind: look(old[1]) for kind, look in ASPECTS.items()}
    after = {"split": new[0]} | {kind: look(new[1]) for kind, look in ASPECTS.items()}
    for kind, value in before.items():
        if value != after[kind]:
            change.kinds.append(kind)
            change.old[kind] = msgspec.to_builtins(value)
            change.new[kind] = msgspec.to_builtins(after[kind])
    return change


def summary(changed: list[Change]) -> dict[str, int]:
    """How many problems were touched in each way."""
    return dict(sorted(Counter(kind for change in changed for kind in change.kinds).items()))
