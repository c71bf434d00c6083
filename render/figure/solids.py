"""Standard solids in oblique projection: faces, edges, rims, outlines.

x points right, y into the page, z up. A solid gives the strokes that are always drawn, the faces
that hide what lies behind them (`hidden.py` dashes it), and names for its corners and centres.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from .expressions import number
from .figure import Array, Figure, Number, Stroke, names

ROUND = 96  # sides of the prism that stands for a cylinder
FLAT, UPRIGHT, LYING = (0.45, 41.0), (0.3, 90.0), (0.3, 0.0)  # depth ratio and its direction


class Solid(msgspec.Struct):
    """Named points, faces (outward, counterclockwise) and strokes in three dimensions."""

    points: dict[str, Array]
    faces: list[Array]
    strokes: list[Stroke]
    smooth: list[list[Array]] = []  # bands of faces in a ring: drawn only where they turn away


def projection(ratio: float, degrees: float) -> Array:
    """The 2 x 3 matrix that draws depth `ratio` as long, at an angle; x and z keep their size."""
    t = np.radians(degrees)
    return np.array([[1.0, ratio * np.cos(t), 0.0], [0.0, ratio * np.sin(t), 1.0]])


def towards_viewer(matrix: Array) -> Array:
    """The direction that the projection maps to a point, out of the page."""
    return np.array([matrix[0, 1], -1.0, matrix[1, 1]])


def box(corners: Any, *, size: list[float], at: list[float] | None = None) -> Solid:
    """`{box: ABCDEFGH, size: [4, 3, 2]}`: bottom from the front left corner, then the top."""
    if len(size) != 3 or min(size) <= 0:
        raise ValueError("a box has a positive width, depth and height")
    w, d, h = size
    flat = np.array([[0, 0], [w, 0], [w, d], [0, d]])
    return _prism(corners, flat, np.ones(4, bool), h, at)


def cube(corners: Any, *, edge: Number, at: list[float] | None = None) -> Solid:
    """`{cube: ABCDA1B1C1D1, edge: 2}`."""
    return box(corners, size=[edge, edge, edge], at=at)


def prism(
    corners: Any, *, base: Any, height: Number, axis: str = "z", at: list[float] | None = None
) -> Solid:
    """`{prism: ABCDEF, base: [[0,0],[4,0],[1,3]], height: 5}`: bottom corners, then the top.

    A base `{radius: 3, arc: [0, 180]}` makes half a cylinder; `axis: y` lays it down, as a tunnel.
    """
    return _prism(corners, *base_outline(base), height, at, axis)


def pyramid(
    corners: Any,
    *,
    base: Any,
    height: Number,
    apex: list[float] | None = None,
    at: list[float] | None = None,
) -> Solid:
    """`{pyramid: ABCDP, base: [[0,0],[4,0],[4,4],[0,4]], height: 5}`: base corners, then apex.

    A base `{radius: 3, arc: [0, 180]}` makes half a cone.
    """
    flat, sharp = base_outline(base)
    tip = np.array(apex if apex is not None else flat.mean(0) if sharp.all() else [0.0, 0.0])
    if len(tip) != 2 or height <= 0:
        raise ValueError("a pyramid has a positive height; apex is [x, y] above the base")
    ground = _lift(flat, 0.0, at)
    top = _lift(tip[None], height, at)[0]
    n = len(ground)
    sides = [np.stack([ground[k], ground[(k + 1) % n], top]) for k in range(n)]
    edges = _rim(ground, sharp) + [_edge(p, top) for p in ground[sharp]]
    names = _named(corners, [*ground[sharp], top])
    return Solid(names, [ground[::-1], *sides], edges, _bands(sides, sharp))


def cylinder(
    centers: Any,
    *,
    radius: Number,
    height: Number,
    axis: str = "z",
    inner: Number = 0,
    at: list[float] | None = None,
) -> Solid:
    """`{cylinder: OP, radius: 3, height: 5}`: centres of bottom and top; `inner` makes a pipe."""
    return _round(centers, radius, radius, height, axis, at, inner)


def cone(
    centers: Any, *, radius: Number, height: Number, axis: str = "z", at: list[float] | None = None
) -> Solid:
    """`{cone: OV, radius: 3, height: 5}`: centre of the base, then the apex."""
    return _round(centers, radius, 0.0, height, axis, at)


def frustum(
    centers: Any,
    *,
    radius: Number,
    top: Number,
    height: Number,
    axis: str = "z",
    at: list[float] | None = None,
) -> Solid:
    """`{frustum: OP, radius: 3, top: 2, height: 4}`: a cone cut parallel to its base."""
    return _round(centers, radius, top, height, axis, at)


def sphere(center: Any, *, radius: Number, at: list[float] | None = None) -> Solid:
    """`{sphere: O, radius: 3}`: outline and equator."""
    middle = _lift(np.zeros((1, 2)), 0.0, at)[0]
    outline = _ring(middle, _positive(radius), "y")
    rim = Stroke(_ring(middle, radius, "z"), closed=True)
    strokes = [Stroke(outline, closed=True, hides=False), rim]
    return Solid(_named(center, [middle]), [outline[::-1]], strokes)


def hemisphere(
    center: Any, *, radius: Number, down: bool = False, at: list[float] | None = None
) -> Solid:
    """`{hemisphere: O, radius: 3}`: a dome on its circle, or a bowl with `down`."""
    middle = _lift(np.zeros((1, 2)), 0.0, at)[0]
    t = np.linspace(0, np.pi, ROUND // 2 + 1) * (-1 if down else 1)
    zero = np.zeros_like(t)
    dome = middle + _positive(radius) * np.stack([np.cos(t), zero, np.sin(t)], 1)
    rim = Stroke(_ring(middle, radius, "z"), closed=True)
    faces = [dome[::-1] if down else dome]
    if down:
        faces.append(_ring(middle, radius, "z"))
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
        outward.append(shape if np.dot(normal(shape), shape[0] - middle) > 0 else shape[::-1])
        ring = [str(name) for name in names(face)]
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            edges[frozenset((a, b))] = (figure.point(a), figure.point(b))
    return Solid({}, outward, [_edge(a, b) for a, b in edges.values()])


def normal(face: Array) -> Array:
    """Outward normal of a counterclockwise polygon (Newell)."""
    x, y, z = (face - face[0]).T
    return np.array(
        [
            (y[:-1] * z[1:] - z[:-1] * y[1:]).sum(),
            (z[:-1] * x[1:] - x[:-1] * z[1:]).sum(),
            (x[:-1] * y[1:] - y[:-1] * x[1:]).sum(),
        ]
    )


def _prism(
    corners: Any, flat: Array, sharp: Array, height: float, at: list[float] | None, axis: str = "z"
) -> Solid:
    ground, roof = _lift(flat, 0.0, at, axis), _lift(flat, _positive(height), at, axis)
    n = len(ground)
    turn = [(k, (k + 1) % n) for k in range(n)]
    sides = [np.stack([ground[a], ground[b], roof[b], roof[a]]) for a, b in turn]
    faces = [ground[::-1], roof, *sides]
    edges = [_edge(a, b) for a, b in zip(ground[sharp], roof[sharp], strict=True)]
    return Solid(
        _named(corners, [*ground[sharp], *roof[sharp]]),
        [face[::-1] for face in faces] if axis == "y" else faces,  # seen in a mirror
        _rim(ground, sharp) + _rim(roof, sharp) + edges,
        _bands(sides, sharp),
    )


def _rim(ring: Array, sharp: Array) -> list[Stroke]:
    """The outline of a base from corner to corner: straight edges, arcs as one stroke each."""
    at = np.flatnonzero(sharp).tolist()
    ends = zip(at, [*at[1:], at[0] + len(ring)], strict=True)
    return [Stroke(np.take(ring, range(a, b + 1), axis=0, mode="wrap")) for a, b in ends]


def _bands(sides: list[Array], sharp: Array) -> list[list[Array]]:
    """The sides that stand on arcs."""
    flat = sharp & np.roll(sharp, -1)
    return [] if flat.all() else [[s for s, f in zip(sides, flat, strict=True) if not f]]


def _round(
    centers: Any,
    radius: float,
    top: float,
    height: float,
    axis: str,
    at: list[float] | None,
    inner: float = 0.0,
) -> Solid:
    """Cylinder, cone and frustum: two rings about an axis and the band between them."""
    if axis not in ("x", "y", "z"):
        raise ValueError("axis is x, y or z")
    if not 0 <= inner < radius or top < 0:
        raise ValueError("radii must be positive, the inner one smaller")
    start = _lift(np.zeros((1, 2)), 0.0, at)[0]
    end = start + _positive(height) * np.eye(3)["xyz".index(axis)]
    low, high = _ring(start, _positive(radius), axis), _ring(end, top, axis)
    band = [
        np.stack([low[k], low[k - ROUND + 1], high[k - ROUND + 1], high[k]]) for k in range(ROUND)
    ]
    caps, strokes = [low[::-1]], [Stroke(low, closed=True)]
    if top > 0:
        caps.append(high)
        strokes.append(Stroke(high, closed=True))
    else:
        band = [quad[:3] for quad in band]
    if inner > 0:
        seen = start if axis == "y" else end
        strokes.append(Stroke(_ring(seen, inner, axis), closed=True))
    return Solid(_named(centers, [start, end]), [*caps, *band], strokes, [band])


def _ring(middle: Array, radius: float, axis: str) -> Array:
    """A circle about an axis, counterclockwise seen from the axis' end."""
    t = 2 * np.pi * np.arange(ROUND) / ROUND
    c, s, zero = np.cos(t), np.sin(t), np.zeros(ROUND)
    flat = {"z": (c, s, zero), "x": (zero, c, s), "y": (s, zero, c)}[axis]
    return np.asarray(middle + radius * np.stack(flat, 1))


def _edge(a: Array, b: Array) -> Stroke:
    return Stroke(np.stack([a, b]))


def _positive(value: float) -> float:
    if value <= 1e-9:
        raise ValueError("sizes must be positive")
    return value


def base_outline(base: Any) -> tuple[Array, Array]:
    """The outline of a base, counterclockwise, and which of its points are corners.

    `{radius: 3, arc: [0, 180]}` is half a disc, another arc a sector about its centre.
    """
    if not isinstance(base, dict) or base.keys() != {"radius", "arc"}:
        flat = base_polygon(base)
        return flat, np.ones(len(flat), bool)
    ends = base["arc"]
    if not isinstance(ends, list) or len(ends) != 2:
        raise ValueError("an arc is [from, to] in degrees")
    start, stop = map(number, ends)
    if not 0 < stop - start < 360:
        raise ValueError("an arc has more than 0 and less than 360 degrees")
    t = np.radians(np.linspace(start, stop, max(8, round(ROUND * (stop - start) / 360)) + 1))
    flat = _positive(number(base["radius"])) * np.stack([np.cos(t), np.sin(t)], 1)
    sharp = np.zeros(len(flat), bool)
    sharp[[0, -1]] = True
    if stop - start == 180:
        return flat, sharp
    return np.vstack([flat, [0.0, 0.0]]), np.append(sharp, True)


def base_polygon(base: Any) -> Array:
    """Corners of a base, counterclockwise: [[x, y], ...], or {sides: 6, radius: 2}."""
    if isinstance(base, dict) and base.keys() == {"sides", "radius"}:
        n = int(number(base["sides"]))
        if not 3 <= n <= 24:
            raise ValueError("a regular base has 3 to 24 sides")
        t = 2 * np.pi * (np.arange(n) + 0.5) / n - np.pi / 2
        return number(base["radius"]) * np.stack([np.cos(t), np.sin(t)], 1)
    if (
        not isinstance(base, list)
        or len(base) < 3
        or not all(isinstance(p, list) and len(p) == 2 for p in base)
    ):
        raise ValueError("a base is a list of corners [x, y], or {sides: 6, radius: 2}")
    flat = np.array([[number(v) for v in p] for p in base])
    x, y = flat.T
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
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
    return np.column_stack([flat, np.full(len(flat), z)])[:, order] + where


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
        box, cube, prism, pyramid, cylinder, cone, frustum, sphere, hemisphere, polyhedron
    )
}  # fmt: skip
