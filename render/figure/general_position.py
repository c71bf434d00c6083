"""General position: solved points of which no three lie on a line unless it is said.

An angle or a ratio holds trivially in a figure that has collapsed onto a line. What says that
points lie on a line: `collinear`, `between`, `midpoint`, an angle of 0 or 180 degrees, and lines of
one direction that share a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from .figure import Array, names
from .spec import SpecItem

FLAT = 1e-3  # of the longest side: a triangle so low is a line

Line = set[str]


def collapsed(
    places: Array, points: Sequence[str], free: Sequence[int], lines: Sequence[Line]
) -> str:
    """Three points of a figure that lie on a line though nothing says so; "" where none do.

    Triples of points that were given, none of which is `free`, are the author's.
    """
    moved = set(free)
    for triple in combinations(range(len(points)), 3):
        if not moved & {*triple}:
            continue
        named = {points[k] for k in triple}
        if any(named <= line for line in lines):
            continue
        a, b, c = places[list(triple)]
        (ax, ay), (bx, by) = b - a, c - a
        longest = max(
            np.linalg.norm(b - a), np.linalg.norm(c - a), np.linalg.norm(c - b)
        )
        if abs(ax * by - ay * bx) < FLAT * longest**2:
            return "".join(points[k] for k in triple)
    return ""


def said_lines(relations: Sequence[SpecItem]) -> list[Line]:
    """The points that relations put on one line, joined where two lines share two points."""
    lines: list[Line] = []
    for item in relations:
        value = item.value
        if item.op == "collinear":
            lines.append(_points(value))
        elif item.op in ("between", "midpoint") and isinstance(value, list):
            lines.append(_points(value[0]) | _points(value[1]))
        elif item.op == "angle" and isinstance(value, list) and value[-1] in (0, 180):
            lines.append(_points(value[0]))
    lines += _one_direction(relations)
    return _joined(lines)


def _one_direction(relations: Sequence[SpecItem]) -> list[Line]:
    """Lines that are parallel, or perpendicular to the same, and share a point."""
    directions: list[
        tuple[Line, tuple[int, int]]
    ] = []  # a line, its class and quarter turns
    for k, item in enumerate(relations):
        if item.op not in ("parallel", "perpendicular") or not isinstance(
            item.value, list
        ):
            continue
        is_across = item.op == "perpendicular"
        group, turn = k, 0
        for line, (known, turned) in directions:
            for place, value in enumerate(item.value):
                if _points(value) == line:
                    group = known
                    turn = (turned - place * is_across) % 2
        for place, value in enumerate(item.value):
            directions.append((_points(value), (group, (turn + place * is_across) % 2)))
    return [
        one | other
        for (one, how), (other, its) in combinations(directions, 2)
        if how == its and one & other
    ]


def _joined(lines: list[Line]) -> list[Line]:
    joined: list[Line] = []
    for line in lines:
        whole = set(line)
        apart = []
        for other in joined:
            if len(whole & other) >= 2:
                whole |= other
            else:
                apart.append(other)
        joined = [*apart, whole]
    return joined if len(joined) == len(lines) else _joined(joined)


def _points(value: Any) -> Line:
    """The names in a value; coordinates have none."""
    try:
        return {name for name in names(value) if isinstance(name, str)}
    except ValueError:
        return set()
