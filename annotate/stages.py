"""Recipe stages that read people's work: label, steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..base.about import about, bind
from ..base.files import read_jsonl
from ..base.pictures import store_picture
from ..base.terminal import say
from ..latex import maths_spans
from ..pipeline import Context, stage
from ..problem import Drop, Image, Problem, Span
from ..taxonomy import BUILT_IN, Tree, level_names, load_tree, steps_from, violations
from .kinds import drawn_spec, step_picture
from .votes import (
    STALE,
    LedgerEntry,
    Remark,
    Ties,
    as_final,
    labour_of,
    ledger,
    load_policy,
    read_votes,
    tell_strangers,
)

# A word or a number of a question; one that a span cuts in two was not marked there.
WORD = re.compile(r"[A-Za-z0-9]+")
MOST_NAMES = 5  # of stale problems in a message; the side table has all


def _check_policy(options: dict[str, Any]) -> None:
    """Raises UserError for a policy that there is not."""
    if "policy" in options:
        load_policy(options["policy"])


@stage("label", whole_set=True, check=_check_policy)
def label(
    problems: list[Problem],
    *,
    context: Context,
    field: str,
    votes: Path,
    adjudicated: Path | None = None,
    policy: str = "majority",
    quorum: int | None = None,
    ties: Ties | None = None,
    tree: str | None = None,
    remarks: Path | None = None,
    credit: dict[str, str] = {},  # noqa: B006 (never changed)
    without: dict[str, str] = {},  # noqa: B006 (never changed)
    undecided: Literal["drop", "keep"] = "drop",
    unvoted: Literal["drop", "keep"] = "keep",
) -> Iterator[Problem | Drop]:
    """Set the label `field` from votes.jsonl by a policy; the ledger says why.

    `field: spans` sets the question's DI/IP/EC spans; `field: placement` sets what is drawn
    onto the problem's first picture, `field: diagram` is its annotation for judges. Undecided
    problems are dropped with the rule that failed; problems nobody voted on keep the label they
    have; what a policy excludes is always dropped. `quorum` people have to give a label, and
    `ties: advisers` lets models break ties of people. Votes in `adjudicated` are an
    adjudicator's and final. Votes that were given for another text or picture are not applied:
    side table `stale` names them, and the command that asks their people again; `unbound` names
    votes that do not say what they were given for. `remarks` are what people wrote beside their
    votes: they stand in the history of each problem. A release says how many people voted, their
    hours and their agreement; `credit` (annotator -> name) says whom it names, `without`
    (annotator -> why) whose votes do not count.
    """
    ids = {problem.id for problem in problems}
    for remark in read_jsonl(remarks, Remark) if remarks else ():
        if remark.id in ids:
            context.record("remarks", remark)
    loaded = _tree(tree, context)
    entries = _entries(
        problems, votes, adjudicated, field, policy, loaded, quorum, ties, without
    )
    _record_unmatched(problems, entries, context)
    matched = [entries[name] for name in sorted(ids & entries.keys())]
    if matched and (labour := labour_of(matched, problems, credit, without)):
        context.record("labour", labour)
    doubts = _Doubts(field, context)
    for problem in problems:
        entry = entries.get(problem.id)
        if entry is None:
            if unvoted == "keep":
                doubts.unvoted += 1
                yield problem
            else:
                yield Drop(id=problem.id, reason=f"unvoted: {field}")
            continue
        why_not = doubts.why_not(entry, problem)
        if not why_not:
            _set(problem, field, entry.value, loaded)
        elif undecided == "drop" or entry.excluded:
            yield Drop(id=problem.id, reason=why_not)
            continue
        yield problem
    doubts.tell()


def _entries(
    problems: list[Problem],
    votes: Path,
    adjudicated: Path | None,
    field: str,
    policy: str,
    tree: Tree | None,
    quorum: int | None,
    ties: Ties | None,
    without: dict[str, str],
) -> dict[str, LedgerEntry]:
    all_votes = read_votes(votes)
    if adjudicated:
        all_votes += as_final(read_votes(adjudicated))
    hashes = {problem.id: about(problem, field) for problem in problems}
    tell_strangers(all_votes, without)
    entries = ledger(all_votes, field, policy, tree, hashes, quorum, ties, without)
    return {entry.id: entry for entry in entries}


def _record_unmatched(
    problems: list[Problem], entries: dict[str, LedgerEntry], context: Context
) -> None:
    """Votes on problems that are not here, and what became of these where that is known."""
    parts: dict[str, list[str]] = {}
    for problem in problems:
        parts.setdefault(problem.origin, []).append(problem.id)
    for name in sorted(entries.keys() - {problem.id for problem in problems}):
        why = "votes on a problem that is not here"
        if name in parts:
            why += (
                f": it became {', '.join(parts[name])}, which ask something else; put `label` "
                f"before the stage that parts it, or {_ask_again(entries[name].field, context)}"
            )
        context.record("unmatched", {"id": name, "why": why})


class _Doubts:
    """Votes for another text, and votes that do not say for which, of one field.

    They are side tables, and counted here for the stage's last words: what is written may be gone.
    """

    def __init__(self, field: str, context: Context) -> None:
        self.field = field
        self.context = context
        self.unvoted = 0  # that keep the label they have
        self.voted = 0
        self.rows: dict[str, list[dict[str, Any]]] = {
            "stale": [],
            "unbound": [],
            "redefined": [],
        }

    def why_not(self, entry: LedgerEntry, problem: Problem) -> str:
        """Record the entry, and doubts about its votes; why it cannot be applied, or ""."""
        field = self.field
        self.voted += 1
        self.context.record("ledger", entry)
        remedy = _ask_again(field, self.context)
        if entry.stale:
            self._note("stale", problem, entry.stale)
            if entry.value is None:
                voters = ", ".join(entry.stale)
                return f"stale: {field}: the votes of {voters} were {STALE}; {remedy}"
        if entry.excluded:
            return f"excluded: {field}: {entry.rule}"
        if entry.value is None:
            return f"undecided: {field}: {entry.rule}"
        by_people = not entry.rule.startswith("adjudicated")  # whose word is final
        cut = ""
        if field == "spans" and by_people:
            cut = _cut(problem.question, entry.value)
        if cut and not entry.unbound:
            return f"undecided: spans: they cut {cut!r} in two"
        if entry.unbound:
            self._note("stale" if cut else "unbound", problem, entry.unbound)
        if entry.redefined:
            self._note("redefined", problem, entry.redefined)
        if cut:
            return f"stale: spans: they cut {cut!r}, so they were marked on another text; {remedy}"
        return ""

    def _note(self, table: str, problem: Problem, annotators: list[str]) -> None:
        row = {
            "id": problem.id,
            "field": self.field,
            "remedy": _ask_again(self.field, self.context),
            "annotators": annotators,
        }
        self.context.record(table, row)
        self.rows[table].append(row)

    def tell(self) -> None:
        if self.unvoted and self.voted:
            total = self.unvoted + self.voted
            say(
                f"{self.field}: {self.unvoted} of {total} have no vote and keep what label they "
                "have; `unvoted: drop` leaves them out"
            )
        stale = self.rows["stale"]
        if stale:
            names = [row["id"] for row in stale[:MOST_NAMES]]
            if len(stale) > MOST_NAMES:
                names.append("...")
            people = sorted({name for row in stale for name in row["annotators"]})
            say(
                f"{self.field}: {len(stale)} changed since {', '.join(people)} voted: "
                f"{', '.join(names)}; {_ask_again(self.field, self.context)}"
            )
        redefined = self.rows["redefined"]
        if redefined:
            say(
                f"{self.field}: {len(redefined)} decided by votes for labels whose definition has "
                "changed since; they are applied, see redefined.jsonl; a `split:` in the tree "
                "asks again"
            )
        unbound = self.rows["unbound"]
        if unbound:
            say(
                f"{self.field}: {len(unbound)} decided by votes that do not say which text and "
                "picture they were given for; they are applied, see unbound.jsonl"
            )


def _ask_again(field: str, context: Context) -> str:
    return f"ask again: benchwright annotate push {context.recipe} --field {field}"


def _cut(question: str, spans: list[dict[str, Any]]) -> str:
    """The word, number or formula that a span cuts in two: people do not mark so."""
    for formula in maths_spans(question):
        for span in spans:
            starts_inside = formula.start < span["start"] < formula.end
            ends_inside = formula.start < span["end"] < formula.end
            if starts_inside != ends_inside:
                return question[formula.start : formula.end]
    words = list(WORD.finditer(question))
    for edge in sorted({span[side] for span in spans for side in ("start", "end")}):
        if edge > len(question):
            return question[-20:]
        for word in words:
            if word.start() < edge < word.end():
                return word[0]
    return ""


def _tree(name: str | None, context: Context) -> Tree | None:
    if name is None:
        return None
    file = context.recipe_folder / name
    return load_tree(str(file) if file.suffix in (".yaml", ".yml") else name)


def _set(problem: Problem, field: str, value: Any, tree: Tree | None) -> None:
    """Spans, what is drawn, or a label; with a tree also the upper levels.

    Those of a list are its groups; of a built-in tree they are known wherever groups are made.
    """
    bind(problem, field)
    if field == "spans":
        problem.spans = msgspec.convert(value, list[Span])
        return
    if field == "diagram":
        problem.diagram = str(value)
        return
    if field == "placement":
        problem.placement = drawn_spec(problem, value)
        return
    problem.labels = problem.labels | {field: value}
    if tree is not None and isinstance(value, str):
        node = tree.find(value)
        if len(node.path) > 1:
            # the leaf's own name, as official data say it: the upper levels tell equal ones apart
            problem.labels |= tree.by_level(node) | {field: node.name}
    elif tree is not None and isinstance(value, list) and tree.name not in BUILT_IN:
        problem.labels |= level_names(tree, value)


@stage("steps", whole_set=True, check=_check_policy)
def steps(
    problems: list[Problem],
    *,
    context: Context,
    votes: Path | None = None,
    adjudicated: Path | None = None,
    policy: str = "wemath",
    quorum: int | None = None,
    ties: Ties | None = None,
    tree: str | None = "we-math",
    undecided: Literal["drop", "keep"] = "drop",
    on_violation: Literal["drop", "keep"] = "keep",
    pictures: Path | None = None,
) -> Iterator[Problem | Drop]:
    """Turn step decisions into `steps`, and check the steps of every problem (We-Math, 4.1).

    Decisions are votes on the field `steps`, those in `adjudicated` are final; without votes
    only the steps that problems bring are checked. A step of a decision may have a `picture`, a
    file's name in the folder `pictures`, or a `placement`, which draws its condition onto the
    problem's first picture. A problem of one step stays as it is, with the label `steps: 1`.
    Every broken rule is a line of violations.jsonl.
    """
    loaded = _tree(tree, context)
    entries: dict[str, LedgerEntry] = {}
    if votes:
        entries = _entries(
            problems, votes, adjudicated, "steps", policy, None, quorum, ties, {}
        )
        _record_unmatched(problems, entries, context)
    doubts = _Doubts("steps", context)
    for problem in problems:
        entry = entries.get(problem.id)
        injection = None
        if entry is not None:
            if why_not := doubts.why_not(entry, problem):
                dropped = undecided == "drop" or entry.excluded
                yield Drop(id=problem.id, reason=why_not) if dropped else problem
                continue
            _set_steps(problem, entry.value, pictures, context)
            injection = entry.value.get("injection")
        broken_rules = list(violations(problem, loaded, injection))
        for violation in broken_rules:
            context.record("violations", violation)
        if broken_rules and on_violation == "drop":
            first = broken_rules[0]
            yield Drop(
                id=problem.id, reason=f"{first.code}: {first.where}: {first.what}"
            )
        else:
            yield problem
    doubts.tell()


def _set_steps(
    problem: Problem, decision: dict[str, Any], folder: Path | None, context: Context
) -> None:
    """The steps of a decision with their pictures; a problem without concepts takes theirs."""
    bind(problem, "steps")
    problem.steps = steps_from(decision)
    for step, row in zip(problem.steps, decision.get("steps") or [], strict=True):
        step.images = _pictures_of(problem, row, folder, context)
    concepts = list(dict.fromkeys(c for step in problem.steps for c in step.knowledge))
    count = max(1, len(problem.steps))
    problem.labels = {"knowledge": concepts} | problem.labels | {"steps": count}


def _pictures_of(
    problem: Problem, row: dict[str, Any], folder: Path | None, context: Context
) -> list[Image]:
    """The picture of a decided step: a file, or the problem's with the step's condition drawn."""
    data = step_picture(problem, row, folder, context.work)
    if data is None:
        return []
    name = f"a step's picture of {problem.id}"
    return [store_picture(data, context.work, name=name)]
