r"""Tables of a text (`tabular`) as HTML with inline styles, which a labelling page lets through.

What stands in a cell is set by whoever calls. Only markup of this module and of the caller comes
out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .groups import group_end
from .ink import columns_of
from .rows import CellSource, RowSource, rows_of

MOST_CELLS = 600
LONGEST_TABLE = 20_000  # characters
_TABULAR = re.compile(r"\\(begin|end)\s*\{tabular\*?\}")


def table_html(source: str, inline: Callable[[str], str]) -> str | None:
    r"""A table from its `\begin` to its `\end`, cells set by `inline`; None where it cannot be."""
    begin = _TABULAR.match(source)
    if begin is None or len(source) > LONGEST_TABLE:
        return None
    at, spec = begin.end(), ""
    if position := re.compile(r"\s*\[[^\[\]]{0,20}\]").match(source, at):
        at = position.end()
    for _ in range(2 if "*" in begin[0] else 1):
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
    found, depth, start = [], 0, 0
    for match in _TABULAR.finditer(text):
        if match[1] == "begin":
            start = match.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                found.append((start, match.end()))
    return found


def _table(
    rows: list[RowSource], columns: str, inline: Callable[[str], str]
) -> str | None:
    last = rows.pop().lines if rows and not rows[-1].cells else []
    aligns = columns.replace("|", "") or "l"
    ends = [cell.column + cell.columns for row in rows for cell in row.cells]
    count = max([len(columns.replace("|", "")), *ends, 1])
    if count * len(rows) > MOST_CELLS:
        return None
    aligns = (aligns * (count // len(aligns) + 1))[:count]
    pipes = [len(run) for run in re.split("[lcr]", columns)] + [0] * (count + 1)
    padding = (
        "4px 8px" if any(pipes) or last or any(row.lines for row in rows) else "2px 5px"
    )
    covered: set[tuple[int, int]] = set()
    lines = []
    for n, row in enumerate(rows):
        end = sum(cell.columns for cell in row.cells)
        cells = []
        for cell in [*row.cells, *(CellSource("", k) for k in range(end, count))]:
            places = {(n, cell.column + k) for k in range(cell.columns)}
            if places & covered:
                if cell.tex or not places <= covered:
                    return None
                continue
            behind, below = cell.column + cell.columns, min(n + cell.rows, len(rows))
            covered |= {
                (r, k) for r in range(n, below) for k in range(cell.column, behind)
            }
            left, right = _own_pipes(cell.spec)
            borders = {
                "left": left or pipes[cell.column],
                "right": right or pipes[behind] * (behind == count),
                "top": _lines_over(row.lines, cell.column),
                "bottom": _lines_over(last, cell.column) * (below == len(rows)),
            }
            align = cell.spec.replace("|", "")[:1] or aligns[cell.column]
            spans = f' colspan="{cell.columns}"' * (cell.columns > 1)
            spans += f' rowspan="{below - n}"' * (below - n > 1)
            inner = inline(cell.tex) if cell.tex else ""
            cells.append(
                f'<td{spans} style="{_style(align, borders, padding)}">{inner}</td>'
            )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    style = (
        "display:inline-table;border-collapse:collapse;vertical-align:middle;width:auto"
    )
    return f'<table style="{style}"><tbody>{"".join(lines)}</tbody></table>'


def _own_pipes(spec: str) -> tuple[int, int]:
    return len(spec) - len(spec.lstrip("|")), (
        len(spec) - len(spec.rstrip("|"))
    ) * bool(spec)


def _lines_over(lines: list[tuple[int, int]], column: int) -> int:
    return sum(first <= column <= to for first, to in lines)


def _style(align: str, borders: dict[str, int], padding: str) -> str:
    """The style of a cell: how it is aligned, and a single or a double line at its edges."""
    side = {"l": "left", "c": "center", "r": "right"}[align]
    lines = "".join(
        f";border-{edge}:{'1px solid' if number == 1 else '3px double'}"
        for edge, number in borders.items()
        if number
    )
    return f"text-align:{side};padding:{padding}{lines}"
