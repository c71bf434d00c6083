"""The predicates of Inter-GPS: what each says about the figure.

Names and arguments are those of the Geometry3K annotation (Lu et al. 2021, Inter-GPS, appendix:
91 predicates). A relation that a mark can print is a marked fact; the others hold silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...errors import UserError
from .equalities import equals
from .parser import FactReader, Form, Reading, UnreadError, parse_form, sides
from .shape_predicates import ATTRIBUTES, POLYGON_KINDS, imply, middle_facts, polygon_of

SILENT = {"Find", "UseTheorem", "Point", "Angle", "Arc", "Shape"}  # nothing to draw
UNNAMED = re.compile(r"\$\d?")


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
    forms.sort(key=lambda form: bool(re.search(r"Angle\(\s*\w+\s*\)", form[1])))
    for form, text in forms:
        try:
            read_form(form, reading)
        except UnreadError as why:
            reading.unread.append(f"{text[:80]} ({why})")


def read_form(form: Form, reading: Reading) -> None:
    """Take in one form. Raises UnreadError for a form that is not understood."""
    predicate, arguments = form
    if predicate in SILENT:
        return
    if predicate in POLYGON_KINDS and len(arguments) == 1 and UNNAMED.fullmatch(str(arguments[0])):
        return  # "the figure shows a trapezoid", whichever it is
    if predicate in POLYGON_KINDS:
        imply(reading, predicate, reading.polygon(form))
    elif predicate in RELATIONS:
        try:
            RELATIONS[predicate](reading, arguments)
        except (IndexError, TypeError, ValueError) as error:
            raise UnreadError("its arguments are not those of the predicate") from error
    else:
        raise UnreadError("unknown predicate, or nothing that a diagram shows")


def _right_angle(reading: Reading, args: tuple[Any, ...]) -> None:
    a, b, c = reading.corner(args[0])
    reading.add("perpendicular", (b, a), (b, c), marked=True)


def _on_line(reading: Reading, args: tuple[Any, ...]) -> None:
    point, line = reading.point(args[0]), reading.line(args[1])
    if point not in line:
        reading.add("between", point, line)


def _on_circle(reading: Reading, args: tuple[Any, ...]) -> None:
    reading.on_circle(reading.circle(args[1]), reading.point(args[0]))


def _pair(kind: str) -> FactReader:
    def read(reading: Reading, args: tuple[Any, ...]) -> None:
        reading.add(kind, reading.line(args[0]), reading.line(args[1]), marked=True)

    return read


def _meet(reading: Reading, args: tuple[Any, ...]) -> None:
    point = reading.point(args[-1])
    for line in map(reading.line, args[:-1]):
        if point not in line:
            reading.add("between", point, line)


def _bisects(reading: Reading, args: tuple[Any, ...]) -> None:
    line, (a, b, c) = reading.line(args[0]), reading.corner(args[1])
    if b not in line:
        raise UnreadError(f"the line does not start at {b}")
    end = line[1] if line[0] == b else line[0]
    reading.add("equal_angles", (a, b, end), (end, b, c), marked=True)


def _is_midpoint(reading: Reading, args: tuple[Any, ...]) -> None:
    point = reading.point(args[0])
    if isinstance(args[1], tuple) and args[1][0] == "LegOf":
        a, b, c, d = sides(polygon_of(reading, args[1][1][0]))
        reading.either.append([middle_facts(point, b), middle_facts(point, d),
                               middle_facts(point, a), middle_facts(point, c)])  # fmt: skip
    else:
        reading.facts += middle_facts(point, reading.line(args[1]))


def _same_shape(kind: str) -> FactReader:
    def read(reading: Reading, args: tuple[Any, ...]) -> None:
        one, two = polygon_of(reading, args[0]), polygon_of(reading, args[1])
        if len(one) != len(two):
            raise UnreadError("the shapes have different numbers of corners")
        reading.add(kind, one, two)

    return read


def _inscribed(reading: Reading, args: tuple[Any, ...]) -> None:
    """`InscribedIn(inner, outer)`: a polygon in a circle, or a circle in a polygon."""
    inner, outer = args
    if isinstance(outer, tuple) and outer[0] == "Circle":
        reading.on_circle(reading.circle(outer), *polygon_of(reading, inner))
    else:
        corners, circle = polygon_of(reading, outer), reading.circle(inner)
        _incenter(reading, (circle[0], outer))  # tangents alone allow an excircle
        for side in sides(corners):
            reading.add("tangent", side, circle)


def _incenter(reading: Reading, args: tuple[Any, ...]) -> None:
    center, corners = reading.point(args[0]), polygon_of(reading, args[1])
    for k, corner in enumerate(corners[:-1]):
        before, after = corners[k - 1], corners[(k + 1) % len(corners)]
        reading.add("equal_angles", (before, corner, center), (center, corner, after))


def _centroid(reading: Reading, args: tuple[Any, ...]) -> None:
    reading.add("centroid", reading.point(args[0]), polygon_of(reading, args[1]))


def _diameter(reading: Reading, args: tuple[Any, ...]) -> None:
    line, circle = reading.line(args[0]), reading.circle(args[1])
    reading.on_circle(circle, *line)
    reading.add("between", circle[0], line)


def _radius(reading: Reading, args: tuple[Any, ...]) -> None:
    line, circle = reading.line(args[0]), reading.circle(args[1])
    if circle[0] not in line:
        raise UnreadError(f"the line does not start at {circle[0]}")
    reading.on_circle(circle, *(end for end in line if end != circle[0]))


def _sector(reading: Reading, args: tuple[Any, ...]) -> None:
    center, a, b = map(reading.point, args)
    circle = reading.circle(("Circle", (center,)))
    reading.on_circle(circle, a, b)
    reading.sectors.append((a, center, b))


RELATIONS: dict[str, FactReader] = {
    "Line": lambda reading, args: reading.line(("Line", args)),
    "Circle": lambda reading, args: (
        None if UNNAMED.fullmatch(str(args[0])) else reading.circle(("Circle", args))
    ),
    "Sector": _sector,
    "RightAngle": _right_angle,
    "PointLiesOnLine": _on_line,
    "PointLiesOnCircle": _on_circle,
    "Parallel": _pair("parallel"),
    "Perpendicular": _pair("perpendicular"),
    "IntersectAt": _meet,
    "BisectsAngle": _bisects,
    "Congruent": _same_shape("congruent"),
    "Similar": _same_shape("similar"),
    "Tangent": lambda reading, args: reading.add(
        "tangent", reading.line(args[0]), reading.circle(args[1])
    ),
    "Secant": lambda reading, args: (reading.line(args[0]), reading.circle(args[1])),
    "InscribedIn": _inscribed,
    "CircumscribedTo": lambda reading, args: _inscribed(reading, args[::-1]),
    "IsMidpointOf": _is_midpoint,
    "IsCentroidOf": _centroid,
    "IsIncenterOf": _incenter,
    "IsRadiusOf": _radius,
    "IsDiameterOf": _diameter,
    "IsChordOf": lambda reading, args: reading.on_circle(
        reading.circle(args[1]), *reading.line(args[0])
    ),
    "Equals": equals,
    **ATTRIBUTES,
}
