"""The stage `dedup`: drop decided duplicates, and keep relatives together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ..errors import UserError
from ..llm import Model
from ..pipeline import Context, Later, stage
from ..problem import Drop, Problem
from .classes import Pair
from .decisions import Decision, PairKey, drops, key_of, read_decisions, stale_among
from .families import families_of, kinship
from .groups import leakage_groups, linked
from .item_store import Shelf, shelved
from .items import Item, item_of, keeper
from .join import whole_percent
from .meaning import meanings
from .pairs import pairs_among


@stage("dedup", whole_set=True)
def dedup(
    problems: Sequence[Problem],
    *,
    threshold: float = 0.85,
    decisions: Annotated[Path | None, Later] = None,
    embeddings: str = "",
    answers: Path | None = None,
    context: Context,
) -> Iterable[Problem | Drop]:
    """Find duplicates; drop the exact and the decided ones; set `origin` to the leakage group.

    `threshold` is the similarity of questions (a whole percentage) from which pairs are proposed;
    `decisions` is what the page of `dedup evidence` or Label Studio wrote, or will write.
    `embeddings` names a model whose vectors of the questions `dedup pairs` has put into the cache
    `answers`; a build asks nobody.
    Side tables: `pairs` (all evidence), `stale` (decisions that no longer fit their texts),
    `groups` (members of each leakage group), `families` (questions that differ only in numbers and
    names), `errata` (pairs of one problem whose answers contradict each other).
    """
    percent = whole_percent(threshold)
    decided = read_decisions(decisions) if decisions else {}
    related: list[tuple[str, str]] = []
    edges: list[tuple[str, str, str]] = []
    read = (item_of(problem, context.work) for problem in problems)
    with shelved(read, context.engine, work=context.work) as items:
        families = list(families_of(items))
        vectors = _vectors(items, embeddings, answers)
        named = {
            name for key in decided for name in key
        }  # what others hold nobody need ask
        by_id = {item.id: item for item in items if item.id in named} if named else {}
        stale = stale_among(decided, by_id.values())
        for key, why in stale.items():
            context.record("stale", msgspec.to_builtins(decided[key]) | {"why": why})
        valid = {key: decision for key, decision in decided.items() if key not in stale}
        for family, rows in families:
            related += kinship(items, rows)
            context.record("families", family)
        for pair in pairs_among(
            items, percent, context.engine, True, families, vectors
        ):
            if linked(pair, valid):
                related.append((pair.a, pair.b))
            if pair.automatic and key_of(pair.a, pair.b) not in valid:
                edges.append(
                    (
                        pair.b if pair.keep == pair.a else pair.a,
                        pair.keep,
                        "exact duplicate",
                    )
                )
            row = msgspec.to_builtins(pair) | _decided(pair, valid)
            context.record("pairs", row)
            if pair.kind == "erratum":
                erratum = {name: row[name] for name in ("a", "b", "answers", "score")}
                context.record("errata", erratum)
    order = {problem.id: row for row, problem in enumerate(problems)}
    edges += _decided_edges(valid, by_id, order)
    dropped = {drop.id: drop for drop in drops(edges, order)}
    origin = _origins(problems, valid, related, context)
    for problem in problems:
        yield dropped.get(problem.id) or msgspec.structs.replace(
            problem, origin=origin[problem.id]
        )


def _vectors(items: Shelf, model: str, answers: Path | None) -> Any:
    """What the cache holds of a model's vectors; None where no model is named."""
    if not model:
        return None
    if answers is None or not answers.exists():
        raise UserError(
            f"no cache with the vectors of {model}",
            f"name it as `answers`; `benchwright dedup pairs --embeddings {model}` fills one",
        )
    found = meanings(items, Model(name=model), answers, offline=True)
    if not found.vectors.any():
        raise UserError(
            f"{answers} holds no vector of {model}", "run `benchwright dedup pairs`"
        )
    return found.vectors


def _decided(pair: Pair, valid: dict[PairKey, Decision]) -> dict[str, Any]:
    if decision := valid.get(key_of(pair.a, pair.b)):
        return {"verdict": decision.verdict, "annotator": decision.annotator}
    return (
        {"verdict": "duplicate", "annotator": "rule"}
        if pair.automatic
        else {"verdict": ""}
    )


def _decided_edges(
    valid: dict[PairKey, Decision], items: dict[str, Item], order: dict[str, int]
) -> Iterable[tuple[str, str, str]]:
    """(loser, keeper, reason) of what people decided."""
    for decision in valid.values():
        if decision.verdict == "duplicate":
            a, b = decision.a, decision.b
            earlier, later = sorted(
                (items[a], items[b]), key=lambda item: order[item.id]
            )
            keep = decision.keep or keeper(earlier, later)[0].id
            yield (
                (b if keep == a else a),
                keep,
                f"duplicate: {decision.annotator or 'decided'}",
            )


def _origins(
    problems: Sequence[Problem],
    valid: dict[PairKey, Decision],
    related: list[tuple[str, str]],
    context: Context,
) -> dict[str, str]:
    """Each problem's leakage group, joined with the origins that problems came with."""
    links = related + [
        (d.a, d.b) for d in valid.values() if d.verdict != "not duplicate"
    ]
    first: dict[str, str] = {}
    origin = {problem.id: problem.origin for problem in problems}
    for name, came_with in origin.items():
        links.append((first.setdefault(came_with, name), name))
    group = leakage_groups([*origin], links)
    members: dict[str, list[str]] = {}
    for name, head in group.items():
        members.setdefault(head, []).append(name)
    for head, names in members.items():
        if len(names) > 1:
            context.record("groups", {"origin": origin[head], "members": names})
    return {name: origin[head] for name, head in group.items()}
