r"""Tables of a text (`tabular`) as HTML with inline styles, which a labelling page lets through.

What stands in a cell is set by whoever calls. Only markup of this module and of the caller comes
out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from .groups import group_end
from .ink import columns_of
from .rows import CellSource, RowSource, rows_of

MOST_CELLS = 600
LONGEST_TABLE = 20_000  # characters
_TABULAR = re.compile(r"\\(begin|end)\s*\{tabular\*?\}")
_POSITION = re.compile(r"\s*\[[^\[\]]{0,20}\]")  # `[t]` behind the begin
STYLE = "display:inline-table;border-collapse:collapse;vertical-align:middle;width:auto"


def table_html(source: str, inline: Callable[[str], str]) -> str | None:
    r"""A table from its `\begin` to its `\end`, cells set by `inline`; None where it cannot be."""
    begin = _TABULAR.match(source)
    if begin is None or len(source) > LONGEST_TABLE:
        return None
    at = begin.end()
    position = _POSITION.match(source, at)
    if position:
        at = position.end()
    spec = ""
    for _ in range(2 if "*" in begin[0] else 1):  # the starred one has a width first
        start = at + len(source[at:]) - len(source[at:].lstrip())
        at = group_end(source, start) if source.startswith("{", start) else -1
        if at < 0:
            return None
        spec = source[start:at]
    rows: list[RowSource] = []
    for row in rows_of(source[at : source.rindex(r"\end")]):
        rows.append(row)
        if len(rows) > MOST_CELLS:
            return None
    return _table(rows, columns_of(spec), inline)


def tabulars(text: str) -> list[tuple[int, int]]:
    r"""Start and end of each outermost `tabular` of a text.

    >>> tabulars(r"so \begin{tabular}{l} 1 \end{tabular}.")
    [(3, 37)]
    """
    if r"\end" not in text:
        return []
    tables = []
    depth = start = 0
    for match in _TABULAR.finditer(text):
        if match[1] == "begin":
            if depth == 0:
                start = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                tables.append((start, match.end()))
    return tables


def _table(
    rows: list[RowSource], columns: str, inline: Callable[[str], str]
) -> str | None:
    bottom = rows.pop().lines if rows and not rows[-1].cells else []
    aligns = columns.replace("|", "") or "l"
    ends = [cell.column + cell.columns for row in rows for cell in row.cells]
    count = max([len(columns.replace("|", "")), *ends, 1])
    if count * len(rows) > MOST_CELLS:
        return None
    aligns = (aligns * (count // len(aligns) + 1))[:count]
    # how many lines stand before each column, those behind the last one at the end
    pipes = [len(run) for run in re.split("[lcr]", columns)] + [0] * (count + 1)
    is_ruled = any(pipes) or bottom or any(row.lines for row in rows)
    padding = "4px 8px" if is_ruled else "2px 5px"
    covered: set[tuple[int, int]] = set()  # row and column of places that are filled
    lines = []
    for n, row in enumerate(rows):
        written = sum(cell.columns for cell in row.cells)
        empty = [CellSource("", column) for column in range(written, count)]
        cells = []
        for cell in [*row.cells, *empty]:
            behind = cell.column + cell.columns
            below = min(n + cell.rows, len(rows))
            places = {(n, column) for column in range(cell.column, behind)}
            if places & covered:
                if cell.tex or not places <= covered:
                    return None
                continue
            covered.update(product(range(n, below), range(cell.column, behind)))
            left, right = _own_pipes(cell.spec)
            borders = {
                "left": left or pipes[cell.column],
                "right": right or pipes[behind] * (behind == count),
                "top": _lines_over(row.lines, cell.column),
                "bottom": _lines_over(bottom, cell.column) * (below == len(rows)),
            }
            align = cell.spec.replace("|", "")[:1] or aligns[cell.column]
            spans = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
            if below - n > 1:
                spans += f' rowspan="{below - n}"'
            style = _style(align, borders, padding)
            content = inline(cell.tex) if cell.tex else ""
            cells.append(f'<td{spans} style="{style}">{content}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f'<table style="{STYLE}"><tbody>{"".join(lines)}</tbody></table>'


def _own_pipes(spec: str) -> tuple[int, int]:
    """How many lines a cell's own column has on its left and on its right."""
    left = len(spec) - len(spec.lstrip("|"))
    right = len(spec) - len(spec.rstrip("|"))
    return left, right


def _lines_over(lines: list[tuple[int, int]], column: int) -> int:
    return sum(first <= column <= to for first, to in lines)


def _style(align: str, borders: dict[str, int], padding: str) -> str:
    """The style of a cell: how it is aligned, and a single or a double line at its edges."""
    side = {"l": "left", "c": "center", "r": "right"}[align]
    lines = ""
    for edge, number in borders.items():
        if number:
            lines += f";border-{edge}:{'1px solid' if number == 1 else '3px double'}"
    return f"text-align:{side};padding:{padding}{lines}"
