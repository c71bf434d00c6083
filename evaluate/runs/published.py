"""A figure that somebody published: a number, an official result file, or a row of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import UserError
from ..predictions import read_rows

Figure = tuple[float, int | None, int | None]  # a fraction of one, right, of how many

# The column over all samples; closed: what tables call it.
WHOLE = frozenset(
    ["all", "overall", "accuracy", "acc", "total", "average", "avg", "mean", "test"]
)
TABLES = (".csv", ".tsv", ".xlsx", ".json")
# A percentage by itself: 17.66 or 17.66 %; no path, whatever its digits.
_NUMBER = re.compile(r"\d{1,3}(?:\.\d+)?\s*%?")
# A share that was counted, perhaps with its value behind: 537/3040=17.66%.
_COUNTED = re.compile(r"(\d+)\s*/\s*(\d+)(?:\s*=.*)?")
# What stands before the number of a level in columns of MATH-V's result files: level3.
_LEVEL = re.compile(r"^level(?=\d+$)")


class Published(NamedTuple):
    """A published accuracy as a fraction of one, and those of groups by their name."""

    name: str
    value: float
    right: int | None = None
    n: int | None = None
    groups: Mapping[str, float] = MappingProxyType({})


def is_published(text: str) -> bool:
    """Whether a side is a figure, and no run: 17.66, results.json, table.csv#Gemini Pro.

    >>> is_published("17.66"), is_published("scores/gpt"), is_published("table.csv#Gemini Pro")
    (True, False, True)
    """
    if _NUMBER.fullmatch(text.strip()) and not Path(text).exists():
        return True
    path, mark, _ = text.rpartition("#")
    if Path(path if mark else text).suffix.lower() not in TABLES:
        return False
    return bool(mark) or text.endswith("_result.json")


def published(text: str) -> Published:
    """The figure of a text that `is_published`. Raises UserError where none is there."""
    if _NUMBER.fullmatch(text.strip()):
        return Published(f"published {text}", _figure(text)[0])
    file, row_name = text, ""
    if "#" in text:
        file, _, row_name = text.rpartition("#")
    row = _row(file, row_name)
    figures: dict[str, Figure] = {}
    for name, cell in row.items():
        figure = _cell(cell)
        if figure is not None:
            figures[str(name).lstrip("-")] = figure
    whole = next((name for name in figures if name.strip().casefold() in WHOLE), None)
    if whole is None:
        raise UserError(
            f"{file}: no figure over all samples", f"call its column {min(WHOLE)}"
        )
    value, right, n = figures.pop(whole)
    groups = {_LEVEL.sub("", name): share for name, (share, _, _) in figures.items()}
    return Published(row_name or Path(file).stem, value, right, n, groups)


def _row(file: str, name: str) -> dict[str, Any]:
    """The row of a table that has a cell of this name; without a name, its only one."""
    rows = [row for _, row in read_rows(Path(file)) if isinstance(row, dict)]
    if name:
        rows = [
            row for row in rows if any(_same(str(cell), name) for cell in row.values())
        ]
    if len(rows) != 1:
        raise UserError(
            f"{file} has {len(rows)} rows of {name or 'figures'}",
            "name one: TABLE#ROW",
        )
    return rows[0]


def _same(a: str, b: str) -> bool:
    return " ".join(a.split()).casefold() == " ".join(b.split()).casefold()


def _cell(cell: object) -> Figure | None:
    try:
        return _figure(str(cell))
    except ValueError:
        return None


def _figure(text: str) -> Figure:
    """A figure of percents, or counted: 17.66, 17.66 %, 537/3040=17.66%.

    >>> _figure("17.5"), _figure("1/4=25.0%")
    ((0.175, None, None), (0.25, 1, 4))
    """
    counted = _COUNTED.fullmatch(text.strip())
    if counted and int(counted[2]):
        right, n = int(counted[1]), int(counted[2])
        return right / n, right, n
    return round(float(text.strip().removesuffix("%")) / 100, 8), None, None
