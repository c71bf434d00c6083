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

    def __init__(self, ink: Array, faint: Array, named: list[Array] | None = None) -> None:
        self.height, self.width = ink.shape
        self.solid = _integral(ink & ~faint) if faint.any() else None
        self.all = _integral(ink)
        self.boxes: Array = np.empty((0, 4))
        self.named = np.array(named or np.empty((0, 2)))

    def clear(self, centres: Array, size: Any, pad: float = PAD, solid: bool = False) -> Array:
        """For every centre, whether its padded box is inside, free of ink and of labels."""
        left, top, right, bottom = _edges(centres, size, 0)
        inside = (
            (left >= EDGE) & (top >= EDGE)
            & (right <= self.width - EDGE) & (bottom <= self.height - EDGE)
        )  # fmt: skip
        free = self.ink(centres, size, pad, solid) == 0
        return inside & free & ~self.hits(centres, size, pad)

    def ink(self, centres: Array, size: Any, pad: float, solid: bool = False) -> Array:
        """Pixels of ink under every padded box."""
        table = self.solid if solid and self.solid is not None else self.all
        left, top, right, bottom = _edges(centres, size, pad)
        left, right = np.clip(left, 0, self.width), np.clip(right, 0, self.width)
        top, bottom = np.clip(top, 0, self.height), np.clip(bottom, 0, self.height)
        return table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]

    def hits(self, centres: Array, size: Any, pad: float) -> Array:
        if not len(self.boxes):
            return np.zeros(len(centres), bool)
        left, top, right, bottom = (e[:, None] for e in _edges(centres, size, pad))
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

    def take(self, box: tuple[int, int, int, int]) -> None:
        self.boxes = np.vstack([self.boxes, box])


def _integral(mask: Array) -> Array:
    table = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    np.cumsum(np.cumsum(mask, 0, dtype=np.int32), 1, out=table[1:, 1:])
    return table


def _edges(centres: Array, size: Any, pad: float) -> tuple[Array, Array, Array, Array]:
    corner = np.round(centres - np.array(size) / 2).astype(int)
    left, top = corner[:, 0] - int(pad), corner[:, 1] - int(pad)
    return left, top, left + size[0] + 2 * int(pad), top + size[1] + 2 * int(pad)


def _gaps(edges: list[Array], boxes: Array) -> tuple[Array, Array]:
    """Distances across and down between every box of `edges` and every one of `boxes`."""
    left, top, right, bottom = edges
    b = boxes.T
    return np.maximum(left - b[2], b[0] - right), np.maximum(top - b[3], b[1] - bottom)


def steps(a: Array, b: Array) -> Array:
    """Places three pixels apart from A to B."""
    count = int(np.linalg.norm(b - a) / 3) + 2
    return np.asarray(a + np.linspace(0, 1, count)[:, None] * (b - a))


def placed_at(label: Label, lettering: Lettering, centre: Array, em: float, how: str) -> Placed:
    left, top, right, bottom = _edges(np.asarray(centre)[None], lettering.size, 0)
    return Placed(
        label, lettering, (int(left[0]), int(top[0]), int(right[0]), int(bottom[0])), em, how
    )
