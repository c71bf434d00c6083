"""Stacks of unit cubes as school books draw them: every cube with its edges, nothing hidden.

Seen from a corner all edges are drawn alike long, and cubes cover each other triangle by triangle:
half a face of a cube covers exactly halves of faces behind it. So what is seen is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ..figure import Array, Stroke
from .sketch import Sketch

ACROSS = np.sqrt(3) / 2
FACES = {  # corners of the faces of a cube that a viewer in front, on the right and above sees
    "top": ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    "front": ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    "right": ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
}
SHADES = {"top": "", "front": "", "right": "gray"}
Corner = tuple[int, int]
Triangle = tuple[Corner, ...]


def stack_strokes(filled: Array) -> list[Stroke]:
    """The strokes of cubes `filled` [x from the left, y from the back, z from the bottom]."""
    owner: dict[
        Triangle, tuple[int, str, Any]
    ] = {}  # what is nearest: depth, face, cube
    for cube in np.argwhere(filled).tolist():
        x, y, z = cube
        away = -y - 1  # y counts from the back, the viewer stands in front
        for face, corners in FACES.items():
            flat = [_flat(x + i, away + j, z + k) for i, j, k in corners]
            depth = x - away + z
            for triangle in _halves(flat):
                if triangle not in owner or depth > owner[triangle][0]:
                    owner[triangle] = (depth, face, (x, y, z))
    fills = []
    edges: dict[frozenset[Corner], set[Any]] = {}
    for triangle, (_, face, cube) in owner.items():
        if SHADES[face]:
            path = np.array([_place(corner) for corner in triangle])
            fills.append(
                Stroke(path, closed=True, fill=SHADES[face], width=0, light=True)
            )
        for a, b in pairwise([*triangle, triangle[0]]):
            edges.setdefault(frozenset({a, b}), set()).add((face, cube))
    lines = []
    for ends, sides in edges.items():
        a, b = sorted(ends)
        if len(sides) == 1 and _is_inner(a, b, next(iter(sides))):
            continue
        lines.append(Stroke(np.array([_place(a), _place(b)])))
    return [*fills, *lines]


def _flat(x: int, y: int, z: int) -> Corner:
    """Where a corner is drawn, in whole steps: to the right, and half steps up."""
    return x + y, y - x + 2 * z


def _place(corner: Corner) -> tuple[float, float]:
    right, up = corner
    return right * ACROSS, up / 2


def _halves(flat: list[Corner]) -> Iterator[Triangle]:
    """A face as its two halves along the diagonal that is as long as an edge."""
    a, b, c, d = flat
    one, other = ((a, b, c), (a, c, d)), ((a, b, d), (b, c, d))
    length = {(a, c): _length(a, c), (b, d): _length(b, d)}
    for half in one if length[a, c] < length[b, d] else other:
        yield tuple(sorted(half))


def _length(a: Corner, b: Corner) -> float:
    (x, y), (u, v) = _place(a), _place(b)
    return (x - u) ** 2 + (y - v) ** 2


def _is_inner(a: Corner, b: Corner, side: Any) -> bool:
    """Whether an edge of triangles is the diagonal of one face, which nobody draws."""
    face, (x, y, z) = side
    corners = [_flat(x + i, -y - 1 + j, z + k) for i, j, k in FACES[face]]
    return any(
        {a, b} == {p, q}
        for p, q in ((corners[0], corners[2]), (corners[1], corners[3]))
    )


def plan_strokes(sketch: Sketch, heights: list[list[int]], left: float) -> None:
    """The view from above with the number of cubes at each place, from `left` on."""
    for r, row in enumerate(reversed(heights)):  # the back row is the upper one
        for c, count in enumerate(row):
            if not count:
                continue
            corner = np.array([left + c, r])
            square = corner + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
            sketch.things.append(Stroke(square.astype(float), closed=True))
            x, y = corner + 0.5
            sketch.text(count, x, y, None, frozenset({"EC"}))
