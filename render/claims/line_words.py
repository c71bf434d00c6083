"""What sentences say of lines and of points on them, held to a figure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

from ..diagram import (
    Claim,
)
from .claim import Scene, Undecided, is_so, require, unless
from .english import LINE, each, names_of


def two_lines(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    relation = "equal" if match["how"] in ("=", "equal") else match["how"]
    require(scene, relation, [match["first"], match["second"]])
    yield from ()


def upright(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`BT stands upright on the ground AB`."""
    require(scene, "perpendicular", [match["first"], match["second"]])
    yield from ()


def at_right_angles(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB and BC meet at a right angle`."""
    lines = each(match[1])
    if len(lines) != 2:
        raise Undecided
    require(scene, "perpendicular", lines)
    yield from ()


def some_lines(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    lines = each(match[1])
    unless(
        len({frozenset(names_of(line)) for line in lines}) == len(lines),
        "one line twice",
    )
    if match[2] == "perpendicular":
        for pair in combinations(lines, 2):
            require(scene, "perpendicular", list(pair))
    else:
        require(scene, match[2], lines)
    yield from ()


def times(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB is twice CD`, `AB is 3 times as long as CD`, `AB is half of CD`."""
    word = match["times"].lower()
    factor = {"twice": 2.0, "half": 0.5, "double": 2.0}.get(word)
    factor = float(match["number"]) if factor is None else factor
    require(scene, "ratio", [match["first"], match["second"], factor])
    yield from ()


def meet(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`AB and CD meet in P`: P lies on each, whole or produced."""
    for line in each(match["lines"]):
        if match["point"] not in names_of(line):
            require(scene, "collinear", [match["point"], *names_of(line)])
    yield from ()


def cuts(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`EF cuts AB and CD in G and H`: each point lies on EF and on its line; "them" are the lines
    that were named last."""
    points = each(match["points"])
    lines = each(match["lines"])
    if match["lines"] == "them":
        ahead = scene.text[: scene.at]
        lines = [name for name in re.findall(LINE, ahead) if name != match["line"]]
        lines = lines[-len(points) :]
    if len(lines) != len(points):
        raise Undecided
    for point, line in zip(points, lines, strict=True):
        for along in (match["line"], line):
            if point not in names_of(along):
                require(scene, "collinear", [point, *names_of(along)])
    yield from ()


def middle(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    require(scene, "midpoint", [match[1], match[2]])
    yield from ()


def corners(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`A, B and C are the corners of triangle ABC`."""
    names = names_of(match["points"])
    unless({*names} == {*names_of(match["of"])}, f"{match['of']} has others")
    scene.points(match["points"])
    yield from ()


def middles(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    around = names_of(match[2])
    sides = [p + q for p, q in pairwise([*around, around[0]])]
    points = each(match[1])
    unless(len(set(points)) == len(points), "one point twice")
    for point in points:
        scene.points(point)
        is_middle = any(is_so(scene, "midpoint", [point, side]) for side in sides)
        unless(is_middle, f"{point} is the middle of no side of {match[2]}")
    yield from ()


def bisects(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    require(scene, "bisects", [match[1], match[2]])
    yield from ()


def lies_on(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    line = names_of(match[2])
    for point in [name for names in each(match[1]) for name in names_of(names)]:
        scene.points(point + match[2])
        is_on = point not in line and is_so(scene, "collinear", [point, *line])
        unless(is_on, f"{point} does not lie on {match[2]}")
    yield from ()
