"""Hidden lines: the parts of a stroke that lie behind a face are dashed.

Paths are (n, 3) in true coordinates, faces (corners, 3), counterclockwise seen from outside.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np

from .figure import Array, Figure, Stroke, fill_apart
from .solids import normal, towards_viewer

PARTS = 160  # a stroke as long as the figure is tested at so many places
MOST = 4 * PARTS  # of any stroke
BEHIND = 1e-4  # of the figure's size: so far behind a face a place is hidden


def split(strokes: list[Stroke], figure: Figure, grow: float = 1e-5) -> list[Stroke]:
    """Strokes of a solid, cut where they pass behind a face; what is hidden becomes dashed.

    Faces hide a little more than they cover (`grow`), or less: edges under an edge are seen then.
    """
    strokes = [part for stroke in strokes for part in fill_apart(stroke)]
    extent = _extent(figure)
    paths = [
        _refined(stroke, extent) if _can_be_hidden(stroke) else None
        for stroke in strokes
    ]
    tested = [(path[:-1] + path[1:]) / 2 for path in paths if path is not None]
    viewer = towards_viewer(figure.projection)
    front = [face for face in figure.faces if np.dot(normal(face), viewer) > 1e-9]
    if not front or not tested:
        return strokes
    hidden = _behind(np.concatenate(tested), front, figure, grow)
    parts: list[Stroke] = []
    start = 0
    for stroke, path in zip(strokes, paths, strict=True):
        if path is None:
            parts.append(stroke)
            continue
        stop = start + len(path) - 1
        parts += _runs(stroke, path, hidden[start:stop])
        start = stop
    return parts


def _can_be_hidden(stroke: Stroke) -> bool:
    return stroke.hides and not stroke.fill and not stroke.dash


def _extent(figure: Figure) -> float:
    if not figure.faces:
        return 1.0
    corners = np.concatenate(figure.faces)
    return float(np.ptp(corners, axis=0).max()) or 1.0


def _refined(stroke: Stroke, extent: float) -> Array:
    """The path with points so dense that each piece can be judged as a whole."""
    path = stroke.outline
    parts = [path[:1]]
    for a, b in pairwise(path):
        share = np.linalg.norm(b - a) / extent
        count = int(np.clip(np.ceil(PARTS * share), 1, MOST))
        fractions = np.arange(1, count + 1) / count
        parts.append(a + (b - a) * fractions[:, None])
    return np.concatenate(parts)


def _behind(places: Array, front: list[Array], figure: Figure, grow: float) -> Array:
    """Which of the places (n, 3) a face hides from the viewer."""
    from matplotlib.path import Path

    viewer = towards_viewer(figure.projection)
    far = BEHIND * _extent(figure)
    on_page = figure.project(places)
    hidden = np.zeros(len(places), bool)
    for face in front:
        outwards = normal(face)
        distance = ((face[0] - places) @ outwards) / np.dot(outwards, viewer)
        outline = figure.project(face)
        middle = outline.mean(0)
        grown = middle + (outline - middle) * (1 + grow)
        covered = Path(np.vstack([grown, grown[:1]]), closed=True)
        hidden |= covered.contains_points(on_page) & (distance > far)
    return hidden


def _runs(stroke: Stroke, path: Array, hidden: Array) -> list[Stroke]:
    """Cut a path where it goes behind a face or comes out; `hidden` (n - 1,) is of its pieces."""
    changes = (np.flatnonzero(np.diff(hidden)) + 1).tolist()
    is_straight = len(stroke.path) == 2
    parts = []
    for start, stop in pairwise([0, *changes, len(hidden)]):
        part = path[start : stop + 1]
        parts.append((bool(hidden[start]), part[[0, -1]] if is_straight else part))
    if len(parts) == 1 and not hidden[0]:
        return [stroke]
    if stroke.closed and len(parts) > 2 and hidden[0] == hidden[-1]:
        # the first part goes on where the last one ends
        _, first = parts.pop(0)
        dash, last = parts.pop()
        parts.append((dash, np.vstack([last, first[1:]])))
    return [
        msgspec.structs.replace(stroke, path=part, closed=False, dash=dash)
        for dash, part in parts
    ]
