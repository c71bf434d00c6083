"""What words say of a chart: values by their row and column, and questions that it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..diagram import Claim, Composition
from .claim import Contradicted, Reader, Scene, Undecided

# A piece of a sentence up to a comma, "and" or a stop; a decimal point is none.
PIECE = r"(?:(?!,? and )(?:[^,.;?]|(?<=\d)[.](?=\d)))+"
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
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
    if not (isinstance(rows, list) and rows and all(isinstance(r, list) for r in rows)):
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
    names = {row for row, _ in cells}
    rows = _mentions(match[0], names)
    if not rows and len({column for _, column in cells}) > 1:
        rows = _mentions(match.string[: match.start()], names)[-1:]
    columns = _mentions(match[0], {column for _, column in cells}) or [""]
    kinds = {column for _, column in cells}
    if len(kinds) == 1:
        columns = [*kinds]
    text = match[0]
    for name in (*rows, *columns):  # a row may be a number: 2019
        text = (
            re.sub(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", " ", text) if name else text
        )
    values = NUMBERS.findall(text)
    if len(rows) != 1 or len(columns) != 1 or len(values) != 1:
        raise Undecided
    shown = cells.get((rows[0], columns[0]))
    if shown is None:
        raise Undecided
    number = float(values[0])
    is_share = scene.composition.drawn[0][0].op == "pie"
    total = sum(cells.values())
    percent = 100 * shown / total if total else 0.0
    if abs(number - shown) > 1e-9 and not (is_share and abs(number - percent) < 0.051):
        if is_share and "%" not in match[0]:
            raise Undecided  # a count of the whole, which the pie does not show
        raise Contradicted(
            f"the chart shows {shown:g} for {rows[0]} {columns[0]}".strip()
        )
    yield from ()


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
    rows = [by_row[name] for name in _mentions(sentence, set(by_row))]
    every = list(by_row.values())
    if len(rows) == 2 and re.search(r"(?i)\bmore\b.*\bthan\b", sentence):
        return rows[0] - rows[1]
    if len(rows) == 2 and re.search(r"(?i)\b(?:fewer|less)\b.*\bthan\b", sentence):
        return rows[1] - rows[0]
    if len(rows) == 2 and re.search(r"(?i)\bdifference\b", sentence):
        return abs(rows[0] - rows[1])
    if re.search(r"(?i)\b(?:mean|average)\b", sentence):
        return sum(rows or every) / len(rows or every)
    if re.search(r"(?i)\b(?:in total|in all|altogether|total|sum)\b", sentence):
        return sum(rows or every)
    if len(rows) == 1 and re.match(r"\s*How (?:many|much)\b", sentence):
        return rows[0]
    return None
