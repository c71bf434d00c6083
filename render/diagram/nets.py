"""Nets: `kind: net` and one item under `net`: cube, cuboid, prism, pyramid, cylinder, cone.

Faces lie in the plane in true size. `faces` writes in them (DI), `lengths` at their edges (EC),
`dash: true` dashes the lines of folding.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..figure import Array, Dot, Number, Stroke, base_polygon
from .cube_nets import ROWS, cells, folds
from .sketch import Sketch, plain

MOST = 24  # sides of a base
THINNEST = 100  # times longer than the shortest edge may be the longest


def cube(
    pattern: Any,
    *,
    edge: Number = 1,
    faces: Any = None,
    lengths: Any = False,
    dash: bool = False,
    net: bool = True,
) -> Sketch:
    """`{cube: 1, faces: ABCDEF}`, one of 11, or `{cube: [.A.., BCDE, .F..]}`: its squares.

    Squares that fold to no cube are drawn only with `net: false`.
    """
    if isinstance(pattern, int) and not isinstance(pattern, bool):
        if not 1 <= pattern <= len(ROWS):
            raise ValueError(f"a cube has the nets 1 to {len(ROWS)}, not {pattern}")
        pattern = list(ROWS[pattern - 1])
    if not isinstance(pattern, list) or not 0 < len(pattern) <= 6:
        raise ValueError("write the number of a net, or its rows: [.A.., BCDE, .F..]")
    squares = cells([str(row) for row in pattern])
    is_net = folds(squares)
    if net and not is_net:
        raise ValueError("these squares fold to no cube; draw them with net: false")
    if is_net and not net:
        raise ValueError("these squares do fold to a cube")
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    flat = [_size("edge", edge) * (unit + place) for place in squares]
    words = list(squares.values()) if faces is None else faces
    return _sketch(flat, words, [flat[0][[3, 0]]], lengths, dash)


def cuboid(
    size: list[float], *, faces: Any = None, lengths: Any = False, dash: bool = False
) -> Sketch:
    """`{cuboid: [4, 3, 2]}` (width, depth, height).

    Faces: left, front, right, back, top, bottom.
    """
    if len(size) != 3:
        raise ValueError("a cuboid is [width, depth, height]")
    wide, deep, high = (_size("size", value) for value in size)
    flat = cuboid_faces(wide, deep, high)
    edges = [flat[5][:2], flat[4][[1, 2]], flat[0][[3, 0]]]
    return _sketch(flat, faces, edges, lengths, dash)


def prism(
    base: Any,
    *,
    height: Number,
    faces: Any = None,
    lengths: Any = False,
    dash: bool = False,
) -> Sketch:
    """`{prism: {sides: 6, radius: 2}, height: 5}`; faces: the sides, the top, the bottom."""
    flat = prism_faces(_base(base), _size("height", height))
    edges = [face[[3, 2]] for face in flat[:-2]] + [flat[0][[0, 3]]]
    return _sketch(flat, faces, edges, lengths, dash)


def pyramid(
    base: Any,
    *,
    height: Number,
    apex: list[float] | None = None,
    faces: Any = None,
    lengths: Any = False,
    dash: bool = False,
) -> Sketch:
    """`{pyramid: {sides: 4, radius: 3}, height: 5}`; faces: the base, then the sides."""
    if apex is not None and len(apex) != 2:
        raise ValueError("apex is [x, y] above the base")
    flat = pyramid_faces(_base(base), _size("height", height), apex)
    edges = [face[:2] for face in flat[1:]] + [face[1:] for face in flat[1:]]
    return _sketch(flat, faces, edges, lengths, dash)


def cylinder(
    radius: Number, *, height: Number, faces: Any = None, lengths: Any = False
) -> Sketch:
    """`{cylinder: 2, height: 5, lengths: true}`: radius and height; faces: side, top, bottom."""
    radius = _size("radius", radius)
    height = _size("height", height)
    half = math.pi * radius
    side = np.array([[-half, 0], [half, 0], [half, height], [-half, height]])
    flat = [side, _disc(height + radius, radius), _disc(-radius, radius)]
    edges = [_radius(height + radius, radius), side[[3, 0]]]
    return _round(flat, faces, edges, lengths)


def cone(
    radius: Number, *, height: Number, faces: Any = None, lengths: Any = False
) -> Sketch:
    """`{cone: 3, height: 4, lengths: true}`: radius and slant; faces: side, base."""
    radius = _size("radius", radius)
    height = _size("height", height)
    slant = math.hypot(radius, height)
    half = math.pi * radius / slant
    t = -math.pi / 2 + np.linspace(-half, half, 241)
    sector = np.vstack([[0, 0], slant * np.stack([np.cos(t), np.sin(t)], 1)])
    flat = [sector, _disc(-slant - radius, radius)]
    edges = [_radius(-slant - radius, radius), sector[:2]]
    return _round(flat, faces, edges, lengths)


NETS: dict[str, Callable[..., Sketch]] = {
    function.__name__: function
    for function in (cube, cuboid, prism, pyramid, cylinder, cone)
}


def cuboid_faces(wide: float, deep: float, high: float) -> list[Array]:
    """Left, front, right, back in a row, the top above the front, the bottom below it."""
    row = _row((deep, wide, deep, wide), high)
    return [*row, _box(deep, high, wide, deep), _box(deep, -deep, wide, deep)]


def prism_faces(flat: Array, height: float) -> list[Array]:
    """The sides in a row; top and bottom at the longest of them."""
    ahead = np.roll(flat, -1, 0) - flat
    sides = np.hypot(*ahead.T)
    row = _row(sides, height)
    longest = int(np.argmax(sides.round(9)))
    cosine, sine = ahead[longest] / sides[longest]
    turn = np.array([[cosine, -sine], [sine, cosine]])
    lying = (flat - flat[longest]) @ turn + row[longest][0]
    top = lying + np.array([0, height])
    bottom = (lying * [1, -1])[::-1]
    return [*row, top, bottom]


def _row(widths: Iterable[float], height: float) -> list[Array]:
    """Rectangles of one height side by side."""
    widths = list(widths)
    lefts = np.cumsum([0, *widths[:-1]])
    return [_box(x, 0, width, height) for x, width in zip(lefts, widths, strict=True)]


def pyramid_faces(
    flat: Array, height: float, apex: list[float] | None = None
) -> list[Array]:
    """The base, and on each of its sides the triangle unfolded outwards."""
    foot = flat.mean(0) if apex is None else np.asarray(apex, float)
    triangles = []
    for a, b in zip(flat, np.roll(flat, -1, 0), strict=True):
        ahead = (b - a) / np.hypot(*(b - a))
        out = np.array([ahead[1], -ahead[0]])  # the base runs counterclockwise
        along = (foot - a) @ ahead
        slant = math.hypot((foot - a) @ out, height)
        triangles.append(np.array([a, b, a + along * ahead + slant * out]))
    return [flat, *triangles]


def _sketch(
    flat: list[Array], faces: Any, edges: list[Array], lengths: Any, dash: bool
) -> Sketch:
    """Edges once each; one that two faces share is a line of folding."""
    shortest = min(float(_side_lengths(face).min()) for face in flat)
    if _extent(flat) > THINNEST * shortest:
        raise ValueError(
            f"an edge is less than 1/{THINNEST} of the net: it cannot be seen"
        )
    count: Counter[frozenset[Any]] = Counter()
    paths: dict[frozenset[Any], Array] = {}
    for face in flat:
        for ends in zip(face, np.roll(face, -1, 0), strict=True):
            rounded = [(end / shortest * 1e4).round().tolist() for end in ends]
            edge = frozenset(map(tuple, rounded))
            count[edge] += 1
            paths[edge] = np.stack(ends)
    sketch = Sketch()
    for edge, path in paths.items():
        is_fold = count[edge] > 1
        sketch.things.append(Stroke(path, dash=dash and is_fold))
    _write(sketch, flat, faces, edges, lengths)
    return sketch


def _round(flat: list[Array], faces: Any, edges: list[Array], lengths: Any) -> Sketch:
    """The net of a round solid: closed faces, and the radius where lengths are written."""
    narrowest = min(float(np.ptp(face, 0).min()) for face in flat)
    if _extent(flat) > THINNEST * narrowest:
        raise ValueError(
            f"a face is less than 1/{THINNEST} of the net: it cannot be seen"
        )
    sketch = Sketch([Stroke(face, closed=True) for face in flat])
    if lengths:
        radius = edges[0]
        sketch.things += [Stroke(radius), Dot(radius[0])]
    _write(sketch, flat, faces, edges, lengths)
    return sketch


def _extent(flat: list[Array]) -> float:
    """The longer side of the whole net."""
    return float(np.ptp(np.concatenate(flat), 0).max())


def _side_lengths(face: Array) -> Array:
    x, y = (face - np.roll(face, 1, 0)).T
    return np.hypot(x, y)


def _write(
    sketch: Sketch, flat: list[Array], faces: Any, edges: list[Array], lengths: Any
) -> None:
    """Words in the faces, and each different length once, or the author's texts in order."""
    if faces is not None:
        if not isinstance(faces, list | str) or len(faces) != len(flat):
            raise ValueError(
                f"faces names {len(flat)} faces: a list of texts, '' for none"
            )
        for word, face in zip(faces, flat, strict=True):
            if str(word).strip():
                sketch.inside(word, face)
    if isinstance(lengths, bool):
        lengths = _measured(edges) if lengths else []
    if not isinstance(lengths, list) or len(lengths) > len(edges):
        raise ValueError(f"lengths is true, or up to {len(edges)} texts")
    for word, edge in zip(lengths, edges, strict=False):
        if str(word).strip():
            sketch.beside(word, edge)


def _measured(edges: list[Array]) -> list[str]:
    """The length of each edge, '' for one that stands there before."""
    words: list[str] = []
    for a, b in edges:
        word = plain(float(np.hypot(*(b - a))))
        words.append("" if word in words else word)
    return words


def _base(base: Any) -> Array:
    """A convex base, counterclockwise: another's faces would cover each other."""
    if isinstance(base, list) and len(base) > MOST:
        raise ValueError(f"a base of {len(base)} corners; at most {MOST}")
    flat: Array = base_polygon(base)
    x, y = (np.roll(flat, -1, 0) - flat).T
    turns = x * np.roll(y, -1) - y * np.roll(x, -1)
    if not np.isfinite(flat).all() or (turns <= 1e-9).any():
        raise ValueError("the base of a net is convex, without corners on a line")
    return flat


def _size(name: str, value: float) -> float:
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{name} {value:g} is not positive")
    return float(value)


def _box(x: float, y: float, wide: float, high: float) -> Array:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])


def _disc(y: float, radius: float) -> Array:
    t = np.linspace(0, 2 * np.pi, 241)[:-1]
    return radius * np.stack([np.cos(t), np.sin(t)], 1) + [0, y]


def _radius(y: float, radius: float) -> Array:
    """From the middle of a disc to its right."""
    return np.array([[0, y], [radius, y]])
