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
from .constructions import unit
from .figure import Array, Corners, Lines, Points, Stroke, Tint

THIN = 0.85
Pixel = Callable[[Array], float]


def right(pixel: Pixel, corner: Points) -> list[Stroke]:
    """The square of a right angle: `{right: BAC}`, vertex in the middle."""
    a, b, c = relations.three(corner)
    relations.hold(relations.perpendicular((b, a), (b, c)))
    u, v = _arm(a - b, 11, pixel), _arm(c - b, 11, pixel)
    return [Stroke(np.stack([b + u, b + u + v, b + v]), width=THIN, hides=False)]


def _arm(v: Array, pixels: float, pixel: Pixel) -> Array:
    """A vector along `v` so many pixels long, but at most 0.4 of it."""
    return unit(v) * min(pixels * pixel(v), 0.4 * float(np.linalg.norm(v)))


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
            path = wedge(corner, radius * _mean_pixel(corner, pixel), reflex)
            strokes.append(Stroke(path, width=THIN, hides=False))
        if fill:
            shade = np.concatenate([path, corner[1][None]])
            strokes.insert(
                0, Stroke(shade, closed=True, fill=fill, width=0, hides=False)
            )
    return strokes


def equal(pixel: Pixel, lines: Lines, *, ticks: int = 1) -> list[Stroke]:
    """Ticks across segments of one length: `{equal: [AB, CD], ticks: 2}`."""
    if not 1 <= ticks <= 4:
        raise ValueError("equal segments have 1 to 4 ticks")
    if len(lines) > 1:
        relations.hold(relations.equal(lines))
    return [
        Stroke(np.stack([at - 5.5 * side, at + 5.5 * side]), width=THIN)
        for a, b in lines
        for at, _, side in _along(a, b, ticks, 4.5, pixel)
    ]


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
            back, wing = at - 6 * ahead, 4.5 * side
            strokes.append(Stroke(np.stack([back + wing, at, back - wing]), width=THIN))
    return strokes


def _mean_pixel(corner: list[Array], pixel: Pixel) -> float:
    a, b, c = corner
    return (pixel(a - b) + pixel(c - b)) / 2


def arc_radius(degrees: float) -> float:
    """Pixels: narrow angles get a larger arc, so that it can be seen."""
    return 19 if degrees > 30 else 19 + min(17.0, (30 - degrees) * 0.8)


def wedge(corner: list[Array], radius: float, reflex: bool = False) -> Array:
    """The arc of angle ABC at `radius`, in the plane of the angle (two or three dimensions)."""
    a, b, c = relations.three(corner)
    u, w = unit(a - b), unit(c - b)
    flat = np.array([-u[1], u[0], *([0] * (len(u) - 2))])
    normal = w - np.dot(u, w) * u
    v = flat if np.linalg.norm(normal) < 1e-6 else unit(normal)
    sweep = np.radians(relations.angle_between(u, w))
    t = np.linspace(0, sweep - 2 * np.pi if reflex else sweep, 60 if reflex else 32)
    return np.asarray(b + radius * (np.outer(np.cos(t), u) + np.outer(np.sin(t), v)))


def _along(
    a: Array, b: Array, count: int, gap: float, pixel: Pixel
) -> list[tuple[Array, Array, Array]]:
    """Places about the middle of AB with one pixel ahead and one pixel to the side."""
    ahead = unit(b - a)
    side = np.array([-ahead[1], ahead[0]]) if len(a) == 2 else _normal(ahead)
    ahead, side = ahead * pixel(ahead), side * pixel(side)
    middle = (a + b) / 2
    return [
        (middle + (k - (count - 1) / 2) * gap * ahead, ahead, side)
        for k in range(count)
    ]


def _normal(ahead: Array) -> Array:
    """A normal that is upright where it can be: ticks on the edges of a solid."""
    up = np.array([0.0, 0.0, 1.0]) if abs(ahead[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    return unit(up - np.dot(up, ahead) * ahead)


MARKS: dict[str, Callable[..., Any]] = {
    "right": right,
    "angle": angle,
    "equal": equal,
    "parallel": parallel,
}
