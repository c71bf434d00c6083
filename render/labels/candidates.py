"""Candidates: for every kind of label, the centres its box may take and what each costs.

All in pixels, y down. Costs are pixels of distance; turning away from the preferred direction
costs 9 per radian, as measured to work on 20 diagrams with 139 labels.
"""

from __future__ import annotations

import numpy as np

from ..figure import Array
from .labels import Label
from .stroke_distance import Scene

TURN = 9.0
Candidates = tuple[Array, Array]  # centres (n, 2), costs (n,)


def candidates(label: Label, size: tuple[int, int], scene: Scene) -> Candidates:
    """Candidate centres for a label's box of `size` (width, height), with costs."""
    half = np.array(size) / 2
    kind = {
        "point": _around,
        "near": _around,
        "segment": _beside,
        "angle": _within,
        "arc": _along,
        "curve": _along,
        "area": _inside,
        "fixed": _fixed,
        "tick": _tick,
    }[label.kind]
    return kind(label, half, scene)


def _around(label: Label, half: Array, scene: Scene) -> Candidates:
    """A fan about a point, from the middle of its largest free angle."""
    at, zoom = label.anchor[0], scene.zoom
    start = scene.free_direction(at) if label.kind == "point" else -np.pi / 4
    offsets = np.pi / 12 * np.arange(-12, 13)
    gaps = np.arange(3.0, 42.0, 2.0) * zoom
    if label.kind == "near":
        gaps = np.concatenate([[-1e3], gaps])  # the very place comes first
    turn, gap = (m.ravel() for m in np.meshgrid(offsets, gaps))
    direction = np.stack([np.cos(start + turn), np.sin(start + turn)], 1)
    centres = at + direction * np.maximum(0, _reach(direction, half) + gap)[:, None]
    return centres, np.maximum(gap, 0) / zoom + TURN * np.abs(turn)


def _beside(label: Label, half: Array, scene: Scene) -> Candidates:
    """Along a segment on both sides, best at its middle and on the outer side."""
    a, b = label.anchor
    zoom = scene.zoom
    _, normal, outer = across(a, b, scene)
    places = np.array([0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8])
    gaps = np.arange(5.0, 26.0, 2.0) * zoom
    t, side, gap = (m.ravel() for m in np.meshgrid(places, [outer, -outer], gaps))
    shift = (gap + _reach(normal[None], half)) * side
    centres = a + t[:, None] * (b - a) + shift[:, None] * normal
    return centres, gap / zoom + 45 * np.abs(t - 0.5) + np.where(
        side == outer, 0.0, 5.0
    )


def across(a: Array, b: Array, scene: Scene) -> tuple[Array, Array, float]:
    """The direction of a segment, its normal, and the sign of the normal that points outside."""
    ahead = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    normal = np.array([-ahead[1], ahead[0]])
    return (
        ahead,
        normal,
        1.0 if np.dot(normal, (a + b) / 2 - scene.centroid) >= 0 else -1.0,
    )


def _within(label: Label, half: Array, scene: Scene) -> Candidates:
    """On the bisector of an angle, farther out until the box fits between the arms."""
    a, v, c = label.anchor
    first, opening = wedge_of(a, v, c)
    middle = first + opening / 2
    arms = min(float(np.linalg.norm(a - v)), float(np.linalg.norm(c - v)))
    far = max(min(110 * scene.zoom, 0.85 * arms), 40 * scene.zoom)
    offsets = np.array([0, 0.08, -0.08, 0.16, -0.16, 0.25, -0.25]) * min(1.0, opening)
    distance = np.arange(8.0 * scene.zoom, far, 2.0)
    turn, d = (m.ravel() for m in np.meshgrid(offsets, distance))
    centres = (
        v + np.stack([np.cos(middle + turn), np.sin(middle + turn)], 1) * d[:, None]
    )
    towards = _corners(centres, half + 3 * scene.zoom) - v
    angles = np.arctan2(towards[..., 1], towards[..., 0]) - middle
    angles = np.abs((angles + np.pi) % (2 * np.pi) - np.pi)
    fits = (angles < opening / 2).all(1)
    return centres[fits], 0.35 * d[fits] / scene.zoom + TURN * np.abs(turn[fits])


def wedge_of(a: Array, v: Array, c: Array) -> tuple[float, float]:
    """Direction of the first arm of angle AVC and its opening, so that the sweep is positive."""
    one, two = (float(np.arctan2(*(end - v)[::-1])) for end in (a, c))
    sweep = (two - one) % (2 * np.pi)
    return (one, sweep) if sweep <= np.pi else (two, 2 * np.pi - sweep)


def _along(label: Label, half: Array, scene: Scene) -> Candidates:
    """Beside a path: of a curve best near its last end, of an arc at its middle."""
    path = label.anchor
    best = 0.92 if label.kind == "curve" else 0.5
    steps = np.append(0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1)))
    places = np.array([0.92, 0.97, 0.85, 0.78, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.04])
    at, before, after = (
        np.stack(
            [np.interp((places + by) * steps[-1], steps, path[:, k]) for k in (0, 1)], 1
        )
        for by in (0, -0.01, 0.01)
    )
    ahead = after - before
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    normal = np.stack([-ahead[:, 1], ahead[:, 0]], 1)
    gaps = np.arange(4.0, 24.0, 2.0) * scene.zoom
    k, side, gap = (
        m.ravel() for m in np.meshgrid(np.arange(len(places)), [1.0, -1.0], gaps)
    )
    k = k.astype(int)
    shift = side * (gap + _reach(normal[k], half))
    return at[k] + shift[:, None] * normal[k], gap / scene.zoom + 20 * np.abs(
        places[k] - best
    )


def _inside(label: Label, half: Array, scene: Scene) -> Candidates:
    """A grid of places inside a polygon, best near its centroid."""
    from matplotlib.path import Path

    shape = label.anchor
    x, y = np.meshgrid(*np.linspace(shape.min(0), shape.max(0), 33).T)
    centres = np.stack([x.ravel(), y.ravel()], 1)
    outline = Path(np.vstack([shape, shape[:1]]), closed=True)
    fits = (
        outline.contains_points(_corners(centres, half).reshape(-1, 2))
        .reshape(-1, 4)
        .all(1)
    )
    return centres[fits], np.linalg.norm(
        centres[fits] - _middle(shape), axis=1
    ) / scene.zoom


def _corners(centres: Array, half: Array) -> Array:
    return centres[:, None] + half * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])


def _middle(shape: Array) -> Array:
    """Centroid of a polygon's area."""
    after = np.roll(shape, -1, 0)
    w = shape[:, 0] * after[:, 1] - after[:, 0] * shape[:, 1]
    return np.asarray(
        w @ (shape + after) / (3 * w.sum()) if abs(w.sum()) > 1e-9 else shape.mean(0)
    )


def _fixed(label: Label, half: Array, scene: Scene) -> Candidates:
    return label.anchor[:1], np.zeros(1)


def _tick(label: Label, half: Array, scene: Scene) -> Candidates:
    """The given sides of a tick, a little farther out at most."""
    gaps = np.array([6.0, 9.0]) * scene.zoom
    centres = [
        label.anchor[0] + np.array(side) * (half + gap)
        for side in label.sides
        for gap in gaps
    ]
    return np.array(centres), np.arange(len(centres), dtype=float)


def _reach(direction: Array, half: Array) -> Array:
    """How far the centre of a box must be from a line that it touches, along its normal."""
    return np.asarray(np.abs(direction) @ half)
