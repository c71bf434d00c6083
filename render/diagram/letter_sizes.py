"""How large the letters of a drawing are where models see it: what is too small is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..issues import Issue
from ..labels import TICK, Placed
from .overlay import CAPITAL

SEEN_AT = 448  # pixels: the long side of a picture as many models take it
SMALL = 6.0  # pixels: lower capitals are guessed, not read


def em_of(placed: Placed) -> float:
    """The size of a label's letters: ticks are smaller than other texts."""
    return placed.em * (TICK if placed.label.kind == "tick" else 1)


def small_letters(labels: Iterable[Placed], size: tuple[int, int]) -> Iterator[Issue]:
    """An issue for the smallest letters of a picture, where its capitals are below 6 pixels."""
    placed = min(labels, key=em_of, default=None)
    if placed is None:
        return
    height = CAPITAL * em_of(placed) * min(1.0, SEEN_AT / max(size))
    if height < SMALL:
        what = f"capitals of {height:.1f} pixels in a picture seen at {SEEN_AT}"
        remedy = "draw fewer panels in a row, or a figure that is less long"
        yield Issue("small-letters", f"{what}: {remedy}", placed.label.where)
