"""Axes: the window of a graph, its grid and ticks; or a number line."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np

from .expressions import number
from .figure import Stroke

MAX_TICKS = 60  # on one axis
NICE_TICKS = 12  # at most, where the step is ours

Span = tuple[
    float, float
]  # the ends of an axis; where it is logarithmic, powers of ten
Texts = dict[float, str]  # what is printed at places of an axis instead of numbers


class Axes(msgspec.Struct, frozen=True):
    """The window of a graph; without `y` it is a number line. Steps are in units of the axis."""

    x: Span
    y: Span | None
    step: tuple[float, float]
    in_pi: bool = False  # x ticks are named as multiples of pi
    grid: bool = False
    names: tuple[str, str] = ("x", "y")
    numbers: bool = True
    origin: str = "O"
    equal: bool = True  # one unit is as long on both axes
    where: tuple[float, float] = (0.0, 0.0)  # where the axes cross
    texts: tuple[Texts, Texts] = ({}, {})  # of ticks
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
    is_log = ("x" in log, "y" in log)
    if (is_log[0] and x[0] <= 0) or (is_log[1] and y and y[0] <= 0):
        raise ValueError("a logarithmic axis has positive ends")
    limits = [
        _powers(ends) if logarithmic else ends
        for ends, logarithmic in zip((x, y), is_log, strict=True)
        if ends is not None
    ]
    spans = [_span(ends) for ends in limits]
    if log and equal is None:
        equal = False
    sizes = [high - low for low, high in spans]
    if equal is None:
        equal = y is None or 0.4 < sizes[1] / sizes[0] < 2.5
    steps = _steps(step, sizes, is_log)
    if equal and step is None:  # squares, not oblongs, between the ticks
        steps = [max(steps)] * len(steps)
    for tick_step, size in zip(steps, sizes, strict=True):
        if tick_step <= 0 or size / tick_step > MAX_TICKS:
            raise ValueError(
                f"step {tick_step:g} gives no ticks, or more than {MAX_TICKS}"
            )
    if not isinstance(names, list | tuple) or len(names) != 2:
        raise ValueError("names are two: [x, y]")
    # the axes cross at zero, or as near to it as the window goes
    crossing = [
        low if logarithmic else min(max(0.0, low), high)
        for logarithmic, (low, high) in zip(is_log, spans, strict=False)
    ]
    x_step = str(step[0] if isinstance(step, list) else step)
    return Axes(
        x=spans[0],
        y=None if y is None else spans[1],
        step=(steps[0], steps[-1]),
        in_pi="pi" in x_step or "π" in x_step,
        grid=grid,
        names=(str(names[0]), str(names[1])),
        numbers=numbers,
        origin=origin,
        equal=equal,
        where=(crossing[0], 0.0 if y is None else crossing[1]),
        texts=_texts(texts, spans, is_log),
        log=is_log,
    )


def _steps(step: Any, sizes: list[float], is_log: tuple[bool, bool]) -> list[float]:
    """The steps of the axes: given for both or for each, or ours."""
    pair = step if isinstance(step, list) else [step] * 2
    steps = []
    for given, size, logarithmic in zip(pair, sizes, is_log, strict=False):
        if logarithmic:
            steps.append(1.0)
        else:
            steps.append(_nice(size) if given is None else number(given))
    return steps


def _texts(
    texts: Any, spans: list[Span], is_log: tuple[bool, bool]
) -> tuple[Texts, Texts]:
    """The axes' own texts by their places; of a number line both axes have its span."""
    by_axis = {} if texts is None else texts
    if (
        not isinstance(by_axis, dict)
        or set(by_axis) - {"x", "y"}
        or not all(isinstance(of_axis, dict) for of_axis in by_axis.values())
    ):
        raise ValueError("texts are {x: {1: Jan}, y: {4: 4i}}")
    x, y = (
        {number(place): str(text) for place, text in by_axis.get(axis, {}).items()}
        for axis in "xy"
    )
    x = _on_axis(x, spans[0], is_log[0])
    return x, _on_axis(y, spans[-1], is_log[1])


def _on_axis(texts: Texts, span: Span, logarithmic: bool) -> Texts:
    low, high = span
    if logarithmic:  # a number that has no logarithm lies outside as well
        texts = {math.log10(max(place, 1e-300)): text for place, text in texts.items()}
    if any(not low - 1e-9 <= place <= high + 1e-9 for place in texts):
        raise ValueError("texts stand between the ends of their axis")
    return texts


def _powers(limits: list[float]) -> list[float]:
    powers = [float(np.log10(limit)) for limit in limits]
    if powers and np.ceil(powers[0]) > powers[1]:
        raise ValueError("a logarithmic axis holds at least one power of ten")
    return powers


def _span(limits: list[float]) -> Span:
    if len(limits) != 2 or not limits[0] < limits[1]:
        raise ValueError(f"{limits!r} is no range [low, high]")
    return limits[0], limits[1]


def _nice(size: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that gives at most 12 ticks; whole if it can be."""
    power = 10.0 ** np.floor(np.log10(size / NICE_TICKS))
    steps = (power * factor for factor in (1, 2, 5, 10))
    step = float(next(step for step in steps if size / step <= NICE_TICKS))
    return max(step, 1.0) if size >= 3 else step


def ticks(span: Span, step: float) -> list[float]:
    """The multiples of a step from one end of an axis to the other."""
    low, high = span
    first = np.ceil(low / step - 1e-9)
    last = np.floor(high / step + 1e-9)
    return [float(k * step) for k in range(int(first), int(last) + 1)]


def named_places(a: Axes, axis: int) -> list[float]:
    """Where an axis has names: at its ticks, or where its own texts stand."""
    span = a.y if axis and a.y else a.x
    return list(a.texts[axis]) or ticks(span, a.step[axis])


def axes_strokes(a: Axes, pixel: tuple[float, float]) -> list[Stroke]:
    """Grid, axes with arrowheads, ticks; `pixel` is one pixel in units of each axis."""
    dx, dy = pixel
    x0, y0 = a.where
    left, right = a.x
    if a.y is None:
        line = _axis([left - 16 * dx, 0], [right + 16 * dx, 0], both=True)
        numbered = ticks(a.x, a.step[0])
        return [line, *(_axis([x, -5 * dy], [x, 5 * dy]) for x in numbered)]
    bottom, top = a.y
    strokes = []
    if a.grid:
        strokes += [_grid([x, bottom], [x, top]) for x in _grid_lines(a, 0, a.x)]
        strokes += [_grid([left, y], [right, y]) for y in _grid_lines(a, 1, a.y)]
    if a.numbers:
        # where the axes cross stands no tick
        for x in ticks(a.x, a.step[0]):
            if abs(x - x0) > 1e-9:
                strokes.append(_axis([x, y0 - 3.5 * dy], [x, y0 + 3.5 * dy]))
        for y in ticks(a.y, a.step[1]):
            if abs(y - y0) > 1e-9:
                strokes.append(_axis([x0 - 3.5 * dx, y], [x0 + 3.5 * dx, y]))
    strokes.append(_axis([left, y0], [right + 18 * dx, y0], arrow=True))
    strokes.append(_axis([x0, bottom], [x0, top + 18 * dy], arrow=True))
    return strokes


def _grid_lines(a: Axes, axis: int, span: Span) -> list[float]:
    """Where the lines of a grid run: between powers of ten at 2 to 9 times."""
    if not a.log[axis]:
        return ticks(span, a.step[axis])
    low, high = span
    within_power = [float(np.log10(digit)) for digit in range(1, 10)]
    places = [
        power + part
        for power in range(int(low) - 1, int(high) + 1)
        for part in within_power
    ]
    return [place for place in places if low - 1e-9 <= place <= high + 1e-9]


def _axis(a: Any, b: Any, arrow: bool = False, both: bool = False) -> Stroke:
    return Stroke(np.array([a, b], float), width=0.9, arrows=(both, arrow or both))


def _grid(a: Any, b: Any) -> Stroke:
    return Stroke(np.array([a, b], float), width=0.7, color="light", light=True)


def tick_name(a: Axes, value: float, axis: int = 0) -> str:
    """`-2`, `0.5`, or `3π/2` where the x axis counts in pi; or the axis' own text."""
    texts = a.texts[axis]
    if texts:
        return texts[value]
    if a.log[axis]:
        if -2 <= value <= 3.5:
            return f"{10 ** round(value):g}"
        return f"$10^{{{round(value)}}}$"
    if axis or not a.in_pi:
        return f"{round(value, 9):g}".replace("-", "−")
    from fractions import Fraction

    part = Fraction(value / np.pi).limit_denominator(48)
    if part == 0:
        return "0"
    sign = "−" if part < 0 else ""
    top = "" if abs(part.numerator) == 1 else str(abs(part.numerator))
    bottom = f"/{part.denominator}" if part.denominator > 1 else ""
    return f"{sign}{top}π{bottom}"
