"""What a composed figure is, as words speak of it: circles, shapes, corners, curves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..figure import Array, Curve, Dot, Stroke, angle, length, names
from .compose import Composition

NEAR = 0.005  # of a length: what no eye sees
KINDS = {  # of four corners: the names in use, by what holds, the narrowest first
    "square": (True, True, 2), "rectangle": (True, False, 2), "rhombus": (False, True, 2),
    "parallelogram": (False, False, 2), "trapezium": (False, False, 1),
}  # fmt: skip
STRAIGHT = ("segment", "path", "polygon", "line", "ray", "arrow")
SAMPLES = 41  # places at which two curves are compared


class Circle(NamedTuple):
    """A drawn circle, or one that an arc is part of: `path` is what is drawn of it."""

    centre: Array
    radius: float
    is_whole: bool
    path: Array
    where: str


def circles(composition: Composition) -> list[Circle]:
    """All circles of a figure, whole or in part."""
    found = []
    for item, things in composition.drawn:
        if item.op not in ("circle", "arc", "sector") or not things:
            continue
        is_whole = item.op == "circle"
        centre = item.value if is_whole else names(item.value)[1]
        at = composition.figure.point(centre)
        stroke = next(thing for thing in things if isinstance(thing, Stroke))
        path = stroke.path if item.op != "sector" else stroke.path[1:]
        radius = float(np.linalg.norm(path[0] - at))
        found.append(Circle(at, radius, is_whole, path, f"{item.where} ({item.op})"))
    return found


def polygons(composition: Composition) -> list[list[str]]:
    """The corners of drawn polygons, by name."""
    return [
        names(item.value)
        for item, _ in composition.drawn
        if item.op == "polygon" and all(isinstance(n, str) for n in names(item.value))
    ]


def pieces(composition: Composition, curved: bool = True) -> tuple[Array, Array]:
    """Starts and ends of all straight pieces that are drawn; of curves, too, or of lines alone."""
    ends: list[tuple[Any, Any]] = []
    for item, strokes in composition.drawn:
        for stroke in strokes:
            if isinstance(stroke, Stroke) and (curved or item.op in STRAIGHT):
                ends += pairwise(stroke.outline)
    if not ends:
        nothing = np.empty((0, composition.figure.dimension))
        return nothing, nothing
    starts, stops = np.array(ends, float).transpose(1, 0, 2)
    return starts, stops


def is_covered(
    p: Array, q: Array, composition: Composition, is_arm: bool = False
) -> bool:
    """Whether the way from p to q lies on what is drawn; of an angle's arm some of it is enough."""
    starts, ends = pieces(composition)
    if not len(starts):
        return False
    along = ends - starts
    squares = np.einsum("ij,ij->i", along, along) + 1e-12
    near = 1e-3 * length((p, q))
    covered = []
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        at = p + share * (q - p)
        t = np.einsum("ij,ij->i", at - starts, along) / squares
        off = np.linalg.norm(starts + np.clip(t, 0, 1)[:, None] * along - at, axis=1)
        covered.append(bool(off.min() < near))
    return any(covered) if is_arm else all(covered)


def directions(composition: Composition, at: Array) -> list[Array]:
    """The directions of straight lines that meet at a place, each once."""
    starts, ends = pieces(composition)
    size = extent(composition)
    found: list[Array] = []
    for start, end in zip(starts, ends, strict=True):
        if length((start, end)) < 0.02 * size:  # a piece of a curve
            continue
        for arm in _arms(start, end, at, size):
            way = arm / np.linalg.norm(arm)
            if all(float(way @ other) < 0.9999 for other in found):
                found.append(way)
    return found


def _arms(start: Array, end: Array, at: Array, size: float) -> Iterator[Array]:
    """From a place on a piece to its ends."""
    way = end - start
    share = float((at - start) @ way / (way @ way))
    foot = start + min(max(share, 0.0), 1.0) * way
    if length((foot, at)) > 1e-4 * size:
        return
    for to in (start, end):
        if length((to, at)) > 1e-3 * size:
            yield to - at


def extent(composition: Composition) -> float:
    """The larger side of all named points."""
    places = [*composition.figure.points.values()]
    return float(np.ptp(np.stack(places), axis=0).max()) if places else 0.0


def kind_of_four(corners: list[Array]) -> str | None:
    """The narrowest name of a shape of four corners."""
    a, b, c, d = corners
    right = all(
        abs(angle(list(corner)) - 90) < 0.5
        for corner in ((d, a, b), (a, b, c), (b, c, d))
    )
    sides = [math.dist(p, q) for p, q in pairwise((a, b, c, d, a))]
    equal = max(sides) - min(sides) < NEAR * max(sides)
    parallels = _parallel(b - a, c - d) + _parallel(c - b, d - a)
    properties = (right, equal, parallels)
    return next((kind for kind in KINDS if KINDS[kind] == properties), None)


def _parallel(u: Array, v: Array) -> bool:
    across = np.linalg.norm(np.cross(np.append(u, 0)[:3], np.append(v, 0)[:3]))
    return bool(across < 0.01 * np.linalg.norm(u) * np.linalg.norm(v))


def contains(corners: list[Array], place: Array) -> bool:
    """Whether a place lies in a polygon, its border taken in."""
    from matplotlib.path import Path

    size = max(math.dist(corners[0], corner) for corner in corners)
    outline = Path(np.array([*corners, corners[0]]), closed=True)
    return bool(
        outline.contains_point(place, radius=1e-6 * size)
        or outline.contains_point(place, radius=-1e-6 * size)
    )


def curves(composition: Composition) -> list[Any]:
    """The drawn graphs y = f(x), as expressions."""
    return [
        composition.figure.convert(item.value, Curve)
        for item, _ in composition.drawn
        if item.op == "curve"
    ]


def same_curve(one: Any, other: Any, window: Array) -> bool:
    """Whether two expressions agree wherever both can be seen in a window."""
    x = np.linspace(window[0][0], window[0][1], SAMPLES)
    with np.errstate(all="ignore"):
        first, second = (np.broadcast_to(f(x), x.shape) for f in (one, other))
    both = np.isfinite(first) & np.isfinite(second)
    if both.sum() < 3 or (np.isfinite(first) != np.isfinite(second)).sum() > 3:
        return False
    size = float(np.ptp(window[1]))
    return bool(np.abs(first[both] - second[both]).max() < 1e-6 * max(size, 1.0))


def misplaced(composition: Composition) -> Iterator[tuple[str, str]]:
    """Arcs that run the other way than the points and angles on them say: what, and where."""
    if composition.figure.dimension == 3:
        return
    points = composition.figure.points
    labelled = [
        list(label.anchor) for label in composition.labels if label.kind == "angle"
    ]
    for circle in circles(composition):
        if circle.is_whole:
            continue
        for name, at in points.items():
            off = abs(math.dist(at, circle.centre) - circle.radius)
            away = np.linalg.norm(circle.path - at, axis=1).min()
            step = math.dist(circle.path[0], circle.path[1])
            elsewhere = is_named_elsewhere(composition, at, circle)
            if off < 1e-6 * circle.radius and away > step and not elsewhere:
                yield (
                    f"{name} lies on the circle of the arc, but not on the arc",
                    circle.where,
                )
                break
        if "(sector)" in circle.where and (lost := _end_off(composition, circle)):
            yield f"{lost} is an end of the sector, but not on its arc", circle.where
        first, last = circle.path[0], circle.path[-1]
        middle = circle.path[len(circle.path) // 2]
        is_long = (
            float((middle - circle.centre) @ (first + last - 2 * circle.centre)) < 0
        )
        for a, vertex, b in labelled:
            is_its = math.dist(vertex, circle.centre) < 1e-6 * circle.radius
            if is_long and is_its and _same_arms((a, b), (first, last), vertex):
                yield "the arc runs the long way round its labelled angle", circle.where


def _end_off(composition: Composition, circle: Circle) -> str:
    """The named end of a sector that its arc does not reach, "" where it reaches both."""
    points = composition.figure.points
    item = next(i for i, _ in composition.drawn if circle.where.startswith(i.where))
    for name in names(item.value):
        at = points.get(name) if isinstance(name, str) else None
        if at is None or math.dist(at, circle.centre) < NEAR * circle.radius:
            continue
        if abs(math.dist(at, circle.centre) - circle.radius) > NEAR * circle.radius:
            return str(name)
    return ""


def is_named_elsewhere(composition: Composition, at: Array, circle: Circle) -> bool:
    """Whether another arc or circle goes through a point of an arc's circle."""
    for other in circles(composition):
        if other.where == circle.where:
            continue
        step = math.dist(other.path[0], other.path[1])
        if np.linalg.norm(other.path - at, axis=1).min() <= step:
            return True
    return False


def _same_arms(pair: Any, ends: Any, vertex: Array) -> bool:
    def ways(places: Any) -> list[Array]:
        return [(p - vertex) / max(math.dist(p, vertex), 1e-9) for p in places]

    (a, b), (first, last) = ways(pair), ways(ends)
    straight = float(a @ first) > 0.9999 and float(b @ last) > 0.9999
    crossed = float(a @ last) > 0.9999 and float(b @ first) > 0.9999
    return straight or crossed


def parts(composition: Composition, a: Array, b: Array) -> bool:
    """Whether a named point, a dot or the end of another line lies inside a segment."""
    figure = composition.figure
    names = [label.anchor[0] for label in composition.labels if label.kind == "point"]
    places = [*names]
    for item, things in composition.drawn:
        for thing in things:
            if isinstance(thing, Dot):
                places.append(thing.at)
            elif isinstance(thing, Stroke) and item.op in STRAIGHT:
                places += [*thing.path]
    if not places or len(a) != figure.dimension:
        return False
    way = b - a
    length = float(np.linalg.norm(way))
    along = (np.stack(places) - a) @ way / length**2
    off = np.linalg.norm(np.stack(places) - a - along[:, None] * way, axis=1)
    inside = (along > 0.02) & (along < 0.98) & (off < 1e-4 * length)
    return bool(inside.any())
