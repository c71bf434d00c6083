"""How many things sentences say there are, held to a figure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diagram import (
    Claim,
    Composition,
    directions,
)
from .chart_words import chart_cells
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


def of_chart(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`three months`, `two classes`: as many as a chart has rows, or columns; what else there are
    so many of, no chart tells."""
    number = COUNTS.index(match["count"].lower()) + 1
    cells = chart_cells(scene.composition)
    if number not in {len({row for row, _ in cells}), len({kind for _, kind in cells})}:
        raise Undecided
    yield from ()


IN_PANEL = (
    r"\b[Ff]igure (?P<which>\w{1,3}) (?:has|needs|consists of|is made of) (?P<count>\d+)"
    r"(?: (?P<what>[a-z]+))?"
)
SQUARES = ("squares", "cells", "tiles", "cubes", "boxes")
EDGES = ("matches", "matchsticks", "sticks", "toothpicks", "lines")
DOTS = ("dots", "points", "counters")


def in_panel(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`Figure 2 has 7 matches, figure 3 has 10`: of the panel with that caption; what is counted
    may have been named before."""
    named = re.findall(r"\d+ ([a-z]+)", scene.text[: scene.at + len(match[0])])
    known = [word for word in named if word in (*SQUARES, *EDGES, *DOTS)]
    panel = next(
        (
            figure
            for caption, figure in scene.composition.panels
            if match["which"] in re.findall(r"\w+", caption)
        ),
        None,
    )
    if panel is None or not known:
        raise Undecided
    number = _number_in(panel, known[-1])
    unless(number == int(match["count"]), f"figure {match['which']} has {number}")
    yield from ()


def _number_in(panel: Composition, what: str) -> int:
    """How many squares, edges or dots a panel draws."""
    if what in DOTS:
        return sum(item.op == "dot" for item, _ in panel.drawn)
    squares = {
        (x, y)
        for item, _ in panel.drawn
        if item.op == "cells"
        for y, row in enumerate(item.value)
        for x, mark in enumerate(row)
        if mark not in ". "
    }
    if what in SQUARES:
        return len(squares)
    across = {(x, y + k) for x, y in squares for k in (0, 1)}
    upright = {(x + k, y) for x, y in squares for k in (0, 1)}
    return len(across) + len(upright)
