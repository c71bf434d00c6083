"""Predicates of Inter-GPS about one polygon: its kind, its attributes, lines from its corners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .parser import Fact, FactReader, Names, Reading, UnreadError, sides

# Kinds: what their names imply, without marks


def _parallelogram(reading: Reading, corners: Names) -> None:
    a, b, c, d = sides(corners)
    reading.add("parallel", a, c)
    reading.add("parallel", b, d)


def _rectangle(reading: Reading, corners: Names) -> None:
    _parallelogram(reading, corners)
    reading.add("perpendicular", *sides(corners)[:2])


def _rhombus(reading: Reading, corners: Names) -> None:
    _parallelogram(reading, corners)
    reading.add("equal", *sides(corners)[:2])


def _square(reading: Reading, corners: Names) -> None:
    _rectangle(reading, corners)
    reading.add("equal", *sides(corners)[:2])


def _trapezoid(reading: Reading, corners: Names) -> None:
    a, b, c, d = sides(corners)
    reading.either.append([[Fact("parallel", (a, c))], [Fact("parallel", (b, d))]])


def _kite(reading: Reading, corners: Names) -> None:
    a, b, c, d = sides(corners)
    pairings = (((a, d), (b, c)), ((a, b), (c, d)))
    reading.either.append([[Fact("equal", pair) for pair in pairs] for pairs in pairings])


def _any(reading: Reading, corners: Names) -> None:
    """Sides are drawn; nothing else follows."""


POLYGON_KINDS: dict[str, Callable[[Reading, Names], None]] = {
    "Triangle": _any, "Quadrilateral": _any, "Parallelogram": _parallelogram, "Square": _square,
    "Rectangle": _rectangle, "Rhombus": _rhombus, "Trapezoid": _trapezoid, "Kite": _kite,
    "Polygon": _any, "Pentagon": _any, "Hexagon": _any, "Heptagon": _any, "Octagon": _any,
}  # fmt: skip


# Properties of one shape


def polygon_of(reading: Reading, value: Any) -> Names:
    """A polygon of the figure, with what its kind implies."""
    if not isinstance(value, tuple) or value[0] not in POLYGON_KINDS:
        raise UnreadError("names no polygon")
    known = value[1] in reading.polygons
    corners = reading.polygon(value)
    if not known:
        POLYGON_KINDS[value[0]](reading, corners)
    return corners


def _right(reading: Reading, args: tuple[Any, ...]) -> None:
    corners = polygon_of(reading, args[0])
    pairs = zip(sides(corners), sides(corners)[1:] + sides(corners)[:1], strict=True)
    reading.either.append([[Fact("perpendicular", pair, marked=True)] for pair in pairs])


def _isosceles(reading: Reading, args: tuple[Any, ...]) -> None:
    corners = polygon_of(reading, args[0])
    around = sides(corners)
    if len(corners) == 4:  # the legs are the sides that are not parallel
        pairs = [(around[1], around[3]), (around[0], around[2])]
    else:
        pairs = [(around[2], around[0]), (around[0], around[1]), (around[1], around[2])]
    reading.either.append([[Fact("equal", pair, marked=True)] for pair in pairs])


def _equilateral(reading: Reading, args: tuple[Any, ...]) -> None:
    first, *others = sides(polygon_of(reading, args[0]))
    for other in others:
        reading.add("equal", first, other, marked=True)


def _regular(reading: Reading, args: tuple[Any, ...]) -> None:
    _equilateral(reading, args)
    corners = reading.polygon(args[0])
    turns = [corners[k:] + corners[:k] for k in range(len(corners))]
    for turn in turns[1:]:
        reading.add("equal_angles", turns[0][:3], turn[:3])


def _shaded(reading: Reading, args: tuple[Any, ...]) -> None:
    reading.shaded.append(polygon_of(reading, args[0]))


# Lines of a polygon


def middle_facts(point: str, line: Names) -> list[Fact]:
    """A point halves a segment."""
    return [
        Fact("between", (point, line)),
        Fact("equal", ((line[0], point), (point, line[1])), marked=True),
    ]


def _from_corner(reading: Reading, args: tuple[Any, ...]) -> tuple[str, str, Names]:
    """A line from a triangle's corner: the corner, the other end, the opposite side."""
    line, corners = reading.line(args[0]), polygon_of(reading, args[1])
    corner = next((end for end in line if end in corners), None)
    if len(corners) != 3 or corner is None:
        raise UnreadError("the line starts at no corner of a triangle")
    end = line[1] if line[0] == corner else line[0]
    k = corners.index(corner)
    return corner, end, (corners[k - 2], corners[k - 1])


def _altitude(reading: Reading, args: tuple[Any, ...]) -> None:
    corner, end, base = _from_corner(reading, args)
    if end not in base:
        reading.add("collinear", end, *base)
    reading.add("perpendicular", (end, corner), base, marked=True)


def _median(reading: Reading, args: tuple[Any, ...]) -> None:
    corners = polygon_of(reading, args[1])
    if len(corners) == 3:
        _, end, base = _from_corner(reading, args)
        reading.facts += middle_facts(end, base)
    else:
        _midsegment(reading, args)


def _midsegment(reading: Reading, args: tuple[Any, ...]) -> None:
    """A line that joins the middles of two sides: of a trapezoid, of its legs."""
    (a, b), corners = reading.line(args[0]), polygon_of(reading, args[1])
    around = sides(corners)
    alternatives = []
    for k, side in enumerate(around):
        if len(corners) == 4:
            other = around[k - 2]
            bases = [Fact("parallel", (around[k - 1], around[k - 3]))]
        else:
            other, bases = around[k - 1], []
        for one, two in ((side, other), (other, side)):
            alternatives.append(middle_facts(a, one) + middle_facts(b, two) + bases)
    reading.either.append(alternatives)


def _perpendicular_bisector(reading: Reading, args: tuple[Any, ...]) -> None:
    line = reading.line(args[0])
    if args[1][0] == "Line":
        bases = [reading.line(args[1])]
    else:
        bases = [s for s in sides(polygon_of(reading, args[1])) if not set(s) & set(line)]
    reading.either.append(
        [
            [Fact("perpendicular", (line, base), marked=True), Fact("halves", (line, base))]
            for base in bases
        ]
    )


def _hypotenuse(reading: Reading, args: tuple[Any, ...]) -> None:
    line, corners = reading.line(args[0]), polygon_of(reading, args[1])
    apex = next(corner for corner in corners if corner not in line)
    reading.add("perpendicular", (apex, line[0]), (apex, line[1]), marked=True)


def _part(reading: Reading, args: tuple[Any, ...]) -> None:
    """A side, a base, a leg, a diagonal: a line of a polygon."""
    reading.line(args[0])
    polygon_of(reading, args[1])


ATTRIBUTES: dict[str, FactReader] = {
    "Right": _right,
    "Isosceles": _isosceles,
    "Equilateral": _equilateral,
    "Regular": _regular,
    **dict.fromkeys(("Shaded", "Red", "Blue", "Green"), _shaded),
    "IsMidsegmentOf": _midsegment,
    "IsHypotenuseOf": _hypotenuse,
    "IsPerpendicularBisectorOf": _perpendicular_bisector,
    "IsAltitudeOf": _altitude,
    "IsMedianOf": _median,
    **dict.fromkeys(("IsSideOf", "IsBaseOf", "IsDiagonalOf", "IsLegOf"), _part),
}
