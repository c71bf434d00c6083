"""Geometric predicates: what a spec claims is measured in the drawn figure, or it is an error.

Each function raises ValueError saying what the figure measures instead. Angles may be off by
0.5 degrees and lengths by 0.5 %: no eye sees that, and rounded coordinates pass.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from .constructions import circumcenter, foot
from .figure import Array, Corners, Line, Lines, Number, Point, Points

DEGREES = 0.5
RELATIVE = 0.005


def length(line: Line) -> float:
    return float(np.linalg.norm(line[1] - line[0]))


def angle_between(u: Array, v: Array) -> float:
    """Degrees from 0 to 180."""
    norms = np.linalg.norm(u) * np.linalg.norm(v)
    if norms < 1e-12:
        raise ValueError("an arm of the angle has no length")
    return float(np.degrees(np.arccos(np.clip(np.dot(u, v) / norms, -1, 1))))


def angle_of(corner: list[Array]) -> float:
    """Angle ABC in degrees, at the middle point."""
    a, b, c = three(corner)
    return angle_between(a - b, c - b)


def area_of(corners: list[Array]) -> float:
    """Area of a plane polygon, in two or three dimensions."""
    if len(corners) < 3:
        raise ValueError("an area needs at least three corners")
    lift = [np.append(p - corners[0], 0)[:3] for p in corners]
    total = sum(np.cross(p, q) for p, q in pairwise(lift))
    return float(np.linalg.norm(total) / 2)


def three(corner: list[Array]) -> tuple[Array, Array, Array]:
    if len(corner) != 3:
        raise ValueError("an angle needs three points, its vertex in the middle")
    return corner[0], corner[1], corner[2]


def perpendicular(a: Line, b: Line) -> None:
    """Lines at right angles: `{perpendicular: [AB, CD]}`."""
    angle = angle_between(a[1] - a[0], b[1] - b[0])
    if abs(angle - 90) > DEGREES:
        raise ValueError(f"the figure measures {angle:.1f}°, not 90°")


def parallel(lines: Lines) -> None:
    """Lines of one direction: `{parallel: [AB, CD]}`."""
    for other in _others(lines):
        angle = angle_between(lines[0][1] - lines[0][0], other[1] - other[0])
        if min(angle, 180 - angle) > DEGREES:
            raise ValueError(f"the figure measures {min(angle, 180 - angle):.1f}° between them")


def equal(lines: Lines) -> None:
    """Segments of one length: `{equal: [AB, CD]}`."""
    for other in _others(lines):
        _same(length(lines[0]), length(other), "length")


def equal_angles(corners: Corners) -> None:
    """Angles of one size: `{equal_angles: [ABC, DEF]}`."""
    sizes = [angle_of(corner) for corner in corners]
    for size in sizes[1:]:
        if abs(size - sizes[0]) > DEGREES:
            raise ValueError(f"the figure measures {sizes[0]:.1f}° and {size:.1f}°")


def has_length(line: Line, value: Number) -> None:
    """`{length: [AB, 4]}`."""
    _same(length(line), value, "length")


def has_angle(corner: Points, value: Number) -> None:
    """`{angle: [ABC, 50]}`, degrees."""
    if abs(angle_of(corner) - value) > DEGREES:
        raise ValueError(f"the figure measures {angle_of(corner):.1f}°, not {value:g}°")


def has_area(corners: Points, value: Number) -> None:
    """`{area: [ABC, 6]}`."""
    _same(area_of(corners), value, "area")


def collinear(points: Points) -> None:
    """Points on one line: `{collinear: ABC}`."""
    spread = np.stack(points) - points[0]
    sizes = np.linalg.svd(spread, compute_uv=False)
    if len(sizes) > 1 and sizes[1] > RELATIVE * sizes[0]:
        raise ValueError("the points do not lie on one line")


def between(b: Point, line: Line) -> None:
    """A point inside a segment: `{between: [B, AC]}`."""
    collinear([line[0], b, line[1]])
    if not 0 < np.dot(b - line[0], line[1] - line[0]) < length(line) ** 2:
        raise ValueError("the point is not between the two others")


def midpoint(m: Point, line: Line) -> None:
    """`{midpoint: [M, AB]}`."""
    if np.linalg.norm(m - (line[0] + line[1]) / 2) > RELATIVE * length(line):
        raise ValueError("the point is not the middle of the segment")


def concyclic(points: Points) -> None:
    """Points on one circle: `{concyclic: ABCD}`."""
    if len(points) < 4:
        raise ValueError("any three points lie on a circle: give at least four")
    center = circumcenter(points[0], points[1], points[2])
    radius = length((center, points[0]))
    for point in points[3:]:
        _same(radius, length((center, point)), "distance from the centre")


def tangent(line: Line, center: Point, radius: Number) -> None:
    """A line that touches a circle: `{tangent: [AB, O, 3]}`."""
    _same(float(np.linalg.norm(foot(center, *line) - center)), radius, "distance from the centre")


def bisects(line: Line, corner: Points) -> None:
    """A ray from the vertex halves the angle: `{bisects: [BD, ABC]}`."""
    a, b, c = three(corner)
    halves = [angle_between(line[1] - line[0], arm - b) for arm in (a, c)]
    if abs(halves[0] - halves[1]) > DEGREES:
        raise ValueError(f"the figure measures {halves[0]:.1f}° and {halves[1]:.1f}°")


def congruent(first: Points, second: Points) -> None:
    """Polygons with equal sides, corner by corner: `{congruent: [ABC, DEF]}`."""
    for ratio in _ratios(first, second):
        _same(1, ratio, "ratio of sides")


def similar(first: Points, second: Points) -> None:
    """Polygons with sides in one ratio: `{similar: [ABC, DEF]}`."""
    ratios = _ratios(first, second)
    for ratio in ratios[1:]:
        _same(ratios[0], ratio, "ratio of sides")


def _ratios(first: list[Array], second: list[Array]) -> list[float]:
    """Ratios of all distances, sides and diagonals, so that angles agree too."""
    if len(first) != len(second) or len(first) < 2:
        raise ValueError("give two polygons with as many corners")
    pairs = [(i, j) for i in range(len(first)) for j in range(i)]
    return [length((second[i], second[j])) / length((first[i], first[j])) for i, j in pairs]


def _others(lines: Any) -> Any:
    if len(lines) < 2:
        raise ValueError("give at least two lines")
    return lines[1:]


def _same(a: float, b: float, what: str) -> None:
    if abs(a - b) > RELATIVE * max(abs(a), abs(b), 1e-9):
        raise ValueError(f"{what}: the figure measures {a:.4g} against {b:.4g}")


PREDICATES: dict[str, Callable[..., None]] = {
    "perpendicular": perpendicular, "parallel": parallel, "equal": equal,
    "equal_angles": equal_angles, "length": has_length, "angle": has_angle, "area": has_area,
    "collinear": collinear, "between": between, "midpoint": midpoint, "concyclic": concyclic,
    "tangent": tangent, "bisects": bisects, "congruent": congruent, "similar": similar,
}  # fmt: skip
