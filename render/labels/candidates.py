"""Candidates: for every kind of label, the centres its box may take and what each costs.

All in pixels, y down. Costs are pixels of distance; turning away from the preferred direction
costs 9 per radian, as measured to work on 20 diagrams with 139 labels.

Arrays: `centres` (n, 2) in pixels and `costs` (n,), one row a candidate; `half` (2,) is half the
width and height of the box. Gaps are pixels between the box and what it names.
"""

from __future__ import annotations

import numpy as np

from ..figure import Array, quarter_turn, unit_vectors
from .labels import Label
from .stroke_distance import CORNERS, Scene, length, unit_and_normal

TURN = 9.0  # cost of a radian away from the preferred direction
UP_RIGHT = -np.pi / 4  # where the fan of a text near a place starts; y points down
AT_THE_PLACE = -1e3  # a gap so far negative that the box is centred on its anchor

# Fractions of the way along a segment or a path, the best first: of equal costs the first wins.
ALONG_SEGMENT = np.array(
    [
        0.5,
        0.44,
        0.56,
        0.38,
        0.62,
        0.32,
        0.68,
        0.26,
        0.74,
        0.2,
        0.8,
    ]
)
ALONG_PATH = np.array(
    [
        0.92,
        0.97,
        0.85,
        0.78,
        0.7,
        0.6,
        0.5,
        0.4,
        0.3,
        0.2,
        0.1,
        0.04,
    ]
)
# Radians from the bisector of an angle, where its opening is a radian or more.
OFF_BISECTOR = np.array([0, 0.08, -0.08, 0.16, -0.16, 0.25, -0.25])
# Radians from the direction that a fan starts with.
FAN = np.pi / 12 * np.arange(-12, 13)

Candidates = tuple[Array, Array]  # centres (n, 2), costs (n,)


def candidates(label: Label, size: tuple[int, int], scene: Scene) -> Candidates:
    """Candidate centres for a label's box of `size` (width, height), with costs."""
    half = np.array(size) / 2
    candidates_of_kind = {
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
    return candidates_of_kind(label, half, scene)


def _direction(vector: Array) -> float:
    """The direction of one vector in radians."""
    x, y = vector
    return float(np.arctan2(y, x))


def _combinations(*choices: Array | list[float]) -> list[Array]:
    """Every combination of the choices, as flat arrays: one array a choice, one row a candidate."""
    return [values.ravel() for values in np.meshgrid(*choices)]


def _around(label: Label, half: Array, scene: Scene) -> Candidates:
    """A fan about a point, from the middle of its largest free angle."""
    anchor = label.anchor[0]
    zoom = scene.zoom
    start = scene.free_direction(anchor) if label.kind == "point" else UP_RIGHT
    gaps = np.arange(3.0, 42.0, 2.0) * zoom
    if label.kind == "near":
        gaps = np.concatenate([[AT_THE_PLACE], gaps])  # the very place comes first
    turn, gap = _combinations(FAN, gaps)
    direction = unit_vectors(start + turn)
    distance = np.maximum(0, _reach(direction, half) + gap)
    centres = anchor + direction * distance[:, None]
    costs = np.maximum(gap, 0) / zoom + TURN * np.abs(turn)
    return centres, costs


def _beside(label: Label, half: Array, scene: Scene) -> Candidates:
    """Along a segment on both sides, best at its middle and on the outer side."""
    a, b = label.anchor
    _, normal, outer = across(a, b, scene)
    gaps = np.arange(5.0, 26.0, 2.0) * scene.zoom
    fraction, side, gap = _combinations(ALONG_SEGMENT, [outer, -outer], gaps)
    distance = gap + _reach(normal[None], half)
    shift = distance * side
    on_segment = a + fraction[:, None] * (b - a)
    centres = on_segment + shift[:, None] * normal
    costs = gap / scene.zoom + 45 * np.abs(fraction - 0.5)
    return centres, costs + np.where(side == outer, 0.0, 5.0)


def across(a: Array, b: Array, scene: Scene) -> tuple[Array, Array, float]:
    """The direction of a segment, its normal, and the sign of the normal that points outside."""
    ahead, normal = unit_and_normal(a, b)
    from_centroid = (a + b) / 2 - scene.centroid
    outer = 1.0 if np.dot(normal, from_centroid) >= 0 else -1.0
    return ahead, normal, outer


def _within(label: Label, half: Array, scene: Scene) -> Candidates:
    """On the bisector of an angle, farther out until the box fits between the arms."""
    a, vertex, c = label.anchor
    zoom = scene.zoom
    first, opening = wedge_of(a, vertex, c)
    bisector = first + opening / 2
    shorter_arm = min(length(a - vertex), length(c - vertex))
    nearest = 8.0 * zoom
    farthest = min(110 * zoom, 0.85 * shorter_arm)
    distances = np.arange(nearest, max(farthest, 40 * zoom), 2.0)
    turn, distance = _combinations(OFF_BISECTOR * min(1.0, opening), distances)
    centres = vertex + unit_vectors(bisector + turn) * distance[:, None]
    towards = _corners(centres, half + 3 * zoom) - vertex  # (n, 4, 2)
    x = towards[..., 0]
    y = towards[..., 1]
    off_bisector = np.arctan2(y, x) - bisector
    off_bisector = np.abs((off_bisector + np.pi) % (2 * np.pi) - np.pi)
    fits = (off_bisector < opening / 2).all(1)
    costs = 0.35 * distance / zoom + TURN * np.abs(turn)
    return centres[fits], costs[fits]


def wedge_of(a: Array, vertex: Array, c: Array) -> tuple[float, float]:
    """Direction of the first arm of an angle and its opening, so that the sweep is positive."""
    to_a = _direction(a - vertex)
    to_c = _direction(c - vertex)
    sweep = (to_c - to_a) % (2 * np.pi)
    if sweep <= np.pi:
        return to_a, sweep
    return to_c, 2 * np.pi - sweep


def _along(label: Label, half: Array, scene: Scene) -> Candidates:
    """Beside a path: of a curve best near its last end, of an arc at its middle."""
    path = label.anchor
    best = 0.92 if label.kind == "curve" else 0.5
    to_next = np.linalg.norm(np.diff(path, axis=0), axis=1)
    travelled = np.append(0, np.cumsum(to_next))  # length of the path up to each point

    def places(fractions: Array) -> Array:
        """Points (n, 2) of the path at fractions (n,) of its length."""
        at = fractions * travelled[-1]
        x, y = path.T
        return np.stack([np.interp(at, travelled, x), np.interp(at, travelled, y)], 1)

    ahead = places(ALONG_PATH + 0.01) - places(ALONG_PATH - 0.01)
    lengths = np.linalg.norm(ahead, axis=1, keepdims=True)
    normals = quarter_turn(ahead / np.maximum(lengths, 1e-9))
    gaps = np.arange(4.0, 24.0, 2.0) * scene.zoom
    indices = np.arange(len(ALONG_PATH))
    index, side, gap = _combinations(indices, [1.0, -1.0], gaps)
    index = index.astype(int)
    normal = normals[index]
    distance = gap + _reach(normal, half)
    shift = side * distance
    centres = places(ALONG_PATH)[index] + shift[:, None] * normal
    costs = gap / scene.zoom + 20 * np.abs(ALONG_PATH[index] - best)
    return centres, costs


def _inside(label: Label, half: Array, scene: Scene) -> Candidates:
    """A grid of places inside a polygon, best near its centroid."""
    from matplotlib.path import Path

    polygon = label.anchor
    grid = np.linspace(polygon.min(0), polygon.max(0), 33)
    centres = np.stack(_combinations(*grid.T), 1)
    outline = Path(np.vstack([polygon, polygon[:1]]), closed=True)
    corners = _corners(centres, half).reshape(-1, 2)
    fits = outline.contains_points(corners).reshape(-1, 4).all(1)
    centres = centres[fits]
    off_centroid = np.linalg.norm(centres - _centroid(polygon), axis=1)
    return centres, off_centroid / scene.zoom


def _corners(centres: Array, half: Array) -> Array:
    """The four corners of every box: (n, 4, 2)."""
    return centres[:, None] + half * CORNERS


def _centroid(polygon: Array) -> Array:
    """Centroid of a polygon's area; of its corners where it has no area."""
    following = np.roll(polygon, -1, 0)
    x, y = polygon.T
    next_x, next_y = following.T
    weights = x * next_y - next_x * y
    if abs(weights.sum()) > 1e-9:
        return np.asarray(weights @ (polygon + following) / (3 * weights.sum()))
    return np.asarray(polygon.mean(0))


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
