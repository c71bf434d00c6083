"""What sentences say of shapes and their corners, held to a figure."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from ..diagram import (
    KINDS,
    NEAR,
    Claim,
    contains,
    directions,
    extent,
    is_covered,
    kind_of_four,
)
from ..figure import (
    MEASURES,
    angle,
    area,
    length,
)
from .claim import Contradicted, Scene, Undecided, is_so, require, unless
from .english import (
    each,
    names_of,
    run,
)

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
        unless(len(set(names)) == len(names), f"{shape} names one point twice")
        size = area([points[name] for name in names])
        is_flat = kind == "triangle" and size < 1e-6 * extent(composition) ** 2
        unless(not is_flat, f"{shape} is flat")
        ends = names if kind in ("angle", "path") else [*names, names[0]]
        for p, q in pairwise(ends):
            is_drawn = is_covered(points[p], points[q], composition, kind == "angle")
            unless(is_drawn, f"{p}{q} is not drawn")
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
        unless(corners in (None, count), f"{shape} has {count} corners")
        if is_regular:
            unless(_is_regular(points), f"{shape} is not regular")
        if match["centre"]:
            (centre,) = scene.points(match["centre"])
            away = [length([centre, point]) for point in points]
            unless(_are_alike(away), f"{match['centre']} is not the centre of {shape}")
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
    if scene.figure.dimension == 3:
        raise Undecided
    what = match["what"].lower()
    for line in each(match["lines"]):
        ends = names_of(line)
        shapes = [shape for shape in scene.shapes() if {*ends} <= {*shape}]
        if not shapes:
            raise Undecided
        # a path may be named like a shape: one that has it is enough
        fits = any(_is_side(ends, shape) == (what == "side") for shape in shapes)
        unless(fits, f"{line} is no {what} of {''.join(shapes[0])}")
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
        unless(good, f"angle {name} is not {how}: the figure measures {size:.4g}°")
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
    unless(holds, f"triangle {name} is not {what}")
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
            require(scene, "bisects", [apex + point, before + apex + behind])
        elif what.startswith(("height", "altitude")):
            require(scene, "perpendicular", [apex + point, before + behind])
    if what.startswith("median"):
        require(scene, "centroid", [point, match["of"]])
    yield from ()


def corners_on(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`EFGH stands with its corners on the sides of square ABCD`."""
    around = names_of(match["outer"])
    sides = [p + q for p, q in pairwise([*around, around[0]])]
    for name in names_of(match["inner"]):
        is_on = name in around or any(
            is_so(scene, "collinear", [name, *names_of(s)]) for s in sides
        )
        unless(is_on, f"{name} is on no side of {match['outer']}")
    yield from ()


def of_one(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    measure = MEASURES[match[2]]
    first, *others = (float(measure(scene.points(shape))) for shape in each(match[1]))
    same = all(abs(other - first) <= NEAR * first for other in others)
    unless(same, f"the figure measures {first:.4g} and {(others or [first])[0]:.4g}")
    yield from ()


def inside(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    outer = scene.points(match["outer"])
    inner = scene.points(match["inner"])
    holds = len(outer) > 2 and all(contains(outer, place) for place in inner)
    unless(holds, f"{match['inner']} does not lie inside {match['outer']}")
    yield from ()
