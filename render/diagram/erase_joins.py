"""How the strokes that go into a box go on in it: straight, bent, to a corner, to another stroke.

A straight stroke goes on between its two ends; everything else only where the picture had ink
before: a text adds ink to a stroke, but takes none away.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

import msgspec
import numpy as np

from ..figure import Array
from .erase_border import Stroke, degrees

BENT = 9.0  # degrees that a straight stroke may bend
ROUND, UNEVEN = (
    65.0,
    16.0,
)  # degrees of a curve against its chord, and between its two ends
INKED = 0.85  # of a path was ink
SHARP = 0.2  # sine of the angle of a corner


class Join(msgspec.Struct):
    """A path in the box and the strokes that it continues."""

    path: Array
    strokes: tuple[int, ...]
    width: float
    color: Array


class Before(msgspec.Struct):
    """Where ink was: a mask a pixel wider than the ink, how dark it was, its upper left pixel."""

    mask: Array
    dark: Array
    corner: tuple[int, int]

    def share(self, path: Array) -> float:
        """How much of a path was ink."""
        return self._mean(self.mask, path)

    def darkness(self, path: Array) -> float:
        """How dark the path was, the higher the nearer to the middle of its stroke."""
        return self._mean(self.dark, path)

    def _mean(self, of: Array, path: Array) -> float:
        points = np.concatenate([_steps(a, b) for a, b in pairwise(path)])
        x, y = (np.rint(points) - self.corner).astype(int).T
        there = (x >= 0) & (y >= 0) & (x < of.shape[1]) & (y < of.shape[0])
        return float(of[y[there], x[there]].mean()) if there.any() else 0.0


def joins_of(strokes: list[Stroke], before: Before) -> tuple[list[Join], int]:
    """The paths that continue the strokes, and how many strokes are left that nothing continues."""
    open_ends = set(range(len(strokes)))
    joins: list[Join] = []
    for options in (_straight, _curves, _corners):
        for _, join in sorted(options(strokes, before), key=lambda option: option[0]):
            if open_ends.issuperset(join.strokes):
                open_ends -= set(join.strokes)
                joins.append(join)
    for k in sorted(open_ends):
        if branch := _branch(k, strokes[k], joins, before):
            open_ends.remove(k)
            joins.append(branch)
    return joins, len(open_ends)


Options = Iterator[tuple[float, Join]]


def _straight(strokes: list[Stroke], before: Before) -> Options:
    """Strokes that come in on one side and go on where they point to."""
    for i, j in combinations(range(len(strokes)), 2):
        a, b = strokes[i], strokes[j]
        across = b.at - a.at
        size = float(np.linalg.norm(across))
        if size < 3 or not _alike(a, b):
            continue
        bends = [abs(degrees(a.inwards, across)), abs(degrees(b.inwards, -across))]
        slack = BENT + math.degrees(1.5 / size)  # a pixel off is more of a short way
        if max(bends) < slack:
            yield sum(bends), _joined(np.stack([a.at, b.at]), i, j, strokes)


def _curves(strokes: list[Stroke], before: Before) -> Options:
    """Strokes that bend alike towards each other: a cubic between them, where ink was."""
    for i, j in combinations(range(len(strokes)), 2):
        a, b = strokes[i], strokes[j]
        across = b.at - a.at
        size = float(np.linalg.norm(across))
        if size < 3 or not (_alike(a, b) and a.sure and b.sure):
            continue
        one, other = degrees(a.curved, across), degrees(b.curved, -across)
        slack = UNEVEN + math.degrees(1.5 / size)
        if max(abs(one), abs(other)) > ROUND or abs(one + other) > slack:
            continue
        t = np.linspace(0, 1, 17)[:, None]
        best = max(
            (_cubic(a, b, pull * size, t) for pull in (0.33, 0.37, 0.42)),
            key=before.share,
        )
        if before.share(best) >= INKED:
            yield abs(one + other), _joined(best, i, j, strokes)


def _cubic(a: Stroke, b: Stroke, pull: float, t: Array) -> Array:
    """Bezier's curve between two strokes that leaves them in their directions."""
    points = (a.at, a.at + pull * a.curved, b.at + pull * b.curved, b.at)
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    return np.asarray(sum(w * p for w, p in zip(weights, points, strict=True)))


def _corners(strokes: list[Stroke], before: Before) -> Options:
    """Strokes that meet in the box; the sharpest defined corner first."""
    for i, j in combinations(range(len(strokes)), 2):
        a, b = strokes[i], strokes[j]
        sine = float(a.inwards[0] * b.inwards[1] - a.inwards[1] * b.inwards[0])
        if abs(sine) < SHARP or not (a.sure and b.sure):
            continue
        apart = b.at - a.at
        to_a = float(apart[0] * b.inwards[1] - apart[1] * b.inwards[0]) / sine
        to_b = float(apart[0] * a.inwards[1] - apart[1] * a.inwards[0]) / sine
        path = np.stack([a.at, a.at + to_a * a.inwards, b.at])
        if min(to_a, to_b) > 0.5 and before.share(path) >= INKED:
            yield -abs(sine), _joined(path, i, j, strokes)


def _branch(k: int, stroke: Stroke, joins: list[Join], before: Before) -> Join | None:
    """A stroke that ends at one that is continued: the nearest that it points to."""
    if not stroke.sure:
        return None
    ways = [
        way
        for join in joins
        for a, b in pairwise(join.path)
        if (way := _way(stroke, a, b)) is not None
    ]
    if not ways:
        return None
    path = np.stack([stroke.at, stroke.at + min(ways) * stroke.inwards])
    if before.share(path) < INKED:
        return None
    return Join(path, (k,), stroke.width, stroke.color)


def _way(stroke: Stroke, a: Array, b: Array) -> float | None:
    """How far a stroke goes to the piece from A to B, which it may miss by two pixels."""
    along = b - a
    size = float(np.linalg.norm(along))
    sine = float(stroke.inwards[0] * along[1] - stroke.inwards[1] * along[0])
    if size < 1e-6 or abs(sine) < SHARP * size:
        return None
    apart = a - stroke.at
    way = float(apart[0] * along[1] - apart[1] * along[0]) / sine
    share = float(apart[0] * stroke.inwards[1] - apart[1] * stroke.inwards[0]) / sine
    return way if way > 0.5 and -2 / size <= share <= 1 + 2 / size else None


def _alike(a: Stroke, b: Stroke) -> bool:
    """Whether two strokes can be one: as wide and as dark."""
    wide = max(a.width, b.width) <= 1.8 * min(a.width, b.width) + 1
    return wide and float(np.abs(a.color - b.color).max()) < 110


def _joined(path: Array, i: int, j: int, strokes: list[Stroke]) -> Join:
    a, b = strokes[i], strokes[j]
    return Join(path, (i, j), (a.width + b.width) / 2, (a.color + b.color) / 2)


def _steps(a: Array, b: Array) -> Array:
    count = int(np.linalg.norm(b - a)) + 2
    return np.asarray(a + np.linspace(0, 1, count)[:, None] * (b - a))
