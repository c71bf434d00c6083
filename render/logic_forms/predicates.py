"""The predicates of Inter-GPS: what each says about the figure.

Names and arguments are those of the Geometry3K annotation (Lu et al. 2021, Inter-GPS, appendix:
91 predicates). A relation that a mark can print is a marked fact; the others hold silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from typing import Any

from ...errors import UserError
from .parser import Form, parse_form
from .reading import Circle, Fact, Names, Reading, UnreadError, Value, sides

SILENT = {"Find", "UseTheorem", "Point", "Angle", "Arc", "Shape"}  # nothing to draw
UNNAMED = re.compile(r"\$\d?")  # `$` and `$1` stand for something that has no name
ONE_ANGLE = re.compile(r"Angle\(\s*\w+\s*\)")  # named by its vertex or its number
NUMBERED = re.compile(r"angle (\w+)")
SIDE_NAME = re.compile(r"[a-z]'?")  # of a side that is called a


def read_all(texts: Iterable[str], reading: Reading) -> None:
    """Take in forms, single angles after the shapes they may belong to.

    What is not understood goes to `reading.unread` with the reason.
    """
    forms = []
    for text in texts:
        try:
            forms.append((parse_form(text), text))
        except UserError as error:
            reading.unread.append(error.message)
    forms.sort(key=lambda form: ONE_ANGLE.search(form[1]) is not None)
    for form, text in forms:
        try:
            _read_form(form, reading)
        except UnreadError as why:
            reading.unread.append(f"{text[:80]} ({why})")


def _read_form(form: Form, reading: Reading) -> None:
    """Take in one form. Raises UnreadError for a form that is not understood."""
    predicate, arguments = form
    if predicate in POLYGONS:
        # one without a name says "it shows a trapezoid", some one
        is_unnamed = len(arguments) == 1 and UNNAMED.fullmatch(str(arguments[0]))
        if not is_unnamed:
            _imply(predicate, reading, reading.polygon(form))
    elif predicate in PREDICATES:
        kinds, take_in = PREDICATES[predicate]
        try:
            things = [READ[kind](reading, arguments[k]) for k, kind in enumerate(kinds)]
            take_in(reading, *(things if kinds else arguments))
        except UnreadError:
            raise
        except (IndexError, TypeError, ValueError) as error:
            raise UnreadError("its arguments are not those of the predicate") from error
    elif predicate not in SILENT:
        raise UnreadError("unknown predicate, or nothing that a diagram shows")


def _nothing_more(reading: Reading, *names: Any) -> None:
    """That the things are there is all: a secant, a side, a diagonal."""


# Values


def _equals(reading: Reading, left: Any, right: Any) -> None:
    """`Equals(LengthOf(Line(A, B)), 5)`: a label, or a mark when both sides name something."""
    if not isinstance(left, tuple):
        left, right = right, left
    if not isinstance(left, tuple):
        raise UnreadError("it names nothing in the figure")
    what = left[0]
    inner = left[1][0] if left[1] else ""
    if what == "MeasureOf" and isinstance(inner, tuple) and inner[0] == "Arc":
        kind = "arc"
        of = tuple(map(reading.point, inner[1]))
    elif what in MEASURES:
        kind, read = MEASURES[what]
        of = read(reading, inner)
    else:
        raise UnreadError("no label of a diagram says it")
    if isinstance(right, tuple) and kind in ("length", "angle"):
        name = right[1][0]
        _same_size(reading, kind, of, name if right[0] == what else right, name)
    elif not isinstance(right, str) or not right.strip():
        raise UnreadError("no label of a diagram says it")
    else:
        reading.values.append(Value(kind, of, right.strip()))


def _same_size(reading: Reading, kind: str, of: Names, other: Any, name: Any) -> None:
    """Two equal things; annotators write the other with or without LengthOf."""
    if kind == "angle" and (number := NUMBERED.fullmatch(str(name))):
        # MeasureOf(angle 1): the 1 that is printed in the angle
        reading.numbered[number[1]] = of
    elif kind == "angle":
        reading.add("equal_angles", of, reading.corner(other), marked=True)
    elif isinstance(name, str) and SIDE_NAME.fullmatch(name):
        reading.values.append(Value("length", of, name))
    else:
        reading.add("equal", of, reading.line(other), marked=True)


# Points and lines


def _on_lines(reading: Reading, point: str, *lines: Names) -> None:
    for line in lines:
        if point not in line:
            reading.add("between", point, line)


def _meet(reading: Reading, *args: Any) -> None:
    point = reading.point(args[-1])
    for line in args[:-1]:
        _on_lines(reading, point, reading.line(line))


def _middle(point: str, line: Names) -> list[Fact]:
    """A point halves a segment."""
    halves = ((line[0], point), (point, line[1]))
    return [Fact("between", (point, line)), Fact("equal", halves, marked=True)]


def _midpoint(reading: Reading, point: Any, of: Any) -> None:
    name = reading.point(point)
    if isinstance(of, tuple) and of[0] == "LegOf":
        a, b, c, d = sides(_polygon(reading, of[1][0]))
        reading.either.append([_middle(name, side) for side in (b, d, a, c)])
    else:
        reading.facts += _middle(name, reading.line(of))


def _bisects(reading: Reading, line: Names, corner: Names) -> None:
    a, b, c = corner
    end = _other_end(line, b)
    reading.add("equal_angles", (a, b, end), (end, b, c), marked=True)


def _other_end(line: Names, start: str) -> str:
    if start not in line:
        raise UnreadError(f"the line does not start at {start}")
    return line[line[0] == start]


# Circles


def _inscribed(reading: Reading, inner: Any, outer: Any) -> None:
    """A polygon in a circle, or a circle in a polygon."""
    if isinstance(outer, tuple) and outer[0] == "Circle":
        circle = reading.circle(outer)
        reading.on_circle(circle, *_polygon(reading, inner))
    else:
        corners = _polygon(reading, outer)
        circle = reading.circle(inner)
        _incenter(reading, circle[0], corners)  # tangents alone allow an excircle
        for side in sides(corners):
            reading.add("tangent", side, circle)


def _incenter(reading: Reading, center: str, corners: Names) -> None:
    around = [(corners[-1], corners[0]), *pairwise(corners)]
    for (before, corner), (_, after) in pairwise(around):
        reading.add("equal_angles", (before, corner, center), (center, corner, after))


def _circle(reading: Reading, *of: Any) -> None:
    if not UNNAMED.fullmatch(str(of[0])):
        reading.circle(("Circle", of))


def _diameter(reading: Reading, line: Names, circle: Circle) -> None:
    reading.on_circle(circle, *line)
    reading.add("between", circle[0], line)


def _sector(reading: Reading, center: str, a: str, b: str) -> None:
    reading.on_circle(reading.circle(("Circle", (center,))), a, b)
    reading.sectors.append((a, center, b))


# Polygons

_PARALLELS = (("parallel", 0, 2), ("parallel", 1, 3))
# Relations of sides; of several lists one holds.
Implied = tuple[tuple[tuple[str, int, int], ...], ...]
QUADRILATERALS: dict[str, Implied] = {
    "Parallelogram": (_PARALLELS,),
    "Rectangle": ((*_PARALLELS, ("perpendicular", 0, 1)),),
    "Rhombus": ((*_PARALLELS, ("equal", 0, 1)),),
    "Square": ((*_PARALLELS, ("perpendicular", 0, 1), ("equal", 0, 1)),),
    "Trapezoid": ((("parallel", 0, 2),), (("parallel", 1, 3),)),
    "Kite": ((("equal", 0, 3), ("equal", 1, 2)), (("equal", 0, 1), ("equal", 2, 3))),
}
MARKED: dict[tuple[str, int], Implied] = {  # and how many sides
    ("Right", 3): ((("perpendicular", 0, 1),), (("perpendicular", 1, 2),),
                   (("perpendicular", 2, 0),)),
    ("Isosceles", 3): ((("equal", 2, 0),), (("equal", 0, 1),), (("equal", 1, 2),)),
    ("Isosceles", 4): ((("equal", 1, 3),), (("equal", 0, 2),)),  # the legs: not parallel
}  # fmt: skip
POLYGONS = {  # as Inter-GPS lists them
    "Triangle",
    "Quadrilateral",
    "Polygon",
    "Pentagon",
    "Hexagon",
    "Heptagon",
    "Octagon",
    *QUADRILATERALS,
}


def _imply(kind: str, reading: Reading, corners: Names) -> None:
    """What the kind of a polygon says of its sides."""
    around = sides(corners)
    count = len(corners)
    is_quadrilateral = kind in QUADRILATERALS
    if is_quadrilateral and count != 4:
        raise UnreadError("a quadrilateral has four corners")

    def fact(relation: str, i: int, j: int) -> Fact:
        return Fact(relation, (around[i], around[j]), marked=not is_quadrilateral)

    implied = QUADRILATERALS[kind] if is_quadrilateral else MARKED.get((kind, count))
    alternatives = [[fact(*triple) for triple in triples] for triples in implied or ()]
    if len(alternatives) == 1:
        reading.facts += alternatives[0]
    elif alternatives:
        reading.either.append(alternatives)


def _polygon(reading: Reading, value: Any) -> Names:
    """A polygon of the figure, with what its kind implies."""
    if not isinstance(value, tuple) or value[0] not in POLYGONS:
        raise UnreadError("names no polygon")
    is_new = value[1] not in reading.polygons
    corners = reading.polygon(value)
    if is_new:
        _imply(value[0], reading, corners)
    return corners


def _same_shape(kind: str, reading: Reading, one: Names, two: Names) -> None:
    if len(one) != len(two):
        raise UnreadError("the shapes have different numbers of corners")
    reading.add(kind, one, two)


def _equilateral(reading: Reading, corners: Names) -> None:
    first, *others = sides(corners)
    for other in others:
        reading.add("equal", first, other, marked=True)


def _regular(reading: Reading, corners: Names) -> None:
    _equilateral(reading, corners)
    for k in range(1, len(corners)):
        reading.add("equal_angles", corners[:3], (corners[k:] + corners[:k])[:3])


def _from_corner(line: Names, corners: Names) -> tuple[str, str, Names]:
    """A line from a triangle's corner: the corner, the other end, the opposite side."""
    corner = next((end for end in line if end in corners), None)
    if len(corners) != 3 or corner is None:
        raise UnreadError("the line starts at no corner of a triangle")
    k = corners.index(corner)
    return corner, _other_end(line, corner), (corners[k - 2], corners[k - 1])


def _altitude(reading: Reading, line: Names, corners: Names) -> None:
    corner, end, base = _from_corner(line, corners)
    if end not in base:
        reading.add("collinear", end, *base)
    reading.add("perpendicular", (end, corner), base, marked=True)


def _median(reading: Reading, line: Names, corners: Names) -> None:
    if len(corners) == 3:
        _, end, base = _from_corner(line, corners)
        reading.facts += _middle(end, base)
    else:
        _midsegment(reading, line, corners)


def _midsegment(reading: Reading, line: Names, corners: Names) -> None:
    """A line that joins the middles of two sides: of a trapezoid, of its legs."""
    a, b = line
    around = sides(corners)
    alternatives = []
    for k, side in enumerate(around):
        other = around[k - 1]
        bases = []
        if len(corners) == 4:
            other = around[k - 2]
            bases = [Fact("parallel", (around[k - 1], around[k - 3]))]
        alternatives.append(_middle(a, side) + _middle(b, other) + bases)
        alternatives.append(_middle(a, other) + _middle(b, side) + bases)
    reading.either.append(alternatives)


def _perpendicular_bisector(reading: Reading, line: Any, of: Any) -> None:
    halving = reading.line(line)
    if of[0] == "Line":
        bases = [reading.line(of)]
    else:  # a side that it does not start from
        polygon_sides = sides(_polygon(reading, of))
        bases = [side for side in polygon_sides if not {*side} & {*halving}]
    alternatives = []
    for base in bases:
        pair = halving, base
        right = Fact("perpendicular", pair, marked=True)
        alternatives.append([right, Fact("halves", pair)])
    reading.either.append(alternatives)


def _hypotenuse(reading: Reading, line: Names, corners: Names) -> None:
    apex = next(corner for corner in corners if corner not in line)
    reading.add("perpendicular", (apex, line[0]), (apex, line[1]), marked=True)


MEASURES: dict[str, tuple[str, Callable[[Reading, Any], Any]]] = {
    "LengthOf": ("length", Reading.line),
    "MeasureOf": ("angle", Reading.corner),
    "RadiusOf": ("radius", Reading.circle),
    "DiameterOf": ("diameter", Reading.circle),
    "AreaOf": ("area", _polygon),
}
READ: dict[str, Callable[[Reading, Any], Any]] = {
    "p": Reading.point,
    "l": Reading.line,
    "c": Reading.corner,
    "o": Reading.circle,
    "s": _polygon,
}
# What a predicate's arguments are (p point, l line, c corner, o circle, s polygon; "": as they are
# written), and what it says of them
PREDICATES: dict[str, tuple[str, Callable[..., Any]]] = {
    "Equals": ("", _equals),
    "Line": ("", lambda reading, *ends: reading.line(("Line", ends))),
    "Circle": ("", _circle),
    "Sector": ("ppp", _sector),
    "RightAngle": (
        "c",
        lambda r, c: r.add("perpendicular", c[1::-1], c[1:], marked=True),
    ),
    "PointLiesOnLine": ("pl", _on_lines),
    "PointLiesOnCircle": (
        "po",
        lambda reading, point, on: reading.on_circle(on, point),
    ),
    "IntersectAt": ("", _meet),
    "Parallel": (
        "ll",
        lambda reading, *two: reading.add("parallel", *two, marked=True),
    ),
    "Perpendicular": (
        "ll",
        lambda reading, *two: reading.add("perpendicular", *two, marked=True),
    ),
    "BisectsAngle": ("lc", _bisects),
    "IsMidpointOf": ("", _midpoint),
    "Tangent": (
        "lo",
        lambda reading, line, circle: reading.add("tangent", line, circle),
    ),
    "Secant": ("lo", _nothing_more),
    "IsChordOf": ("lo", lambda reading, line, circle: reading.on_circle(circle, *line)),
    "IsRadiusOf": ("lo", lambda r, line, of: r.on_circle(of, _other_end(line, of[0]))),
    "IsDiameterOf": ("lo", _diameter),
    "InscribedIn": ("", _inscribed),
    "CircumscribedTo": (
        "",
        lambda reading, outer, inner: _inscribed(reading, inner, outer),
    ),
    "IsIncenterOf": ("ps", _incenter),
    "IsCentroidOf": (
        "ps",
        lambda reading, point, corners: reading.add("centroid", point, corners),
    ),
    "Congruent": ("ss", partial(_same_shape, "congruent")),
    "Similar": ("ss", partial(_same_shape, "similar")),
    "Right": ("s", partial(_imply, "Right")),
    "Isosceles": ("s", partial(_imply, "Isosceles")),
    "Equilateral": ("s", _equilateral),
    "Regular": ("s", _regular),
    **dict.fromkeys(
        ("Shaded", "Red", "Blue", "Green"),
        ("s", lambda reading, corners: reading.shaded.append(corners)),
    ),
    "IsAltitudeOf": ("ls", _altitude),
    "IsMedianOf": ("ls", _median),
    "IsMidsegmentOf": ("ls", _midsegment),
    "IsHypotenuseOf": ("ls", _hypotenuse),
    "IsPerpendicularBisectorOf": ("", _perpendicular_bisector),
    **dict.fromkeys(
        ("IsSideOf", "IsBaseOf", "IsDiagonalOf", "IsLegOf"), ("ls", _nothing_more)
    ),
}
