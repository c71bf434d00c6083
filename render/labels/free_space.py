"""Free space on a page: where a box fits; one integral image answers for all boxes."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ..figure import Array, Stroke
from .labels import Label
from .lettering import Lettering

PAD = 3  # pixels kept free around a label
EDGE = 2  # pixels kept free at the border of the canvas
Edges = tuple[Array, Array, Array, Array]  # left, top, right and bottom of boxes


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
        self.boxes: Array = np.empty((0, 4))
        self.named = np.array(named or np.empty((0, 2)))

    def clear(
        self, centres: Array, size: Any, pad: float = PAD, solid: bool = False
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
        return np.asarray(
            inside & (self._ink(padded, solid) == 0) & ~self._hits(padded)
        )

    def ink(self, centres: Array, size: Any, pad: float) -> Array:
        """Pixels of ink under every padded box."""
        return self._ink(_edges(centres, size, pad))

    def _ink(self, edges: Edges, solid: bool = False) -> Array:
        table = self.solid if solid and self.solid is not None else self.all
        left, right = (
            np.minimum(np.maximum(edge, 0), self.width) for edge in edges[::2]
        )
        top, bottom = (
            np.minimum(np.maximum(edge, 0), self.height) for edge in edges[1::2]
        )
        return (
            table[bottom, right]
            - table[top, right]
            - table[bottom, left]
            + table[top, left]
        )

    def hits(self, centres: Array, size: Any, pad: float) -> Array:
        """Whether every padded box meets a label."""
        return self._hits(_edges(centres, size, pad))

    def _hits(self, edges: Edges) -> Array:
        if not len(self.boxes):
            return np.zeros(len(edges[0]), bool)
        left, top, right, bottom = (edge[:, None] for edge in edges)
        b = self.boxes.T
        return ((left < b[2]) & (right > b[0]) & (top < b[3]) & (bottom > b[1])).any(1)

    def crowded(self, centres: Array, size: Any, names: bool) -> Array:
        """Whether a box is so near to a label that both would read as one text, such as "E 7".

        With `names`, also whether it stands where the name of a point belongs.
        """
        edges = [edge[:, None] for edge in _edges(centres, size, 0)]
        taken = [self.boxes]
        if names and len(self.named):
            letter = 0.7 * size[1]  # a name stands as near to its point
            taken.append(np.hstack([self.named - letter, self.named + letter]))
        across, down = _gaps(edges, np.vstack(taken))
        crowded = (across < size[1]) & (down < 0.4 * size[1])
        return np.asarray(crowded.any(1))

    def behind(self, centres: Array, at: Array, own: Any = None) -> Array:
        """Whether a label or its line, not the box `own`, stands between a place and a centre."""
        others = self.boxes if own is None else self.boxes[(self.boxes != own).any(1)]
        left, top, right, bottom = others.T
        way = at + np.linspace(0, 1, 16)[:, None, None] * (centres - at)
        x, y = way[..., :1], way[..., 1:]
        return np.asarray(
            ((left < x) & (x < right) & (top < y) & (y < bottom)).any((0, 2))
        )

    def take(self, box: tuple[int, int, int, int]) -> None:
        self.boxes = np.vstack([self.boxes, box])


def _integral(mask: Array) -> Array:
    table = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    inner = table[1:, 1:]
    inner[...] = mask
    for axis in (1, 0):
        np.add.accumulate(inner, axis, out=inner)
    return table


def _edges(centres: Array, size: Any, pad: float) -> Edges:
    corner = np.rint(centres - np.array(size) / 2).astype(int)
    left, top = corner[:, 0], corner[:, 1]
    return _grown((left, top, left + size[0], top + size[1]), pad)


def _grown(edges: Edges, pad: float) -> Edges:
    left, top, right, bottom = edges
    by = int(pad)
    return left - by, top - by, right + by, bottom + by


def _gaps(edges: list[Array], boxes: Array) -> tuple[Array, Array]:
    """Distances across and down between every box of `edges` and every one of `boxes`."""
    left, top, right, bottom = edges
    b = boxes.T
    return np.maximum(left - b[2], b[0] - right), np.maximum(top - b[3], b[1] - bottom)


def steps(a: Array, b: Array) -> Array:
    """Places three pixels apart from A to B."""
    count = int(np.linalg.norm(b - a) / 3) + 2
    return np.asarray(a + np.linspace(0, 1, count)[:, None] * (b - a))


def placed_at(
    label: Label, lettering: Lettering, centre: Array, em: float, how: str
) -> Placed:
    left, top, right, bottom = _edges(np.asarray(centre)[None], lettering.size, 0)
    return Placed(
        label,
        lettering,
        (int(left[0]), int(top[0]), int(right[0]), int(bottom[0])),
        em,
        how,
    )
