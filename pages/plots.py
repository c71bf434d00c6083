"""Plots as inline HTML and SVG: no script, no file beside the page, the same bytes each time.

Colours come from the style sheet's classes (`series-1` ...), so plots follow light and dark pages.
Rows of dots and shares are laid out in percent and fit any width; a row leads to its samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..base.templating import fill

TEMPLATE = Path(__file__).parent / "templates" / "plot.html"
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
    known = [rate for _, rate in rates if rate.value is not None]
    ticks = _ticks([end for rate in known for end in (rate.value, rate.high)])
    return _dots(title, rates, ticks, "{:.1f}", link)


def difference_plot(
    title: str, rates: Rates, link: Link | None = None, notes: Sequence[str] = ()
) -> str:
    """One row per group: a dot at a difference, a line over its 95 % interval, zero in the middle.

    What lies wholly on one side of the line in the middle differs by more than chance, where many
    groups are looked at together only if a corrected p says so, too: `notes` stand beside the rows.
    """
    ends = [(r.low, r.high) for _, r in rates if r.value is not None]
    highs = [high for _, high in ends]
    depths = [-low for low, _ in ends if low is not None]
    reach = _ticks([*highs, *depths])
    ticks = [-tick for tick in reversed(reach[1:])] + list(reach)
    return _dots(title, rates, ticks, "{:+.1f}", link, notes)


def _ticks(values: Sequence[float | None]) -> Ticks:
    """An axis in percent from zero to above the highest value, in four or five round steps.

    >>> _ticks([0.27]), _ticks([0.04]), _ticks([0.6, None]), _ticks([1.0])
    ([0, 10, 20, 30], [0, 5], [0, 20, 40, 60], [0, 25, 50, 75, 100])
    """
    highest = min(1.0, max((v for v in values if v is not None), default=1.0))
    step = next(s for s in STEPS if 100 * highest <= 4 * s)
    count = max(1, math.ceil(100 * highest / step - 1e-9))
    return [step * k for k in range(count + 1)]


def _dots(
    title: str,
    rates: Rates,
    ticks: Ticks,
    form: str,
    link: Link | None,
    notes: Sequence[str] = (),
) -> str:
    """Rows whose axis runs from the first tick to the last; `form` writes a value in percent."""

    def at(percent: float) -> float:
        return min(100.0, max(0.0, 100 * (percent - ticks[0]) / (ticks[-1] - ticks[0])))

    def figure(value: float | None, form: str = "{:.1f}") -> str:
        return "n/a" if value is None else form.format(100 * value)

    known = [(name, rate) for name, rate in rates if rate.value is not None]
    rows = []
    for (name, rate), note in zip(known, notes or [""] * len(known), strict=True):
        ends = ""
        if rate.low is not None:
            ends = f"[{figure(rate.low)}, {figure(rate.high)}]"
        row: dict[str, Any] = {
            "name": name,
            "said": figure(rate.value, form),
            "more": " ".join(filter(None, (ends, f"n {rate.n:,}", note))),
        }
        for end in ("low", "value", "high"):
            row[end] = at(100 * (getattr(rate, end) or 0.0))
        rows.append(row)
    return _plot(title, rows, link, ticks=[(tick, at(tick)) for tick in ticks])


def value_plot(
    title: str, values: Sequence[tuple[str, float, str]], link: Link | None = None
) -> str:
    """One bar per name for a value from 0 to 1, with the text that stands beside it."""
    rows = [
        {"name": name, "value": 100 * max(0.0, min(1.0, value)), "said": text}
        for name, value, text in values
    ]
    return _plot(title, rows, link)


def stacked_bars(
    title: str, parts: Sequence[str], rows: Sequence[tuple[str, Sequence[float]]]
) -> str:
    """One full bar per row, cut into the shares of `parts` (four dimensions, error kinds)."""
    bars = [{"name": name, "shares": shares} for name, shares in rows]
    return _plot(title, bars, parts=parts)


def heat_map(title: str, names: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """A square table of counts, shaded by their share of the row."""
    return _plot(title, names=names, counts=counts)


def _plot(
    title: str,
    rows: Sequence[dict[str, Any]] = (),
    link: Link | None = None,
    **more: Any,
) -> str:
    for row in rows:
        row["address"] = link(row["name"]) if link else ""
    values: dict[str, Any] = {"ticks": (), "parts": (), "names": (), "counts": ()}
    return fill(TEMPLATE, title=title, rows=rows, **(values | more))
