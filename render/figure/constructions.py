"""Constructions: one-step functions that make a point from others (Euclid's and a few more).

`construct: {M: {mid: AB}}` calls `mid(A, B)`. A construction that is impossible raises ValueError.
Those marked (plane) need two dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .figure import Array, Number, Point
from .vectors import TINY, turn, unit


def mid(a: Point, b: Point) -> Array:
    """Midpoint of AB."""
    return (a + b) / 2


def on(a: Point, b: Point, ratio: Number) -> Array:
    """The point that divides AB so that AP = ratio * AB."""
    return a + ratio * (b - a)


def along(a: Point, b: Point, distance: Number) -> Array:
    """The point on ray AB at `distance` from A."""
    return a + distance * unit(b - a)


def foot(p: Point, a: Point, b: Point) -> Array:
    """Foot of the perpendicular from P to line AB."""
    direction = unit(b - a)
    return a + np.dot(p - a, direction) * direction


def meet(a: Point, b: Point, c: Point, d: Point) -> Array:
    """Where the lines AB and CD meet."""
    u = unit(b - a)
    v = unit(d - c)
    apart = c - a
    (s, t), *_ = np.linalg.lstsq(np.stack([u, -v], 1), apart, rcond=None)
    if abs(np.dot(u, v)) > 1 - 1e-12:
        raise ValueError("the two lines are parallel: they do not meet")
    miss = np.linalg.norm(a + s * u - c - t * v)
    if miss > 1e-6 * (1 + np.linalg.norm(apart)):
        raise ValueError("the two lines are skew: they do not meet")
    return a + s * u


def polar(o: Point, radius: Number, degrees: Number) -> Array:
    """The point at `radius` from O, `degrees` counterclockwise from the right (plane)."""
    return o + radius * turn(np.array([1.0, 0.0]), degrees)


def rotate(p: Point, o: Point, degrees: Number) -> Array:
    """P turned about O, counterclockwise (plane)."""
    return o + turn(p - o, degrees)


def reflect(p: Point, a: Point, b: Point) -> Array:
    """Mirror image of P in line AB."""
    return 2 * foot(p, a, b) - p


def same(p: Point) -> Array:
    """The place of P, which has two names then."""
    return p.copy()


def translate(p: Point, a: Point, b: Point) -> Array:
    """P moved by AB: the fourth vertex of the parallelogram ABQP."""
    return p + b - a


def dilate(p: Point, o: Point, factor: Number) -> Array:
    """P enlarged from O by `factor`."""
    return o + factor * (p - o)


def circumcenter(a: Point, b: Point, c: Point) -> Array:
    """Centre of the circle through A, B, C."""
    u = b - a
    v = c - a
    uu = np.dot(u, u)
    uv = np.dot(u, v)
    vv = np.dot(v, v)
    matrix = np.array([[uu, uv], [uv, vv]])
    if abs(np.linalg.det(matrix)) < TINY * (uu * vv + TINY):
        raise ValueError(
            "the three points lie on a line: no circle passes through them"
        )
    s, t = np.linalg.solve(matrix, np.array([uu, vv]) / 2)
    return a + s * u + t * v


def incenter(a: Point, b: Point, c: Point) -> Array:
    """Centre of the circle inside triangle ABC."""
    opposite_a = np.linalg.norm(b - c)
    opposite_b = np.linalg.norm(c - a)
    opposite_c = np.linalg.norm(a - b)
    sides = np.array([opposite_a, opposite_b, opposite_c])
    perimeter = sides.sum()
    if perimeter < TINY or sides.max() * 2 > perimeter * (1 - TINY):
        raise ValueError("the three points lie on a line: there is no triangle")
    return (opposite_a * a + opposite_b * b + opposite_c * c) / perimeter


def centroid(a: Point, b: Point, c: Point) -> Array:
    """Where the medians of triangle ABC meet."""
    return (a + b + c) / 3


def orthocenter(a: Point, b: Point, c: Point) -> Array:
    """Where the heights of triangle ABC meet."""
    return a + b + c - 2 * circumcenter(a, b, c)


def bisector(a: Point, b: Point, c: Point) -> Array:
    """Where the bisector of angle ABC meets AC."""
    to_a = np.linalg.norm(a - b)
    to_c = np.linalg.norm(c - b)
    if to_a + to_c < TINY:
        raise ValueError("the three points coincide")
    return a + (c - a) * to_a / (to_a + to_c)


def line_circle(
    a: Point, b: Point, o: Point, radius: Number, which: Number = 1
) -> Array:
    """Where line AB meets the circle about O: the 1st or 2nd point, counted from A to B."""
    direction = unit(b - a)
    nearest = foot(o, a, b)
    off = nearest - o
    square = radius**2 - float(np.dot(off, off))
    if square < -1e-9 * radius**2:
        raise ValueError("the line does not reach the circle")
    half_chord = float(np.sqrt(max(square, 0)))
    return nearest + _sign(which) * half_chord * direction


def circles(o: Point, r: Number, p: Point, s: Number, which: Number = 1) -> Array:
    """Where circles (O, r) and (P, s) meet; the 1st lies to the left of O -> P (plane)."""
    distance = float(np.linalg.norm(p - o))
    if distance < TINY:
        raise ValueError("the circles have the same centre")
    along_axis = (distance**2 + r**2 - s**2) / (2 * distance)
    square = r**2 - along_axis**2
    if square < -1e-9 * r**2:
        raise ValueError("the circles do not meet")
    axis = unit(p - o)
    half_chord = float(np.sqrt(max(square, 0)))
    side = -_sign(which) * half_chord * turn(axis, 90)
    return o + along_axis * axis + side


def tangent(p: Point, o: Point, radius: Number, which: Number = 1) -> Array:
    """Where a tangent from P touches the circle about O; the 1st lies left of P -> O (plane)."""
    distance = float(np.linalg.norm(p - o))
    if distance <= radius:
        raise ValueError(
            "the point lies inside the circle or on it: no tangent from it"
        )
    length = float(np.sqrt(distance**2 - radius**2))
    return circles(p, length, o, radius, which)


def _sign(which: float) -> int:
    if which not in (1, 2):
        raise ValueError("the last argument counts the meeting points: 1 or 2")
    return -1 if which == 1 else 1


CONSTRUCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        same,
        mid,
        on,
        along,
        foot,
        meet,
        polar,
        rotate,
        reflect,
        translate,
        dilate,
        circumcenter,
        incenter,
        centroid,
        orthocenter,
        bisector,
        line_circle,
        circles,
        tangent,
    )
}
PLANE_ONLY = {"polar", "rotate", "circles", "tangent"}
