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
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, Literal

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


class PaperFigure(msgspec.Struct):
    """A figure of rates. `dots` with intervals, `profile` over ordered groups, `radar`, `shares`.

    `series` are named rows of (group, rate); for `shares` rates are parts of one.
    """

    name: str
    kind: Literal["dots", "profile", "radar", "shares"]
    series: Mapping[str, Sequence[tuple[str, Rate | float]]]


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
    """Write one figure; the suffix of `path` is its format."""
    import matplotlib
    from matplotlib.figure import Figure

    kinds = {"dots": _dots, "profile": _profile, "radar": _radar, "shares": _shares}
    dated = "CreationDate" if path.suffix == ".pdf" else "Date"
    with matplotlib.rc_context(STYLE), replacing(path) as file:
        groups = list(
            dict.fromkeys(name for row in figure.series.values() for name, _ in row)
        )
        height = 0.6 + 0.22 * len(groups if figure.kind == "dots" else figure.series)
        sheet = Figure(
            figsize=(
                3.4,
                height if figure.kind in ("dots", "shares") else 2.8,
            ),  # one column
            layout="constrained",
        )
        kinds[figure.kind](sheet, figure.series, groups)
        sheet.savefig(file, format=path.suffix[1:], metadata={dated: None})


Series = Mapping[str, Sequence[tuple[str, Rate | float]]]


def _value(rate: Rate | float) -> float:
    return 100 * ((rate.value or 0.0) if isinstance(rate, Rate) else rate)


def _reach(rate: Rate | float) -> tuple[float, float]:
    """How far the interval goes below and above the value."""
    value = _value(rate)
    if not isinstance(rate, Rate) or rate.low is None or rate.high is None:
        return 0.0, 0.0
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
    """Rates `along` an axis with their intervals, a colour a row; rows of a group stand `apart`."""
    for k, (name, rates) in enumerate(series.items()):
        shift = apart * (k - (len(series) - 1) / 2) / max(1, len(series) - 1)
        places = [groups.index(group) + shift for group, _ in rates]
        values = [_value(r) for _, r in rates]
        look[f"{along}err"] = [[_reach(r)[side] for _, r in rates] for side in (0, 1)]
        place = (values, places) if along == "x" else (places, values)
        axes.errorbar(
            *place, color=COLOURS[k % len(COLOURS)], label=_plain(name), **look
        )
    axes.grid(axis=along, linewidth=0.3)
    _legend(axes, series)


def _dots(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot()
    _rated(axes, "x", series, groups, 0.3, fmt="o", markersize=4, elinewidth=1)
    axes.set_yticks(range(len(groups)), [_plain(group) for group in groups])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("accuracy, percent")


def _profile(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot()
    _rated(
        axes, "y", series, groups, 0.0, fmt="o-", markersize=4, linewidth=1, capsize=2
    )
    labels = [_plain(group).replace(" ", "\n") for group in groups]
    axes.set_xticks(range(len(groups)), labels)
    axes.set_ylim(0, 100)
    axes.set_ylabel("accuracy, percent")


def _radar(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot(projection="polar")
    angles = [2 * math.pi * k / len(groups) for k in range(len(groups))]
    for k, (name, rates) in enumerate(series.items()):
        known = dict(rates)
        values = [_value(known.get(group, 0.0)) for group in groups]
        line = {"color": COLOURS[k % len(COLOURS)], "linewidth": 1}
        axes.plot(
            [*angles, angles[0]], [*values, values[0]], label=_plain(name), **line
        )
        axes.fill(angles, values, alpha=0.1, color=line["color"])
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_xticks(angles, [fill(_plain(group), 12) for group in groups], fontsize=6)
    axes.set_ylim(0)
    _legend(axes, series)


def _shares(sheet: Any, series: Series, groups: list[str]) -> None:
    axes = sheet.add_subplot()
    names = list(series)
    for row, rates in enumerate(series.values()):
        left = 0.0
        for group, share in rates:
            k = groups.index(group)
            label = _plain(group) if row == 0 else None
            axes.barh(
                row,
                _value(share),
                left=left,
                color=COLOURS[k % len(COLOURS)],
                label=label,
            )
            left += _value(share)
    axes.set_yticks(range(len(names)), [_plain(name) for name in names])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("percent")
    sheet.legend(loc="outside upper center", ncols=4, frameon=False, fontsize=7)


def _legend(axes: Any, series: Series) -> None:
    if len(series) > 1:
        axes.figure.legend(
            loc="outside upper center", ncols=3, frameon=False, fontsize=7
        )
