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
)


def _known_policy(options: dict[str, Any]) -> None:
    """Raises UserError for a policy that there is not."""
    if "policy" in options:
        load_policy(options["policy"])


@stage("label", whole_set=True, check=_known_policy)
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
    hours and their agreement; `credit` (annotator -> name) says whom it names.
    """
    here = {problem.id for problem in problems}
    for remark in read_jsonl(remarks, Remark) if remarks else ():
        if remark.id in here:
            context.record("remarks", remark)
    known = _tree(tree, context)
    entries = _entries(problems, votes, adjudicated, field, policy, known, quorum, ties)
    _record_unmatched(problems, entries, context)
    judged = [entries[name] for name in sorted(here & entries.keys())]
    if judged and (labour := labour_of(judged, problems, credit)):
        context.record("labour", labour)
    doubts: dict[str, list[Any]] = {}
    for problem in problems:
        entry = entries.get(problem.id)
        if entry is None:
            keep = unvoted == "keep"
            yield problem if keep else Drop(id=problem.id, reason=f"unvoted: {field}")
            continue
        why_not = _judged(entry, problem, context, doubts)
        if not why_not:
            _set(problem, field, entry.value, known)
        elif undecided == "drop" or entry.excluded:
            yield Drop(id=problem.id, reason=why_not)
            continue
        yield problem
    _tell_stale(field, context, doubts)


def _entries(
    problems: list[Problem],
    votes: Path,
    adjudicated: Path | None,
    field: str,
    policy: str,
    tree: Tree | None,
    quorum: int | None,
    ties: Ties | None,
) -> dict[str, LedgerEntry]:
    all_votes = read_votes(votes) + as_final(
        read_votes(adjudicated) if adjudicated else []
    )
    shown = {problem.id: about(problem, field) for problem in problems}
    entries = ledger(all_votes, field, policy, tree, shown, quorum, ties)
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


def _judged(
    entry: LedgerEntry, problem: Problem, context: Context, doubts: dict[str, list[Any]]
) -> str:
    """Record the entry, and doubts about its votes; why it cannot be applied, or ""."""
    context.record("ledger", entry)
    again = _ask_again(entry.field, context)
    doubt = {"id": problem.id, "field": entry.field, "remedy": again}
    if entry.stale:
        _doubt("stale", doubt | {"annotators": entry.stale}, context, doubts)
    if entry.value is None and entry.stale:
        voters = ", ".join(entry.stale)
        return f"stale: {entry.field}: the votes of {voters} were {STALE}; {again}"
    if entry.excluded:
        return f"excluded: {entry.field}: {entry.rule}"
    if entry.value is None:
        return f"undecided: {entry.field}: {entry.rule}"
    people = not entry.rule.startswith("adjudicated")  # whose word is final
    if (
        entry.field == "spans"
        and people
        and (cut := _cut(problem.question, entry.value))
    ):
        if not entry.unbound:
            return f"undecided: spans: they cut {cut!r} in two"
        _doubt("stale", doubt | {"annotators": entry.unbound}, context, doubts)
        return f"stale: spans: they cut {cut!r}, so they were marked on another text; {again}"
    if entry.unbound:
        _doubt("unbound", doubt | {"annotators": entry.unbound}, context, doubts)
    return ""


def _doubt(
    table: str, row: dict[str, Any], context: Context, doubts: dict[str, list[Any]]
) -> None:
    """A row of a side table that the stage's last words count: what is written may be gone."""
    context.record(table, row)
    doubts.setdefault(table, []).append(row)


def _ask_again(field: str, context: Context) -> str:
    return f"ask again: benchwright annotate push {context.recipe} --field {field}"


def _tell_stale(field: str, context: Context, doubts: dict[str, list[Any]]) -> None:
    rows = doubts.get("stale", [])
    if rows:
        names = ", ".join(row["id"] for row in rows[:5]) + (
            ", ..." if len(rows) > 5 else ""
        )
        people = ", ".join(sorted({name for row in rows for name in row["annotators"]}))
        say(
            f"{field}: {len(rows)} changed since {people} voted: {names}; "
            f"{_ask_again(field, context)}"
        )
    unbound = doubts.get("unbound", [])
    if unbound:
        say(
            f"{field}: {len(unbound)} decided by votes that do not say which text and picture "
            "they were given for; they are applied, see unbound.jsonl"
        )


def _cut(question: str, spans: list[dict[str, Any]]) -> str:
    """The word, number or formula that a span cuts in two: people do not mark so."""
    for formula in maths_spans(question):
        for span in spans:
            ends = (span["start"], span["end"])
            if sum(formula.start < at < formula.end for at in ends) == 1:
                return question[formula.start : formula.end]
    for at in sorted({span[side] for span in spans for side in ("start", "end")}):
        if at > len(question):
            return question[-20:]
        around = (
            m
            for m in re.finditer(r"[A-Za-z0-9]+", question)
            if m.start() < at < m.end()
        )
        if word := next(around, None):
            return word[0]
    return ""


def _tree(name: str | None, context: Context) -> Tree | None:
    if name is None:
        return None
    own = context.recipe_folder / name
    return load_tree(str(own) if own.suffix in (".yaml", ".yml") else name)


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


@stage("steps", whole_set=True, check=_known_policy)
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
    known = _tree(tree, context)
    entries: dict[str, LedgerEntry] = {}
    if votes:
        entries = _entries(
            problems, votes, adjudicated, "steps", policy, None, quorum, ties
        )
        _record_unmatched(problems, entries, context)
    doubts: dict[str, list[Any]] = {}
    for problem in problems:
        entry = entries.get(problem.id)
        injection = None
        if entry is not None:
            if why_not := _judged(entry, problem, context, doubts):
                dropped = undecided == "drop" or entry.excluded
                yield Drop(id=problem.id, reason=why_not) if dropped else problem
                continue
            bind(problem, "steps")
            problem.steps = steps_from(entry.value)
            for step, row in zip(
                problem.steps, entry.value.get("steps") or [], strict=True
            ):
                step.images = _pictures_of(problem, row, pictures, context)
            injection = entry.value.get("injection")
            problem.labels = _with_concepts(problem)
        broken_rules = list(violations(problem, known, injection))
        for violation in broken_rules:
            context.record("violations", violation)
        if broken_rules and on_violation == "drop":
            first = broken_rules[0]
            yield Drop(
                id=problem.id, reason=f"{first.code}: {first.where}: {first.what}"
            )
        else:
            yield problem
    _tell_stale("steps", context, doubts)


def _with_concepts(problem: Problem) -> dict[str, Any]:
    """The problem's concepts, where it has none yet, are its steps' in their order."""
    concepts = list(dict.fromkeys(c for step in problem.steps for c in step.knowledge))
    return (
        {"knowledge": concepts} | problem.labels | {"steps": max(1, len(problem.steps))}
    )


def _pictures_of(
    problem: Problem, row: dict[str, Any], folder: Path | None, context: Context
) -> list[Image]:
    """The picture of a decided step: a file, or the problem's with the step's condition drawn."""
    data = step_picture(problem, row, folder, context.work)
    name = f"a step's picture of {problem.id}"
    return [store_picture(data, context.work, name=name)] if data is not None else []
