"""Axes: the window of a graph, its grid and ticks; or a number line."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np

from .expressions import number
from .figure import Stroke

MAX_TICKS = 60  # on one axis


class Axes(msgspec.Struct, frozen=True):
    """The window of a graph; without `y` it is a number line. Steps are in units of the axis."""

    x: tuple[float, float]
    y: tuple[float, float] | None
    step: tuple[float, float]
    in_pi: bool = False  # x ticks are named as multiples of pi
    grid: bool = False
    names: tuple[str, str] = ("x", "y")
    numbers: bool = True
    origin: str = "O"
    equal: bool = True  # one unit is as long on both axes
    where: tuple[float, float] = (0.0, 0.0)  # where the axes cross
    texts: tuple[dict[float, str], dict[float, str]] = (
        {},
        {},
    )  # of ticks, by their place
    log: tuple[bool, bool] = (False, False)  # x and y are then powers of ten


def axes(
    x: list[float],
    *,
    y: list[float] | None = None,
    step: Any = None,
    grid: bool = False,
    names: Any = ("x", "y"),
    numbers: bool = True,
    origin: str = "O",
    equal: bool | None = None,
    texts: Any = None,
    log: str = "",
) -> Axes:
    """`axes: {x: [-5, 5], y: [-4, 6], step: [1, 2], grid: true}`; step pi/2 names ticks in pi.

    `texts: {x: {1: Jan, 2: Feb}, y: {4: 4i}}` are printed instead of numbers; `log: y` (x, or xy)
    makes an axis logarithmic, with a tick at each power of ten.
    """
    if log not in ("", "x", "y", "xy") or (log and (y is None or step is not None)):
        raise ValueError("log is x, y or xy, of axes x and y without a step")
    powers = ("x" in log, "y" in log)
    if any(
        limits[0] <= 0
        for limits, power in zip((x, y or x), powers, strict=True)
        if power
    ):
        raise ValueError("a logarithmic axis has positive ends")
    x, y = _powers(x) if powers[0] else x, _powers(y) if y and powers[1] else y
    for limits, power in zip((x, y), powers, strict=True):
        if power and limits and np.ceil(limits[0]) > limits[1]:
            raise ValueError("a logarithmic axis holds at least one power of ten")
    equal = False if log and equal is None else equal
    spans = [_span(x), *([_span(y)] if y is not None else [])]
    pair = step if isinstance(step, list) else [step] * 2
    steps = [
        1.0 if power else _nice(high - low) if s is None else number(s)
        for s, power, (low, high) in zip(pair, powers, spans, strict=False)
    ]
    sizes = [high - low for low, high in spans]
    if equal is None:
        equal = y is None or 0.4 < sizes[1] / sizes[0] < 2.5
    if equal and step is None:  # squares, not oblongs, between the ticks
        steps = [max(steps)] * len(steps)
    for s, (low, high) in zip(steps, spans, strict=True):
        if s <= 0 or (high - low) / s > MAX_TICKS:
            raise ValueError(f"step {s:g} gives no ticks, or more than {MAX_TICKS}")
    if not isinstance(names, list | tuple) or len(names) != 2:
        raise ValueError("names are two: [x, y]")
    own = {} if texts is None else texts
    if (
        not isinstance(own, dict)
        or set(own) - {"x", "y"}
        or not all(isinstance(each, dict) for each in own.values())
    ):
        raise ValueError("texts are {x: {1: Jan}, y: {4: 4i}}")
    words = [{number(k): str(v) for k, v in own.get(axis, {}).items()} for axis in "xy"]
    for axis, (each, power) in enumerate(zip(words, powers, strict=True)):
        low, high = spans[min(axis, len(spans) - 1)]
        if power:
            words[axis] = each = {
                math.log10(max(k, 1e-300)): v for k, v in each.items()
            }
        if any(not low - 1e-9 <= place <= high + 1e-9 for place in each):
            raise ValueError("texts stand between the ends of their axis")
    inside = [
        low if power else min(max(0.0, low), high)
        for power, (low, high) in zip(powers, spans, strict=False)
    ]
    return Axes(
        spans[0],
        spans[1] if y is not None else None,
        (steps[0], steps[-1]),
        "pi" in str(pair[0]) or "π" in str(pair[0]),
        grid,
        (str(names[0]), str(names[1])),
        numbers,
        origin,
        equal,
        (inside[0], inside[-1] if y is not None else 0.0),
        (words[0], words[1]),
        powers,
    )


def _powers(limits: list[float]) -> list[float]:
    return [float(np.log10(limit)) for limit in limits]


def _span(limits: list[float]) -> tuple[float, float]:
    if len(limits) != 2 or not limits[0] < limits[1]:
        raise ValueError(f"{limits!r} is no range [low, high]")
    return limits[0], limits[1]


def _nice(size: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that gives at most 12 ticks; whole if it can be."""
    power = 10.0 ** np.floor(np.log10(size / 12))
    step = float(next(power * k for k in (1, 2, 5, 10) if size / (power * k) <= 12))
    return max(step, 1.0) if size >= 3 else step


def ticks(span: tuple[float, float], step: float) -> list[float]:
    first, last = np.ceil(span[0] / step - 1e-9), np.floor(span[1] / step + 1e-9)
    return [float(k * step) for k in range(int(first), int(last) + 1)]


def named_places(a: Axes, axis: int) -> list[float]:
    """Where an axis has names: at its ticks, or where its own texts stand."""
    return list(a.texts[axis]) or ticks((a.x, a.y or a.x)[axis], a.step[axis])


def axes_strokes(a: Axes, pixel: tuple[float, float]) -> list[Stroke]:
    """Grid, axes with arrowheads, ticks; `pixel` is one pixel in units of each axis."""
    (dx, dy), (x0, y0) = pixel, a.where
    strokes = []
    if a.y is None:
        line = [[a.x[0] - 16 * dx, 0], [a.x[1] + 16 * dx, 0]]
        strokes.append(_axis(line, both=True))
        return strokes + [
            _axis([[t, -5 * dy], [t, 5 * dy]]) for t in ticks(a.x, a.step[0])
        ]
    if a.grid:
        for t in _lines(a, 0, a.x):
            strokes.append(_grid([[t, a.y[0]], [t, a.y[1]]]))
        for t in _lines(a, 1, a.y):
            strokes.append(_grid([[a.x[0], t], [a.x[1], t]]))
    if a.numbers:
        for t in ticks(a.x, a.step[0]):
            if abs(t - x0) > 1e-9:
                strokes.append(_axis([[t, y0 - 3.5 * dy], [t, y0 + 3.5 * dy]]))
        for t in ticks(a.y, a.step[1]):
            if abs(t - y0) > 1e-9:
                strokes.append(_axis([[x0 - 3.5 * dx, t], [x0 + 3.5 * dx, t]]))
    strokes.append(_axis([[a.x[0], y0], [a.x[1] + 18 * dx, y0]], arrow=True))
    strokes.append(_axis([[x0, a.y[0]], [x0, a.y[1] + 18 * dy]], arrow=True))
    return strokes


def _lines(a: Axes, axis: int, span: tuple[float, float]) -> list[float]:
    """Where the lines of a grid run: between powers of ten at 2 to 9 times."""
    places = ticks(span, a.step[axis])
    if not a.log[axis]:
        return places
    every = [
        k + float(np.log10(n))
        for k in range(int(span[0]) - 1, int(span[1]) + 1)
        for n in range(1, 10)
    ]
    return [t for t in every if span[0] - 1e-9 <= t <= span[1] + 1e-9]


def _axis(path: Any, arrow: bool = False, both: bool = False) -> Stroke:
    return Stroke(np.array(path, float), width=0.9, arrows=(both, arrow or both))


def _grid(path: Any) -> Stroke:
    return Stroke(np.array(path, float), width=0.7, color="light", light=True)


def tick_name(a: Axes, value: float, axis: int = 0) -> str:
    """`-2`, `0.5`, or `3π/2` where the x axis counts in pi; or the axis' own text."""
    if own := a.texts[axis]:
        return own[value]
    if a.log[axis]:
        shown = -2 <= value <= 3.5
        return f"{10 ** round(value):g}" if shown else f"$10^{{{round(value)}}}$"
    if axis or not a.in_pi:
        return f"{round(value, 9):g}".replace("-", "−")
    from fractions import Fraction

    part = Fraction(value / np.pi).limit_denominator(48)
    top = "" if abs(part.numerator) == 1 else str(abs(part.numerator))
    sign = "−" if part < 0 else ""
    bottom = f"/{part.denominator}" if part.denominator > 1 else ""
    return "0" if part == 0 else f"{sign}{top}π{bottom}"
