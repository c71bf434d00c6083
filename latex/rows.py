"""Rows and cells of arrays, alignments, cases and tables, read from their source.

Pages set them as outlines, forms and booklets as HTML; both read them here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from .groups import group_end
from .ink import columns_of
from .tokens import BEGIN_OR_END, COMMAND, NAME_ENDS, SIGN

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
# All of a body, an edge of an environment with its name: none of its signs part cells or rows.
_TOKEN = re.compile(
    rf"{BEGIN_OR_END}|{COMMAND}\*?|{SIGN}|[{{}}&]|[^\\{{}}&]+", re.DOTALL
)
# A line over a row, of all columns or of some.
_LINES = re.compile(
    rf"""\s*\\(?:
        (?P<whole>hline|hdashline|toprule|midrule|bottomrule){NAME_ENDS}
        | cline\s*\{{(?P<first>\d+)-(?P<last>\d+)\}}
    )\s*""",
    re.VERBOSE,
)
_ALL_COLUMNS = (0, 99)
_ROW_ENDS = (r"\\", r"\cr", r"\tabularnewline", r"\newline")
# The room that is asked for below a row: `[6pt]`, or a star.
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
        while line := _LINES.match(sources[0]):
            if line["whole"]:
                lines.append(_ALL_COLUMNS)
            else:
                lines.append((int(line["first"]) - 1, int(line["last"]) - 1))
            sources[0] = sources[0][line.end() :]
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
    if span := _SPAN.match(source):
        end = group_end(source, span.end())
        if end > 0:
            columns = max(1, int(span[1]))
            spec = columns_of(source[span.end() : end])
            source = _unbraced(source[end:])
    if span := _ROWSPAN.match(source):
        end = group_end(source, span.end())
        if end > 0:
            rows = max(1, int(span[1]))
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
    cells: list[str] = []
    cell = ""
    depth = at = 0
    while at < len(body):
        match = _TOKEN.match(body, at)
        if match is None:
            break
        token = match[0]
        at = match.end()
        depth += token == "{" or token.startswith(r"\begin")
        depth -= token == "}" or token.startswith(r"\end")
        if depth == 0 and token == "&":
            cells.append(cell)
            cell = ""
        elif depth == 0 and token in _ROW_ENDS:
            extra = 0.0
            room = _AFTER_ROW.match(body, at)
            if room:
                at = room.end()
                extra = float(room[1] or 0) * EM.get(room[2] or "", 0.0)
            yield [*cells, cell], min(max(extra, 0.0), 5.0)
            cells, cell = [], ""
        else:
            cell += token
    if cells or cell.strip():
        yield [*cells, cell], 0.0
    else:
        yield [""], 0.0
