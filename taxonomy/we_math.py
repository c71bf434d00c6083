"""What We-Math's shipped tree says of its 67 concepts: their areas and their knowledge cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from .load import load_tree


def area_of(concept: str) -> str | None:
    """The area (twelve in five domains), or None for a concept that We-Math does not have.

    >>> area_of("Understanding Angles (Using a Protractor)")
    'Angles and Length'
    """
    return _areas().get(concept)


@cache
def _areas() -> dict[str, str]:
    """Second-level name of every leaf of the shipped tree."""
    return {leaf.name: leaf.path[1] for leaf in load_tree("we-math").leaves}


def cards_text(concepts: Sequence[str], cards: Mapping[str, str] | None = None) -> str:
    """The concepts with their cards, as We-Math's rows have them; those without a card left out.

    >>> cards_text(["a", "b"], {"a": "1. An a."})
    'a:\\n1. An a.'
    """
    cards = knowledge_cards() if cards is None else cards
    return "\n".join(f"{name}:\n{cards[name]}" for name in concepts if cards.get(name))


@cache
def knowledge_cards() -> dict[str, str]:
    """Concept -> card, for knowledge-concept augmentation (KCA, We-Math section 4.3)."""
    leaves = load_tree("we-math").leaves
    return {node.name: node.card or node.definition for node in leaves}
