r"""Environments with rows and cells, from their source to a box: arrays, alignments, cases, tables.

The layout is plain TeX's: a strut in every row, half an em on both sides of a column, rules where
`\hline`, `\cline` and `|` ask for them. What stands in a cell is set by whoever calls.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, cycle, islice
from typing import NamedTuple

import msgspec

from ..ink import HLINE, VLINE, columns_of
from ..rows import CellSource, RowSource, rows_of
from .outlines import AXIS, MathBox, Outline, Placed, RefusedError, assembled, rectangle

SetCell = Callable[[str], MathBox]
Lines = list[tuple[int, int]]  # over a row: the first and the last column of each

_RULE = 0.05  # em: how thick a line of a table is
_DOUBLE = 0.14  # em between two lines that stand together
_BEFORE = {"l": 0.0, "c": 0.5, "r": 1.0}  # share of a column's free room before a cell
MOST_CELLS = 2000


class Layout(msgspec.Struct, frozen=True):
    """How an environment sets its cells: columns to repeat, gaps between them, height of rows."""

    columns: str  # repeated when there are more cells
    gaps: tuple[float, ...] = (1.0,)  # em after each column, repeated
    stretch: float = 1.0
    fences: tuple[str, str] = (".", ".")
    display: bool = False
    between_rows: float = 0.0
    size: float = 1.0
    text: bool = False  # cells are prose that may hold formulas
    edge: float = 0.0  # em before the first and behind the last column


_MATRIX = Layout("c")
_ALIGN = Layout("rl", (0.0, 1.6), display=True, between_rows=0.25)
_GATHER = Layout("c", display=True, between_rows=0.25)
LAYOUTS = {
    "array": Layout("c", edge=0.5),
    "darray": Layout("c", edge=0.5, display=True),
    "tabular": Layout("l", text=True, edge=0.5),
    "subarray": Layout("c", size=0.7),
    "matrix": _MATRIX,
    "smallmatrix": Layout("c", (0.6,), size=0.7),
    "pmatrix": Layout("c", fences=("(", ")")),
    "bmatrix": Layout("c", fences=("[", "]")),
    "Bmatrix": Layout("c", fences=("{", "}")),
    "vmatrix": Layout("c", fences=("|", "|")),
    "Vmatrix": Layout("c", fences=("∥", "∥")),
    "cases": Layout("l", stretch=1.2, fences=("{", ".")),
    "dcases": Layout("l", stretch=1.2, fences=("{", "."), display=True),
    "rcases": Layout("l", stretch=1.2, fences=(".", "}")),
    **dict.fromkeys(
        ("aligned", "align", "split", "alignedat", "alignat", "flalign"), _ALIGN
    ),
    "eqnarray": Layout("rcl", (0.28, 0.28, 1.0), display=True, between_rows=0.25),
    **dict.fromkeys(
        ("gathered", "gather", "multline", "equation", "displaymath", "math"), _GATHER
    ),
}
LAYOUTS["tabular*"] = LAYOUTS["longtable"] = LAYOUTS["tabular"]


class Row(NamedTuple):
    """A row as it is written, and the boxes of its cells."""

    source: RowSource
    boxes: list[MathBox]

    @property
    def cells(self) -> Iterator[tuple[CellSource, MathBox]]:
        return zip(self.source.cells, self.boxes, strict=True)

    def spans(self, boundary: int) -> bool:
        """Does a cell stand on both sides of the edge before a column?"""
        return any(
            cell.column < boundary < cell.column + cell.columns
            for cell in self.source.cells
        )


def layout_of(name: str) -> Layout:
    """How the environment sets its cells. Raises RefusedError for one that is not known."""
    layout = LAYOUTS.get(name) or LAYOUTS.get(name.rstrip("*"))
    if layout is None:
        raise RefusedError(f"unknown environment {name}")
    return layout


def table(body: str, spec: str, layout: Layout, set_cell: SetCell) -> MathBox:
    """The box of an environment's body, centred on the height of minus signs, without fences."""
    columns = columns_of(spec) if spec else ""
    rows = list(_rows(body, layout, set_cell))
    bottom = rows.pop().source.lines if rows and not rows[-1].boxes else []
    aligns, pipes = _alignments(columns, rows, layout)
    count = len(aligns)
    ruled = any(pipes) or bool(bottom) or any(row.source.lines for row in rows)
    lefts, widths = _columns(rows, count, layout, ruled)
    tops, baselines = _heights(rows, layout, bottom)
    shift = AXIS - tops[-1][0] / 2  # to the middle of the table
    right = lefts[-1]
    parts = list(_placed(rows, lefts, widths, baselines, aligns, shift))
    middles = [(lefts[k] + widths[k] + lefts[k + 1]) / 2 for k in range(count - 1)]
    edges = [0.0, *middles, right]
    lines_over = [*(row.source.lines for row in rows), bottom]
    bars = _row_lines(lines_over, tops, edges, shift)
    ink = Counter([HLINE] * len(bars) + [VLINE] * sum(pipes))
    bars += _column_lines(rows, pipes, tops, edges, shift)
    box = assembled(parts, right, bars, ink)
    if layout.size == 1.0:
        return box
    small = Placed(box, 0.0, AXIS * (1 - layout.size), layout.size)
    return assembled([small], right * layout.size)


def _alignments(columns: str, rows: list[Row], layout: Layout) -> tuple[str, list[int]]:
    """The letter of each column, and how many lines stand before each and at the end."""
    letters = columns.replace("|", "")
    ends = [cell.column + cell.columns for row in rows for cell in row.source.cells]
    count = max([len(letters), *ends])
    aligns = "".join(islice(cycle(letters or layout.columns), count))
    pipes = [len(run) for run in re.split("[lcr]", columns)]
    missing = [0] * (count + 1 - len(pipes))
    return aligns, pipes + missing


def _placed(
    rows: list[Row],
    lefts: list[float],
    widths: list[float],
    baselines: list[float],
    aligns: str,
    shift: float,
) -> Iterator[Placed]:
    """Each cell's box in the room of its columns and rows."""
    for number, row in enumerate(rows):
        for cell, box in row.cells:
            left = lefts[cell.column]
            last_column = cell.column + cell.columns - 1
            room = lefts[last_column] + widths[last_column] - left - box.width
            align = cell.spec.replace("|", "")[:1] or aligns[cell.column]
            last_row = min(number + cell.rows, len(baselines)) - 1
            y = (baselines[number] + baselines[last_row]) / 2
            yield Placed(box, left + room * _BEFORE[align], y + shift)


def _columns(
    rows: list[Row], count: int, layout: Layout, ruled: bool
) -> tuple[list[float], list[float]]:
    """Where each column begins, its outer edge last, and how wide each is."""
    widths = [0.0] * count
    cells = [cell for row in rows for cell in row.cells]
    for cell, box in cells:
        if cell.columns == 1:
            widths[cell.column] = max(widths[cell.column], box.width)
    gaps = [layout.gaps[k % len(layout.gaps)] for k in range(count)]
    for cell, box in cells:
        behind = cell.column + cell.columns - 1
        room = sum(widths[cell.column : behind + 1]) + sum(gaps[cell.column : behind])
        widths[behind] += max(0.0, box.width - room)
    edge = layout.edge if ruled else 0.0
    if not count:
        return [edge, edge + edge], widths
    steps = (width + gap for width, gap in zip(widths[:-1], gaps, strict=False))
    lefts = list(accumulate(steps, initial=edge))
    return [*lefts, lefts[-1] + widths[-1] + edge], widths


def _heights(
    rows: list[Row], layout: Layout, bottom: Lines
) -> tuple[list[tuple[float, float]], list[float]]:
    """Top of each row as (above its lines, below them), the table's bottom last; and baselines."""
    y = 0.0
    tops, baselines = [], []
    for row in rows:
        thick = _thickness(row.source.lines)
        tops.append((y, y - thick))
        y -= thick
        single = [box for cell, box in row.cells if cell.rows == 1]
        rise = max([0.84 * layout.stretch, *(box.ascent + 0.14 for box in single)])
        fall = max([0.36 * layout.stretch, *(box.descent + 0.14 for box in single)])
        baselines.append(y - rise)
        gap = 0.0 if row is rows[-1] else layout.between_rows
        y -= rise + fall + row.source.extra + gap
    thick = _thickness(bottom)
    return [*tops, (y - thick, y - thick)], baselines


def _thickness(lines: Lines) -> float:
    levels = _levels(lines)
    return levels * _RULE + max(levels - 1, 0) * _DOUBLE


def _levels(lines: Lines) -> int:
    """Lines over one another: the most over any column."""
    over: Counter[int] = Counter()
    for first, last in lines:
        over.update(range(first, min(last, 99) + 1))
    return max(over.values(), default=0)


def _row_lines(
    lines_over: list[Lines],
    tops: list[tuple[float, float]],
    edges: list[float],
    shift: float,
) -> list[Outline]:
    """Lines over each row, and those at the bottom last; `edges` is where columns part."""
    bars = []
    bottom = lines_over[-1]
    last_column = len(edges) - 2
    for (top, _), lines in zip(tops, lines_over, strict=True):
        y = top + shift + (_thickness(bottom) if lines is bottom else 0.0)
        over: Counter[int] = Counter()
        for first, last in lines:
            first = min(max(first, 0), last_column)
            last = min(last, last_column)
            down = over[first] * (_RULE + _DOUBLE) + _RULE
            over.update(range(first, last + 1))
            left = edges[first]
            right = edges[last + 1]
            bars.append(rectangle(left, y - down, right - left, _RULE))
    return bars


def _column_lines(
    rows: list[Row],
    pipes: list[int],
    tops: list[tuple[float, float]],
    edges: list[float],
    shift: float,
) -> list[Outline]:
    """Lines between columns, `pipes` at each edge, where no cell spans it."""
    bars = []
    for boundary, number in enumerate(pipes):
        for k in range(number):
            off = (k - (number - 1) / 2) * (_RULE + _DOUBLE)
            x = edges[boundary] + off - _RULE / 2
            for row, (high, _), (low, _) in zip(rows, tops, tops[1:], strict=False):
                if not row.spans(boundary):
                    bars.append(rectangle(x, low + shift, _RULE, high - low))
    return bars


def _rows(body: str, layout: Layout, set_cell: SetCell) -> Iterator[Row]:
    """Rows with their cells set; a last one without cells holds the lines at the bottom."""
    number = 0
    for row in rows_of(body):
        number += len(row.cells)
        if number > MOST_CELLS:
            raise RefusedError(f"a table of more than {MOST_CELLS} cells")
        boxes = []
        for k, cell in enumerate(row.cells):
            tex = cell.tex
            if tex and layout.columns == "rl" and k % 2:
                tex = "{}" + tex  # a relation keeps its room
            boxes.append(set_cell(tex))
        yield Row(row, boxes)
