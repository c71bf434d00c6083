"""Plots as inline HTML and SVG: no script, no file beside the page, the same bytes each time.

Colours come from the style sheet's classes (`series-1` ...), so plots follow light and dark pages.
Rows of dots and shares are laid out in percent and fit any width; a row leads to its samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
Link = Callable[[str], str]  # from a row's name to the address of its samples


def dot_plot(title: str, rates: Rates, link: Link | None = None) -> str:
    """One row per group: a dot at the accuracy, a line over its 95 % interval, both in figures."""
    rows = [(name, rate) for name, rate in rates if rate.value is not None]
    ticks = _ticks([v for _, rate in rows for v in (rate.value, rate.high)])
    return _plot(title, rows, ticks, _percent, link)


def difference_plot(
    title: str, rates: Rates, link: Link | None = None, notes: Sequence[str] = ()
) -> str:
    """One row per group: a dot at a difference, a line over its 95 % interval, zero in the middle.

    What lies wholly on one side of the line in the middle differs by more than chance, where many
    groups are looked at together only if a corrected p says so, too: `notes` stand beside the rows.
    """
    known = [(name, rate) for name, rate in rates if rate.value is not None]
    reach = _ticks([r.high for _, r in known] + [-r.low for _, r in known if r.low is not None])
    ticks = [-tick for tick in reversed(reach[1:])] + list(reach)
    return _plot(title, known, ticks, _signed, link, notes)


def _plot(
    title: str,
    rows: Rates,
    ticks: Ticks,
    said: Callable[[float | None], str],
    link: Link | None,
    notes: Sequence[str] = (),
) -> str:
    body = "".join(
        _row(name, rate, ticks, said, link(name) if link else "", notes[k] if notes else "")
        for k, (name, rate) in enumerate(rows)
    )
    return _figure(title, f'<div class="rows">{body}{_axis_below(ticks)}</div>')


def _ticks(values: Sequence[float | None]) -> Ticks:
    """An axis in percent from zero to above the highest value, in four or five round steps.

    >>> _ticks([0.27]), _ticks([0.04]), _ticks([0.6, None]), _ticks([1.0])
    ([0, 10, 20, 30], [0, 5], [0, 20, 40, 60], [0, 25, 50, 75, 100])
    """
    highest = min(1.0, max((v for v in values if v is not None), default=1.0))
    step = next(s for s in STEPS if 100 * highest <= 4 * s)
    count = max(1, math.ceil(100 * highest / step - 1e-9))
    return [step * k for k in range(count + 1)]


def value_plot(
    title: str, values: Sequence[tuple[str, float, str]], link: Link | None = None
) -> str:
    """One bar per name for a value from 0 to 1, with the text that stands beside it."""
    body = "".join(
        f'<div class="row">{_label(name, link(name) if link else "")}'
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


def _axis_below(ticks: Ticks) -> str:
    low, high = ticks[0], ticks[-1]
    places = ((tick, 100 * (tick - low) / (high - low)) for tick in ticks)
    marks = "".join(f'<span style="left:{at:.2f}%">{tick}</span>' for tick, at in places)
    return f'<div class="ticks">{marks}</div>'


def _row(
    name: str,
    rate: Interval,
    ticks: Ticks,
    said: Callable[[float | None], str],
    address: str,
    note: str,
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
    ends = "" if rate.low is None else f"[{_end(rate.low)}, {_end(rate.high)}]"
    more = " ".join(filter(None, (ends, f"n {rate.n:,}", note)))
    return (
        f'<div class="row">{_label(name, address)}'
        f'<svg class="track" aria-hidden="true">{grid}'
        f'<line class="whisker" x1="{at(rate.low)}%" x2="{at(rate.high)}%" y1="50%" y2="50%"/>'
        f'<circle class="series-1" cx="{at(rate.value)}%" cy="50%" r="5"/></svg>'
        f'<span class="value">{said(rate.value)} <small>{_text(more)}</small></span></div>'
    )


def _label(name: str, address: str) -> str:
    if not address:
        return f'<span class="label">{_text(name)}</span>'
    return f'<a class="label" href="{_text(address)}">{_text(name)}</a>'


def _end(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f}"


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


def _legend(parts: Sequence[str]) -> str:
    entries = "".join(
        f'<li><span class="swatch series-{k % 8 + 1}"></span>{_text(part)}</li>'
        for k, part in enumerate(parts)
    )
    return f'<ul class="legend">{entries}</ul>'


def _figure(title: str, body: str) -> str:
    return f"<figcaption>{_text(title)}</figcaption>{body}"


def _text(text: str) -> str:
    return escape(visible(text))


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f}"


def _signed(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:+.1f}"
