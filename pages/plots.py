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
        # One problem has no interval: none is drawn.
        is_single = getattr(rate, "clusters", 0) == 1
        has_ends = rate.low is not None and not is_single
        if has_ends:
            ends = f"[{figure(rate.low)}, {figure(rate.high)}]"
        row: dict[str, Any] = {
            "name": name,
            "said": figure(rate.value, form),
            "more": " ".join(filter(None, (ends, f"n {rate.n:,}", note))),
        }
        for end in ("low", "value", "high"):
            shown = getattr(rate, end if has_ends else "value")
            row[end] = at(100 * (shown or 0.0))
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


# A point of a scatter plot: its name, where it lies across, and its rate with an interval.
Points = Sequence[tuple[str, float, Interval]]
LEFT, RIGHT, TOP, BOTTOM = 6.0, 99.0, 2.0, 88.0  # percent of the figure
NEAR = 4.5  # percent of a plot within which two numbers would stand over one another
WIDE = 20  # times the smallest value from which an axis is one of powers


def scatter_plot(title: str, points: Points, chance: float | None = None) -> str:
    """Rates against what was paid for them: a number at each point, named below, best first.

    `chance` is drawn as a line. Values across are positive; where they are far apart their axis is
    one of powers of ten.
    """
    known = sorted(points, key=lambda point: (-(point[2].value or 0.0), point[0]))
    values = [x for _, x, _ in known]
    smallest, largest = min(values), max(values)
    by_powers = smallest > 0 and largest > WIDE * smallest
    ends = [rate.high or 0.0 for *_, rate in known] + [chance or 0.0]
    ticks = _ticks(ends)
    scale = math.log10 if by_powers else float
    low, high = (scale(smallest), scale(largest)) if by_powers else (0.0, largest)

    def across(value: float) -> float:
        share = (scale(value) - low) / (high - low) if high > low else 0.5
        return LEFT + 3 + (RIGHT - LEFT - 6) * share

    def up(rate: float | None) -> float:
        return BOTTOM - (BOTTOM - TOP) * min(1.0, 100 * (rate or 0.0) / ticks[-1])

    rows = [
        {
            "name": name,
            "x": across(x),
            "low": up(rate.low),
            "y": up(rate.value),
            "high": up(rate.high),
            "said": f"{100 * (rate.value or 0):.1f} at {_short(x)}",
        }
        for name, x, rate in known
    ]
    _label(rows)
    marks = _marks(smallest, largest) if by_powers else _even(largest)
    return fill(
        TEMPLATE.with_name("scatter.html"),
        title=title,
        points=rows,
        said="; ".join(f"{row['name']} {row['said']}" for row in rows),
        across=[(_short(mark), across(mark)) for mark in marks],
        up=[(tick, up(tick / 100)) for tick in ticks],
        chance=up(chance) if chance else None,
    )


def _label(rows: Sequence[dict[str, Any]]) -> None:
    """Give each point its number; those that would stand over another's stand beside it."""
    for number, row in enumerate(rows, 1):
        before = (
            other
            for other in rows[: number - 1]
            if other["label"]
            and abs(other["x"] - row["x"]) < NEAR
            and abs(other["y"] - row["y"]) < NEAR
        )
        first = next(before, None)
        row["label"] = str(number) if first is None else ""
        if first is not None:
            first["label"] += f", {number}"


def _marks(smallest: float, largest: float) -> list[float]:
    """The powers of ten, with 3 between them, within a range.

    >>> _marks(0.02, 0.9)
    [0.03, 0.1, 0.3]
    """
    first, last = math.floor(math.log10(smallest)), math.ceil(math.log10(largest))
    marks = [float(f"{m}e{k}") for k in range(first, last + 1) for m in (1, 3)]
    return [mark for mark in marks if smallest <= mark <= largest]


def _even(largest: float) -> list[float]:
    """Zero and some round values up to the largest.

    >>> _even(740.0)
    [0.0, 200.0, 400.0, 600.0]
    """
    if largest <= 0:
        return [0.0]
    power = 10.0 ** math.floor(math.log10(largest))
    step = next(
        power * m for m in (0.2, 0.5, 1.0, 2.0, 5.0) if largest <= 5 * power * m
    )
    return [round(step * k, 12) for k in range(int(largest / step + 1e-9) + 1)]


def _short(value: float) -> str:
    """
    >>> _short(12345.6), _short(0.00123)
    ('12,346', '0.00123')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


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
