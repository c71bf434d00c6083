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
    x, y = scene.figure.off_axes(place)
    told = (float(match[2]), float(match[3]))
    is_there = math.dist((x, y), told) < 1e-6
    unless(is_there, f"it lies at ({x:.4g}, {y:.4g})")
    yield from ()


def coordinate(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the x-coordinate of P is 3`."""
    (place,) = scene.points(match["of"])
    x, y = scene.figure.off_axes(place)
    value = float(x if match["axis"] == "x" else y)
    good = abs(value - value_of(match)) < 1e-6
    unless(good, f"it is {value:.4g}")
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
    window = scene.figure.window
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
        x, y = map(float, scene.figure.off_axes(place))
    else:
        told = re.findall(NUMBER, match["place"])
        x, y = map(float, told)
    across, up = scene.figure.window
    off = 1e-6 * max(float(np.ptp(up)), 1.0)
    near = [f for f in found if abs(float(f(x)) - y) < off]
    where = f"({x:.4g}, {y:.4g})"
    unless(bool(near), f"no curve passes through {where}")
    axis = groups.get("axis")
    if axis:
        away = y if axis == "x" else x
        unless(abs(away) < 1e-9, f"{where} is not on the {axis}-axis")
    if groups.get("vertex"):
        step = 1e-3 * float(np.ptp(across))
        is_vertex = any(_turns(f, x, step, off) for f in near)
        unless(is_vertex, f"the curve has no vertex at {where}")
    yield from ()


def _turns(f: Any, x: float, step: float, off: float) -> bool:
    """Whether a curve has a vertex: at both sides it is alike, above its middle or below."""
    before = float(f(x - step))
    middle = float(f(x))
    behind = float(f(x + step))
    is_turn = (before - middle) * (behind - middle) > 0
    return is_turn and abs(behind - before) < off


def curve_kind(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`a parabola`: a drawn curve is one, by its differences."""
    order = {"parabola": 2, "line": 1}[match["what"]]
    low, high = map(float, scene.figure.window[0])
    x = np.linspace(low, high, 9)
    for f in graphs_of(scene):
        heights = np.asarray(f(x), float) + 0 * x
        size = max(1.0, float(np.abs(heights).max()))
        bend = np.abs(np.diff(heights, order)).max()
        rest = np.abs(np.diff(heights, order + 1)).max()
        if bend > 1e-9 and rest < 1e-6 * size:
            return
    raise Contradicted(f"no {match['what']} is drawn")
    yield


def opens(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    found = graphs_of(scene)
    if len(found) != 1:
        raise Undecided
    (f,) = found
    low, high = map(float, scene.figure.window[0])
    middle = (low + high) / 2
    ends = float(f(low)) + float(f(high))
    bend = ends - 2 * float(f(middle))
    unless((bend > 0) == (match["how"] == "upwards"), "it opens the other way")
    yield from ()


def origin(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    (place,) = scene.points(match[1])
    unless(bool(np.abs(place).max() < 1e-9), f"{match[1]} is not the origin")
    yield from ()
