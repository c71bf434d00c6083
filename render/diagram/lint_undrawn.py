"""Labels of segments that are not drawn: a length beside nothing misleads."""

from __future__ import annotations

import numpy as np

from ..figure import Array, Stroke
from ..issues import Issue
from ..labels import distance_to_pieces
from .compose import Composition

SAMPLES = np.linspace(0.1, 0.9, 9)[:, None]
NEAR = 0.01  # of the segment's length: chords of a drawn circle pass
NEAR_SOLID = 0.08  # the outline of a cone is not quite the edge that its points name


def undrawn(composition: Composition) -> list[Issue]:
    """Issues `label-of-nothing` for texts of segments along which no stroke runs.

    Dimension lines draw themselves; axes count as drawn.
    """
    labels = [label for label in composition.labels if label.kind == "segment"]
    labels = [label for label in labels if not label.dimension]
    if not labels or composition.axes is not None:
        return []
    starts, ends = _pieces(composition)
    issues = []
    for label in labels:
        a, b = composition.figure.project(label.anchor)
        places = a + SAMPLES * (b - a)
        share = NEAR if composition.figure.dimension == 2 else NEAR_SOLID
        near = share * float(np.linalg.norm(b - a))
        on = len(starts) and distance_to_pieces(places, starts, ends).min(1) < near
        if not np.any(on) or np.mean(on) < 0.5:
            message = f"{label.text!r} names a segment that is not drawn: draw it, or 'dimension'"
            issues.append(Issue("label-of-nothing", message, label.where))
    return issues


def _pieces(composition: Composition) -> tuple[Array, Array]:
    """All strokes as straight pieces, projected."""
    starts: list[Array] = [np.empty((0, 2))]
    ends = starts.copy()
    for _, things in composition.drawn:
        for thing in things:
            if isinstance(thing, Stroke) and not (thing.fill and not thing.width):
                path = composition.figure.project(thing.path)
                path = np.vstack([path, path[:1]]) if thing.closed else path
                starts.append(path[:-1])
                ends.append(path[1:])
    return np.concatenate(starts), np.concatenate(ends)
