"""What a reading says as relations of the figure: facts, circles, and measures in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..figure import Array, Condition, condition, length, relations
from .reading import Circle, Fact, Names, Reading


def silent(reading: Reading) -> list[Fact]:
    """All that holds without a measure: facts, and points on circles."""
    facts = [said for fact in reading.facts for said in said_by(fact, reading)]
    rounds = [
        Fact("equal", tuple((centre, point) for point in points))
        for (centre, _), points in reading.circles.items()
        if len(points) > 1
    ]
    return facts + rounds


def measures(reading: Reading, scale: float = 1.0) -> list[Fact]:
    """Lengths and angles that are numbers; lengths count `scale`, without one only angles count."""
    facts = [
        Fact("angle", (v.of, v.number)) for v in reading.values_of("angle") if v.number
    ]
    for value in reading.values_of("length", "radius", "diameter") if scale else ():
        size = scale * value.number * (0.5 if value.kind == "diameter" else 1)
        if size and value.kind == "length":
            facts.append(Fact("length", (value.of, size)))
        elif size and (points := reading.circles[value.of]):
            facts.append(Fact("length", ((value.of[0], points[0]), size)))
        elif size and (line := _touching(value.of, reading)):
            facts.append(Fact("tangent", (line, value.of[0], size)))
    return facts


def said_by(fact: Fact, reading: Reading) -> list[Fact]:
    """A fact as relations between points: a tangent touches a circle whose radius points tell."""
    if fact.kind != "tangent":
        return [fact]
    line, circle = fact.arguments
    centre, on = circle[0], reading.circles[circle]
    if contact := sorted(reading.along(line) & set(on)):
        return [Fact("perpendicular", ((centre, contact[0]), line))]
    if on:
        return [Fact("tangent", (line, centre, on[0]))]
    first = _touching(circle, reading)
    return (
        [] if first in (None, line) else [Fact("equidistant", (centre, (first, line)))]
    )


def _touching(circle: Circle, reading: Reading) -> Names | None:
    lines = (f.arguments[0] for f in reading.facts if f.arguments[1:] == (circle,))
    return next(lines, None)


def radius(
    circle: Circle, reading: Reading, places: Mapping[str, Array]
) -> float | None:
    """The radius of a circle: to a point on it, else to a line that touches it."""
    centre = places[circle[0]]
    if on := reading.circles[circle]:
        return length((centre, places[on[0]]))
    line = _touching(circle, reading)
    return (
        relations.distance(centre, (places[line[0]], places[line[1]])) if line else None
    )


def conditions(facts: Sequence[Fact], names: Sequence[str]) -> list[Condition]:
    at = {name: k for k, name in enumerate(names)}
    return [condition(fact.kind, fact.arguments, at.get) for fact in facts]


def misfit(fact: Fact, reading: Reading, places: Array) -> float:
    """How far a fact is from true."""
    said = conditions(said_by(fact, reading), reading.names)
    off = [abs(value) for holds in said for value in _values(holds, places)]
    return max(off, default=0.0)


def _values(holds: Condition, places: Array) -> list[float]:
    try:
        return holds(places)
    except ValueError:  # an angle without an arm
        return [float(np.ptp(places))]
