"""Hidden lines: the parts of a stroke that lie behind a face are dashed."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np

from .figure import Array, Figure, Stroke, fill_apart
from .solids import normal, towards_viewer

PARTS = 160  # a stroke as long as the figure is tested at so many places
MOST = 4 * PARTS  # of any stroke


def split(strokes: list[Stroke], figure: Figure, grow: float = 1e-5) -> list[Stroke]:
    """Strokes of a solid, cut where they pass behind a face; what is hidden becomes dashed.

    Faces hide a little more than they cover (`grow`), or less: edges under an edge are seen then.
    """
    strokes = [part for stroke in strokes for part in fill_apart(stroke)]
    viewer = towards_viewer(figure.projection)
    front = [face for face in figure.faces if np.dot(normal(face), viewer) > 1e-9]
    free = [s.hides and not s.fill and not s.dash for s in strokes]
    fine = [
        _refined(s, _extent(figure)) if f else None
        for s, f in zip(strokes, free, strict=True)
    ]
    tested = [(path[:-1] + path[1:]) / 2 for path in fine if path is not None]
    if not front or not tested:
        return strokes
    behind = _behind(np.concatenate(tested), front, viewer, figure, grow)
    result: list[Stroke] = []
    at = 0
    for stroke, path in zip(strokes, fine, strict=True):
        if path is None:
            result.append(stroke)
            continue
        result += _runs(stroke, path, behind[at : at + len(path) - 1])
        at += len(path) - 1
    return result


def _extent(figure: Figure) -> float:
    every = np.concatenate(figure.faces) if figure.faces else np.zeros((1, 3))
    return float(np.ptp(every, axis=0).max()) or 1.0


def _refined(stroke: Stroke, extent: float) -> Array:
    """The path with points so dense that each piece can be judged as a whole."""
    path = np.vstack([stroke.path, stroke.path[:1]]) if stroke.closed else stroke.path
    parts = [path[:1]]
    for a, b in pairwise(path):
        n = int(np.clip(np.ceil(PARTS * np.linalg.norm(b - a) / extent), 1, MOST))
        parts.append(a + (b - a) * (np.arange(1, n + 1) / n)[:, None])
    return np.concatenate(parts)


def _behind(
    places: Array, front: list[Array], viewer: Array, figure: Figure, grow: float
) -> Array:
    from matplotlib.path import Path

    extent = _extent(figure)
    flat = figure.project(places)
    hidden = np.zeros(len(places), bool)
    for face in front:
        n = normal(face)
        distance = ((face[0] - places) @ n) / np.dot(n, viewer)
        outline = figure.project(face)
        middle = outline.mean(0)
        outline = middle + (outline - middle) * (1 + grow)
        inside = Path(np.vstack([outline, outline[:1]]), closed=True).contains_points(
            flat
        )
        hidden |= inside & (distance > 1e-4 * extent)
    return hidden


def _runs(stroke: Stroke, path: Array, hidden: Array) -> list[Stroke]:
    """Cut a path where it goes behind a face or comes out."""
    cuts = [0, *(np.flatnonzero(np.diff(hidden)) + 1).tolist(), len(hidden)]
    pieces = []
    for start, stop in pairwise(cuts):
        part = path[start : stop + 1]
        part = part[[0, -1]] if len(stroke.path) == 2 else part
        pieces.append((bool(hidden[start]), part))
    if stroke.closed and len(pieces) > 2 and pieces[0][0] == pieces[-1][0]:
        first = pieces.pop(0)
        last = pieces.pop()
        pieces.append((first[0], np.vstack([last[1], first[1][1:]])))
    if len(pieces) == 1 and not pieces[0][0]:
        return [stroke]
    return [
        msgspec.structs.replace(stroke, path=part, closed=False, dash=dash)
        for dash, part in pieces
    ]
