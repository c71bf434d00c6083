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
from .facts import parts

ALONG = np.linspace(0.1, 0.9, 9)[:, None]
# of an arm: it may be drawn longer, or less long
ARM = np.linspace(0.05, 0.25, 5)[:, None]
NEAR = 0.01  # of the segment's length: chords of a drawn circle pass
NEAR_SOLID = 0.08  # the outline of a cone is not quite the edge that its points name
ON = 0.003  # of the radius: on a circle
BESIDE = 0.03  # of the radius: so near a circle that it should be on it
MOST = 0.5  # of the places on a path: a stroke at so many draws it


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
    """Texts and marks of segments and arcs that are not drawn."""
    paths: list[tuple[str, str, Array]] = []
    for label in composition.labels:
        if label.kind in ("segment", "arc") and not label.dimension:
            paths.append((label.where, repr(label.text), label.anchor))
    for item in composition.marks:
        if item.op in ("equal", "parallel"):
            lines = composition.figure.convert(item.value, Lines)
            paths += [(item.where, "the mark", np.stack(line)) for line in lines]
            for line in lines:
                if item.op == "equal" and parts(composition, *line):
                    message = "a tick at a part of its segment reads as that part's: mark the parts"
                    yield Issue("mark-misread", message, item.where)
    for where, name, path in paths:
        start = path[0]
        middle = path[len(path) // 2]
        is_arc = len(path) > 2
        places = path if is_arc else start + ALONG * (path[1] - start)
        if not drawn.at(places, math.dist(start, middle)):
            message = f"{name} names a segment or an arc that is not drawn: draw it, or 'dimension'"
            yield Issue("label-of-nothing", message, where)


def _angles(composition: Composition, drawn: Drawn) -> Iterator[Issue]:
    """Texts and marks of angles whose arms are not drawn."""
    corners = [
        (label.where, repr(label.text), list(label.anchor))
        for label in composition.labels
        if label.kind == "angle"
    ]
    for item in composition.marks:
        if item.op in ("right", "angle"):
            former = [corner for _, _, corner in corners]
            corners += [
                (item.where, "the mark", corner)
                for corner in composition.figure.corners(item.value)
                if not _is_among(corner, former)  # its text has an issue already
            ]
    for where, name, (a, vertex, b) in corners:
        if not all(drawn.along(vertex, arm, ARM) for arm in (a, b)):
            message = f"{name} stands in an angle whose arms are not drawn: draw them, or use 'arc'"
            yield Issue("mark-without-arms", message, where)


def _is_among(corner: list[Array], corners: list[list[Array]]) -> bool:
    return any(np.array_equal(corner, former) for former in corners)


class Drawn:
    """All strokes as straight pieces, projected."""

    def __init__(self, composition: Composition) -> None:
        self.figure = composition.figure
        pieces: list[Array] = [np.empty((0, 2, 2))]
        for stroke in _lines_of(composition):
            path = self.figure.project(stroke.path)
            if stroke.closed:
                path = np.vstack([path, path[:1]])
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
        points = self.figure.project(places)
        off = distance_to_pieces(points, self.starts, self.ends).min(1)
        return bool((off < share * length).mean() >= MOST)


def _lines_of(composition: Composition) -> Iterator[Stroke]:
    """All strokes but fills without an outline."""
    for _, things in composition.drawn:
        for thing in things:
            if isinstance(thing, Stroke) and (thing.width or not thing.fill):
                yield thing


def _circles(composition: Composition) -> Iterator[Issue]:
    """Points that stand just off a drawn circle."""
    figure = composition.figure
    if figure.dimension == 3:
        return
    for item, things in composition.drawn:
        if item.op != "circle":
            continue
        centre = figure.point(item.value)
        (outline,) = (thing for thing in things if isinstance(thing, Stroke))
        radius = float(np.linalg.norm(outline.path[0] - centre))
        for name, at in figure.points.items():
            off = abs(float(np.linalg.norm(at - centre)) / radius - 1)
            if ON < off < BESIDE:
                place = f"{name} stands {off:.1%} of the radius off the circle"
                message = f"{place}: put it on, or away"
                yield Issue("point-off-circle", message, item.where)
