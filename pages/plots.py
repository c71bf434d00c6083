"""Plots as inline HTML and SVG: no script, no file beside the page, the same bytes each time.

Colours come from the style sheet's classes (`series-1` ...), so plots follow light and dark pages.
Rows of dots, bars and shares are laid out in percent and fit any width; profiles and radars are
drawings of 360 units that a phone shows whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Protocol

from .rich import visible

TICKS = (0, 25, 50, 75, 100)


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


def value_plot(title: str, values: Sequence[tuple[str, float, str]]) -> str:
    """One bar per name for a value from 0 to 1, with the text that stands beside it."""
    body = "".join(
        f'<div class="row"><span class="label">{_text(name)}</span>'
        f'<svg class="track" aria-hidden="true">{_grid()}<rect class="series-1" x="0" y="20%" '
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


def _grid() -> str:
    return "".join(f'<line class="grid" x1="{t}%" x2="{t}%" y1="0" y2="100%"/>' for t in TICKS)


def _rows(title: str, rates: Rates, mark: str) -> str:
    rows = [(name, rate) for name, rate in rates if rate.value is not None]
    body = "".join(_row(name, rate, mark) for name, rate in rows)
    ticks = "".join(f'<span style="left:{tick}%">{tick}</span>' for tick in TICKS)
    return _figure(title, f'<div class="rows">{body}<div class="ticks">{ticks}</div></div>')


def _row(name: str, rate: Interval, mark: str) -> str:
    low, value, high = (f"{100 * (v or 0.0):.2f}" for v in (rate.low, rate.value, rate.high))
    tip = f"{name}: {_percent(rate.value)} [{_percent(rate.low)}, {_percent(rate.high)}]"
    return (
        f'<div class="row" title="{_text(tip)}, n = {rate.n}"><span class="label">{_text(name)}'
        f'</span><svg class="track" aria-hidden="true">{_grid()}{mark.format(value=value)}'
        f'<line class="whisker" x1="{low}%" x2="{high}%" y1="50%" y2="50%"/></svg>'
        f'<span class="value">{_percent(rate.value)} <small>n {rate.n}</small></span></div>'
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
    left, right, top, bottom = 26.0, 350.0, 10.0, 170.0
    step = (right - left) / max(1, len(names))
    xs = {name: left + step * (k + 0.5) for k, name in enumerate(names)}

    def y(value: float | None) -> float:
        return bottom - (bottom - top) * (value or 0.0)

    body = "".join(
        f'<line class="grid" x1="{left}" x2="{right}" y1="{y(t / 100):.1f}" y2="{y(t / 100):.1f}"/>'
        f'<text class="tick" x="{left - 4}" y="{y(t / 100) + 3:.1f}" text-anchor="end">{t}</text>'
        for t in TICKS
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
                    f'<text class="inside-plot" x="{x:.1f}" y="{y(r.high) - 4:.1f}" '
                    f'text-anchor="middle">{_percent(r.value)}</text>'
                )
    for name in names:
        for k, word in enumerate(name.replace("_", " ").split()[:2]):
            body += (
                f'<text class="tick" x="{xs[name]:.1f}" y="{bottom + 14 + 11 * k:.1f}" '
                f'text-anchor="middle">{_text(_short(word, 11))}</text>'
            )
    legend = _legend(list(series)) if len(series) > 1 else ""
    return _figure(title, _svg(title, 200, body) + legend)


def radar_plot(title: str, series: Mapping[str, Rates]) -> str:
    """One polygon per series over the groups as axes, as the papers draw their models."""
    names = list(dict.fromkeys(name for rates in series.values() for name, _ in rates))
    centre_x, centre_y, radius = 180.0, 140.0, 92.0

    def at(k: int, value: float) -> tuple[float, float]:
        angle = 2 * math.pi * k / len(names)
        return (
            centre_x + radius * value * math.sin(angle),
            centre_y - radius * value * math.cos(angle),
        )

    axes = range(len(names))
    body = "".join(
        f'<polygon class="ring" points="{_points([at(k, t / 100) for k in axes])}"/>'
        for t in TICKS[1:]
    )
    for k, name in enumerate(names):
        x, y = at(k, 1.0)
        label_x, label_y = at(k, 1.12)
        side = "middle" if abs(x - centre_x) < 8 else "start" if x > centre_x else "end"
        body += (
            f'<line class="grid" x1="{centre_x}" y1="{centre_y}" x2="{x:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{label_x:.1f}" y="{label_y + 3:.1f}" text-anchor="{side}">'
            f"{_text(_short(name, 16))}</text>"
        )
    for k, rates in enumerate(series.values(), 1):
        values = {name: r.value or 0.0 for name, r in rates}
        corners = [at(j, values.get(name, 0.0)) for j, name in enumerate(names)]
        body += (
            f'<polygon class="band series-{k}" points="{_points(corners)}"/>'
            f'<polygon class="line line-{k}" points="{_points(corners)}"/>'
        )
    legend = _legend(list(series)) if len(series) > 1 else ""
    return _figure(title, _svg(title, 280, body) + legend)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _legend(parts: Sequence[str]) -> str:
    entries = "".join(
        f'<li><span class="swatch series-{k % 8 + 1}"></span>{_text(part)}</li>'
        for k, part in enumerate(parts)
    )
    return f'<ul class="legend">{entries}</ul>'


def _svg(title: str, height: int, body: str) -> str:
    return (
        f'<svg class="plot" role="img" viewBox="0 0 360 {height}" '
        f'xmlns="http://www.w3.org/2000/svg" aria-label="{_text(title)}">{body}</svg>'
    )


def _figure(title: str, body: str) -> str:
    return f"<figcaption>{_text(title)}</figcaption>{body}"


def _text(text: str) -> str:
    return escape(visible(text))


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f}"


def _short(text: str, length: int) -> str:
    """A long name without its middle: groups of one subject differ at their ends.

    >>> _short("Plane Geometry / Applied Length", 20)
    'Plane G…plied Length'
    """
    if len(text) <= length:
        return text
    start = length // 3 + 1
    return f"{text[:start]}…{text[start + 1 - length :]}"
