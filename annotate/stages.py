"""Recipe stages that read people's work: label, steps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from ..errors import UserError
from ..pipeline import Context, stage
from ..problem import Drop, Problem, Span
from ..taxonomy import Tree, load_tree, steps_from, violations
from .votes import LedgerEntry, Policy, as_final, ledger, read_votes


@stage("label", whole_set=True)
def label(
    problems: list[Problem],
    *,
    context: Context,
    field: str,
    votes: Path,
    adjudicated: Path | None = None,
    policy: Policy = "majority",
    tree: str | None = None,
    undecided: Literal["drop", "keep"] = "drop",
    unvoted: Literal["drop", "keep"] = "keep",
) -> Iterator[Problem | Drop]:
    """Set the label `field` from votes.jsonl by a policy; the ledger says why.

    `field: spans` sets the question's DI/IP/EC spans; `field: placement` sets the diagram, which
    draws the conditions onto the problem's first picture. Undecided problems are dropped with the
    rule that failed; problems nobody voted on keep the label they have. Votes in `adjudicated` are
    an adjudicator's and final.
    """
    known = _tree(tree, context)
    entries = _entries(votes, adjudicated, field, policy, known)
    unknown_ids = sorted(entries.keys() - {problem.id for problem in problems})
    for name in unknown_ids:
        context.record("strangers", {"id": name, "why": "votes on a problem that is not here"})
    for problem in problems:
        entry = entries.get(problem.id)
        if entry is None:
            keep = unvoted == "keep"
            yield problem if keep else Drop(id=problem.id, reason=f"unvoted: {field}")
            continue
        context.record("ledger", entry)
        if entry.value is not None:
            _set(problem, field, entry.value, known)
        elif undecided == "drop":
            yield Drop(id=problem.id, reason=f"undecided: {field}: {entry.rule}")
            continue
        yield problem


def _entries(
    votes: Path, adjudicated: Path | None, field: str, policy: str, tree: Tree | None
) -> dict[str, LedgerEntry]:
    all_votes = read_votes(votes) + as_final(read_votes(adjudicated) if adjudicated else [])
    return {entry.id: entry for entry in ledger(all_votes, field, policy, tree)}


def _tree(name: str | None, context: Context) -> Tree | None:
    if name is None:
        return None
    own = context.recipe_folder / name
    return load_tree(str(own) if own.suffix in (".yaml", ".yml") else name)


def _set(problem: Problem, field: str, value: Any, tree: Tree | None) -> None:
    """Spans, the diagram, or a label; with a tree also the upper levels of a single label."""
    if field == "spans":
        problem.spans = msgspec.convert(value, list[Span])
        return
    if field == "placement":
        problem.diagram = _on_picture(problem, value)
        return
    problem.labels = problem.labels | {field: value}
    if tree is not None and isinstance(value, str):
        node = tree.find(value)
        if len(node.path) > 1:
            # the leaf's own name, as official data say it: the upper levels tell equal ones apart
            problem.labels |= tree.by_level(node) | {field: node.name}


def _on_picture(problem: Problem, labels: list[dict[str, Any]]) -> str:
    """The diagram spec that draws labels onto the problem's first picture."""
    if not problem.images:
        raise UserError(f"{problem.id} has placements and no picture", "give it its picture back")
    spec = {"kind": "picture", "background": problem.images[0].path, "labels": labels}
    return yaml.safe_dump(spec, allow_unicode=True, default_flow_style=None, sort_keys=False)


@stage("steps", whole_set=True)
def steps(
    problems: list[Problem],
    *,
    context: Context,
    votes: Path | None = None,
    adjudicated: Path | None = None,
    policy: Policy = "wemath",
    tree: str | None = "we-math",
    on_violation: Literal["drop", "keep"] = "keep",
) -> Iterator[Problem | Drop]:
    """Turn step decisions into `steps`, and check the steps of every problem (We-Math, 2.2).

    Decisions are votes on the field `steps`, those in `adjudicated` are final; without votes
    only the steps that problems bring are checked. Every broken rule is a line of violations.jsonl.
    """
    known = _tree(tree, context)
    entries = _entries(votes, adjudicated, "steps", policy, None) if votes else {}
    for problem in problems:
        entry = entries.get(problem.id)
        injection = None
        if entry is not None:
            context.record("ledger", entry)
            if entry.value is None:
                yield Drop(id=problem.id, reason=f"undecided: steps: {entry.rule}")
                continue
            problem.steps = steps_from(entry.value)
            injection = entry.value.get("injection")
            problem.labels = _with_concepts(problem)
        broken_rules = list(violations(problem, known, injection))
        for violation in broken_rules:
            context.record("violations", violation)
        if broken_rules and on_violation == "drop":
            first = broken_rules[0]
            yield Drop(id=problem.id, reason=f"{first.code}: {first.where}: {first.what}")
        else:
            yield problem


def _with_concepts(problem: Problem) -> dict[str, Any]:
    """The problem's concepts, where it has none yet, are its steps' in their order."""
    concepts = list(dict.fromkeys(c for step in problem.steps for c in step.knowledge))
    return {"knowledge": concepts} | problem.labels | {"steps": len(problem.steps)}
