"""Leakage groups: problems that are no duplicates but must share a split and a cluster.

Linked are problems that share a picture, those that are likely one problem, variants of one
template, and every pair near in its text that nobody has called different, unless only a common
phrase joins them (other picture, other answer). What cannot be seen keeps a pair together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .classes import ONE_PROBLEM, Pair
from .decisions import Decision, PairKey, key_of
from .likeness import LIKELY, probability


def linked(pair: Pair, decisions: dict[PairKey, Decision]) -> bool:
    """Whether a pair's members belong to one leakage group."""
    same_picture = pair.picture in ("identical", "same")
    if same_picture:
        return True
    decision = decisions.get(key_of(pair.a, pair.b))
    if decision is not None:
        return decision.verdict != "not duplicate"
    if pair.kind in ONE_PROBLEM:
        return True
    if pair.kind == "template":
        return False
    if pair.kind == "picture-differs" and pair.picture != "unreadable":
        return pair.answer == "equal" and pair.options != "differ"
    if pair.kind in ("alike", "picture-only"):
        return pair.score >= probability(LIKELY)
    return True


def leakage_groups(
    ids: Sequence[str], links: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """For every id the first id, in the order given, of its connected component.

    >>> leakage_groups(["a", "b", "c"], [("c", "b")])
    {'a': 'a', 'b': 'b', 'c': 'b'}
    """
    order = {name: position for position, name in enumerate(ids)}
    parent = {name: name for name in ids}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for a, b in links:
        first, second = sorted((root(a), root(b)), key=order.__getitem__)
        parent[second] = first
    return {name: root(name) for name in ids}
