"""Standard solids in oblique projection: faces, edges, rims, outlines.

x points right, y into the page, z up. A solid gives the strokes that are always drawn, the faces
that hide what lies behind them (`hidden_lines.py` dashes it), and names for its corners and
centres.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from .expressions import number
from .figure import Array, Figure, Number, Stroke, names
from .vectors import unit_vectors

ROUND = 96  # sides of the prism that stands for a cylinder
# How depth is drawn: its ratio, and its direction in degrees.
FLAT = (0.45, 41.0)
UPRIGHT = (0.3, 90.0)
LYING = (0.3, 0.0)
# Degrees beside and above the front, where round solids stand beside others.
TOGETHER = (24.0, 20.0)


class Solid(msgspec.Struct):
    """Named points, faces (outward, counterclockwise) and strokes in three dimensions."""

    points: dict[str, Array]
    faces: list[Array]
    strokes: list[Stroke]
    # bands of faces in a ring: their edges are drawn only where they turn away
    smooth: list[list[Array]] = []


def projection(ratio: float, degrees: float) -> Array:
    """The 2 x 3 matrix that draws depth `ratio` as long, at an angle; x and z keep their size."""
    direction = np.radians(degrees)
    return np.array(
        [
            [1.0, ratio * np.cos(direction), 0.0],
            [0.0, ratio * np.sin(direction), 1.0],
        ]
    )


def seen_from(azimuth: float, elevation: float) -> Array:
    """The 2 x 3 matrix of what is seen from so many degrees beside and above the front.

    Circles that lie level stay level ellipses, and no face of a box is edge on.
    """
    turn, rise = np.radians([azimuth, elevation])
    sine = np.sin(rise)
    return np.array(
        [
            [np.cos(turn), np.sin(turn), 0.0],
            [-np.sin(turn) * sine, np.cos(turn) * sine, np.cos(rise)],
        ]
    )


def towards_viewer(matrix: Array) -> Array:
    """The direction that the projection maps to a point, out of the page."""
    return np.cross(matrix[0], matrix[1])


def box(corners: Any, *, size: list[float], at: list[float] | None = None) -> Solid:
    """`{box: ABCDEFGH, size: [4, 3, 2]}`: bottom from the front left corner, then the top."""
    if len(size) != 3 or min(size) <= 0:
        raise ValueError("a box has a positive width, depth and height")
    width, depth, height = size
    base = np.array([[0, 0], [width, 0], [width, depth], [0, depth]])
    return _prism(corners, base, height, "z", at)


def cube(corners: Any, *, edge: Number, at: list[float] | None = None) -> Solid:
    """`{cube: ABCDA1B1C1D1, edge: 2}`."""
    return box(corners, size=[edge, edge, edge], at=at)


def prism(
    corners: Any,
    *,
    base: Any,
    height: Number,
    axis: str = "z",
    at: list[float] | None = None,
) -> Solid:
    """`{prism: ABCDEF, base: [[0,0],[4,0],[1,3]], height: 5}`: bottom corners, then the top.

    With `axis: y` it lies, its base in front, as a roof does.
    """
    return _prism(corners, base_polygon(base), height, axis, at)


def pyramid(
    corners: Any,
    *,
    base: Any,
    height: Number,
    apex: list[float] | None = None,
    at: list[float] | None = None,
) -> Solid:
    """`{pyramid: ABCDP, base: [[0,0],[4,0],[4,4],[0,4]], height: 5}`: base corners, then apex."""
    flat = base_polygon(base)
    tip = np.array(apex if apex is not None else flat.mean(0))
    if tip.shape != (2,):
        raise ValueError("apex is [x, y] above the base")
    sharp = np.ones(len(flat), bool)
    solid, low, high = _loft(flat, sharp, flat * 0 + tip, height, "z", at)
    solid.points = _named(corners, [*low, high[0]])
    return solid


def cylinder(
    centers: Any,
    *,
    radius: Number,
    height: Number,
    axis: str = "z",
    inner: Number = 0,
    arc: list[float] | None = None,
    at: list[float] | None = None,
) -> Solid:
    """`{cylinder: OP, radius: 3, height: 5}`: centres of bottom and top; `inner` makes a pipe.

    `arc: [0, 180]` is half of it, another arc a slice; the corners have names after the centres.
    """
    solid = _round(centers, radius, radius, height, axis, arc, at)
    if not 0 <= inner < radius or (inner and arc):
        raise ValueError("the inner radius is smaller, and of a whole cylinder")
    if inner > 0:
        in_sight = 0.0 if axis == "y" else height
        disc, _ = _disc(inner, None)
        ring = _lift(disc, in_sight, at, axis)
        solid.strokes.append(Stroke(ring, closed=True))
    return solid


def cone(
    centers: Any,
    *,
    radius: Number,
    height: Number,
    axis: str = "z",
    arc: list[float] | None = None,
    at: list[float] | None = None,
) -> Solid:
    """`{cone: OV, radius: 3, height: 5}`: centre of the base, then the apex; `arc` as above."""
    return _round(centers, radius, 0.0, height, axis, arc, at)


def frustum(
    centers: Any,
    *,
    radius: Number,
    top: Number,
    height: Number,
    axis: str = "z",
    arc: list[float] | None = None,
    at: list[float] | None = None,
) -> Solid:
    """`{frustum: OP, radius: 3, top: 2, height: 4}`: a cone cut parallel to its base."""
    return _round(centers, radius, top, height, axis, arc, at)


def sphere(center: Any, *, radius: Number, at: list[float] | None = None) -> Solid:
    """`{sphere: O, radius: 3}`: outline and equator."""
    middle = _middle(0.0, at)
    outline = _ring(middle, _positive(radius), "y")
    rim = Stroke(_ring(middle, radius, "z"), closed=True)
    strokes = [Stroke(outline, closed=True, hides=False), rim]
    return Solid(_named(center, [middle]), [outline[::-1]], strokes)


def hemisphere(
    center: Any, *, radius: Number, down: bool = False, at: list[float] | None = None
) -> Solid:
    """`{hemisphere: O, radius: 3}`: a dome on its circle, or a bowl with `down`."""
    middle = _middle(0.0, at)
    angles = np.linspace(0, np.pi, ROUND // 2 + 1) * (-1 if down else 1)
    across = np.cos(angles)
    up = np.sin(angles)
    arch = np.stack([across, np.zeros_like(angles), up], 1)
    dome = middle + _positive(radius) * arch
    circle = _ring(middle, radius, "z")
    rim = Stroke(circle, closed=True)
    faces = [dome[::-1], circle] if down else [dome]
    return Solid(_named(center, [middle]), faces, [Stroke(dome, hides=False), rim])


def polyhedron(figure: Figure, faces: Any) -> Solid:
    """`{polyhedron: [ABC, ABD, BCD, CAD]}` over points of the spec, any order of corners."""
    if not isinstance(faces, list) or len(faces) < 4:
        raise ValueError("a polyhedron has at least four faces")
    shapes = [np.stack(figure.list_of_points(face)) for face in faces]
    middle = np.concatenate(shapes).mean(0)
    edges: dict[frozenset[str], tuple[Array, Array]] = {}
    outward = []
    for face, shape in zip(faces, shapes, strict=True):
        if len(shape) < 3:
            raise ValueError(f"face {face!r} has fewer than three corners")
        is_outward = np.dot(normal(shape), shape[0] - middle) > 0
        outward.append(shape if is_outward else shape[::-1])
        ring = [str(name) for name in names(face)]
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            edges[frozenset((a, b))] = (figure.point(a), figure.point(b))
    return Solid({}, outward, [_edge(a, b) for a, b in edges.values()])


def normal(face: Array) -> Array:
    """Outward normal of a counterclockwise polygon (Newell)."""
    from_first = face - face[0]
    x, y, z = from_first[:-1].T
    next_x, next_y, next_z = from_first[1:].T
    return np.array(
        [
            (y * next_z - z * next_y).sum(),
            (z * next_x - x * next_z).sum(),
            (x * next_y - y * next_x).sum(),
        ]
    )


def _prism(
    corners: Any, flat: Array, height: float, axis: str, at: list[float] | None
) -> Solid:
    sharp = np.ones(len(flat), bool)
    solid, low, high = _loft(flat, sharp, flat, height, axis, at)
    solid.points = _named(corners, [*low, *high])
    return solid


def _round(
    centers: Any,
    radius: float,
    top: float,
    height: float,
    axis: str,
    arc: list[float] | None,
    at: list[float] | None,
) -> Solid:
    """Cylinder, cone and frustum, whole or over an arc."""
    if top < 0:
        raise ValueError("radii must be positive")
    flat, sharp = _disc(_positive(radius), arc)
    roof = top / radius * flat
    solid, low, high = _loft(flat, sharp, roof, height, axis, at)
    places = [_middle(0.0, at, axis), _middle(height, at, axis), *low[sharp]]
    if top:
        places += [*high[sharp]]
    solid.points = _named(centers, places)
    return solid


def _disc(radius: float, arc: list[float] | None) -> tuple[Array, Array]:
    """A disc, half of one or a sector as a polygon, and which of its points are corners."""
    if arc is None:
        return _ring(np.zeros(3), radius, "z")[:, :2], np.zeros(ROUND, bool)
    if len(arc) != 2 or not 0 < arc[1] - arc[0] < 360:
        raise ValueError(
            "an arc is [from, to] in degrees, more than 0 and less than 360"
        )
    start, stop = arc
    steps = max(8, round(ROUND * (stop - start) / 360))
    angles = np.radians(np.linspace(start, stop, steps + 1))
    flat = radius * unit_vectors(angles)
    sharp = np.isin(np.arange(steps + 1), (0, steps))
    if stop - start == 180:
        return flat, sharp
    return np.vstack([flat, [0.0, 0.0]]), np.append(sharp, True)  # with the centre


def _loft(
    flat: Array,
    sharp: Array,
    roof: Array,
    height: float,
    axis: str,
    at: list[float] | None,
) -> tuple[Solid, Array, Array]:
    """What lies between a base and a roof of as many points, all of which may be one: an apex.

    Edges run from the base's corners; its other points lie on arcs. Also base and roof in space.
    """
    low = _lift(flat, 0.0, at, axis)
    high = _lift(roof, _positive(height), at, axis)
    pointed = bool(np.ptp(high, axis=0).max() < 1e-9)
    sides = []
    for k in range(len(low)):
        top = [high[k - 1]] if pointed else [high[k], high[k - 1]]
        sides.append(np.stack([low[k - 1], low[k], *top]))
    strokes = [_edge(a, b) for a, b in zip(low[sharp], high[sharp], strict=True)]
    strokes += _rim(low, sharp)
    if not pointed:
        strokes += _rim(high, sharp)
    bent = ~(sharp & np.roll(sharp, 1))  # sides that do not lie between two corners
    band = [side for side, is_bent in zip(sides, bent, strict=True) if is_bent]
    caps = [low[::-1]] if pointed else [low[::-1], high]
    faces = [*caps, *sides]
    if axis == "y":  # `_lift` turned the solid into its mirror image
        faces = [face[::-1] for face in faces]
    return Solid({}, faces, strokes, [band] if band else []), low, high


def _rim(ring: Array, sharp: Array) -> list[Stroke]:
    """An outline from corner to corner: straight edges, and arcs as one stroke each."""
    corners = np.flatnonzero(sharp).tolist()
    if not corners:
        return [Stroke(ring, closed=True)]
    around = pairwise([*corners, corners[0] + len(ring)])
    return [
        Stroke(np.take(ring, range(start, stop + 1), axis=0, mode="wrap"))
        for start, stop in around
    ]


def _ring(middle: Array, radius: float, axis: str) -> Array:
    """A circle about an axis, counterclockwise seen from the axis' end."""
    angles = 2 * np.pi * np.arange(ROUND) / ROUND
    c = np.cos(angles)
    s = np.sin(angles)
    zero = np.zeros(ROUND)
    flat = {"z": (c, s, zero), "x": (zero, c, s), "y": (s, zero, c)}[axis]
    return np.asarray(middle + radius * np.stack(flat, 1))


def _edge(a: Array, b: Array) -> Stroke:
    return Stroke(np.stack([a, b]))


def _positive(value: float) -> float:
    if value <= 1e-9:
        raise ValueError("sizes must be positive")
    return value


def base_polygon(base: Any) -> Array:
    """Corners of a base, counterclockwise: [[x, y], ...], or {sides: 6, radius: 2}."""
    if isinstance(base, dict) and base.keys() == {"sides", "radius"}:
        sides = int(number(base["sides"]))
        if not 3 <= sides <= 24:
            raise ValueError("a regular base has 3 to 24 sides")
        # the side in front lies level
        angles = 2 * np.pi * (np.arange(sides) + 0.5) / sides - np.pi / 2
        return number(base["radius"]) * unit_vectors(angles)
    if (
        not isinstance(base, list)
        or len(base) < 3
        or not all(isinstance(corner, list) and len(corner) == 2 for corner in base)
    ):
        raise ValueError("a base is a list of corners [x, y], or {sides: 6, radius: 2}")
    flat = np.array([[number(x), number(y)] for x, y in base])
    x, y = flat.T
    next_x = np.roll(x, -1)
    next_y = np.roll(y, -1)
    area = float((x * next_y - next_x * y).sum())
    if abs(area) < 1e-9:
        raise ValueError("the corners of the base lie on a line")
    return flat if area > 0 else flat[::-1]


def _lift(flat: Array, z: float, at: list[float] | None, axis: str = "z") -> Array:
    """A flat shape at a height along an axis, its second coordinate up where that lies."""
    if axis not in ("x", "y", "z"):
        raise ValueError("axis is x, y or z")
    where = np.array(at if at is not None else [0, 0, 0], float)
    if where.shape != (3,):
        raise ValueError("at is a place [x, y, z]")
    order = {"x": [2, 0, 1], "y": [0, 2, 1], "z": [0, 1, 2]}[axis]
    raised = np.column_stack([flat, np.full(len(flat), z)])
    return raised[:, order] + where


def _middle(z: float, at: list[float] | None, axis: str = "z") -> Array:
    """The place at a height on the axis of a round solid."""
    return _lift(np.zeros((1, 2)), z, at, axis)[0]


def _named(value: Any, places: list[Array]) -> dict[str, Array]:
    """Names for the first places; none when the value is empty."""
    if value in (None, "", []):
        return {}
    row = names(value)
    if len(row) > len(places):
        raise ValueError(f"{len(row)} names for {len(places)} points")
    return {str(name): place for name, place in zip(row, places, strict=False)}


def outlines(solid: Solid, viewer: Array) -> list[Stroke]:
    """The lines where a round surface turns away from the viewer."""
    lines = []
    for band in solid.smooth:
        front = [bool(np.dot(normal(quad), viewer) > 1e-12) for quad in band]
        for k, quad in enumerate(band):
            joined = np.allclose(quad[0], band[k - 1][1])  # a band on an arc is open
            if joined and front[k] != front[k - 1]:
                lines.append(Stroke(np.stack([quad[0], quad[-1]]), hides=False))
    return lines


SOLIDS: dict[str, Callable[..., Solid]] = {
    function.__name__: function
    for function in (
        box,
        cube,
        prism,
        pyramid,
        cylinder,
        cone,
        frustum,
        sphere,
        hemisphere,
        polyhedron,
    )
}
