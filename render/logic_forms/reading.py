"""What logic forms say about named things, sorted by where it goes in a spec."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..figure import NAME
from .parser import Form

# A line has two, a corner three, a polygon as many as it has corners.
Names = tuple[str, ...]
Circle = tuple[str, int]  # centre, and which of the circles about it


NUMBER = re.compile(r"\d+(\.\d+)?")
WHICH_CIRCLE = re.compile(
    r"radius_\d+_(\d+)"
)  # radius_0_1: the second about its centre


class UnreadError(ValueError):
    """A form that is not understood, or that names nothing in the figure; says why."""


class Fact(msgspec.Struct, frozen=True):
    """One geometric condition; a marked one is printed as ticks, chevrons, squares or arcs."""

    kind: str  # a relation of the figure, as a check of a spec has it
    arguments: tuple[Any, ...]
    marked: bool = False


class Value(msgspec.Struct, frozen=True):
    """A text that is printed beside what it measures."""

    kind: str  # length, angle, arc, area, radius or diameter
    of: Any  # names, or a circle
    text: str

    @property
    def number(self) -> float:
        """The number that it is; 0 for none."""
        return float(self.text) if NUMBER.fullmatch(self.text) else 0.0


class Reading(msgspec.Struct):
    """What the forms say."""

    names: list[str] = []
    lines: list[Names] = []
    polygons: list[Names] = []
    circles: dict[Circle, list[str]] = {}  # points on each
    sectors: list[Names] = []
    shaded: list[Names] = []
    facts: list[Fact] = []
    # of each alternatives one holds: the legs of a trapezoid
    either: list[list[list[Fact]]] = []
    numbered: dict[str, Names] = {}  # "1" of angle 1 -> corner
    values: list[Value] = []
    unread: list[str] = []

    def add(self, kind: str, *arguments: Any, marked: bool = False) -> None:
        self.facts.append(Fact(kind, arguments, marked))

    def values_of(self, *kinds: str) -> list[Value]:
        return [value for kind in kinds for value in self.values if value.kind == kind]

    def lines_over(self, point: str) -> list[Names]:
        """The lines that a point lies inside."""
        between = (f.arguments for f in self.facts if f.kind == "between")
        return [line for inner, line in between if inner == point]

    def along(self, line: Names) -> set[str]:
        """The points of a line."""
        between = (f.arguments for f in self.facts if f.kind == "between")
        return {*line} | {inner for inner, other in between if set(other) == set(line)}

    def point(self, value: Any) -> str:
        """The name of a point, taken into the figure."""
        is_form = isinstance(value, tuple) and value[0] == "Point"
        name = value[1][0] if is_form else value
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            raise UnreadError(f"{_text(value)} is no named point")
        if name not in self.names:
            self.names.append(name)
        return name

    def line(self, value: Any) -> Names:
        """The ends of `Line(A, B)`; a line named by one small letter has no place in a figure."""
        _, args = _expect(value, "Line")
        ends = tuple(map(self.point, args)) if len(args) == 2 else ()
        if len(set(ends)) != 2:
            raise UnreadError(f"{_text(value)} has no two points")
        if ends not in self.lines and ends[::-1] not in self.lines:
            self.lines.append(ends)
        return ends

    def polygon(self, value: Any) -> Names:
        """The corners of `Triangle(A, B, C)` or of any other polygon."""
        _, args = _expect(value)
        if len(args) < 3:
            raise UnreadError(f"{_text(value)} has no named corners")
        corners = tuple(map(self.point, args))
        for side in sides(corners):
            self.line(("Line", side))
        if corners not in self.polygons:
            self.polygons.append(corners)
        return corners

    def circle(self, value: Any) -> Circle:
        """`Circle(O)`, or `Circle(O, radius_0_1)`: the second circle about O."""
        _, args = _expect(value, "Circle")
        which = WHICH_CIRCLE.fullmatch(str(args[1])) if len(args) > 1 else None
        key = (self.point(args[0]), int(which[1]) if which else 0)
        self.circles.setdefault(key, [])
        return key

    def on_circle(self, circle: Circle, *points: str) -> None:
        on = self.circles[circle]
        on += [point for point in points if point not in on]

    def corner(self, value: Any) -> Names:
        """The corner of `Angle(A, B, C)`, `Angle(B)` or `Angle(1)`, vertex in the middle."""
        _, args = _expect(value, "Angle")
        if len(args) == 3:
            return tuple(map(self.point, args))
        name = str(args[0]) if len(args) == 1 else ""
        if name in self.numbered:
            return self.numbered[name]
        rays = self._rays(name)
        if len(rays) != 2:
            raise UnreadError(f"{_text(value)} is no one angle of the figure")
        return rays[0], name, rays[1]

    def _rays(self, vertex: str) -> list[str]:
        """A point on each arm at a vertex; of a polygon's vertex its two sides."""
        for corners in self.polygons:
            if vertex in corners:
                k = corners.index(vertex)
                return [corners[k - 1], corners[(k + 1) % len(corners)]]
        ends = [b if a == vertex else a for a, b in self.lines if vertex in (a, b)]

        def is_on_the_way(end: str) -> bool:
            """Whether a line runs from the vertex through this end to another."""
            lines = (line for line in self.lines_over(end) if vertex in line)
            return any(set(ends) & set(line) for line in lines)

        return [end for end in ends if not is_on_the_way(end)]


def sides(corners: Names) -> list[Names]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _expect(value: Any, *kinds: str) -> Form:
    """A form of one of some kinds, or of any, that has arguments."""
    if isinstance(value, tuple) and value[1] and (not kinds or value[0] in kinds):
        return value[0], value[1]
    kind = " or ".join(kinds).lower() or "shape"
    raise UnreadError(f"{_text(value)} names no {kind}")


def _text(value: Any) -> str:
    """A form written out again, for messages."""
    if isinstance(value, tuple):
        return f"{value[0]}({', '.join(map(_text, value[1]))})"
    return str(value)
