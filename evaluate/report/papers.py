"""Tables and figures to put into a paper: LaTeX (booktabs), CSV, Markdown; SVG and PDF.

Figures are set in DejaVu Sans, 8 points, which matplotlib brings along: embedded in PDF as TrueType
and drawn as outlines in SVG, so that they look alike everywhere. The same figures give the same
bytes.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, Literal, NamedTuple

import msgspec

from ...base.files import replacing, write_text
from ...pages import Cell, ReportTable, Section
from ..metrics import Rate
from .markdown import table_markdown

COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#000000",
    "#8c8c8c",
)
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "benchwright",
}
MARKUP = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
} | {c: f"\\{c}" for c in "{}$&#%_"}


TOLD_APART = 6  # rows up to which colours and marks do
MARKS = "osD^vP"
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
COLUMN, PAGE = 3.4, 7.0  # inches
NARROW = 8  # groups that a column has room for
ACROSS = 5  # radars beside each other
LETTER, HANDLE = (
    0.062,
    0.45,
)  # inches of a legend: a letter, and what stands before a name
HATCHES = ("", "////", "....")
DARK = 0.45  # of cividis, up to where white is read better than black
LINE = 44  # letters of a name beside a row
LONGEST = 34  # letters of a name in a line of a legend

Series = Mapping[str, Sequence[tuple[str, Rate | float]]]


class PaperFigure(msgspec.Struct):
    """A figure of rates. `dots` with intervals, `profile` over ordered groups, `radar`, `shares`.

    `series` are named rows of (group, rate); for `shares` rates are parts of one.
    """

    name: str
    kind: Literal["dots", "profile", "radar", "shares"]
    series: Series


def write_papers(
    out: Path, sections: Sequence[Section], figures: Sequence[PaperFigure]
) -> int:
    """Write `out`/tables and `out`/figures; returns the number of files.

    Raises UserError when they cannot be written.
    """
    count = 0
    taken: set[str] = set()
    for section in sections:
        for table in section.tables:
            name = _file_name(f"{section.title} {table.title}", taken)
            for suffix, text in (
                ("tex", latex(table)),
                ("csv", comma_separated(table)),
                ("md", table_markdown(table) + "\n"),
            ):
                write_text(out / "tables" / f"{name}.{suffix}", text)
                count += 1
    for figure in figures:
        name = _file_name(figure.name, taken)
        for suffix in ("svg", "pdf"):
            draw(figure, out / "figures" / f"{name}.{suffix}")
            count += 1
    return count


def _file_name(title: str, taken: set[str]) -> str:
    """A name for files that no other one of `taken` has.

    >>> _file_name("By label By subject", {"by-label-by-subject"})
    'by-label-by-subject-2'
    """
    plain = name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "table"
    number = 1
    while name in taken:
        number += 1
        name = f"{plain}-{number}"
    taken.add(name)
    return name


def latex(table: ReportTable) -> str:
    r"""A tabular with booktabs rules; figures stand to the right, and no text becomes markup.

    >>> print(latex(ReportTable(["a_b", "n"], [["all %", 3]])))
    \begin{tabular}{lr}
    \toprule
    a\_b & n \\
    \midrule
    all \% & 3 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    columns = "".join("r" if numeric else "l" for numeric in table.numeric())
    head, *rows = (
        " & ".join(map(_escaped, row)) + r" \\" for row in [table.header, *table.rows]
    )
    lines = [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _escaped(value: Any) -> str:
    text = " ".join(("" if value is None else str(value)).split())
    escaped = "".join(MARKUP.get(c, c) for c in text)
    if isinstance(value, Cell) and value.best:
        return f"\\textbf{{{escaped}}}"
    return (
        f"{{{escaped}}}" if escaped.startswith("[") else escaped
    )  # \\[ would be a length


def comma_separated(table: ReportTable) -> str:
    """The table as CSV, cells as they are shown."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([table.header, *table.rows])
    return text.getvalue()


def draw(figure: PaperFigure, path: Path) -> None:
    """Write one figure; the suffix of `path` is its format.

    More rows than colours tell apart are a matrix with its figures, and each a radar of its own.
    """
    import matplotlib
    from matplotlib.figure import Figure

    series = figure.series
    groups = list(dict.fromkeys(name for row in series.values() for name, _ in row))
    drawn = _how(figure.kind, len(series), len(groups))
    dated = "CreationDate" if path.suffix == ".pdf" else "Date"
    with matplotlib.rc_context(STYLE), replacing(path) as file:
        sheet = Figure(figsize=drawn.size, layout="constrained")
        drawn.draw(sheet, series, groups)
        sheet.savefig(file, format=path.suffix[1:], metadata={dated: None})


class _Drawing(NamedTuple):
    """What draws a figure, and its size in inches."""

    draw: Callable[[Any, Series, list[str]], None]
    size: tuple[float, float]


def _how(kind: str, rows: int, groups: int) -> _Drawing:
    """By how many rows and groups there are; a figure is a column wide, or the page."""
    width = COLUMN if groups <= NARROW else PAGE
    if kind == "shares":
        return _Drawing(_shares, (COLUMN, 0.9 + 0.22 * rows))
    if kind == "radar" and rows > TOLD_APART:
        return _Drawing(_radars, (PAGE, 1.6 * math.ceil(rows / ACROSS) + 0.8))
    if kind == "radar":
        return _Drawing(_radar, (COLUMN, 2.9 + 0.14 * rows))
    if rows > TOLD_APART:
        return _Drawing(_matrix, (width, 1.2 + 0.17 * rows))
    if kind == "dots":
        return _Drawing(
            _dots, (COLUMN, 0.6 + (0.14 + 0.08 * rows) * groups + 0.14 * rows)
        )
    return _Drawing(_profile, (width, 2.6 + 0.14 * rows))


def _value(rate: Rate | float) -> float:
    return 100 * ((rate.value or 0.0) if isinstance(rate, Rate) else rate)


def _reach(rate: Rate | float) -> tuple[float, float]:
    """How far the interval goes below and above the value."""
    value = _value(rate)
    if not isinstance(rate, Rate) or rate.low is None or rate.high is None:
        return 0.0, 0.0
    if rate.clusters == 1:
        return 0.0, 0.0  # one problem has no interval
    return max(0.0, value - 100 * rate.low), max(0.0, 100 * rate.high - value)


def _plain(text: str) -> str:
    """A name as text: dollars in it are no formula."""
    return text.replace("_", " ").replace("$", r"\$")


def _rated(
    axes: Any,
    along: Literal["x", "y"],
    series: Series,
    groups: list[str],
    apart: float,
    **look: Any,
) -> None:
    """Rates `along` an axis with intervals; rows have a colour and a mark, and are `apart`."""
    for k, (name, rates) in enumerate(series.items()):
        shift = apart * (k - (len(series) - 1) / 2) / max(1, len(series) - 1)
        places = [groups.index(group) + shift for group, _ in rates]
        values = [_value(r) for _, r in rates]
        look[f"{along}err"] = [[_reach(r)[side] for _, r in rates] for side in (0, 1)]
        place = (values, places) if along == "x" else (places, values)
        axes.errorbar(
            *place, color=COLOURS[k], marker=MARKS[k], label=_legend_name(name), **look
        )
    axes.grid(axis=along, linewidth=0.3)
    _legend(axes.figure, len(series))


def _dots(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot()
    apart = 0.7 if len(series) > 2 else 0.3
    _rated(axes, "x", series, groups, apart, linestyle="", markersize=3.5, elinewidth=1)
    axes.set_yticks(range(len(groups)), [_plain(group) for group in groups])
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("accuracy, percent")


def _profile(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot()
    _rated(axes, "y", series, groups, 0.0, markersize=3.5, linewidth=1, capsize=2)
    axes.set_xticks(range(len(groups)))
    _label_columns(axes, groups)
    axes.set_ylim(0, 100)
    axes.set_ylabel("accuracy, percent")


def _label_columns(axes: Any, groups: list[str]) -> None:
    """Names below columns, slanted: none lies over another."""
    names = [_brief(group) for group in groups]
    axes.set_xticklabels(names, rotation=45, ha="right", rotation_mode="anchor")


def _brief(text: str) -> str:
    """A name in one line; a very long one ends in a dot."""
    plain = _plain(text)
    return plain if len(plain) <= LINE else f"{plain[: LINE - 1]}…"


def _matrix(sheet: Any, series: Series, groups: list[str]) -> None:
    """A row each, a column a group, every value written out; the shade only repeats it.

    Shades go from dark to light alike for all eyes (cividis), and are shapes in SVG and PDF.
    """
    import numpy as np

    axes = sheet.add_subplot()
    table = np.full((len(series), len(groups)), np.nan)
    for row, rates in enumerate(series.values()):
        for group, rate in rates:
            table[row, groups.index(group)] = _value(rate)
    top = max(1.0, float(np.nanmax(table)))
    axes.pcolormesh(table, cmap="cividis", vmin=0, vmax=top, edgecolors="white", lw=0.5)
    for (row, column), value in np.ndenumerate(table):
        is_dark = value < DARK * top
        text = "–" if np.isnan(value) else f"{value:.1f}"
        place = {"ha": "center", "va": "center_baseline", "fontsize": 6}
        ink = "white" if is_dark else "black"
        axes.text(column + 0.5, row + 0.5, text, color=ink, **place)
    axes.set_yticks(np.arange(len(series)) + 0.5, list(map(_brief, series)))
    axes.set_xticks(np.arange(len(groups)) + 0.5)
    _label_columns(axes, groups)
    axes.invert_yaxis()
    axes.tick_params(length=0, labelsize=7)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("percent")


def _radar(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot(projection="polar")
    for k, (name, rates) in enumerate(series.items()):
        look: dict[str, Any] = {
            "color": COLOURS[k],
            "linewidth": 1,
            "linestyle": DASHES[k],
        }
        label = _legend_name(name)
        _ring(axes, rates, groups, marker=MARKS[k], markersize=3, label=label, **look)
    names = [fill(_plain(group), 12) for group in groups]
    _spokes(axes, groups, names, fontsize=6)
    _legend(sheet, len(series))


def _radars(sheet: Any, series: Series, groups: list[str]) -> None:
    """A small radar a row, over the mean of all in grey; spokes are numbered, and told below."""
    down = math.ceil(len(series) / ACROSS)
    known = [dict(rates) for rates in series.values()]
    means = [
        (group, sum(_value(rates[group]) for rates in those) / len(those) / 100)
        for group in groups
        if (those := [rates for rates in known if group in rates])
    ]
    highest = max(_value(rate) for rates in known for rate in rates.values())
    numbers = [str(k) for k in range(1, len(groups) + 1)]
    for k, (name, rates) in enumerate(series.items()):
        axes = sheet.add_subplot(down, ACROSS, k + 1, projection="polar")
        _ring(axes, means, groups, color="#8c8c8c", linewidth=0.8, linestyle="--")
        _ring(axes, rates, groups, color=COLOURS[0], linewidth=1)
        _spokes(axes, groups, numbers, fontsize=5, pad=-4)
        axes.set_ylim(0, highest)
        axes.tick_params(axis="y", labelsize=4)
        axes.set_title(fill(_plain(name), 22), fontsize=7, pad=7)
    key = ", ".join(
        f"{n} {_plain(group)}" for n, group in zip(numbers, groups, strict=True)
    )
    sheet.supxlabel(fill(f"Percent; dashed: the mean of all. {key}", 115), fontsize=7)


def _ring(
    axes: Any,
    rates: Sequence[tuple[str, Rate | float]],
    groups: list[str],
    *,
    color: str,
    **look: Any,
) -> None:
    """The rates around a radar, closed."""
    known = dict(rates)
    values = [_value(known.get(group, 0.0)) for group in groups]
    angles = _angles(groups)
    axes.plot([*angles, angles[0]], [*values, values[0]], color=color, **look)
    axes.fill(angles, values, alpha=0.08, color=color)


def _angles(groups: list[str]) -> list[float]:
    return [2 * math.pi * k / len(groups) for k in range(len(groups))]


def _spokes(
    axes: Any, groups: list[str], names: list[str], *, pad: float = 0, **look: Any
) -> None:
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_xticks(_angles(groups), names, **look)
    axes.tick_params(axis="x", pad=pad)
    axes.grid(linewidth=0.3)
    axes.set_ylim(0)


def _shares(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot()
    names = list(series)
    told = set[str]()
    for row, rates in enumerate(series.values()):
        left = 0.0
        for group, share in rates:
            k = groups.index(group)
            look: dict[str, Any] = {
                "color": COLOURS[k % len(COLOURS)],
                "edgecolor": "white",
            }
            hatch = HATCHES[k // len(COLOURS) % len(HATCHES)]
            label = None if group in told else _legend_name(group)
            told.add(group)
            value = _value(share)
            axes.barh(row, value, left=left, label=label, hatch=hatch, lw=0.3, **look)
            left += value
    axes.set_yticks(range(len(names)), list(map(_brief, names)))
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("percent")
    _legend(sheet, len(groups))


def _legend_name(text: str) -> str:
    return fill(_plain(text), LONGEST)


def _legend(sheet: Any, rows: int) -> None:
    """Above all, as many names in a line as there is room for."""
    if rows < 2:
        return
    names = [
        text for axes in sheet.axes for text in axes.get_legend_handles_labels()[1]
    ]
    longest = max(len(line) for name in names for line in name.split("\n"))
    columns = int(sheet.get_figwidth() / (HANDLE + LETTER * longest))
    sheet.legend(
        loc="outside upper center",
        ncols=max(1, min(columns, len(names))),
        frameon=False,
        fontsize=7,
    )
