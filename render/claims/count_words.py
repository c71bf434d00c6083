"""How many things sentences say there are, held to a figure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diagram import (
    Claim,
    directions,
)
from .circle_words import circles_of
from .claim import Scene, Undecided, unless
from .english import (
    COUNTS,
)


def count(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`Three lines meet in O`, `two circles`, `two points ... A and B`."""
    word = match["count"].lower()
    count = COUNTS.index(word) + 1
    what = match["what"]
    if what == "circles":
        number = sum(circle.is_whole for circle in circles_of(scene))
    elif match["in"]:
        (at,) = scene.points(match["in"])
        ways = directions(scene.composition, at)
        through = [any(float(way @ other) < -0.9999 for other in ways) for way in ways]
        number = sum(through) // 2  # each line is two ways
    else:
        raise Undecided
    unless(number == count, f"the figure has {number:g}")
    yield from ()
