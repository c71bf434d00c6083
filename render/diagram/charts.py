"""Statistics charts as textbooks print them: strokes and labels on a page of 10 units' width.

`kind: chart` and one item under `chart`: bar, histogram, line, pie, table, stem. What a chart shows
at all is DI; printed values (`values: true`, the shares of a pie) are EC.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ..figure import Array, Dot, Number, Stroke, number
from ..labels import Label
from .sketch import DI, EC, Sketch, plain

WIDE, HIGH = 10.0, 6.5
MOST = 24  # bars, parts or rows
GREYS = ("gray", "white", "blue", "yellow", "green", "red", "purple", "orange")


def bar(
    data: dict[str, Any], *, step: Number = 0, names: Any = None, values: bool = False,
) -> Sketch:  # fmt: skip
    """`{bar: {Mon: 3, Tue: 5}, names: [Day, Books], step: 1, values: true}`."""
    heights = _numbers(data)
    chart, scale = _scaled_axes(heights, step, names)
    wide = WIDE / len(heights)
    for k, (name, height) in enumerate(zip(data, heights, strict=True)):
        middle, top = (k + 0.5) * wide, height * scale
        if height:
            _box(chart, middle - 0.3 * wide, middle + 0.3 * wide, top, "gray")
        chart.text(name, middle, 0, (0, 1))
        if values:
            chart.text(plain(height), middle, top, (0, -1), EC)
    return chart


def histogram(
    counts: list[float], *, edges: list[float], step: Number = 0, names: Any = None,
    values: bool = False,
) -> Sketch:  # fmt: skip
    """`{histogram: [4, 7, 2], edges: [0, 10, 20, 30]}`: bars touch, their width is the class's."""
    if len(edges) != len(counts) + 1 or any(b <= a for a, b in pairwise(edges)):
        raise ValueError(f"needs {len(counts) + 1} rising edges")
    heights = _numbers(dict(enumerate(counts)))
    chart, scale = _scaled_axes(heights, step, names)
    places = [WIDE * (edge - edges[0]) / (edges[-1] - edges[0]) * 0.92 + 0.5 for edge in edges]
    for k, height in enumerate(heights):
        if height:
            _box(chart, places[k], places[k + 1], height * scale, "gray")
        if values:
            chart.text(plain(height), sum(places[k : k + 2]) / 2, height * scale, (0, -1), EC)
    for edge, place in zip(edges, places, strict=True):
        chart.line((place, 0), (place, -0.1))
        chart.text(plain(edge), place, -0.1, (0, 1))
    return chart


def line(
    data: dict[str, Any], *, step: Number = 0, names: Any = None, values: bool = False,
) -> Sketch:  # fmt: skip
    """`{line: {Jan: 3, Feb: 5}}`: dots joined in the order written."""
    heights = _numbers(data)
    chart, scale = _scaled_axes(heights, step, names)
    wide = WIDE / len(heights)
    path = [((k + 0.5) * wide, height * scale) for k, height in enumerate(heights)]
    if len(path) > 1:
        chart.line(*path, width=1.5)
    chart.things += [Dot(np.array(place)) for place in path]
    for (x, y), name, height in zip(path, data, heights, strict=True):
        chart.line((x, 0), (x, -0.1))
        chart.text(name, x, -0.1, (0, 1))
        if values:
            label = Label(plain(height), "near", np.array([[x, y + 0.25]]), "", EC)
            chart.labels.append(label)
    return chart


def pie(data: dict[str, Any], *, values: bool = True) -> Sketch:
    """`{pie: {Art: 30, Music: 45, Sport: 25}}`: clockwise from the top, in percent."""
    shares = _numbers(data)
    total, radius = math.fsum(shares), 3.2
    if not total or min(shares) <= 0:
        raise ValueError("the parts of a pie are positive")
    chart, turned = Sketch(), 0.0
    for k, (name, share) in enumerate(zip(data, shares, strict=True)):
        ends = turned / total, (turned + share) / total
        t = np.pi / 2 - 2 * np.pi * np.linspace(*ends, max(3, int(120 * share / total)))
        arc = radius * np.stack([np.cos(t), np.sin(t)], 1)
        tint = GREYS[k % len(GREYS)] if len(shares) > 1 else "gray"
        chart.things.append(Stroke(np.vstack([[0, 0], arc]), closed=True, fill=tint))
        middle = np.pi / 2 - np.pi * sum(ends)
        c, s = float(np.cos(middle)), float(np.sin(middle))
        chart.text(name, radius * c, radius * s, (_side(c), -_side(s)))
        if values:
            inner = 0.62 * radius
            chart.text(f"{plain(100 * share / total)}%", inner * c, inner * s, tags=EC)
        turned += share
    return chart


def table(rows: Any, *, header: bool = True, width: Number = 0) -> Sketch:
    """`{table: [[Marks, 1, 2], [Pupils, 4, 7]]}`: ruled cells; `width` of a column in units."""
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise ValueError("a table is a list of rows")
    columns = len(rows[0])
    if not columns or any(len(row) != columns for row in rows) or max(columns, len(rows)) > MOST:
        raise ValueError(f"rows of one length, at most {MOST} by {MOST} cells")
    widths = [width or 0.45 + 0.24 * max(len(str(row[k])) for row in rows) for k in range(columns)]
    edges, high = np.concatenate([[0], np.cumsum(widths)]).tolist(), 0.75
    chart = Sketch()
    for k in range(len(rows) + 1):
        chart.line((0, -k * high), (edges[-1], -k * high))
    for edge in edges:
        chart.line((edge, 0), (edge, -len(rows) * high))
    if header:
        corners = np.array([[0, 0], [edges[-1], 0], [edges[-1], -high], [0, -high]], float)
        chart.things.insert(0, Stroke(corners, closed=True, width=0, fill="gray"))
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if str(cell).strip():
                tags = DI if r == 0 or c == 0 else EC
                chart.text(cell, (edges[c] + edges[c + 1]) / 2, -(r + 0.5) * high, tags=tags)
    return chart


def stem(data: list[float], *, unit: Number = 1) -> Sketch:
    """`{stem: [23, 25, 31, 40]}`: tens before the bar, units (`unit: 0.1`: tenths) behind it."""
    if unit <= 0:
        raise ValueError("unit is positive")
    leaves = sorted(round(value / unit) for value in data)
    if leaves[0] < 0 or any(abs(v / unit - round(v / unit)) > 1e-6 for v in data):
        raise ValueError("stem-and-leaf shows whole multiples of its unit from 0 on")
    stems = list(range(leaves[0] // 10, leaves[-1] // 10 + 1))
    if len(stems) > MOST or len(data) > 100:
        raise ValueError(f"at most {MOST} stems and 100 leaves")
    chart, high = Sketch(), 0.62
    for k, tens in enumerate(stems):
        y = -(k + 0.5) * high
        chart.text(tens, 0.55, y)
        row = [leaf % 10 for leaf in leaves if leaf // 10 == tens]
        for n, leaf in enumerate(row):
            chart.text(leaf, 1.5 + 0.42 * n, y, tags=EC)
    chart.line((1.05, 0.1), (1.05, -len(stems) * high - 0.1))
    first = leaves[0]
    key = f"Key: {first // 10} | {first % 10} = {plain(first * unit)}"
    chart.text(key, 1.05, -(len(stems) + 0.9) * high)
    return chart


CHARTS: dict[str, Callable[..., Sketch]] = {
    function.__name__: function for function in (bar, histogram, line, pie, table, stem)
}


def _numbers(data: Mapping[Any, Any]) -> list[float]:
    if not 1 <= len(data) <= MOST:
        raise ValueError(f"{len(data)} values; a chart shows 1 to {MOST}")
    values = [float(number(value)) for value in data.values()]
    for name, value in zip(data, values, strict=True):
        if not math.isfinite(value) or value < 0:
            raise ValueError(f"{name}: {value:g} cannot be shown; values are 0 or more")
    return values


def _scaled_axes(heights: list[float], step: float, names: Any) -> tuple[Sketch, float]:
    """Axes with numbers and light lines, and units of the page for one of the data."""
    most = max(heights)
    step = float(step) or _nice(most / 6)
    if step <= 0 or most / step > 40:
        raise ValueError(f"step {step:g} for values up to {most:g}")
    count = max(1, math.ceil(most / step - 1e-9))
    scale = HIGH / (count * step)
    chart = Sketch()
    for k in range(count + 1):
        y = k * step * scale
        if k:
            chart.line((0, y), (WIDE, y), color="light", width=0.6, light=True)
        chart.line((-0.1, y), (0, y))
        chart.text(plain(k * step), -0.1, y, (-1, 0))
    chart.line((0, 0), (WIDE + 0.5, 0), arrows=(False, True))
    chart.line((0, 0), (0, HIGH + 0.7), arrows=(False, True))
    if names is not None:
        if not isinstance(names, list) or len(names) != 2:
            raise ValueError("names are [across, up]")
        chart.text(names[0], WIDE + 0.5, 0, (1, 0))
        chart.text(names[1], 0, HIGH + 0.7, (0, -1))
    return chart, scale


def _nice(step: float) -> float:
    """The next of 1, 2, 5, 10, ... from a step on."""
    power = 10.0 ** math.floor(math.log10(step)) if step > 0 else 1.0
    return next(power * k for k in (1, 2, 5, 10) if power * k >= step - 1e-12)


def _box(chart: Sketch, left: float, right: float, top: float, tint: str) -> None:
    corners: Array = np.array([[left, 0], [right, 0], [right, top], [left, top]])
    chart.things.append(Stroke(corners, closed=True, width=0, fill=tint))
    chart.things.append(Stroke(corners, closed=True))  # above the light lines


def _side(value: float) -> float:
    return 0.0 if abs(value) < 0.3 else math.copysign(1.0, value)
