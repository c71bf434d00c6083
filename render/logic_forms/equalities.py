"""`Equals` of Inter-GPS: values become labels, equal things become marked facts."""

from __future__ import annotations

import re
from typing import Any

from .parser import Reading, UnreadError
from .polygons import polygon_of


def equals(reading: Reading, left: Any, right: Any) -> None:
    """`Equals(LengthOf(Line(A, B)), 5)`: a label, or a mark when both sides name something."""
    if not isinstance(left, tuple):
        left, right = right, left
    if not isinstance(left, tuple):
        raise UnreadError("it names nothing in the figure")
    what, inner = left[0], left[1][0] if left[1] else ""
    if what == "LengthOf":
        _length(reading, inner, right)
    elif what == "MeasureOf" and isinstance(inner, tuple) and inner[0] == "Arc":
        reading.arcs.append((tuple(map(reading.point, inner[1])), _value(right)))
    elif what == "MeasureOf":
        _measure(reading, inner, right)
    elif what in ("RadiusOf", "DiameterOf"):
        values = reading.radii if what == "RadiusOf" else reading.diameters
        values.append((reading.circle(inner), _value(right)))
    elif what == "AreaOf":
        reading.areas.append((polygon_of(reading, inner), _value(right)))
    else:
        raise UnreadError("no label of a diagram says it")


def _length(reading: Reading, inner: Any, right: Any) -> None:
    line = reading.line(inner)
    name = right[1][0] if isinstance(right, tuple) and right[0] == "LengthOf" else ""
    if isinstance(name, str) and re.fullmatch(r"[a-z]'?", name):  # the side that is called a
        reading.lengths.append((line, name))
    elif isinstance(right, tuple):  # annotators write the other line with or without LengthOf
        other = reading.line(right[1][0] if right[0] == "LengthOf" else right)
        reading.add("equal", line, other, marked=True)
    else:
        reading.lengths.append((line, _value(right)))


def _measure(reading: Reading, inner: Any, right: Any) -> None:
    number = re.fullmatch(r"angle (\w+)", str(right[1][0])) if isinstance(right, tuple) else None
    corner = reading.corner(inner)
    if number:  # MeasureOf(angle 1): the 1 that is printed in the angle
        reading.numbered[number[1]] = corner
    elif isinstance(right, tuple):
        other = reading.corner(right[1][0] if right[0] == "MeasureOf" else right)
        reading.add("equal_angles", corner, other, marked=True)
    else:
        reading.angles.append((corner, _value(right)))


def _value(right: Any) -> str:
    if not isinstance(right, str) or not right.strip():
        raise UnreadError("no label of a diagram says it")
    return right.strip()
