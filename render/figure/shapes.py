"""Plane shapes: the draw operations that need no axes and no solid."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from .figure import Array, Dot, Figure, Line, Number, Point, Points, Stamp, Stroke, Tint
from .vectors import heading, turning, unit, unit_vectors

MOST_CELLS = 40
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])  # in halves of its size
UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
ROUND = 180  # sides of the polygon that stands for a circle: off by 0.02 px at 150 px radius


def segment(figure: Figure, line: Line) -> list[Stroke]:
    """The segment AB."""
    return [Stroke(np.stack(line))]


def path(figure: Figure, points: Points, *, arrow: str = "") -> list[Stroke]:
    """An open polyline; `arrow` is end, start or both."""
    return [Stroke(np.stack(_several(points, 2)), arrows=_heads(arrow))]


def spline(
    figure: Figure, points: Points, *, closed: bool = False, arrow: str = ""
) -> list[Stroke]:
    """A free curve through points: `{spline: ABCD, closed: true}` (Catmull and Rom's)."""
    corners = np.stack(_several(points, 3 if closed else 2))
    first = corners[[0]]
    last = corners[[-1]]
    if closed:
        around = np.vstack([last, corners, corners[:2]])
    else:
        around = np.vstack([first, corners, last])
    t = np.linspace(0, 1, 24, endpoint=False)[:, None]
    pieces = [
        0.5
        * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )
        for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False)
    ]
    if not closed:
        pieces.append(last)
    return [Stroke(np.vstack(pieces), closed=closed, arrows=_heads(arrow))]


def polygon(figure: Figure, points: Points) -> list[Stroke]:
    """A closed polygon."""
    return [Stroke(np.stack(_several(points, 3)), closed=True)]


def line(figure: Figure, line: Line, *, extend: Number = 0.2) -> list[Stroke]:
    """The line AB, drawn on both sides beyond the points by `extend` of its length."""
    a, b = line
    more = extend * (b - a)
    return [Stroke(np.stack([a - more, b + more]))]


def ray(figure: Figure, line: Line, *, extend: Number = 0.2) -> list[Stroke]:
    """The ray from A through B, drawn beyond B by `extend` of the length."""
    a, b = line
    return [Stroke(np.stack([a, b + extend * (b - a)]))]


def arrow(figure: Figure, line: Line, *, both: bool = False) -> list[Stroke]:
    """An arrow from A to B."""
    return [Stroke(np.stack(line), arrows=(both, True))]


def circle(
    figure: Figure,
    center: Point,
    *,
    radius: Number | None = None,
    through: Point | None = None,
) -> list[Stroke]:
    """The circle about O with a radius, or through a point."""
    radius = _radius(center, radius, through)
    return [Stroke(turned(center, radius), closed=True)]


def ellipse(
    figure: Figure, center: Point, *, radii: list[float], turn: Number = 0
) -> list[Stroke]:
    """An ellipse with its two radii, turned by `turn` degrees."""
    if len(radii) != 2 or min(radii) <= 0:
        raise ValueError("an ellipse needs two positive radii")
    level = turned(np.zeros(2), 1) * radii
    outline = center + level @ turning(np.radians(turn))
    return [Stroke(outline, closed=True)]


def arc(figure: Figure, points: Points, *, arrow: str = "") -> list[Stroke]:
    """The arc about O from A counterclockwise to the ray OB: `{arc: AOB}`."""
    return [Stroke(arc_points(points), arrows=_heads(arrow))]


def sector(figure: Figure, points: Points) -> list[Stroke]:
    """The sector of a circle about O from A counterclockwise to OB: `{sector: AOB}`."""
    outline = np.concatenate([arc_points(points), points[1][None]])
    return [Stroke(outline, closed=True)]


def dot(figure: Figure, points: Points, *, open: bool = False) -> list[Dot]:
    """Points drawn as dots: `{dot: ABC}`; open ones are circles."""
    return [Dot(p, open) for p in points]


def node(
    figure: Figure,
    centers: Points,
    *,
    radius: Number | None = None,
    size: list[float] | None = None,
    tint: Tint = "white",
) -> list[Stroke]:
    """Discs, or boxes with a `size`, that cover the lines they stand on: of graphs, flow charts.

    >>> from .figure import Figure
    >>> node(Figure({}), [np.zeros(2)], size=[4, 2])[0].path.tolist()
    [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0], [-2.0, 1.0]]
    """
    if size is None:
        outlines = [turned(at, _radius(at, radius, None)) for at in centers]
    elif len(size) == 2 and min(size) > 0 and radius is None:
        outlines = [at + SQUARE * np.array(size) / 2 for at in centers]
    else:
        raise ValueError("a node has a radius, or a size of two positive numbers")
    return [
        Stroke(outline, closed=True, fill=tint, covers=True) for outline in outlines
    ]


def cells(
    figure: Figure, rows: Any, *, at: Point, size: Number = 1, tint: Tint = "gray"
) -> list[Stroke]:
    """Squares of a grid, the lower left corner of all at a place: `{cells: ["#*", ".#"], at: A}`.

    `#` is a square, `*` a filled one, a point or a blank none.
    """
    if (
        not isinstance(rows, list)
        or not rows
        or set("".join(map(str, rows))) - set("#*. ")
    ):
        raise ValueError(
            "cells are rows of # (a square), * (a filled one) and . (none)"
        )
    if size <= 0 or max(len(rows), *(len(str(row)) for row in rows)) > MOST_CELLS:
        raise ValueError(
            f"cells have a positive size, and lie at most {MOST_CELLS} in a row"
        )
    first = at + size * UNIT_SQUARE
    squares = []
    for y, row in enumerate(reversed(rows)):
        for x, mark in enumerate(str(row)):
            if mark in "#*":
                outline = first + np.array([size * x, size * y])
                fill = tint if mark == "*" else ""
                squares.append(Stroke(outline, closed=True, fill=fill))
    return squares


def picture(figure: Figure, name: str, *, at: Point, width: Number) -> list[Stamp]:
    """A picture beside the spec, its middle at a place: `{picture: a.png, at: A, width: 2}`."""
    if figure.dimension == 3 or width <= 0:
        raise ValueError("a picture lies in the plane and has a positive width")
    return [Stamp(name, at, width)]


def _heads(arrow: str) -> tuple[bool, bool]:
    if arrow not in ("", "start", "end", "both"):
        raise ValueError(f"arrow {arrow!r}: write start, end or both")
    return arrow in ("start", "both"), arrow in ("end", "both")


def turned(center: Array, radius: float, start: float = 0, stop: float = 360) -> Array:
    """Points of a plane arc from `start` to `stop` degrees, ends included."""
    steps = max(8, round(ROUND * abs(stop - start) / 360))
    angles = np.radians(np.linspace(start, stop, steps + 1))
    return center + radius * unit_vectors(angles)


def arc_points(points: list[Array]) -> Array:
    if len(points) != 3 or len(points[0]) != 2:
        raise ValueError(
            "an arc needs three points of the plane, its centre in the middle"
        )
    a, o, b = points
    unit(b - o)  # a ray has a direction
    start = heading(a - o)
    sweep = (heading(b - o) - start) % 360 or 360
    return turned(o, float(np.linalg.norm(a - o)), start, start + sweep)


def _radius(center: Array, radius: float | None, through: Array | None) -> float:
    if len(center) != 2:
        raise ValueError(
            "circles of solids belong to cylinder, cone, sphere and frustum"
        )
    if (radius is None) == (through is None):
        raise ValueError("a circle needs either radius or through")
    value = radius if through is None else float(np.linalg.norm(through - center))
    if value is None or value <= 1e-9:
        raise ValueError("the radius must be positive")
    return value


def _several(points: list[Array], least: int) -> list[Array]:
    if len(points) < least:
        raise ValueError(f"needs at least {least} points")
    for p, q in pairwise(points):
        if np.linalg.norm(p - q) < 1e-9:
            raise ValueError("two neighbouring points coincide")
    return points


SHAPES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        segment,
        path,
        spline,
        polygon,
        line,
        ray,
        arrow,
        circle,
        ellipse,
        arc,
        sector,
        dot,
        node,
        cells,
        picture,
    )
}
