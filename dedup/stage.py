"""The stage `dedup`: drop decided duplicates, and keep relatives together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ..base.terminal import say
from ..errors import UserError
from ..llm import Model
from ..pipeline import Context, Later, stage
from ..problem import Drop, Problem
from .classes import LIKENESS, OF_SET, Pair
from .decisions import Decision, PairKey, drops, key_of, read_decisions, stale_among
from .families import families_of, kinship
from .groups import leakage_groups, linked
from .item_store import ItemStore, stored
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
    Side tables: `pairs` (the evidence of each two), `likeness` (how likely they are one
    problem, as the whole set tells), `stale` (decisions that no longer fit their texts),
    `groups` (members of each leakage group), `families` (questions that differ only in numbers
    and names), `errata` (pairs of one problem whose answers contradict each other).
    """
    percent = whole_percent(threshold)
    decided = read_decisions(decisions) if decisions else {}
    links: list[tuple[str, str]] = []
    edges: list[tuple[str, str, str]] = []
    came: dict[str, str] = {}  # the origin with which each problem came

    def items() -> Iterator[Item]:
        for problem in problems:
            came[problem.id] = problem.origin
            yield item_of(problem, context.work)

    with stored(items(), context.engine, work=context.work) as store:
        families = list(families_of(store))
        vectors = _vectors(store, embeddings, answers)
        members = {name for pair in decided for name in pair}
        # Without decisions nobody need be looked at.
        by_id = {i.id: i for i in store if i.id in members} if members else {}
        valid = _valid(decided, by_id, context)
        for family, rows in families:
            links += kinship(store, rows)
            context.record("families", family)
        pairs = pairs_among(
            store, percent, context.engine, True, families, vectors, ranked=False
        )
        for pair in pairs:
            if linked(pair, valid):
                links.append((pair.a, pair.b))
            if pair.automatic and key_of(pair.a, pair.b) not in valid:
                loser = pair.b if pair.keep == pair.a else pair.a
                edges.append((loser, pair.keep, "exact duplicate"))
            row = msgspec.to_builtins(pair) | _verdict(pair, valid)
            of_set = {name: row.pop(name) for name in OF_SET}
            names = {"a": pair.a, "b": pair.b}
            context.record("pairs", row)
            context.record(LIKENESS, names | of_set)
            if pair.kind == "erratum":
                erratum = {"answers": pair.answers, "score": pair.score}
                context.record("errata", names | erratum)
    order = {name: row for row, name in enumerate(came)}
    edges += _decided_edges(valid, by_id, order)
    dropped = {drop.id: drop for drop in drops(edges, order)}
    origins = _origins(came, valid, links, context)
    for problem in problems:
        if problem.id in dropped:
            yield dropped[problem.id]
        else:
            yield msgspec.structs.replace(problem, origin=origins[problem.id])


def _valid(
    decided: dict[PairKey, Decision], items: dict[str, Item], context: Context
) -> dict[PairKey, Decision]:
    """The decisions that still fit their texts; the others go to the table `stale`."""
    stale = stale_among(decided, items.values())
    for pair, why in stale.items():
        context.record("stale", msgspec.to_builtins(decided[pair]) | {"why": why})
    if stale:
        say(
            f"dedup: {len(stale)} of {len(decided)} decisions are about other texts or pictures "
            "and are NOT applied; they stand in stale.jsonl of this stage: decide these pairs again"
        )
    return {pair: decision for pair, decision in decided.items() if pair not in stale}


def _vectors(items: ItemStore, model: str, answers: Path | None) -> Any:
    """What the cache holds of a model's vectors; None where no model is named."""
    if not model:
        return None
    if answers is None or not answers.exists():
        raise UserError(
            f"no cache with the vectors of {model}",
            f"name it as `answers`; `benchwright dedup pairs --embeddings {model}` fills one",
        )
    vectors = meanings(items, Model(name=model), answers, offline=True).vectors
    if not vectors.any():
        raise UserError(
            f"{answers} holds no vector of {model}", "run `benchwright dedup pairs`"
        )
    return vectors


def _verdict(pair: Pair, valid: dict[PairKey, Decision]) -> dict[str, str]:
    """What was decided on a pair, and by whom, as columns."""
    decision = valid.get(key_of(pair.a, pair.b))
    if decision is not None:
        return {"verdict": decision.verdict, "annotator": decision.annotator}
    if pair.automatic:
        return {"verdict": "duplicate", "annotator": "rule"}
    return {"verdict": ""}


def _decided_edges(
    valid: dict[PairKey, Decision], items: dict[str, Item], order: dict[str, int]
) -> Iterator[tuple[str, str, str]]:
    """(loser, keeper, reason) of what people decided."""
    for decision in valid.values():
        if decision.verdict != "duplicate":
            continue
        keep = decision.keep
        if not keep:
            members = sorted((decision.a, decision.b), key=order.__getitem__)
            keep = keeper(items[members[0]], items[members[1]])[0].id
        loser = decision.b if keep == decision.a else decision.a
        yield loser, keep, f"duplicate: {decision.annotator or 'decided'}"


def _origins(
    origins: dict[str, str],
    valid: dict[PairKey, Decision],
    links: list[tuple[str, str]],
    context: Context,
) -> dict[str, str]:
    """Each problem's leakage group, joined with the `origins` that problems came with."""
    links = list(links)
    for decision in valid.values():
        if decision.verdict != "not duplicate":
            links.append((decision.a, decision.b))
    first_of: dict[str, str] = {}  # origin -> the first problem that came with it
    for name, origin in origins.items():
        links.append((first_of.setdefault(origin, name), name))
    heads = leakage_groups([*origins], links)
    groups: dict[str, list[str]] = {}
    for name, head in heads.items():
        groups.setdefault(head, []).append(name)
    for head, members in groups.items():
        if len(members) > 1:
            context.record("groups", {"origin": origins[head], "members": members})
    return {name: origins[head] for name, head in heads.items()}
