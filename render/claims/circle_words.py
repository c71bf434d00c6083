"""What sentences say of circles, and of lines and points at them, held to a figure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from ..diagram import (
    NEAR,
    Circle,
    Claim,
    circles,
    pieces,
)
from ..figure import (
    MEASURES,
)
from .claim import Scene, Undecided, is_so, unless
from .english import (
    LINE,
    NUMBER,
    each,
    names_of,
    row,
)

ROUND = r"radius|diameter|chord"
ROUND_LINE = (
    rf"(?P<lines>{row('2')}) (?:is|are) (?:an? |the )?(?P<be>{ROUND})s?\b"
    rf"|\b(?i:(?P<what>{ROUND})) (?P<line>{LINE})"
)


def circles_of(scene: Scene, centre: str | None = None) -> list[Circle]:
    """The circles of the figure, or those about a point. Raises Undecided where there are none."""
    found = circles(scene.composition)
    if centre:
        (at,) = scene.points(centre)
        found = [c for c in found if math.dist(c.centre, at) < NEAR * c.radius]
        unless(bool(found), f"no circle about {centre} is drawn")
    if not found:
        raise Undecided
    return found


def is_on_circle(circle: Circle, place: Any) -> bool:
    return abs(math.dist(circle.centre, place) - circle.radius) < NEAR * circle.radius


def about(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the circle with centre O`, `two circles about M`."""
    for centre in each(match["centre"] or match["centres"]):
        circles_of(scene, centre)
    yield from ()


def on_circle(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    found = circles_of(scene, match["centre"])
    if match["centre"] is None and len(found) > 1:
        raise Undecided
    for name in each(match["points"]):
        (place,) = scene.points(name)
        is_on = any(is_on_circle(circle, place) for circle in found)
        unless(is_on, f"{name} does not lie on the circle")
    yield from ()


def round_line(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB is a diameter`, `the radius MC`: of a circle that is drawn."""
    word = (match["what"] or match["be"]).lower()
    for line in each(match["line"] or match["lines"]):
        a, b = scene.points(line)
        found = circles_of(scene, match.groupdict().get("centre"))
        on = [(is_on_circle(c, a), is_on_circle(c, b), c) for c in found]
        if word == "radius":
            ends = ((a, b), (b, a))
            holds = any(
                math.dist(p, c.centre) < NEAR * c.radius and is_on_circle(c, q)
                for c in found
                for p, q in ends
            )
        elif word == "diameter":
            holds = any(
                p and q and math.dist((a + b) / 2, c.centre) < NEAR * c.radius
                for p, q, c in on
            )
        else:
            holds = any(p and q for p, q, _ in on)
        unless(holds, f"{line} is no {word} of a circle that is drawn")
    yield from ()


def touches(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB touches the circle in P`, `AB is a tangent of the circle`."""
    line = scene.points(match["line"])
    found = circles_of(scene, match["centre"])
    touched = [c for c in found if _is_tangent(c, line)]
    unless(bool(touched), f"{match['line']} touches no circle")
    if match["at"]:
        (place,) = scene.points(match["at"])
        is_there = any(is_on_circle(c, place) for c in touched)
        unless(is_there and is_so(scene, "collinear", [match["at"], *names_of(match["line"])]),
                f"it does not touch in {match['at']}")  # fmt: skip
    yield from ()


def contact(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`T is the point of contact`: a drawn line touches a circle there."""
    (place,) = scene.points(match["at"])
    touched = [c for c in circles_of(scene) if is_on_circle(c, place)]
    lines = list(zip(*pieces(scene.composition, curved=False), strict=True))
    is_there = any(
        _is_tangent(circle, list(line))
        and MEASURES["distance"](place, line) < NEAR * circle.radius
        for circle in touched
        for line in lines
    )
    unless(is_there, f"no line touches a circle in {match['at']}")
    yield from ()


def _is_tangent(circle: Circle, line: list[Any]) -> bool:
    a, b = line
    return (
        abs(MEASURES["distance"](circle.centre, (a, b)) - circle.radius)
        < NEAR * circle.radius
    )


def touches_sides(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`The circle touches all sides of triangle ABC, and side AB in P`."""
    around = names_of(match["of"])
    sides = [scene.points(p + q) for p, q in pairwise([*around, around[0]])]
    inner = [
        c for c in circles_of(scene) if all(_is_tangent(c, side) for side in sides)
    ]
    unless(bool(inner), f"no circle touches all sides of {match['of']}")
    if match["side"]:
        (place,) = scene.points(match["at"])
        is_there = any(is_on_circle(c, place) for c in inner)
        is_there &= is_so(scene, "collinear", [match["at"], *names_of(match["side"])])
        unless(is_there, f"it does not touch {match['side']} in {match['at']}")
    yield from ()


def touching(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`circles with centres A, B and C touch each other from outside`."""
    names = each(match["centres"])
    radii = [circles_of(scene, name)[0].radius for name in names]
    places = [scene.points(name)[0] for name in names]
    outside = match["how"] != "inside"
    for (p, r), (q, s) in combinations(zip(places, radii, strict=True), 2):
        apart = r + s if outside else abs(r - s)
        unless(
            abs(math.dist(p, q) - apart) < NEAR * (r + s),
            "they do not touch so",
        )
    yield from ()


def radii(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`Their radii are 2, 3 and 4`: of the circles whose centres were named, in that order."""
    pattern = rf"centres ({row('1')})"
    ahead = [m for m in re.finditer(pattern, scene.text) if m.start() < scene.at]
    if not ahead:
        raise Undecided
    values = re.findall(NUMBER, match["values"])
    names = each(ahead[-1][1])
    if len(names) != len(values):
        raise Undecided
    times = 1 if match["what"] == "radii" else 2
    for name, value in zip(names, values, strict=True):
        radius = times * circles_of(scene, name)[0].radius
        yield Claim("length", float(value), radius, f"{match['what']} of {name}")
