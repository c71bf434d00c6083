"""Relations of a figure. Each is one function, its residual, which checks and solving both use.

A relation returns numbers of the figure beside what they must be: `perpendicular(AB, CD)` that an
angle is 90 degrees. A check asks whether they agree: angles within 0.5 degrees and lengths within
0.5 %, which no eye sees, so that rounded coordinates pass. The solver moves points until they do.
What relations measure is what labels print (`{}`) and `measure` gives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from .constructions import circumcenter
from .figure import Array, Corners, Line, Lines, Number, Point, Points, Radius
from .vectors import across

DEGREES = 0.5
RELATIVE = 0.005
TINY = 1e-12


class Agreement(NamedTuple):
    """A number of the figure, what it must be, how near that is enough, and its words.

    `unit` makes a length of it, so that all kinds weigh alike where a figure is solved.
    """

    measured: float
    required: float
    tolerance: float
    words: str
    unit: float = 1.0

    @property
    def residual(self) -> float:
        return (self.measured - self.required) * self.unit

    def __str__(self) -> str:
        return self.words.format(self.measured, self.required)


Relation = Callable[..., Iterator[Agreement]]


def hold(agreements: Iterator[Agreement]) -> None:
    """Raises ValueError saying what the figure measures where a relation does not hold in it."""
    for agreement in agreements:
        if not abs(agreement.measured - agreement.required) <= agreement.tolerance:
            raise ValueError(str(agreement))


# What is measured


def length(line: Line) -> float:
    """The length of AB."""
    return math.dist(*line)


def angle(corner: Points) -> float:
    """The degrees of angle ABC, from 0 to 180."""
    a, b, c = three(corner)
    return angle_between(a - b, c - b)


def area(corners: Points) -> float:
    """The area of a plane polygon, in two or three dimensions."""
    if len(corners) < 3:
        raise ValueError("an area needs at least three corners")
    from_first = [np.append(p - corners[0], 0)[:3] for p in corners]
    total = sum(np.cross(p, q) for p, q in pairwise(from_first))
    return float(np.linalg.norm(total) / 2)


def perimeter(corners: Points) -> float:
    """The sum of a polygon's sides."""
    following = [*corners[1:], corners[0]]
    return math.fsum(map(math.dist, corners, following))


def ratio(one: Line, two: Line) -> float:
    """How many times as long as CD is AB."""
    return length(one) / length(two)


def distance(point: Point, line: Line) -> float:
    """How far P is from the line AB."""
    return abs(_off_line(point, line))


def slope(line: Line) -> float:
    """How steep the line AB is."""
    a, b = line
    run = float(b[0] - a[0])
    if not run:
        raise ValueError("an upright line has no slope")
    return float(b[1] - a[1]) / run


def angle_between(u: Array, v: Array) -> float:
    """Degrees from 0 to 180."""
    if not (u.any() and v.any()):
        raise ValueError("an arm of the angle has no length")
    return math.degrees(math.atan2(abs(across(u, v)), float(u @ v)))


def three(corner: list[Array]) -> tuple[Array, Array, Array]:
    if len(corner) != 3:
        raise ValueError("an angle needs three points, its vertex in the middle")
    return corner[0], corner[1], corner[2]


def _off_line(point: Array, line: Line) -> float:
    """Distance of a point from a line, in the plane with a sign."""
    a, b = line
    return across(b - a, point - a) / (math.hypot(*(b - a)) + TINY)


# How two numbers agree


def _turned(
    measured: float, required: float, size: float, words: str = ""
) -> Agreement:
    words = words or "the figure measures {0:.1f}°, not {1:.4g}°"
    return Agreement(measured, required, DEGREES, words, math.radians(size))


def _same(measured: float, required: float, what: str) -> Agreement:
    words = what + ": the figure measures {0:.4g} against {1:.4g}"
    size = max(abs(measured), abs(required), 1e-9)
    return Agreement(measured, required, RELATIVE * size, words)


def _none(off: float, size: float, words: str) -> Agreement:
    return Agreement(off, 0.0, RELATIVE * size, words)


def _mean_length(u: Array, v: Array) -> float:
    return math.sqrt(math.hypot(*u) * math.hypot(*v))


# Relations


def perpendicular(one: Line, two: Line) -> Iterator[Agreement]:
    """Lines at right angles: `{perpendicular: [AB, CD]}`."""
    u = one[1] - one[0]
    v = two[1] - two[0]
    yield _turned(angle_between(u, v), 90, _mean_length(u, v))


def parallel(lines: Lines) -> Iterator[Agreement]:
    """Lines of one direction: `{parallel: [AB, CD]}`."""
    u = lines[0][1] - lines[0][0]
    for other in _others(lines):
        v = other[1] - other[0]
        turn = angle_between(u, v)
        turn = min(turn, 180 - turn)
        # with a sign in the plane, so that the solver sees on which side it is wrong
        if len(u) == 2 and across(u, v) * (u @ v) < 0:
            turn = -turn
        words = "the figure measures {0:.1f}° between them"
        yield _turned(turn, 0, _mean_length(u, v), words)


def equal(lines: Lines) -> Iterator[Agreement]:
    """Segments of one length: `{equal: [AB, CD]}`."""
    for other in _others(lines):
        yield _same(length(lines[0]), length(other), "length")


def equal_angles(corners: Corners) -> Iterator[Agreement]:
    """Angles of one size: `{equal_angles: [ABC, DEF]}`."""
    for corner in corners[1:]:
        yield _turned(angle(corners[0]), angle(corner), math.dist(*corners[0][:2]))


def has_length(line: Line, value: Number) -> Iterator[Agreement]:
    """`{length: [AB, 4]}`."""
    yield _same(length(line), value, "length")


def has_angle(corner: Points, value: Number) -> Iterator[Agreement]:
    """`{angle: [ABC, 50]}`, degrees."""
    yield _turned(angle(corner), value, math.dist(*corner[:2]))


def has_area(corners: Points, value: Number) -> Iterator[Agreement]:
    """`{area: [ABC, 6]}`."""
    yield _same(area(corners), value, "area")


def has_ratio(one: Line, two: Line, value: Number) -> Iterator[Agreement]:
    """`{ratio: [AB, CD, 2]}`: AB is twice CD."""
    yield _same(length(one), value * length(two), "length")


def collinear(points: Points) -> Iterator[Agreement]:
    """Points on one line: `{collinear: ABC}`."""
    first = points[0]
    last = max(points, key=lambda point: math.dist(first, point))
    for point in points[1:]:
        if point is not last:
            off = _off_line(point, (first, last))
            size = math.dist(first, last)
            yield _none(off, size, "the points do not lie on one line")


def between(point: Point, line: Line) -> Iterator[Agreement]:
    """A point inside a segment: `{between: [B, AC]}`; its detour, or how far beyond an end."""
    off = _off_line(point, line)
    size = length(line)
    a, b = line
    along = float((b - a) @ (point - a)) / (size + TINY)
    beyond = max(RELATIVE * size - along, along - (1 - RELATIVE) * size, 0.0)
    off += math.copysign(beyond, off)
    yield _none(off, size, "the point is not between the two others")


def centroid(point: Point, corners: Points) -> Iterator[Agreement]:
    """The mean of some points: `{centroid: [G, ABC]}`."""
    size = math.dist(*corners[:2])
    for off in point - sum(corners) / len(corners):
        yield _none(float(off), size, "the point is not the middle of the others")


def midpoint(point: Point, line: Line) -> Iterator[Agreement]:
    """`{midpoint: [M, AB]}`."""
    yield from centroid(point, list(line))


def halves(line: Line, base: Line) -> Iterator[Agreement]:
    """A line through the middle of a segment: `{halves: [AB, CD]}`."""
    off = _off_line((base[0] + base[1]) / 2, line)
    yield _none(off, length(base), "the line misses the middle of the segment")


def concyclic(points: Points) -> Iterator[Agreement]:
    """Points on one circle: `{concyclic: ABCD}`."""
    if len(points) < 4:
        raise ValueError("any three points lie on a circle: give at least four")
    center = circumcenter(points[0], points[1], points[2])
    yield from equal([(center, point) for point in points[2:]])


def tangent(line: Line, center: Point, radius: Radius) -> Iterator[Agreement]:
    """A line that touches a circle: `{tangent: [AB, O, 3]}`, `{tangent: [AB, O, P]}` through P."""
    size = radius if isinstance(radius, float) else math.dist(center, radius)
    yield _same(distance(center, line), size, "distance from the centre")


def equidistant(point: Point, lines: Lines) -> Iterator[Agreement]:
    """A point as far from each line, as an incentre: `{equidistant: [O, [AB, BC]]}`."""
    for other in _others(lines):
        yield _same(distance(point, lines[0]), distance(point, other), "distance")


def bisects(line: Line, corner: Points) -> Iterator[Agreement]:
    """A ray from the vertex halves the angle: `{bisects: [BD, ABC]}`."""
    a, b, c = three(corner)
    ahead = line[1] - line[0]
    to_a = angle_between(ahead, a - b)
    to_c = angle_between(ahead, c - b)
    yield _turned(to_a, to_c, length(line))


def congruent(one: Points, two: Points) -> Iterator[Agreement]:
    """Polygons with equal sides, corner by corner: `{congruent: [ABC, DEF]}`."""
    for p, q in _distances(one, two):
        yield _same(p, q, "side or diagonal")


def similar(one: Points, two: Points) -> Iterator[Agreement]:
    """Polygons with sides in one ratio: `{similar: [ABC, DEF]}`."""
    (first, its_image), *others = _distances(one, two)
    both = first + its_image + TINY
    for p, q in others:
        yield _same(p * its_image / both, q * first / both, "side in that ratio")


def _distances(one: list[Array], two: list[Array]) -> list[tuple[float, float]]:
    """All distances, sides and diagonals, so that angles agree too."""
    if len(one) != len(two) or len(one) < 2:
        raise ValueError("give two polygons with as many corners")
    pairs = combinations(range(len(one)), 2)
    return [(math.dist(one[i], one[j]), math.dist(two[i], two[j])) for i, j in pairs]


def _others(lines: Any) -> Any:
    if len(lines) < 2:
        raise ValueError("give at least two lines")
    return lines[1:]


MEASURES: dict[str, Callable[..., float]] = {
    function.__name__: function
    for function in (length, angle, area, perimeter, ratio, distance, slope)
}
RELATIONS: dict[str, Relation] = {
    "perpendicular": perpendicular,
    "parallel": parallel,
    "equal": equal,
    "equal_angles": equal_angles,
    "length": has_length,
    "angle": has_angle,
    "area": has_area,
    "ratio": has_ratio,
    "collinear": collinear,
    "between": between,
    "midpoint": midpoint,
    "centroid": centroid,
    "halves": halves,
    "concyclic": concyclic,
    "tangent": tangent,
    "equidistant": equidistant,
    "bisects": bisects,
    "congruent": congruent,
    "similar": similar,
}
