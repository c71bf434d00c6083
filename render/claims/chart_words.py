"""What words say of a chart: values by their row and column, and questions that it answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..diagram import Claim, Composition
from .claim import Contradicted, Reader, Scene, Undecided

# A piece of a sentence up to a comma, "and" or a stop; a decimal point is none.
PIECE = r"(?:(?!,? and )(?:[^,.;?]|(?<=\d)[.](?=\d)))+"
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
MORE = re.compile(r"(?i)\bmore\b.*\bthan\b")
FEWER = re.compile(r"(?i)\b(?:fewer|less)\b.*\bthan\b")
DIFFERENCE = re.compile(r"(?i)\bdifference\b")
MEAN = re.compile(r"(?i)\b(?:mean|average)\b")
TOTAL = re.compile(r"(?i)\b(?:in total|in all|altogether|total|sum)\b")
CHARTS = ("bar", "line", "pie", "table")
Cells = dict[
    tuple[str, str], float
]  # row, column ("" where there is one alone) -> value


def chart_cells(composition: Composition) -> Cells:
    """The values of a chart by the names of row and column; empty for other figures."""
    item = composition.drawn[0][0] if composition.drawn else None
    if item is None or item.op not in CHARTS or not item.where.startswith("chart"):
        return {}
    if item.op == "table":
        return _table(item.value) if item.options.get("header", True) else {}
    titles = item.options.get("series") or [""]
    cells: Cells = {}
    for name, value in item.value.items():
        row = value if isinstance(value, list) else [value]
        for title, entry in zip(titles, row, strict=False):
            cells[str(name), str(title)] = float(entry)
    return cells


def _table(rows: Any) -> Cells:
    is_table = isinstance(rows, list) and rows
    if not is_table or not all(isinstance(row, list) for row in rows):
        return {}  # what is no table is refused where it is drawn
    _, *columns = rows[0]
    cells: Cells = {}
    for name, *row in rows[1:]:
        for column, value in zip(columns, row, strict=False):
            if isinstance(value, int | float):
                cells[str(name), str(column)] = float(value)
    return cells


def _mentions(text: str, names: set[str]) -> list[str]:
    """The names that a text has, in its order; a longer one before a shorter in it."""
    found = []
    for name in sorted(filter(None, names), key=len, reverse=True):
        pattern = rf"(?i)(?<!\w){re.escape(name)}(?:s|es)?(?!\w)"
        for match in re.finditer(pattern, text):
            found.append((match.start(), name))
        text = re.sub(pattern, lambda m: " " * len(m[0]), text)
    return [name for _, name in sorted(found)]


def _cell(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`in May 30`: one row, one column where there are several, one value.

    A piece without a row speaks of the one that its sentence named last: `Class A has 12 boys and
    14 girls`.
    """
    cells = chart_cells(scene.composition)
    rows, columns = _row_and_column(cells, match)
    values = NUMBERS.findall(_without(match[0], (*rows, *columns)))
    if len(rows) != 1 or len(columns) != 1 or len(values) != 1:
        raise Undecided
    shown = cells.get((rows[0], columns[0]))
    if shown is None:
        raise Undecided
    number = float(values[0])
    total = sum(cells.values())
    percent = 100 * shown / total if total else 0.0
    is_share = scene.composition.drawn[0][0].op == "pie"
    is_percent = is_share and abs(number - percent) < 0.051
    if abs(number - shown) > 1e-9 and not is_percent:
        if is_share and "%" not in match[0]:
            raise Undecided  # a count of the whole, which the pie does not show
        place = f"{rows[0]} {columns[0]}".strip()
        raise Contradicted(f"the chart shows {shown:g} for {place}")
    yield from ()


def _row_and_column(cells: Cells, match: re.Match[str]) -> tuple[list[str], list[str]]:
    """The rows and the columns that a piece of a sentence names."""
    names = {row for row, _ in cells}
    kinds = {column for _, column in cells}
    rows = _mentions(match[0], names)
    if not rows and len(kinds) > 1:
        before = match.string[: match.start()]
        rows = _mentions(before, names)[-1:]
    if len(kinds) == 1:
        return rows, [*kinds]
    return rows, _mentions(match[0], kinds) or [""]


def _without(text: str, names: Iterable[str]) -> str:
    """A text without the names in it: a row may be a number, as 2019."""
    for name in filter(None, names):
        text = re.sub(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return text


CHART_READERS: tuple[tuple[str, Reader], ...] = ((PIECE, _cell),)


def chart_question(sentence: str, composition: Composition) -> float | None:
    """What a chart answers to a question: one value, a difference, a sum, a mean; None where the
    question is another."""
    cells = chart_cells(composition)
    item = composition.drawn[0][0] if composition.drawn else None
    if not cells or item is None or item.op == "pie":
        return None
    if len({column for _, column in cells}) != 1:
        return None
    by_row = {row: value for (row, _), value in cells.items()}
    names = _mentions(sentence, set(by_row))
    rows = [by_row[name] for name in names]
    every = list(by_row.values())
    if len(rows) == 2 and MORE.search(sentence):
        return rows[0] - rows[1]
    if len(rows) == 2 and FEWER.search(sentence):
        return rows[1] - rows[0]
    if len(rows) == 2 and DIFFERENCE.search(sentence):
        return abs(rows[0] - rows[1])
    if MEAN.search(sentence):
        return sum(rows or every) / len(rows or every)
    if TOTAL.search(sentence):
        return sum(rows or every)
    if len(rows) == 1 and re.match(r"\s*How (?:many|much)\b", sentence):
        return rows[0]
    return None
