"""What a figure says of things that it does not draw, or does not draw where they are said to be.

A length beside nothing, an angle without arms, and a point just off its circle mislead.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..figure import Array, Lines, Stroke
from ..issues import Issue
from ..labels import distance_to_pieces
from .compose import Composition

ALONG = np.linspace(0.1, 0.9, 9)[:, None]
ARM = np.linspace(0.05, 0.25, 5)[
    :, None
]  # of an arm: it may be drawn longer, or less long
NEAR = 0.01  # of the segment's length: chords of a drawn circle pass
NEAR_SOLID = 0.08  # the outline of a cone is not quite the edge that its points name
ON, BESIDE = 0.003, 0.03  # of the radius: on a circle, and so near that it should be


def undrawn(composition: Composition) -> list[Issue]:
    """Issues `label-of-nothing`, `mark-without-arms` and `point-off-circle`.

    Dimension lines draw themselves; axes count as drawn.
    """
    if composition.axes is not None:
        return []
    drawn = Drawn(composition)
    return [
        *_lengths(composition, drawn),
        *_angles(composition, drawn),
        *_circles(composition),
    ]


def _lengths(composition: Composition, drawn: Drawn) -> Iterator[Issue]:
    labels = (label for label in composition.labels if not label.dimension)
    said = [
        (label.where, repr(label.text), label.anchor)
        for label in labels
        if label.kind in ("segment", "arc")
    ]
    for item in composition.marks:
        if item.op in ("equal", "parallel"):
            lines = composition.figure.convert(item.value, Lines)
            said += [(item.where, "the mark", np.stack(line)) for line in lines]
    for where, name, path in said:
        places = path if len(path) > 2 else path[0] + ALONG * (path[1] - path[0])
        if not drawn.at(places, math.dist(path[0], path[len(path) // 2])):
            what = f"{name} names a segment or an arc that is not drawn: draw it, or 'dimension'"
            yield Issue("label-of-nothing", what, where)


def _angles(composition: Composition, drawn: Drawn) -> Iterator[Issue]:
    angles = (label for label in composition.labels if label.kind == "angle")
    corners = [(label.where, repr(label.text), list(label.anchor)) for label in angles]
    for item in composition.marks:
        if item.op in ("right", "angle"):
            several = composition.figure.corners(item.value)
            said = [corner for _, _, corner in corners]
            new = [
                c
                for c in several
                if not any(np.array_equal(c, other) for other in said)
            ]
            corners += [(item.where, "the mark", corner) for corner in new]
    for where, name, (a, vertex, b) in corners:
        if not all(drawn.along(vertex, arm, ARM) for arm in (a, b)):
            what = f"{name} stands in an angle whose arms are not drawn: draw them, or use 'arc'"
            yield Issue("mark-without-arms", what, where)


class Drawn:
    """All strokes as straight pieces, projected."""

    def __init__(self, composition: Composition) -> None:
        self.figure = composition.figure
        pieces: list[Array] = [np.empty((0, 2, 2))]
        for thing in (thing for _, things in composition.drawn for thing in things):
            if isinstance(thing, Stroke) and not (thing.fill and not thing.width):
                path = self.figure.project(thing.path)
                path = np.vstack([path, path[:1]]) if thing.closed else path
                pieces.append(np.stack([path[:-1], path[1:]], 1))
        self.starts, self.ends = np.concatenate(pieces).transpose(1, 0, 2)

    def along(self, a: Array, b: Array, shares: Array) -> bool:
        """Whether a stroke runs along most of these places between two points."""
        return self.at(a + shares * (b - a), math.dist(a, b))

    def at(self, places: Array, length: float) -> bool:
        """Whether a stroke is at most of these places, as near as counts for a path so long."""
        share = NEAR if self.figure.dimension == 2 else NEAR_SOLID
        if not len(self.starts):
            return False
        off = distance_to_pieces(
            self.figure.project(places), self.starts, self.ends
        ).min(1)
        return bool((off < share * length).mean() >= 0.5)


def _circles(composition: Composition) -> Iterator[Issue]:
    for item, things in composition.drawn:
        if item.op != "circle" or composition.figure.dimension == 3:
            continue
        centre = composition.figure.point(item.value)
        (outline,) = (thing for thing in things if isinstance(thing, Stroke))
        radius = float(np.linalg.norm(outline.path[0] - centre))
        for name, at in composition.figure.points.items():
            off = abs(float(np.linalg.norm(at - centre)) / radius - 1)
            if ON < off < BESIDE:
                what = f"{name} stands {off:.1%} of the radius off the circle: put it on, or away"
                yield Issue("point-off-circle", what, item.where)
