"""Plots as inline HTML and SVG: no script, no file beside the page, the same bytes each time.

Colours come from the style sheet's classes (`series-1` ...), so plots follow light and dark pages.
Rows of dots, bars and shares are laid out in percent and fit any width; profiles and radars are
drawings of 360 units that a phone shows whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Protocol

from ..base.templating import visible

STEPS = (5, 10, 20, 25)  # between the ticks of an axis in percent
Ticks = Sequence[int]


class Interval(Protocol):
    """A fraction of one with its 95 % interval, counted on `n`."""

    @property
    def n(self) -> int: ...
    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


Rates = Sequence[tuple[str, Interval]]


def dot_plot(title: str, rates: Rates) -> str:
    """One row per group: a dot at the accuracy, a line over its 95 % interval."""
    return _rows(title, rates, '<circle class="series-1" cx="{value}%" cy="50%" r="5"/>')


def bar_plot(title: str, rates: Rates) -> str:
    """One row per group: a bar up to the accuracy, a line over its 95 % interval."""
    bar = '<rect class="series-1" x="0" y="20%" width="{value}%" height="60%" rx="3"/>'
    return _rows(title, rates, bar)


def difference_plot(title: str, rates: Rates) -> str:
    """One row per group: a dot at a difference, a line over its 95 % interval, zero in the middle.

    What lies wholly on one side of the line in the middle differs by more than chance, where many
    groups are looked at together only if a corrected p says so, too.
    """
    known = [(name, rate) for name, rate in rates if rate.value is not None]
    reach = _ticks([r.high for _, r in known] + [-r.low for _, r in known if r.low is not None])
    top = reach[-1]
    ticks = [-tick for tick in reversed(reach[1:])] + list(reach)
    dot = '<circle class="series-1" cx="{value}%" cy="50%" r="5"/>'
    body = "".join(_row(name, rate, dot, ticks, _signed) for name, rate in known)
    return _figure(title, f'<div class="rows">{body}{_axis_below(ticks, -top, top)}</div>')


def _ticks(values: Sequence[float | None]) -> Ticks:
    """An axis in percent from zero to above the highest value, in four or five round steps.

    >>> _ticks([0.27]), _ticks([0.04]), _ticks([0.6, None]), _ticks([1.0])
    ([0, 10, 20, 30], [0, 5], [0, 20, 40, 60], [0, 25, 50, 75, 100])
    """
    highest = min(1.0, max((v for v in values if v is not None), default=1.0))
    step = next(s for s in STEPS if 100 * highest <= 4 * s)
    count = max(1, math.ceil(100 * highest / step - 1e-9))
    return [step * k for k in range(count + 1)]


def value_plot(title: str, values: Sequence[tuple[str, float, str]]) -> str:
    """One bar per name for a value from 0 to 1, with the text that stands beside it."""
    body = "".join(
        f'<div class="row"><span class="label">{_text(name)}</span>'
        f'<svg class="track" aria-hidden="true"><rect class="series-1" x="0" y="20%" '
        f'width="{100 * max(0.0, min(1.0, value)):.2f}%" height="60%" rx="3"/></svg>'
        f'<span class="value">{_text(said)}</span></div>'
        for name, value, said in values
    )
    return _figure(title, f'<div class="rows">{body}</div>')


def heat_map(title: str, names: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """A square table of counts, shaded by their share of the row."""
    head = "".join(f'<th scope="col"><span>{_text(name)}</span></th>' for name in names)
    rows = ""
    for name, row in zip(names, counts, strict=True):
        total = sum(row) or 1
        cells = "".join(
            f'<td style="--share:{100 * count / total:.0f}%">{count or ""}</td>' for count in row
        )
        rows += f'<tr><th scope="row">{_text(name)}</th>{cells}</tr>'
    return _figure(
        title,
        f'<div class="wide" tabindex="0" role="region" aria-label="{_text(title)}">'
        f'<table class="heat"><tr><td></td>{head}</tr>{rows}</table></div>',
    )


def _rows(title: str, rates: Rates, mark: str) -> str:
    rows = [(name, rate) for name, rate in rates if rate.value is not None]
    ticks = _ticks([v for _, rate in rows for v in (rate.value, rate.high)])
    body = "".join(_row(name, rate, mark, ticks, _percent) for name, rate in rows)
    return _figure(title, f'<div class="rows">{body}{_axis_below(ticks, 0, ticks[-1])}</div>')


def _axis_below(ticks: Ticks, low: int, high: int) -> str:
    places = ((tick, 100 * (tick - low) / (high - low)) for tick in ticks)
    marks = "".join(f'<span style="left:{at:.2f}%">{tick}</span>' for tick, at in places)
    return f'<div class="ticks">{marks}</div>'


def _row(
    name: str, rate: Interval, mark: str, ticks: Ticks, said: Callable[[float | None], str]
) -> str:
    """A row of a plot whose axis runs from the first tick to the last; `said` writes a value."""
    width = ticks[-1] - ticks[0]

    def at(value: float | None) -> str:
        place = 100 * (100 * (value or 0.0) - ticks[0]) / width
        return f"{min(100.0, max(0.0, place)):.2f}"

    grid = "".join(
        f'<line class="{"grid zero" if tick == 0 else "grid"}" x1="{at(tick / 100)}%" '
        f'x2="{at(tick / 100)}%" y1="0" y2="100%"/>'
        for tick in ticks
    )
    tip = f"{name}: {said(rate.value)} [{said(rate.low)}, {said(rate.high)}], n = {rate.n}"
    return (
        f'<div class="row" title="{_text(tip)}"><span class="label">{_text(name)}</span>'
        f'<svg class="track" aria-hidden="true">{grid}{mark.format(value=at(rate.value))}'
        f'<line class="whisker" x1="{at(rate.low)}%" x2="{at(rate.high)}%" y1="50%" y2="50%"/>'
        f'</svg><span class="value">{said(rate.value)} <small>n {rate.n:,}</small></span></div>'
    )


def stacked_bars(
    title: str, parts: Sequence[str], rows: Sequence[tuple[str, Sequence[float]]]
) -> str:
    """One full bar per row, cut into the shares of `parts` (four dimensions, error kinds)."""
    body = ""
    for name, shares in rows:
        pieces = "".join(
            f'<span class="share series-{j % 8 + 1}" style="width:{100 * share:.2f}%" '
            f'title="{_text(f"{name}, {part}: {_percent(share)}")}">'
            f"{_percent(share) if share > 0.06 else ''}</span>"
            for j, (part, share) in enumerate(zip(parts, shares, strict=True))
        )
        body += (
            f'<div class="row"><span class="label">{_text(name)}</span>'
            f'<span class="stack">{pieces}</span></div>'
        )
    return _figure(title, f'<div class="rows stacked">{body}</div>{_legend(parts)}')


def profile_plot(title: str, series: Mapping[str, Rates]) -> str:
    """Lines over ordered groups with bands of 95 %: how accuracy falls from version to version."""
    names = list(dict.fromkeys(name for rates in series.values() for name, _ in rates))
    left, right, top, bottom = 26.0, 394.0, 16.0, 174.0
    step = (right - left) / max(1, len(names))
    xs = {name: left + step * (k + 0.5) for k, name in enumerate(names)}

    ticks = _ticks([v for rates in series.values() for _, r in rates for v in (r.value, r.high)])

    def y(value: float | None) -> float:
        return bottom - (bottom - top) * 100 * (value or 0.0) / ticks[-1]

    body = "".join(
        f'<line class="grid" x1="{left}" x2="{right}" y1="{y(t / 100):.1f}" y2="{y(t / 100):.1f}"/>'
        f'<text class="tick" x="{left - 4}" y="{y(t / 100) + 3:.1f}" text-anchor="end">{t}</text>'
        for t in ticks
    )
    for k, rates in enumerate(series.values(), 1):
        known = [(xs[name], r) for name, r in rates if r.value is not None]
        band = [(x, y(r.high)) for x, r in known] + [(x, y(r.low)) for x, r in reversed(known)]
        line = [(x, y(r.value)) for x, r in known]
        body += (
            f'<polygon class="band series-{k}" points="{_points(band)}"/>'
            f'<polyline class="line line-{k}" points="{_points(line)}"/>'
        )
        for x, r in known:
            body += f'<circle class="series-{k}" cx="{x:.1f}" cy="{y(r.value):.1f}" r="3.5"/>'
            if len(series) == 1:
                body += (
                    f'<text class="inside-plot" x="{x:.1f}" y="{y(r.value) - 8:.1f}" '
                    f'text-anchor="middle">{_percent(r.value)}</text>'
                )
    for name in names:
        for k, word in enumerate(_in_two(name.replace("_", " "))):
            body += (
                f'<text class="tick" x="{xs[name]:.1f}" y="{bottom + 14 + 11 * k:.1f}" '
                f'text-anchor="middle">{_text(_short(word, 11))}</text>'
            )
    legend = _legend(list(series)) if len(series) > 1 else ""
    return _figure(title, _svg(title, 204, body, width=400) + legend)


def radar_plot(title: str, series: Mapping[str, Rates]) -> str:
    """One polygon per series over the groups as axes, as the papers draw their models.

    Rings stand at round figures, which are written along the first axis.
    """
    names = list(dict.fromkeys(name for rates in series.values() for name, _ in rates))
    rings = _ticks([r.value for rates in series.values() for _, r in rates])[1:]
    rim = rings[-1] / 100
    centre_x, centre_y, radius = 220.0, 165.0, 120.0

    def at(k: int, share: float) -> tuple[float, float]:
        angle = 2 * math.pi * k / len(names)
        x, y = math.sin(angle), math.cos(angle)
        return centre_x + radius * share * x, centre_y - radius * share * y

    axes = range(len(names))
    body = "".join(
        f'<polygon class="ring" points="{_points([at(k, ring) for k in axes])}"/>'
        for ring in (tick / rings[-1] for tick in rings)
    )
    body += "".join(_axis(name, at(k, 1.0), at(k, 1.08), centre_x, centre_y)
                    for k, name in enumerate(names))  # fmt: skip
    for k, rates in enumerate(series.values(), 1):
        values = {name: r.value or 0.0 for name, r in rates}
        corners = _points([at(j, values.get(name, 0.0) / rim) for j, name in enumerate(names)])
        body += (
            f'<polygon class="band series-{k}" points="{corners}"/>'
            f'<polygon class="line line-{k}" points="{corners}"/>'
        )
    body += "".join(
        f'<text class="tick ring-tick" x="{centre_x + 3}" '
        f'y="{centre_y - radius * tick / rings[-1] + 10:.1f}">{tick}</text>'
        for tick in rings
    )
    legend = _legend(list(series)) if len(series) > 1 else ""
    lowest = max(at(k, 1.08)[1] for k in axes)
    return _figure(title, _svg(title, round(lowest) + 24, body, width=440) + legend)


def _axis(
    name: str, end: tuple[float, float], label: tuple[float, float], x: float, y: float
) -> str:
    """A spoke with its name, in two lines where it has two words."""
    side = "middle" if abs(end[0] - x) < 8 else "start" if end[0] > x else "end"
    words = _in_two(name.replace("_", " "))
    top = label[1] + 3 - (10 * (len(words) - 1) if label[1] < y else 0)
    lines = "".join(
        f'<tspan x="{label[0]:.1f}" y="{top + 10 * k:.1f}">{_text(_short(word, 15))}</tspan>'
        for k, word in enumerate(words)
    )
    return (
        f'<line class="grid" x1="{x}" y1="{y}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
        f'<text class="tick" text-anchor="{side}">{lines}</text>'
    )


def _in_two(name: str) -> list[str]:
    """A name cut at the blank nearest its middle.

    >>> _in_two("metric geometry - length"), _in_two("logic")
    (['metric geometry', '- length'], ['logic'])
    """
    blanks = [k for k, c in enumerate(name) if c == " "]
    if len(name) <= 12 or not blanks:
        return [name]
    middle = min(blanks, key=lambda k: abs(k - len(name) // 2))
    return [name[:middle], name[middle + 1 :]]


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _legend(parts: Sequence[str]) -> str:
    entries = "".join(
        f'<li><span class="swatch series-{k % 8 + 1}"></span>{_text(part)}</li>'
        for k, part in enumerate(parts)
    )
    return f'<ul class="legend">{entries}</ul>'


def _svg(title: str, height: int, body: str, width: int) -> str:
    return (
        f'<svg class="plot" role="img" viewBox="0 0 {width} {height}" '
        f'xmlns="http://www.w3.org/2000/svg" aria-label="{_text(title)}">{body}</svg>'
    )


def _figure(title: str, body: str) -> str:
    return f"<figcaption>{_text(title)}</figcaption>{body}"


def _text(text: str) -> str:
    return escape(visible(text))


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f}"


def _signed(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:+.1f}"


def _short(text: str, length: int) -> str:
    """A long name without its middle: groups of one subject differ at their ends.

    >>> _short("Plane Geometry / Applied Length", 20)
    'Plane G…plied Length'
    """
    if len(text) <= length:
        return text
    start = length // 3 + 1
    return f"{text[:start]}…{text[start + 1 - length :]}"
