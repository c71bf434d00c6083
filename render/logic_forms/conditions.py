"""What a reading says as relations of the figure: facts, circles, and measures in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..figure import Array, Condition, condition, length, relations
from .reading import Circle, Fact, Names, Reading


# rename: said_by relations_of
# rename: silent unmeasured
def unmeasured(reading: Reading) -> list[Fact]:
    """All that holds without a measure: facts, and points on circles."""
    facts = [part for fact in reading.facts for part in relations_of(fact, reading)]
    for (centre, _), points in reading.circles.items():
        if len(points) > 1:
            radii = tuple((centre, point) for point in points)
            facts.append(Fact("equal", radii))
    return facts


def measures(reading: Reading, scale: float = 1.0) -> list[Fact]:
    """Lengths and angles that are numbers; lengths count `scale`, without one only angles count."""
    angles = [value for value in reading.values_of("angle") if value.number]
    facts = [Fact("angle", (value.of, value.number)) for value in angles]
    for value in reading.values_of("length", "radius", "diameter"):
        size = scale * value.number
        if not size:
            continue
        if value.kind == "length":
            facts.append(Fact("length", (value.of, size)))
            continue
        if value.kind == "diameter":
            size *= 0.5
        centre = value.of[0]
        points = reading.circles[value.of]
        line = _touching(value.of, reading)
        if points:
            facts.append(Fact("length", ((centre, points[0]), size)))
        elif line:
            facts.append(Fact("tangent", (line, centre, size)))
    return facts


def relations_of(fact: Fact, reading: Reading) -> list[Fact]:
    """A fact as relations between points: a tangent touches a circle whose radius points tell."""
    if fact.kind != "tangent":
        return [fact]
    line, circle = fact.arguments
    centre = circle[0]
    on_circle = reading.circles[circle]
    contact = sorted(reading.along(line) & set(on_circle))
    if contact:
        return [Fact("perpendicular", ((centre, contact[0]), line))]
    if on_circle:
        return [Fact("tangent", (line, centre, on_circle[0]))]
    first = _touching(circle, reading)
    if first in (None, line):
        return []
    return [Fact("equidistant", (centre, (first, line)))]


def _touching(circle: Circle, reading: Reading) -> Names | None:
    """The first line that is said to touch a circle."""
    lines = (f.arguments[0] for f in reading.facts if f.arguments[1:] == (circle,))
    return next(lines, None)


def radius(
    circle: Circle, reading: Reading, places: Mapping[str, Array]
) -> float | None:
    """The radius of a circle: to a point on it, else to a line that touches it."""
    centre = places[circle[0]]
    on_circle = reading.circles[circle]
    if on_circle:
        return length((centre, places[on_circle[0]]))
    line = _touching(circle, reading)
    if line is None:
        return None
    return relations.distance(centre, (places[line[0]], places[line[1]]))


def conditions(facts: Sequence[Fact], names: Sequence[str]) -> list[Condition]:
    """Facts as conditions of a solver, whose points are numbered as the names are."""
    numbers = {name: k for k, name in enumerate(names)}
    return [condition(fact.kind, fact.arguments, numbers.get) for fact in facts]


def misfit(fact: Fact, reading: Reading, places: Array) -> float:
    """How far a fact is from true."""
    parts = conditions(relations_of(fact, reading), reading.names)
    residuals = [abs(value) for part in parts for value in _residuals(part, places)]
    return max(residuals, default=0.0)


# rename: _values _residuals
def _residuals(part: Condition, places: Array) -> list[float]:
    try:
        return part(places)
    except ValueError:  # an angle without an arm
        return [float(np.ptp(places))]
