"""What sentences say of places on axes and of curves, held to a figure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..diagram import (
    Claim,
    curves,
    equation,
    same_curve,
)
from .claim import Contradicted, Scene, Undecided, unless, value_of
from .english import (
    NUMBER,
    names_of,
)


def placed(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    (place,) = scene.points(match[1])
    unless(scene.composition.axes is not None, "the figure has no axes to read it from")
    x, y = scene.composition.figure.off_axes(place)
    is_there = (
        math.dist(
            (x, y),
            (float(match[2]), float(match[3])),
        )
        < 1e-6
    )
    unless(is_there, f"it lies at ({x:.4g}, {y:.4g})")
    yield from ()


def coordinate(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the x-coordinate of P is 3`."""
    (place,) = scene.points(match["of"])
    value = scene.composition.figure.off_axes(place)["xy".index(match["axis"])]
    good = abs(float(value) - value_of(match)) < 1e-6
    unless(good, f"it is {float(value):.4g}")
    yield from ()


def graphs_of(scene: Scene) -> list[Any]:
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
    if not any(same_curve(expression, f, window) for f in graphs_of(scene)):
        if len(curves(scene.composition)) == 1:
            raise Contradicted("the drawn curve is another")
        raise Undecided
    yield from ()


def on_curve(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`passes through P`, `meets the y-axis at P(0, 3)`, `has its vertex at S`."""
    found = graphs_of(scene)
    groups = match.groupdict()
    names = groups.get("point") or ""
    if names:
        (place,) = scene.points(names_of(names)[0])
        x, y = map(float, scene.composition.figure.off_axes(place))
    else:
        x, y = (float(value) for value in re.findall(NUMBER, match["place"]))
    size = float(np.ptp(scene.composition.figure.window[1]))
    near = [f for f in found if abs(float(f(x)) - y) < 1e-6 * max(size, 1.0)]
    unless(bool(near), f"no curve passes through ({x:.4g}, {y:.4g})")
    if groups.get("axis"):
        across = y if groups["axis"] == "x" else x
        unless(
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
        unless(is_vertex, f"the curve has no vertex at ({x:.4g}, {y:.4g})")
    yield from ()


def curve_kind(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`a parabola`: a drawn curve is one, by its differences."""
    order = {"parabola": 2, "line": 1}[match["what"]]
    low, high = map(float, scene.composition.figure.window[0])
    x = np.linspace(low, high, 9)
    for f in graphs_of(scene):
        heights = np.asarray(f(x), float) + 0 * x
        steps = [np.abs(np.diff(heights, n)).max() for n in (order, order + 1)]
        if steps[0] > 1e-9 and steps[1] < 1e-6 * max(1.0, float(np.abs(heights).max())):
            return
    raise Contradicted(f"no {match['what']} is drawn")
    yield


def opens(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    (f,) = found if len(found := graphs_of(scene)) == 1 else [None]
    if f is None:
        raise Undecided
    low, high = map(float, scene.composition.figure.window[0])
    middle = (low + high) / 2
    bend = float(f(low)) + float(f(high)) - 2 * float(f(middle))
    unless((bend > 0) == (match["how"] == "upwards"), "it opens the other way")
    yield from ()


def origin(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    (place,) = scene.points(match[1])
    unless(bool(np.abs(place).max() < 1e-9), f"{match[1]} is not the origin")
    yield from ()
