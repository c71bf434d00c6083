"""Marks: right angles, angle arcs, ticks and chevrons, in constant size on the page.

`pixel` gives the true length of one pixel along a direction. A mark claims something, so the
figure is measured first: a right-angle mark at 80 degrees is an error. Sizes are those of
textbooks at 150 dpi: square 11 px, first arc 19 px, ticks 11 px long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import relations
from .figure import Array, Corners, Lines, Points, Stroke, Tint
from .vectors import quarter_turn, unit

THIN = 0.85
Pixel = Callable[[Array], float]


def right(pixel: Pixel, corner: Points) -> list[Stroke]:
    """The square of a right angle: `{right: BAC}`, vertex in the middle."""
    a, b, c = relations.three(corner)
    relations.hold(relations.perpendicular((b, a), (b, c)))
    u = _arm(a - b, 11, pixel)
    v = _arm(c - b, 11, pixel)
    corners = np.stack([b + u, b + u + v, b + v])
    return [Stroke(corners, width=THIN, hides=False)]


def _arm(v: Array, pixels: float, pixel: Pixel) -> Array:
    """A vector along `v` so many pixels long, but at most 0.4 of it."""
    most = 0.4 * float(np.linalg.norm(v))
    return unit(v) * min(pixels * pixel(v), most)


def angle(
    pixel: Pixel,
    corners: Corners,
    *,
    arcs: int = 1,
    fill: Tint = "",
    reflex: bool = False,
) -> list[Stroke]:
    """Arcs of equal angles, one to three: `{angle: [ABC, DEF], arcs: 2}`."""
    if not 1 <= arcs <= 3:
        raise ValueError("an angle has 1 to 3 arcs")
    relations.hold(relations.equal_angles(corners))
    strokes = []
    for corner in corners:
        for k in range(arcs):
            radius = arc_radius(relations.angle(corner)) + 4 * k
            path = angle_arc(corner, radius * _mean_pixel(corner, pixel), reflex)
            strokes.append(Stroke(path, width=THIN, hides=False))
        if fill:
            wedge = np.concatenate([path, corner[1][None]])
            shade = Stroke(wedge, closed=True, fill=fill, width=0, hides=False)
            strokes.insert(0, shade)  # below all arcs
    return strokes


def equal(pixel: Pixel, lines: Lines, *, ticks: int = 1) -> list[Stroke]:
    """Ticks across segments of one length: `{equal: [AB, CD], ticks: 2}`."""
    if not 1 <= ticks <= 4:
        raise ValueError("equal segments have 1 to 4 ticks")
    if len(lines) > 1:
        relations.hold(relations.equal(lines))
    strokes = []
    for a, b in lines:
        for at, _, side in _along(a, b, ticks, 4.5, pixel):
            half = 5.5 * side
            strokes.append(Stroke(np.stack([at - half, at + half]), width=THIN))
    return strokes


def parallel(pixel: Pixel, lines: Lines, *, chevrons: int = 1) -> list[Stroke]:
    """Chevrons on parallel lines: `{parallel: [AB, CD], chevrons: 2}`."""
    if not 1 <= chevrons <= 3:
        raise ValueError("parallel lines have 1 to 3 chevrons")
    if len(lines) > 1:
        relations.hold(relations.parallel(lines))
    direction = lines[0][1] - lines[0][0]
    strokes = []
    for a, b in lines:
        if np.dot(b - a, direction) < 0:
            a, b = b, a
        for at, ahead, side in _along(a, b, chevrons, 5, pixel):
            back = at - 6 * ahead
            wing = 4.5 * side
            chevron = np.stack([back + wing, at, back - wing])
            strokes.append(Stroke(chevron, width=THIN))
    return strokes


def _mean_pixel(corner: list[Array], pixel: Pixel) -> float:
    a, b, c = corner
    return (pixel(a - b) + pixel(c - b)) / 2


def arc_radius(degrees: float) -> float:
    """Pixels: narrow angles get a larger arc, so that it can be seen."""
    return 19 if degrees > 30 else 19 + min(17.0, (30 - degrees) * 0.8)


def angle_arc(corner: list[Array], radius: float, reflex: bool = False) -> Array:
    """The arc of angle ABC at `radius`, in the plane of the angle (two or three dimensions)."""
    a, b, c = relations.three(corner)
    u = unit(a - b)
    w = unit(c - b)
    off_u = w - np.dot(u, w) * u
    if np.linalg.norm(off_u) < 1e-6:  # a straight angle, or none: any side will do
        v = np.array([-u[1], u[0], *([0] * (len(u) - 2))])
    else:
        v = unit(off_u)
    sweep = np.radians(relations.angle_between(u, w))
    t = np.linspace(0, sweep, 32)
    if reflex:
        t = np.linspace(0, sweep - 2 * np.pi, 60)
    circle = np.outer(np.cos(t), u) + np.outer(np.sin(t), v)
    return np.asarray(b + radius * circle)


def _along(
    a: Array, b: Array, count: int, gap: float, pixel: Pixel
) -> list[tuple[Array, Array, Array]]:
    """Places about the middle of AB with one pixel ahead and one pixel to the side."""
    ahead = unit(b - a)
    side = quarter_turn(ahead) if len(a) == 2 else _normal(ahead)
    ahead = ahead * pixel(ahead)
    side = side * pixel(side)
    middle = (a + b) / 2
    first = -(count - 1) / 2
    return [(middle + (first + k) * gap * ahead, ahead, side) for k in range(count)]


def _normal(ahead: Array) -> Array:
    """A normal that is upright where it can be: ticks on the edges of a solid."""
    is_upright = abs(ahead[2]) >= 0.9
    up = np.array([1.0, 0.0, 0.0] if is_upright else [0.0, 0.0, 1.0])
    return unit(up - np.dot(up, ahead) * ahead)


MARKS: dict[str, Callable[..., Any]] = {
    "right": right,
    "angle": angle,
    "equal": equal,
    "parallel": parallel,
}
