"""Reading logic forms: text to nested predicates, and what they say about named things."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ...errors import UserError
from ..figure import NAME

Form = tuple[str, tuple[Any, ...]]  # predicate, arguments (forms or text)
Names = tuple[str, ...]  # a line has two, a corner three, a polygon as many as it has corners
Circle = tuple[str, int]  # centre, and which of the circles about it
MAX_DEPTH = 8


class UnreadError(ValueError):
    """A form that is not understood, or that names nothing in the figure; says why."""


class Fact(msgspec.Struct, frozen=True):
    """One geometric condition; a marked one is printed as ticks, chevrons, squares or arcs."""

    kind: str  # a relation of the figure, as a check of a spec has it
    arguments: tuple[Any, ...]
    marked: bool = False


class Reading(msgspec.Struct):
    """What the forms say, sorted by where it goes in a spec."""

    names: list[str] = []
    lines: list[Names] = []
    polygons: list[Names] = []
    circles: dict[Circle, list[str]] = {}  # points on each
    sectors: list[Names] = []
    shaded: list[Names] = []
    facts: list[Fact] = []
    either: list[list[list[Fact]]] = []  # of each alternatives one holds: the legs of a trapezoid
    numbered: dict[str, Names] = {}  # "1" of angle 1 -> corner
    lengths: list[tuple[Names, str]] = []
    angles: list[tuple[Names, str]] = []
    arcs: list[tuple[Names, str]] = []
    areas: list[tuple[Names, str]] = []
    radii: list[tuple[Circle, str]] = []
    diameters: list[tuple[Circle, str]] = []
    unread: list[str] = []

    def add(self, kind: str, *arguments: Any, marked: bool = False) -> None:
        self.facts.append(Fact(kind, arguments, marked))

    def point(self, value: Any) -> str:
        """The name of a point, taken into the figure."""
        name = value[1][0] if isinstance(value, tuple) and value[0] == "Point" else value
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            raise UnreadError(f"{_text(value)} is no named point")
        if name not in self.names:
            self.names.append(name)
        return name

    def line(self, value: Any) -> Names:
        """The ends of `Line(A, B)`; a line named by one small letter has no place in a figure."""
        _, args = _expect(value, "Line")
        if len(args) != 2:
            raise UnreadError(f"{_text(value)} has no two points")
        a, b = (self.point(end) for end in args)
        if a == b:
            raise UnreadError(f"{_text(value)} has no two points")
        if (a, b) not in self.lines and (b, a) not in self.lines:
            self.lines.append((a, b))
        return a, b

    def polygon(self, value: Any) -> Names:
        """The corners of `Triangle(A, B, C)` or of any other polygon."""
        _, args = _expect(value)
        if len(args) < 3:
            raise UnreadError(f"{_text(value)} has no named corners")
        corners = tuple(self.point(corner) for corner in args)
        for side in sides(corners):
            self.line(("Line", side))
        if corners not in self.polygons:
            self.polygons.append(corners)
        return corners

    def circle(self, value: Any) -> Circle:
        """`Circle(O)`, or `Circle(O, radius_0_1)`: the second circle about O."""
        _, args = _expect(value, "Circle")
        which = re.fullmatch(r"radius_\d+_(\d+)", str(args[1])) if len(args) > 1 else None
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
            a, b, c = (self.point(p) for p in args)
            return a, b, c
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
        inner = {
            (f.arguments[0], end)
            for f in self.facts
            if f.kind == "between" and vertex in f.arguments[1]
            for end in f.arguments[1]
            if end != vertex
        }
        return [end for end in ends if not any((end, other) in inner for other in ends)]


def sides(corners: Names) -> list[Names]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _expect(value: Any, *kinds: str) -> Form:
    if not isinstance(value, tuple) or not value[1] or (kinds and value[0] not in kinds):
        raise UnreadError(f"{_text(value)} names no {' or '.join(kinds).lower() or 'shape'}")
    return value[0], value[1]


def _text(value: Any) -> str:
    """A form written out again, for messages."""
    if isinstance(value, tuple):
        return f"{value[0]}({', '.join(map(_text, value[1]))})"
    return str(value)


def parse_form(text: str) -> Form:
    """`Equals(LengthOf(Line(A, B)), 5)` as nested pairs of a name and its arguments.

    >>> parse_form("PointLiesOnLine(D, Line(A, C))")
    ('PointLiesOnLine', ('D', ('Line', ('A', 'C'))))
    """
    tokens = re.findall(r"[(),]|[^(),]+", text.strip()[:2000])
    form, end = _parse(tokens, 0, 0, text)
    if end != len(tokens) or not isinstance(form, tuple):
        raise UserError(f"cannot read the logic form {text[:80]!r}", "write Predicate(arguments)")
    return form


def _parse(tokens: list[str], at: int, depth: int, text: str) -> tuple[Any, int]:
    wrong = UserError(f"cannot read the logic form {text[:80]!r}", "check its parentheses")
    if depth > MAX_DEPTH or at >= len(tokens) or tokens[at] in "(),":
        raise wrong
    name, at = tokens[at].strip(), at + 1
    if at >= len(tokens) or tokens[at] != "(" or not re.fullmatch(r"[A-Z][A-Za-z]+", name):
        while at < len(tokens) and tokens[at] == "(":  # an expression such as 2(x+1)
            stop = at + 1
            while stop < len(tokens) and tokens[stop] != ")":
                stop += 1
            name += "".join(tokens[at : stop + 1])
            at = stop + 1
            if at < len(tokens) and tokens[at] not in "(),":
                name, at = name + tokens[at], at + 1
        return name, at
    arguments = []
    at += 1
    while at < len(tokens) and tokens[at] != ")":
        argument, at = _parse(tokens, at, depth + 1, text)
        arguments.append(argument)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise wrong
    return (name, tuple(arguments)), at + 1
