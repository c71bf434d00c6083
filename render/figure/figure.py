"""The figure: named points in true coordinates, how they project, and what is drawn of them.

True coordinates have two dimensions (plane figures, graphs) or three (solids); y, or z, points up.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
import numpy as np

from ...errors import nearest
from .expressions import Expression, number, parse
from .spec import NAME, ROW_OF_NAMES

Array = Any  # numpy array of floats
Point = Annotated[Any, "point"]  # a name or coordinates -> array
Points = Annotated[Any, "points"]  # ABC or [A, B, C] -> list of arrays
Line = Annotated[Any, "line"]  # AB or [A, B] -> two arrays
Lines = Annotated[Any, "lines"]  # [AB, CD] -> list of pairs
Corners = Annotated[Any, "corners"]  # [ABC, DEF] -> list of lists of points
Number = Annotated[float, "number"]  # 3 or sqrt(3)
Radius = Annotated[Any, "radius"]  # a number, or a point of the circle
Color = Annotated[str, "color"]  # of lines and letters
Tint = Annotated[str, "tint"]  # of areas; true is grey
Curve = Annotated[Any, "curve"]  # text in x -> Expression

# Colours of lines and letters, and the tints of areas: few, and told apart when printed grey.
COLORS = {
    "black": "#000000", "gray": "#777777", "blue": "#1f5fa8", "red": "#c8322b",
    "green": "#22803a", "orange": "#d2761a", "purple": "#7a3c9e", "light": "#d8d8d8",
    "white": "#ffffff",
}  # fmt: skip
TINTS = {
    "gray": "#e4e4e4", "blue": "#d6e6f5", "red": "#f7dcd9", "green": "#dcefdc",
    "yellow": "#fdf3c4", "orange": "#fbe6cf", "purple": "#eaddf2", "white": "#ffffff",
}  # fmt: skip
TINTS["black"] = COLORS["black"]
TINTS |= {f"solid {name}": ink for name, ink in COLORS.items()}

# `[0, 2)`: its signs, and what stands before and behind the comma.
INTERVAL = re.compile(r"\s*([\[(])([^,]*),([^,]*)([\])])\s*")
INFINITE = ("oo", "-oo", "+oo")


class Stroke(msgspec.Struct):
    """A polyline with its style; `path` holds true coordinates, and after projection the plane's.

    Widths are in points of the page. A `light` stroke (grid) is no ink: labels may stand on it.
    """

    path: Array
    closed: bool = False
    dash: bool = False
    color: str = "black"
    width: float = 1.1
    fill: str = ""
    arrows: tuple[bool, bool] = (False, False)
    light: bool = False
    through: bool = False  # may leave the picture: does not count for its extent
    hides: bool = True  # in a solid, parts behind faces are dashed
    covers: bool = False  # what lies under it is not seen: a node of a graph

    @property
    def outline(self) -> Array:
        """Its path; a closed one ends where it begins."""
        return np.vstack([self.path, self.path[:1]]) if self.closed else self.path

    @property
    def beneath(self) -> bool:
        """A line of a grid, or as light as one: others run over it."""
        return self.light or self.color == "light"


def fill_apart(stroke: Stroke) -> list[Stroke]:
    """A filled shape as its fill and its outline: no fill hides an outline, but by intent."""
    if not (stroke.fill and stroke.width) or stroke.covers:
        return [stroke]
    replace = msgspec.structs.replace
    return [replace(stroke, width=0, arrows=(False, False)), replace(stroke, fill="")]


class Dot(msgspec.Struct):
    """A point drawn as a dot; an open one excludes it."""

    at: Array
    open: bool = False
    color: str = "black"


class Stamp(msgspec.Struct):
    """A picture in a figure: its name, its middle and width; the picture comes with the spec."""

    name: str
    at: Array
    width: float
    picture: Any = None  # a Pillow image

    def corners(self) -> Array:
        """Lower left and upper right; square as long as the picture is not known."""
        high = self.picture.height / self.picture.width if self.picture else 1.0
        half = np.array([self.width, self.width * high]) / 2
        return np.stack([self.at - half, self.at + half])


class Interval(msgspec.Struct, frozen=True):
    """`[-2, 3)` in the usual notation, or a plain list [-2, 3] whose ends are not marked."""

    low: float
    high: float
    ends: tuple[str, str] = ("", "")  # "closed", "open" or ""

    def text(self) -> str:
        left = "(" if self.ends[0] == "open" else "["
        right = ")" if self.ends[1] == "open" else "]"
        return f"{left}{self.low:g}, {self.high:g}{right}".replace("inf", "∞")


class Figure(msgspec.Struct):
    """Named points, the projection to the plane, and the faces that hide what lies behind them."""

    points: dict[str, Array]
    dimension: int = 2
    projection: Array = None  # 2 x dimension
    faces: list[Array] = []
    upside_down: bool = False  # given coordinates are pixels, y down
    window: Array = None  # [[xmin, xmax], [ymin, ymax]] of axes
    log: tuple[bool, bool] = (False, False)  # axes whose places are powers of ten

    def project(self, path: Array) -> Array:
        path = np.asarray(path, float)
        return path if self.dimension == 2 else path @ self.projection.T

    def on_axes(self, path: Array) -> Array:
        """Places in numbers of the axes as they lie on the page; nan where an axis has none."""
        path = np.array(path, float)
        with np.errstate(all="ignore"):
            for axis in np.flatnonzero(self.log):
                path[..., axis] = np.log10(path[..., axis])
        return path

    def off_axes(self, path: Array) -> Array:
        """The numbers of the axes at places of the page."""
        path = np.array(path, float)
        for axis in np.flatnonzero(self.log):
            path[..., axis] = 10.0 ** path[..., axis]
        return path

    def point(self, value: Any) -> Array:
        if isinstance(value, str):
            if value not in self.points:
                names_here = list(self.points)
                remedy = nearest(value, names_here) if names_here else "there is none"
                raise ValueError(f"no point {value!r}; {remedy}")
            return self.points[value]
        if not isinstance(value, list) or len(value) != self.dimension:
            raise ValueError(
                f"{value!r} is no point: give a name or {self.dimension} coordinates"
            )
        place = np.array([number(coordinate) for coordinate in value])
        if any(self.log) and not np.isfinite(self.on_axes(place)).all():
            raise ValueError(
                f"{value!r} is not on a logarithmic axis: its numbers are positive"
            )
        return place * [1, -1] if self.upside_down else self.on_axes(place)

    def list_of_points(self, value: Any) -> list[Array]:
        """The points of `ABC` or `[A, [1, 2]]`; two coordinates are one point."""
        is_place = isinstance(value, list) and all(
            isinstance(part, int | float) for part in value
        )
        if is_place and value:
            return [self.point(value)]
        return [self.point(v) for v in names(value)]

    def line(self, value: Any) -> tuple[Array, Array]:
        ends = self.list_of_points(value)
        if len(ends) != 2:
            raise ValueError(f"{value!r} is no pair of points")
        if np.linalg.norm(ends[1] - ends[0]) < 1e-9:
            raise ValueError(f"the ends of {value!r} coincide")
        return ends[0], ends[1]

    def corners(self, value: Any) -> list[list[Array]]:
        return [self.list_of_points(corner) for corner in _corners(value)]

    def convert(self, value: Any, kind: Any) -> Any:
        """An argument of an operation, by the type its signature names."""
        if kind in (bool, bool | None):
            if not isinstance(value, bool):
                raise ValueError(f"{value!r} is no yes or no")
            return value
        if kind in (str, str | None):
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                raise ValueError(f"{value!r} is no text")
            return value if isinstance(value, str) else f"{value}"
        if kind is int:
            whole = number(value)
            if whole != int(whole):
                raise ValueError(f"{value!r} is no whole number")
            return int(whole)
        return _CONVERT[kind](self, value)


def names(value: Any) -> list[Any]:
    """`ABC` or `[A, B, C]` as a list; coordinates may stand for a name in the list.

    >>> names("AB1C'")
    ['A', 'B1', "C'"]
    """
    if isinstance(value, str):
        if not ROW_OF_NAMES.fullmatch(value):
            raise ValueError(f"{value!r} is no row of point names such as ABC")
        return re.findall(NAME, value)
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list of points")
    return value


def interval(value: Any) -> Interval:
    """`[0, 2)` as text, with marked ends, or as a list, without; `oo` is infinity.

    >>> interval("[0, oo)").high
    inf
    """
    if isinstance(value, str):
        match = INTERVAL.fullmatch(value)
        if match is None:
            raise ValueError(f"{value!r} is no interval such as '[0, 2)'")
        ends = ["open" if mark in "()" else "closed" for mark in (match[1], match[4])]
        parts: list[Any] = [match[2].strip(), match[3].strip()]
    else:
        parts = value
        ends = ["", ""]
    if not isinstance(parts, list) or len(parts) != 2:
        raise ValueError(f"{value!r} is no interval such as [0, 2]")
    limits = []
    for k, (part, infinity) in enumerate(zip(parts, (-np.inf, np.inf), strict=True)):
        if _is_infinite(part):
            limits.append(infinity)
            ends[k] = ""
        else:
            limits.append(number(part))
    low, high = limits
    if not low < high:
        raise ValueError(f"interval {value!r} is empty")
    return Interval(float(low), float(high), (ends[0], ends[1]))


def _is_infinite(limit: Any) -> bool:
    return str(limit).replace("∞", "oo").replace("inf", "oo") in INFINITE


def _numbers(value: Any) -> list[float]:
    return [number(entry) for entry in _several(value)]


def curve(value: Any, variable: str = "x") -> Expression:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise ValueError(f"{value!r} is no expression in {variable}")
    return parse(str(value), variable)


def _color(value: Any, table: dict[str, str]) -> str:
    if not isinstance(value, str) or value not in table:
        raise ValueError(f"no colour {value!r}; {nearest(str(value), list(table))}")
    return value


def _corners(value: Any) -> list[Any]:
    """[ABC, DEF]; one corner may stand alone, as ABC or [A, B, C]."""

    def is_corner(entry: Any) -> bool:
        is_row = isinstance(entry, str) and len(names(entry)) > 1
        return is_row or isinstance(entry, list)

    if isinstance(value, list) and any(map(is_corner, value)):
        return _several(value)
    return [value]


def _several(value: Any) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"{value!r} is no list with something in it")
    return value


def _radius(figure: Figure, value: Any) -> Any:
    is_name = isinstance(value, str) and value in figure.points
    if is_name or isinstance(value, list):
        return figure.point(value)
    return float(number(value))


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no mapping")
    return value


_CONVERT: dict[Any, Any] = {
    Color: lambda figure, value: _color(value, COLORS),
    Tint: lambda figure, value: "gray" if value is True else _color(value, TINTS),
    Any: lambda figure, value: value,
    Point: Figure.point,
    Point | None: Figure.point,
    Points: Figure.list_of_points,
    Points | None: Figure.list_of_points,
    Line: Figure.line,
    Line | None: Figure.line,
    Lines: lambda figure, value: [figure.line(v) for v in _several(value)],
    Corners: Figure.corners,
    Number: lambda figure, value: number(value),
    Number | None: lambda figure, value: number(value),
    Radius: _radius,
    Curve: lambda figure, value: curve(value),
    Interval: lambda figure, value: interval(value),
    Interval | None: lambda figure, value: interval(value),
    list[float]: lambda figure, value: _numbers(value),
    list[float] | None: lambda figure, value: _numbers(value),
    dict[str, Any]: lambda figure, value: _mapping(value),
}
