"""The values that sentences give to things: lengths, angles, areas; each is compared later."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import Any

from ..diagram import (
    NEAR,
    Claim,
    directions,
    is_covered,
    polygons,
)
from ..figure import (
    MEASURES,
    angle,
    length,
)
from .circle_words import ROUND_LINE, round_line
from .claim import Scene, Undecided, unless, value_of
from .english import (
    NUMBER,
    UNIT,
    each,
    names_of,
)
from .shape_words import corner

PART = r"side|edge|leg|base|diagonal|hypotenuse|height|altitude|slant side|slant height"


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
        unless(is_covered(a, b, scene.composition), f"{line} is not drawn")
        if word == "leg":
            unless(
                any(_is_leg(scene, shape, names) for shape in shapes), "it is no leg"
            )
    elif word == "hypotenuse":
        holds = any(_is_hypotenuse(scene, shape, names) for shape in shapes)
        unless(holds, f"{line} is no hypotenuse")
    elif word == "diagonal":
        holds = any(_is_diagonal(shape, names) for shape in shapes)
        unless(holds, f"{line} is no diagonal")
    elif word in ("height", "altitude"):
        upright = [MEASURES["angle"]([p, end, end + way]) for p, end in ((a, b), (b, a))
                   for way in directions(scene.composition, end)]  # fmt: skip
        holds = any(abs(size - 90) < 0.5 for size in upright)
        unless(holds, f"{line} stands upright on nothing")
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
    unless(
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
