"""Free space on a page: where a box fits; one integral image answers for all boxes.

All in pixels, y down. `centres` (n, 2) are of boxes of one size; the answers have one row a box.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ..figure import Array, Stroke
from .labels import Label
from .lettering import Lettering

PAD = 3  # pixels kept free around a label
EDGE = 2  # pixels kept free at the border of the canvas
Size = tuple[int, int] | Array  # width and height of a box
Edges = tuple[
    Array, Array, Array, Array
]  # left, top, right, bottom of boxes, (n,) each


class Placed(msgspec.Struct):
    """A label with its box (left, top, right, bottom) in pixels and how it got there."""

    label: Label
    lettering: Lettering
    box: tuple[int, int, int, int]
    em: float
    how: str  # clear, small, halo, dimension, leader, fixed, covering, crossing
    strokes: list[Stroke] = []  # its dimension line or leader


class FreeSpace:
    """Where boxes fit: clear of the picture's ink and of the labels placed so far."""

    def __init__(
        self, ink: Array, faint: Array, named: list[Array] | None = None
    ) -> None:
        self.height, self.width = ink.shape
        self.solid = _integral(ink & ~faint) if faint.any() else None
        self.all = _integral(ink)
        self.boxes: Array = np.empty((0, 4))  # left, top, right, bottom of each label
        self.named = np.array(named or np.empty((0, 2)))  # points that have names

    def clear(
        self, centres: Array, size: Size, pad: float = PAD, solid: bool = False
    ) -> Array:
        """For every centre, whether its padded box is inside, free of ink and of labels."""
        left, top, right, bottom = edges = _edges(centres, size, 0)
        inside = (
            (left >= EDGE)
            & (top >= EDGE)
            & (right <= self.width - EDGE)
            & (bottom <= self.height - EDGE)
        )
        padded = _grown(edges, pad)
        inkless = self._ink(padded, solid) == 0
        return np.asarray(inside & inkless & ~self._hits(padded))

    def ink(self, centres: Array, size: Size, pad: float) -> Array:
        """Pixels of ink under every padded box."""
        return self._ink(_edges(centres, size, pad))

    def _ink(self, edges: Edges, solid: bool = False) -> Array:
        integral = self.solid if solid and self.solid is not None else self.all
        left, top, right, bottom = (
            np.minimum(np.maximum(edge, 0), limit)
            for edge, limit in zip(edges, (self.width, self.height) * 2, strict=True)
        )
        return (
            integral[bottom, right]
            - integral[top, right]
            - integral[bottom, left]
            + integral[top, left]
        )

    def hits(self, centres: Array, size: Size, pad: float) -> Array:
        """Whether every padded box meets a label."""
        return self._hits(_edges(centres, size, pad))

    def _hits(self, edges: Edges) -> Array:
        if not len(self.boxes):
            return np.zeros(len(edges[0]), bool)
        across, down = _gaps(edges, self.boxes)
        return ((across < 0) & (down < 0)).any(1)

    def crowded(self, centres: Array, size: Size, names: bool) -> Array:
        """Whether a box is so near to a label that both would read as one text, such as "E 7".

        With `names`, also whether it stands where the name of a point belongs.
        """
        height = size[1]
        texts = self.boxes
        if names and len(self.named):
            letter = 0.7 * height  # a name stands as near to its point
            corners = [self.named - letter, self.named + letter]
            texts = np.vstack([texts, np.hstack(corners)])
        across, down = _gaps(_edges(centres, size, 0), texts)
        return np.asarray(((across < height) & (down < 0.4 * height)).any(1))

    def behind(self, centres: Array, at: Array, box: Any = None) -> Array:
        """Whether a label or its line, not `box` itself, stands between a place and a centre."""
        others = self.boxes
        if box is not None:
            others = others[(others != box).any(1)]
        left, top, right, bottom = others.T
        way = at + np.linspace(0, 1, 16)[:, None, None] * (centres - at)
        x, y = way[..., :1], way[..., 1:]  # (16 steps, centres, 1)
        covered = (left < x) & (x < right) & (top < y) & (y < bottom)
        return np.asarray(covered.any((0, 2)))

    def take(self, box: tuple[int, int, int, int]) -> None:
        self.boxes = np.vstack([self.boxes, box])


def _integral(mask: Array) -> Array:
    """Sums of a mask above and left of every pixel's corner: (height + 1, width + 1)."""
    table = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    inner = table[1:, 1:]
    inner[...] = mask
    for axis in (1, 0):
        np.add.accumulate(inner, axis, out=inner)
    return table


def _edges(centres: Array, size: Size, pad: float) -> Edges:
    corner = np.rint(centres - np.array(size) / 2).astype(int)
    left = corner[:, 0]
    top = corner[:, 1]
    return _grown((left, top, left + size[0], top + size[1]), pad)


def _grown(edges: Edges, pad: float) -> Edges:
    left, top, right, bottom = edges
    by = int(pad)
    return left - by, top - by, right + by, bottom + by


def _gaps(edges: Edges, boxes: Array) -> tuple[Array, Array]:
    """Distances across and down from every box of `edges` to every one of `boxes`: (n, boxes).

    Negative where they overlap.
    """
    left, top, right, bottom = (edge[:, None] for edge in edges)
    box_left, box_top, box_right, box_bottom = boxes.T
    across = np.maximum(left - box_right, box_left - right)
    down = np.maximum(top - box_bottom, box_top - bottom)
    return across, down


def steps(a: Array, b: Array) -> Array:
    """Places three pixels apart from A to B."""
    count = int(np.linalg.norm(b - a) / 3) + 2
    return np.asarray(a + np.linspace(0, 1, count)[:, None] * (b - a))


def placed_at(
    label: Label, lettering: Lettering, centre: Array, em: float, how: str
) -> Placed:
    edges = _edges(np.asarray(centre)[None], lettering.size, 0)
    left, top, right, bottom = (int(edge[0]) for edge in edges)
    return Placed(label, lettering, (left, top, right, bottom), em, how)
