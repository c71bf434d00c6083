"""Readers: what a sentence says of lines, shapes, circles, values and curves, held to a figure."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np

from ...words import NAMES, SHORT
from ..diagram import (
    KINDS,
    NEAR,
    Circle,
    Claim,
    circles,
    contains,
    curves,
    directions,
    equation,
    extent,
    is_covered,
    kind_of_four,
    polygons,
    same_curve,
    spelled,
)
from ..figure import (
    MEASURES,
    RELATIONS,
    angle,
    area,
    call,
    hold,
    items,
    length,
    number,
)
from .claim import Contradicted, Scene, Undecided
from .english import (
    COUNTS,
    LINE,
    NUMBER,
    each,
    names_of,
    row,
    run,
)

IS = r"\s*(?:is|are|=|measures?|has (?:a|the) length(?: of)?|has)\s*"
FOUR = r"(square|rectangle|rhomb|parallelogram|trapezi|trapezoid)[a-z]*"
POLYGONS = {
    "pentagon": 5,
    "hexagon": 6,
    "heptagon": 7,
    "octagon": 8,
    "nonagon": 9,
    "decagon": 10,
    "dodecagon": 12,
    "polygon": None,  # of any number of corners
}
OF_TRIANGLE = r"right|isosceles|equilateral|acute|obtuse"
ROUND = r"radius|diameter|chord"
PART = r"side|edge|leg|base|diagonal|hypotenuse|height|altitude|slant side|slant height"
_SYMBOLS = "|".join(sorted({*SHORT, "m"}, key=len, reverse=True))
UNIT = (
    rf"(?: ?(?:(?:square |cubic )?(?:{NAMES}|{_SYMBOLS})(?:\^?[23²³])?(?![A-Za-z])|°))?"
)
ON = r"(?:the )?(?:side |line |segment |edge )?"
ROUND_LINE = (
    rf"(?P<lines>{row('2')}) (?:is|are) (?:an? |the )?(?P<be>{ROUND})s?\b"
    rf"|\b(?i:(?P<what>{ROUND})) (?P<line>{LINE})"
)


def _require(scene: Scene, op: str, value: Any) -> None:
    """Raises Undecided where a point is missing, ValueError where a relation does not hold."""
    scene.points(" ".join(map(str, value)))
    (item,) = items({"check": [{op: value}]}, "check", RELATIONS, "DI")
    hold(iter(call(RELATIONS[op], item, scene.composition.figure.convert)))


def _is(scene: Scene, op: str, value: Any) -> bool:
    try:
        _require(scene, op, value)
    except ValueError:
        return False
    return True


def _unless(holds: bool, what: str, narrower: bool = False) -> None:
    if not holds:
        raise Contradicted(what, narrower)


# Lines


def two_lines(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    relation = "equal" if match["how"] in ("=", "equal") else match["how"]
    _require(scene, relation, [match["first"], match["second"]])
    yield from ()


def some_lines(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    lines = each(match[1])
    _unless(
        len({frozenset(names_of(line)) for line in lines}) == len(lines),
        "one line twice",
    )
    if match[2] == "perpendicular":
        for pair in combinations(lines, 2):
            _require(scene, "perpendicular", list(pair))
    else:
        _require(scene, match[2], lines)
    yield from ()


def times(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB is twice CD`, `AB is 3 times as long as CD`, `AB is half of CD`."""
    word = match["times"].lower()
    factor = {"twice": 2.0, "half": 0.5, "double": 2.0}.get(word)
    factor = float(match["number"]) if factor is None else factor
    _require(scene, "ratio", [match["first"], match["second"], factor])
    yield from ()


def meet(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB and CD meet in P`: P lies on each, whole or produced."""
    for line in each(match["lines"]):
        if match["point"] not in names_of(line):
            _require(scene, "collinear", [match["point"], *names_of(line)])
    yield from ()


def middle(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    _require(scene, "midpoint", [match[1], match[2]])
    yield from ()


def corners(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`A, B and C are the corners of triangle ABC`."""
    names = names_of(match["points"])
    _unless({*names} == {*names_of(match["of"])}, f"{match['of']} has others")
    scene.points(match["points"])
    yield from ()


def middles(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    around = names_of(match[2])
    sides = [p + q for p, q in pairwise([*around, around[0]])]
    points = each(match[1])
    _unless(len(set(points)) == len(points), "one point twice")
    for point in points:
        scene.points(point)
        is_middle = any(_is(scene, "midpoint", [point, side]) for side in sides)
        _unless(is_middle, f"{point} is the middle of no side of {match[2]}")
    yield from ()


def bisects(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    _require(scene, "bisects", [match[1], match[2]])
    yield from ()


def lies_on(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    line = names_of(match[2])
    for point in [name for names in each(match[1]) for name in names_of(names)]:
        scene.points(point + match[2])
        is_on = point not in line and _is(scene, "collinear", [point, *line])
        _unless(is_on, f"{point} does not lie on {match[2]}")
    yield from ()


# Shapes and corners


def named(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """A shape or an angle that is named has its points, and its sides are drawn."""
    composition = scene.composition
    points = composition.figure.points
    if not points or composition.figure.dimension == 3:
        raise Undecided
    kind = match["named"].lower()
    for shape in each(match["shapes"]):
        names = names_of(shape)
        if lost := [name for name in names if name not in points]:
            raise Contradicted(f"the figure has no point {lost[0]}")
        _unless(len(set(names)) == len(names), f"{shape} names one point twice")
        size = area([points[name] for name in names])
        is_flat = kind == "triangle" and size < 1e-6 * extent(composition) ** 2
        _unless(not is_flat, f"{shape} is flat")
        ends = names if kind in ("angle", "path") else [*names, names[0]]
        for p, q in pairwise(ends):
            is_drawn = is_covered(points[p], points[q], composition, kind == "angle")
            _unless(is_drawn, f"{p}{q} is not drawn")
    if kind not in ("triangle", "angle", "path"):
        raise Undecided  # which quadrilateral it is another reader decides
    yield from ()


def four(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    word = (match["kind"] or match["called"]).lower()
    named = next(kind for kind in KINDS if kind.startswith(word[:6]))
    for shape in each(match["shapes"] or match["these"]):
        kind = kind_of_four(scene.points(shape))
        if kind != named:
            is_more = kind is not None and all(
                map(operator.ge, KINDS[kind], KINDS[named])
            )
            what = f"{shape} is no {named} but a {kind or 'figure of no name'}"
            raise Contradicted(what, is_more)
    yield from ()


def polygon(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`ABCDEF is a regular hexagon with centre O`: corners, sides, angles, and where O lies."""
    corners = POLYGONS[(match["kind"] or match["called"]).lower()]
    is_regular = match["regular"] or match["so"]
    for shape in each(match["shapes"] or match["these"]):
        points = scene.points(shape)
        count = len(points)
        _unless(corners in (None, count), f"{shape} has {count} corners")
        if is_regular:
            _unless(_is_regular(points), f"{shape} is not regular")
        if match["centre"]:
            (centre,) = scene.points(match["centre"])
            away = [length([centre, point]) for point in points]
            _unless(_are_alike(away), f"{match['centre']} is not the centre of {shape}")
    if not (is_regular or match["centre"]):
        raise Undecided  # that its sides are drawn another reader decides
    yield from ()


def _is_regular(points: Sequence[Any]) -> bool:
    around = [*points, *points[:2]]
    sides = [length([p, q]) for p, q in pairwise(around[:-1])]
    turns = [angle(around[k : k + 3]) for k in range(len(points))]
    return _are_alike(sides) and _are_alike(turns)


def _are_alike(sizes: Sequence[float]) -> bool:
    return max(sizes) - min(sizes) < 1e-3 * max(sizes)


def side_or_diagonal(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the diagonal AC`: of a shape named before that has both ends, whose side it is not."""
    if scene.composition.figure.dimension == 3:
        raise Undecided
    what = match["what"].lower()
    for line in each(match["lines"]):
        ends = names_of(line)
        shapes = [shape for shape in scene.shapes() if {*ends} <= {*shape}]
        if not shapes:
            raise Undecided
        # a path may be named like a shape: one that has it is enough
        fits = any(_is_side(ends, shape) == (what == "side") for shape in shapes)
        _unless(fits, f"{line} is no {what} of {''.join(shapes[0])}")
    yield from ()


def _is_side(ends: list[str], shape: list[str]) -> bool:
    apart = abs(shape.index(ends[0]) - shape.index(ends[1]))
    return apart in (1, len(shape) - 1)


def right_corners(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`angles ABC and ACD are right`, `right angles at A and D` of the shape named before."""
    how = (match["how"] or match["which"]).lower()
    for name in each(match["corners"] or match["ends"]):
        size = angle(corner(scene, name, match[0]))
        good = {
            "right": abs(size - 90) < 0.5,
            "acute": size < 89.5,
            "obtuse": size > 90.5,
        }[how]
        _unless(good, f"angle {name} is not {how}: the figure measures {size:.4g}°")
    yield from ()


def corner(scene: Scene, name: str, nearby: str = "") -> list[Any]:
    """The points of angle ABC; or of A in the shape named nearest, or where two lines meet."""
    names = names_of(name)
    if len(names) == 1:
        near = [names_of(shape) for shape in re.findall(run("3,"), nearby)]
        behind = re.findall(run("3,"), scene.text[scene.at :])
        shapes = [*near, *scene.shapes(), *map(names_of, behind)]
        around = next((shape for shape in shapes if names[0] in shape), [])
        if not around:
            return _only_corner(scene, names[0])
        k = around.index(names[0])
        names = [
            around[k - 1],
            around[k],
            around[(k + 1) % len(around)],
        ]
    if len(names) != 3:
        raise Undecided(name)
    return scene.points("".join(names))


def _only_corner(scene: Scene, name: str) -> list[Any]:
    (at,) = scene.points(name)
    ways = directions(scene.composition, at)
    if len(ways) != 2:
        raise Undecided(name)
    return [at + ways[0], at, at + ways[1]]


def triangle(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    name = match["before"] or match["whole"]
    a, b, c = names_of(name)
    scene.points(name)
    sizes = [
        angle(scene.points(x + y + z))
        for x, y, z in (
            (c, a, b),
            (a, b, c),
            (b, c, a),
        )
    ]
    what = (match["what"] or match["is"]).lower()
    if what.startswith("right"):
        holds = any(abs(size - 90) < 0.5 for size in sizes)
    elif what.startswith("isosceles"):
        holds = any(abs(p - q) < 0.5 for p, q in combinations(sizes, 2))
    elif what in ("acute", "obtuse"):
        holds = max(sizes) > 90.5 if what == "obtuse" else max(sizes) < 89.5
    else:
        holds = max(sizes) - min(sizes) < 0.5
    _unless(holds, f"triangle {name} is not {what}")
    yield from ()


def centre(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """Where bisectors, medians or heights of a triangle meet."""
    around = names_of(match["of"])
    point = match["first"] or match["last"]
    if point is None:
        raise Undecided
    what = match["what"]
    for k, apex in enumerate(around):
        before = around[k - 1]
        behind = around[(k + 1) % 3]
        if what.startswith("bisector"):
            _require(scene, "bisects", [apex + point, before + apex + behind])
        elif what.startswith(("height", "altitude")):
            _require(scene, "perpendicular", [apex + point, before + behind])
    if what.startswith("median"):
        _require(scene, "centroid", [point, match["of"]])
    yield from ()


def corners_on(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`EFGH stands with its corners on the sides of square ABCD`."""
    around = names_of(match["outer"])
    sides = [p + q for p, q in pairwise([*around, around[0]])]
    for name in names_of(match["inner"]):
        is_on = name in around or any(
            _is(scene, "collinear", [name, *names_of(s)]) for s in sides
        )
        _unless(is_on, f"{name} is on no side of {match['outer']}")
    yield from ()


def of_one(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    measure = MEASURES[match[2]]
    first, *others = (float(measure(scene.points(shape))) for shape in each(match[1]))
    same = all(abs(other - first) <= NEAR * first for other in others)
    _unless(same, f"the figure measures {first:.4g} and {(others or [first])[0]:.4g}")
    yield from ()


def inside(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    outer = scene.points(match["outer"])
    inner = scene.points(match["inner"])
    holds = len(outer) > 2 and all(contains(outer, place) for place in inner)
    _unless(holds, f"{match['inner']} does not lie inside {match['outer']}")
    yield from ()


# Circles


def _circles(scene: Scene, centre: str | None = None) -> list[Circle]:
    """The circles of the figure, or those about a point. Raises Undecided where there are none."""
    found = circles(scene.composition)
    if centre:
        (at,) = scene.points(centre)
        found = [c for c in found if math.dist(c.centre, at) < NEAR * c.radius]
        _unless(bool(found), f"no circle about {centre} is drawn")
    if not found:
        raise Undecided
    return found


def _is_on(circle: Circle, place: Any) -> bool:
    return abs(math.dist(circle.centre, place) - circle.radius) < NEAR * circle.radius


def about(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the circle with centre O`, `two circles about M`."""
    for centre in each(match["centre"] or match["centres"]):
        _circles(scene, centre)
    yield from ()


def on_circle(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    found = _circles(scene, match["centre"])
    if match["centre"] is None and len(found) > 1:
        raise Undecided
    for name in each(match["points"]):
        (place,) = scene.points(name)
        is_on = any(_is_on(circle, place) for circle in found)
        _unless(is_on, f"{name} does not lie on the circle")
    yield from ()


def round_line(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB is a diameter`, `the radius MC`: of a circle that is drawn."""
    word = (match["what"] or match["be"]).lower()
    for line in each(match["line"] or match["lines"]):
        a, b = scene.points(line)
        found = _circles(scene, match.groupdict().get("centre"))
        on = [(_is_on(c, a), _is_on(c, b), c) for c in found]
        if word == "radius":
            ends = ((a, b), (b, a))
            holds = any(
                math.dist(p, c.centre) < NEAR * c.radius and _is_on(c, q)
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
        _unless(holds, f"{line} is no {word} of a circle that is drawn")
    yield from ()


def touches(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB touches the circle in P`, `AB is a tangent of the circle`."""
    line = scene.points(match["line"])
    found = _circles(scene, match["centre"])
    touched = [c for c in found if _is_tangent(c, line)]
    _unless(bool(touched), f"{match['line']} touches no circle")
    if match["at"]:
        (place,) = scene.points(match["at"])
        is_there = any(_is_on(c, place) for c in touched)
        _unless(is_there and _is(scene, "collinear", [match["at"], *names_of(match["line"])]),
                f"it does not touch in {match['at']}")  # fmt: skip
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
    inner = [c for c in _circles(scene) if all(_is_tangent(c, side) for side in sides)]
    _unless(bool(inner), f"no circle touches all sides of {match['of']}")
    if match["side"]:
        (place,) = scene.points(match["at"])
        is_there = any(_is_on(c, place) for c in inner)
        is_there &= _is(scene, "collinear", [match["at"], *names_of(match["side"])])
        _unless(is_there, f"it does not touch {match['side']} in {match['at']}")
    yield from ()


def touching(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`circles with centres A, B and C touch each other from outside`."""
    names = each(match["centres"])
    radii = [_circles(scene, name)[0].radius for name in names]
    places = [scene.points(name)[0] for name in names]
    outside = match["how"] != "inside"
    for (p, r), (q, s) in combinations(zip(places, radii, strict=True), 2):
        apart = r + s if outside else abs(r - s)
        _unless(
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
        radius = times * _circles(scene, name)[0].radius
        yield Claim("length", float(value), radius, f"{match['what']} of {name}")


# Values


def value_of(match: re.Match[str]) -> float:
    """The value that a pattern ends in: a number, or a root or fraction in LaTeX."""
    return float(number(spelled(match[match.lastindex or 0])))


def _given(
    kind: str, match: re.Match[str], measured: float, places: Sequence[Any]
) -> Claim:
    """The value behind a thing's name, with its unit."""
    value = value_of(match)
    unit = "°" if kind == "angle" else plain_unit(match[0])
    return Claim(kind, value, measured, match[0], unit, places=tuple(places))


def plain_unit(text: str) -> str:
    """The unit that a text ends in, "" where there is none."""
    behind = re.search(rf"{NUMBER}(?P<unit>{UNIT})(?: long)?$", text)
    return behind["unit"].strip() if behind else ""


def has_length(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    word = (match["part"] or "").lower()
    if word in ("radius", "diameter", "chord") or (word and match["its"]) or word:
        _check_part(scene, word, match["of"])
    ends = scene.points(match["of"])
    yield _given("length", match, length(tuple(ends)), ends)


def _check_part(scene: Scene, word: str, line: str) -> None:
    """A line that is called a part of something is that part. Raises Undecided for what no figure
    tells."""
    a, b = scene.points(line)
    names = set(names_of(line))
    shapes = [*polygons(scene.composition), *scene.shapes()]
    if word in ("side", "edge", "slant side", "leg", "base"):
        _unless(is_covered(a, b, scene.composition), f"{line} is not drawn")
        if word == "leg":
            _unless(
                any(_is_leg(scene, shape, names) for shape in shapes), "it is no leg"
            )
    elif word == "hypotenuse":
        holds = any(_is_hypotenuse(scene, shape, names) for shape in shapes)
        _unless(holds, f"{line} is no hypotenuse")
    elif word == "diagonal":
        holds = any(_is_diagonal(shape, names) for shape in shapes)
        _unless(holds, f"{line} is no diagonal")
    elif word in ("height", "altitude"):
        upright = [MEASURES["angle"]([p, end, end + way]) for p, end in ((a, b), (b, a))
                   for way in directions(scene.composition, end)]  # fmt: skip
        holds = any(abs(size - 90) < 0.5 for size in upright)
        _unless(holds, f"{line} stands upright on nothing")
    elif word in ("radius", "diameter", "chord"):
        (match,) = re.finditer(ROUND_LINE, f"the {word} {line}")
        list(round_line(scene, match))
    else:
        raise Undecided


def _right_apex(scene: Scene, shape: list[str]) -> str:
    """The corner of a triangle that is right, "" where none is."""
    if len(shape) != 3:
        return ""
    for a, b, c in permutations(shape, 3):
        if abs(angle(scene.points(a + b + c)) - 90) < 0.5:
            return b
    return ""


def _is_hypotenuse(scene: Scene, shape: list[str], line: set[str]) -> bool:
    apex = _right_apex(scene, shape)
    return bool(apex) and line == set(shape) - {apex}


def _is_leg(scene: Scene, shape: list[str], line: set[str]) -> bool:
    apex = _right_apex(scene, shape)
    return bool(apex) and apex in line and line < set(shape)


def _is_diagonal(shape: list[str], line: set[str]) -> bool:
    if not line <= set(shape) or len(shape) < 4:
        return False
    sides = [{p, q} for p, q in pairwise([*shape, shape[0]])]
    return line not in sides


def has_angle(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    places = corner(scene, match["of"], match[0])
    yield _given("angle", match, angle(places), places)


def of_shape(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the area of triangle ABC is 5`, `its perimeter is 12`: "its" is the shape named last."""
    groups = match.groupdict()
    op = match["op"].lower()
    if groups.get("of"):
        places = scene.points(match["of"])
    else:
        shapes = scene.shapes()
        if not shapes:
            raise Undecided
        places = scene.points("".join(shapes[0]))
    yield _given(op, match, float(MEASURES[op](places)), places)


def lengths(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB, BC and CA are 3, 4 and 5`, by their places."""
    lines = each(match["lines"])
    values = re.findall(NUMBER, match["values"])
    if len(lines) != len(values) or len(lines) < 2:
        raise Undecided
    for line, value in zip(lines, values, strict=True):
        ends = scene.points(line)
        quote = f"{line} is {value}"
        measured = length(tuple(ends))
        yield Claim("length", float(value), measured, quote, places=tuple(ends))


def sides(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the sides are 3, 4 and 5` of the shape named last: each is the length of one of them."""
    values = [float(value) for value in re.findall(NUMBER, match["values"])]
    shape = next(iter(scene.shapes(len(values))), None)
    if shape is None:
        raise Undecided
    sizes = [
        length(tuple(scene.points(p + q))) for p, q in pairwise([*shape, shape[0]])
    ]
    for value, size in zip(sorted(values), sorted(sizes), strict=True):
        yield Claim("length", value, size, f"a side is {value:g}")


def side_of(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the side of the square is 3`: of the shape named last, whose sides are equal."""
    shape = next(iter(scene.shapes(4 if match["of"] == "square" else 3)), None)
    if shape is None:
        raise Undecided
    sizes = [
        length(tuple(scene.points(p + q))) for p, q in pairwise([*shape, shape[0]])
    ]
    _unless(
        max(sizes) - min(sizes) < NEAR * max(sizes),
        "its sides are not equal",
    )
    yield Claim(
        "length",
        value_of(match),
        sizes[0],
        match[0],
    )


def edges(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`Its edges are 3, 4 and 5 long`: of the one box that is drawn."""
    boxes = [item for item, _ in scene.composition.drawn if item.op == "box"]
    if len(boxes) != 1:
        raise Undecided
    values = [float(value) for value in re.findall(NUMBER, match["values"])]
    sizes = [float(size) for size in boxes[0].options["size"]]
    if len(values) != len(sizes):
        raise Undecided
    for value, size in zip(sorted(values), sorted(sizes), strict=True):
        yield Claim("length", value, size, f"an edge is {value:g}")


def height(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the height on AB is 5`, of the triangle named last that has AB."""
    line = names_of(match["on"])
    shape = next((s for s in scene.shapes(3) if set(line) < set(s)), None)
    if shape is None:
        raise Undecided
    (apex,) = set(shape) - set(line)
    places = scene.points(apex)[0], tuple(scene.points(match["on"]))
    value = value_of(match)
    yield Claim("length", value, MEASURES["distance"](*places), match[0])


# Axes and curves


def placed(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    (place,) = scene.points(match[1])
    _unless(
        scene.composition.axes is not None, "the figure has no axes to read it from"
    )
    x, y = scene.composition.figure.off_axes(place)
    is_there = (
        math.dist(
            (x, y),
            (float(match[2]), float(match[3])),
        )
        < 1e-6
    )
    _unless(is_there, f"it lies at ({x:.4g}, {y:.4g})")
    yield from ()


def coordinate(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the x-coordinate of P is 3`."""
    (place,) = scene.points(match["of"])
    value = scene.composition.figure.off_axes(place)["xy".index(match["axis"])]
    good = abs(float(value) - value_of(match)) < 1e-6
    _unless(good, f"it is {float(value):.4g}")
    yield from ()


def _graphs(scene: Scene) -> list[Any]:
    found = curves(scene.composition)
    if not found:
        raise Undecided
    return found


def has_equation(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`Its equation is y = x^2 - 3`: a drawn curve is that one; another may be spoken of, too."""
    expression = equation(match[0])
    if expression is None:
        raise Undecided
    window = scene.composition.figure.window
    if not any(same_curve(expression, f, window) for f in _graphs(scene)):
        if len(curves(scene.composition)) == 1:
            raise Contradicted("the drawn curve is another")
        raise Undecided
    yield from ()


def on_curve(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`passes through P`, `meets the y-axis at P(0, 3)`, `has its vertex at S`."""
    found = _graphs(scene)
    groups = match.groupdict()
    names = groups.get("point") or ""
    if names:
        (place,) = scene.points(names_of(names)[0])
        x, y = map(float, scene.composition.figure.off_axes(place))
    else:
        x, y = (float(value) for value in re.findall(NUMBER, match["place"]))
    size = float(np.ptp(scene.composition.figure.window[1]))
    near = [f for f in found if abs(float(f(x)) - y) < 1e-6 * max(size, 1.0)]
    _unless(bool(near), f"no curve passes through ({x:.4g}, {y:.4g})")
    if groups.get("axis"):
        across = y if groups["axis"] == "x" else x
        _unless(
            abs(across) < 1e-9,
            f"({x:.4g}, {y:.4g}) is not on the {groups['axis']}-axis",
        )
    if groups.get("vertex"):
        step = 1e-3 * float(np.ptp(scene.composition.figure.window[0]))
        rises = [(float(f(x + step)) - y) * (float(f(x - step)) - y) for f in near]
        even = [abs(float(f(x + step)) - float(f(x - step))) for f in near]
        is_vertex = any(
            r > 0 and e < 1e-6 * max(size, 1.0)
            for r, e in zip(rises, even, strict=True)
        )
        _unless(is_vertex, f"the curve has no vertex at ({x:.4g}, {y:.4g})")
    yield from ()


def curve_kind(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`a parabola`: a drawn curve is one, by its differences."""
    order = {"parabola": 2, "line": 1}[match["what"]]
    low, high = map(float, scene.composition.figure.window[0])
    x = np.linspace(low, high, 9)
    for f in _graphs(scene):
        heights = np.asarray(f(x), float) + 0 * x
        steps = [np.abs(np.diff(heights, n)).max() for n in (order, order + 1)]
        if steps[0] > 1e-9 and steps[1] < 1e-6 * max(1.0, float(np.abs(heights).max())):
            return
    raise Contradicted(f"no {match['what']} is drawn")
    yield


def opens(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    (f,) = found if len(found := _graphs(scene)) == 1 else [None]
    if f is None:
        raise Undecided
    low, high = map(float, scene.composition.figure.window[0])
    middle = (low + high) / 2
    bend = float(f(low)) + float(f(high)) - 2 * float(f(middle))
    _unless((bend > 0) == (match["how"] == "upwards"), "it opens the other way")
    yield from ()


def origin(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    (place,) = scene.points(match[1])
    _unless(bool(np.abs(place).max() < 1e-9), f"{match[1]} is not the origin")
    yield from ()


# Counts


def count(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`Three lines meet in O`, `two circles`, `two points ... A and B`."""
    word = match["count"].lower()
    count = COUNTS.index(word) + 1
    what = match["what"]
    if what == "circles":
        number = sum(circle.is_whole for circle in _circles(scene))
    elif match["in"]:
        (at,) = scene.points(match["in"])
        ways = directions(scene.composition, at)
        through = [any(float(way @ other) < -0.9999 for other in ways) for way in ways]
        number = sum(through) // 2  # each line is two ways
    else:
        raise Undecided
    _unless(number == count, f"the figure has {number:g}")
    yield from ()
