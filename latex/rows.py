"""Rows and cells of arrays, alignments, cases and tables, read from their source.

Pages set them as outlines, forms and booklets as HTML; both read them here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from .groups import group_end
from .ink import columns_of

# em of the units of lengths
EM = {
    "em": 1.0,
    "ex": 0.45,
    "pt": 0.1,
    "mm": 0.285,
    "cm": 2.85,
    "in": 7.23,
    "mu": 1 / 18,
    "bp": 0.1,
    "pc": 1.2,
    "px": 0.075,
}
_TOKEN = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+\*?|\\.|[{}&]|[^\\{}&]+", re.DOTALL
)
_LINES = re.compile(
    r"\s*\\(?:(hline|hdashline|toprule|midrule|bottomrule)(?![A-Za-z])|cline\s*\{(\d+)-(\d+)\})\s*"
)
_ROW_ENDS = (r"\\", r"\cr", r"\tabularnewline", r"\newline")
_AFTER_ROW = re.compile(r"\*?\s*\[\s*(-?[\d.]+)?\s*([a-z]{2})?[^\]]*\]")
_SPAN = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,2})\s*\}\s*(?=\{)")
_ROWSPAN = re.compile(r"\s*\\multirow\s*(?:\[[^\]]*\])?\s*\{\s*(\d{1,2})\s*\}\s*(?=\{)")


class CellSource(msgspec.Struct, frozen=True):
    """The source of a cell, the columns and rows it stands in, and its own l, c, r and |."""

    tex: str
    column: int
    columns: int = 1
    rows: int = 1
    spec: str = ""


class RowSource(msgspec.Struct, frozen=True):
    """The cells of a row, the lines above it as columns from and to, and extra room below, em."""

    cells: list[CellSource]
    lines: list[tuple[int, int]]
    extra: float = 0.0


def rows_of(body: str) -> Iterator[RowSource]:
    r"""Rows of an environment's body; a last one without cells holds the lines at the bottom.

    >>> [([c.tex for c in r.cells], r.lines) for r in rows_of(r"\hline a & b \\ \cline{2-2}")]
    [(['a', 'b'], [(0, 99)]), ([], [(1, 1)])]
    """
    for sources, extra in split_rows(body):
        lines: list[tuple[int, int]] = []
        while match := _LINES.match(sources[0]):
            lines.append(
                (0, 99) if match[1] else (int(match[2]) - 1, int(match[3]) - 1)
            )
            sources[0] = sources[0][match.end() :]
        cells: list[CellSource] = []
        at = 0
        for source in sources:
            cell = _cell(source, at)
            at += cell.columns
            cells.append(cell)
        if len(sources) == 1 and not sources[0].strip():
            cells = []
        yield RowSource(cells, lines, extra)


def _cell(source: str, column: int) -> CellSource:
    columns = rows = 1
    spec = ""
    if (match := _SPAN.match(source)) and (end := group_end(source, match.end())) > 0:
        columns = max(1, int(match[1]))
        spec = columns_of(source[match.end() : end])
        source = _unbraced(source[end:])
    if (match := _ROWSPAN.match(source)) and (
        end := group_end(source, match.end())
    ) > 0:
        rows = max(1, int(match[1]))
        source = _unbraced(source[end:])
    source = source.strip()
    source += " " if source.endswith("\\") else ""  # the blank of `\ `
    return CellSource(source, column, columns, rows, spec)


def _unbraced(source: str) -> str:
    source = source.strip()
    if source.startswith("{") and group_end(source, 0) == len(source):
        return source[1:-1]
    return source


def split_rows(body: str) -> Iterator[tuple[list[str], float]]:
    r"""The sources of each row's cells, and the em of `\\[6pt]` behind it.

    >>> list(split_rows(r"a & {b & c} \\[5pt] \begin{x} d & e \\ \end{x}"))
    [(['a ', ' {b & c} '], 0.5), ([' \\begin{x} d & e \\\\ \\end{x}'], 0.0)]
    """
    cells, cell, depth, at = [], "", 0, 0
    while at < len(body):
        match = _TOKEN.match(body, at)
        if match is None:
            break
        token, at = match[0], match.end()
        depth += token == "{" or token.startswith(r"\begin")
        depth -= token == "}" or token.startswith(r"\end")
        if depth == 0 and token == "&":
            cells.append(cell)
            cell = ""
        elif depth == 0 and token in _ROW_ENDS:
            skip = _AFTER_ROW.match(body, at)
            at = skip.end() if skip else at
            extra = float(skip[1] or 0) * EM.get(skip[2] or "", 0.0) if skip else 0.0
            yield [*cells, cell], min(max(extra, 0.0), 5.0)
            cells, cell = [], ""
        else:
            cell += token
    if cells or cell.strip():
        yield [*cells, cell], 0.0
    else:
        yield [""], 0.0
