"""What words say of a chart: values by their row and column, and questions that it answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

from ..diagram import Claim, Composition
from ..figure import number
from .claim import Contradicted, Reader, Scene, Undecided, unless, value_of
from .english import IS, VALUE

# A piece of a sentence up to a comma, "and" or a stop; a decimal point is none.
PIECE = r"(?:(?!,? and )(?:[^,.;?]|(?<=\d)[.](?=\d)))+"
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
MORE = re.compile(r"(?i)\bmore\b.*\bthan\b")
FEWER = re.compile(r"(?i)\b(?:fewer|less)\b.*\bthan\b")
DIFFERENCE = re.compile(r"(?i)\bdifference\b")
MEAN = re.compile(r"(?i)\b(?:mean|average)\b")
TOTAL = re.compile(r"(?i)\b(?:in total|in all|altogether|total|sum)\b")
RISE = re.compile(r"(?i)\b(?:grow|rise|increase|gain|change)\b")
FALL = re.compile(r"(?i)\b(?:fall|drop|decrease|sink|lose)\b")
# A number names a row, as 2019 or week 2, where it is led in; elsewhere it is a value.
LED_IN = r"\b(?:in|at|on|for|to|from|of|by) (?:[a-z]+ )?"
CHARTS = ("bar", "line", "pie", "table", "histogram")
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
    if item.op == "histogram":
        ends = pairwise(f"{edge:g}" for edge in map(number, item.options["edges"]))
        names = [f"{low} to {high}" for low, high in ends]
        return {
            (name, ""): number(count)
            for name, count in zip(names, item.value, strict=False)
        }
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
        before = LED_IN if NUMBERS.fullmatch(name) else r"(?<!\w)"
        pattern = rf"(?i){before}{re.escape(name)}(?:s|es)?(?!\w)"
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
    if not rows and len(names) == 1:
        rows = [*names]
    if len(kinds) == 1:
        return rows, [*kinds]
    return rows, _mentions(match[0], kinds) or [""]


def _without(text: str, names: Iterable[str]) -> str:
    """A text without the names in it: a row may be a number, as 2019."""
    for name in filter(None, names):
        text = re.sub(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return text


# The five numbers of a box, by what they are called.
FIVE = (
    "least|smallest|minimum|lowest",
    "lower quartile|first quartile",
    "median",
    "upper quartile|third quartile",
    "greatest|largest|maximum|highest",
)
_OF_BOX = "|".join(FIVE)
ONE_OF_BOX = rf"(?i:(?P<what>{_OF_BOX}))(?: value| number)?{IS}{VALUE}"
QUARTILES = r"\bquartiles are (?P<low>-?\d+(?:\.\d+)?) and (?P<high>-?\d+(?:\.\d+)?)"


def _box(composition: Composition) -> list[float]:
    """The five numbers of the one box that is drawn. Raises Undecided where there are others."""
    item = composition.drawn[0][0] if composition.drawn else None
    if item is None or item.op != "box" or not item.where.startswith("chart"):
        raise Undecided
    if len(item.value) != 1:
        raise Undecided
    (values,) = item.value.values()
    if len(values) != len(FIVE):
        raise Undecided
    return sorted(float(value) for value in values)


def _of_box(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`the median is 15`."""
    word = match["what"].lower()
    place = next(k for k, names in enumerate(FIVE) if word in names.split("|"))
    shown = _box(scene.composition)[place]
    unless(abs(shown - value_of(match)) < 1e-9, f"the box shows {shown:g}")
    yield from ()


def _quartiles(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    _, low, _, high, _ = _box(scene.composition)
    is_so = (float(match["low"]), float(match["high"])) == (low, high)
    unless(is_so, f"the box shows {low:g} and {high:g}")
    yield from ()


CHART_READERS: tuple[tuple[str, Reader], ...] = (
    (PIECE, _cell),
    (ONE_OF_BOX, _of_box),
    (QUARTILES, _quartiles),
)


def chart_question(sentence: str, composition: Composition) -> float | None:
    """What a chart answers to a question: one value, a difference, a sum, a mean, a share; None
    where the question is another."""
    if re.search(r"\brange\b", sentence) and not re.search(r"quartile", sentence):
        with suppress(Undecided):
            box = _box(composition)
            return box[-1] - box[0]
    cells = chart_cells(composition)
    if not cells:
        return None
    asked = _asked(sentence, cells)
    if composition.drawn[0][0].op == "pie":
        return _share(sentence, asked, cells)
    if len(asked) == 2 and MORE.search(sentence):
        return asked[0] - asked[1]
    if len(asked) == 2 and FEWER.search(sentence):
        return asked[1] - asked[0]
    if len(asked) == 2 and DIFFERENCE.search(sentence):
        return abs(asked[0] - asked[1])
    if len(asked) == 2 and RISE.search(sentence):
        return asked[1] - asked[0]
    if len(asked) == 2 and FALL.search(sentence):
        return asked[0] - asked[1]
    if len(asked) and re.search(r"(?i)\bprobability\b", sentence):
        return _share(sentence, asked, cells)
    every = list(cells.values())
    if len({column for _, column in cells}) == 1:
        if MEAN.search(sentence):
            return sum(asked or every) / len(asked or every)
        if TOTAL.search(sentence):
            return sum(asked or every)
    if len(asked) == 1 and re.match(r"\s*How (?:many|much)\b", sentence):
        return asked[0]
    return None


def _asked(sentence: str, cells: Cells) -> list[float]:
    """The values that a question names, in its order: rows, or columns of one row."""
    kinds = {column for _, column in cells}
    rows = _mentions(sentence, {row for row, _ in cells})
    if len(kinds) == 1:
        (kind,) = kinds
        return [cells[row, kind] for row in rows]
    columns = _mentions(sentence, kinds)
    if not rows and len({row for row, _ in cells}) == 1:
        rows = [next(iter(cells))[0]]
    if len(rows) != 1 and len(columns) != 1:
        return []
    return [
        cells[row, column]
        for row in rows
        for column in columns
        if (row, column) in cells
    ]


def _share(sentence: str, asked: list[float], cells: Cells) -> float | None:
    """The share of the parts that a question for a probability or percentage names."""
    is_asked = re.search(r"(?i)\bprobability|\bpercent|%", sentence)
    if not asked or not is_asked or re.search(r"\bnot\b", sentence):
        return None
    share = sum(asked) / sum(cells.values())
    return 100 * share if re.search(r"(?i)percent|%", sentence) else share
