"""A figure that somebody published: a number, an official result file, or a row of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import UserError
from ...tables import utf8_bytes
from ..predictions import decoded, read_rows

Figure = tuple[float, int | None, int | None]  # a fraction of one, right, of how many

# The column over all samples; closed: what tables call it.
WHOLE = frozenset(
    ["all", "overall", "accuracy", "acc", "total", "average", "avg", "mean", "test"]
)
# How files of results end their names, as harnesses write them.
RESULTS = ("result", "results", "_acc", "_score", "_scores")
TABLES = (".csv", ".tsv", ".xlsx", ".json")
# A percentage by itself: 17.66 or 17.66 %; no path, whatever its digits.
# Under what harnesses tell the share of right answers, where it is not called accuracy.
HARNESS = ("acc", "accuracy", "exact_match", "mathvision_standard_eval", "score")
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
    return bool(mark) or Path(text).stem.endswith(RESULTS)


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
    rows = _results(Path(file))
    if rows is None:
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


def _results(path: Path) -> list[dict[str, Any]] | None:
    """The rows of a JSON file of results: MATH-V's own, lm-eval's and lmms-eval's, inspect's.

    None where it is another file.
    """
    if path.suffix.lower() != ".json":
        return None
    try:
        data = decoded(utf8_bytes(path))
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    tasks = data.get("results")
    if isinstance(tasks, dict) and isinstance(tasks.get("scores"), list):
        return [_inspect(score) for score in tasks["scores"] if isinstance(score, dict)]
    if isinstance(tasks, dict):
        return [_of_task(k, v) for k, v in tasks.items() if isinstance(v, dict)]
    if data and all(_cell(value) is not None for value in data.values()):
        return [data]
    return None


def _inspect(score: Mapping[str, Any]) -> dict[str, Any]:
    metrics = score.get("metrics") or {}
    named = {
        name: metric.get("value")
        for name, metric in metrics.items()
        if isinstance(metric, dict)
    }
    return {"task": str(score.get("name") or ""), **_percents(named)}


def _of_task(name: str, figures: Mapping[str, Any]) -> dict[str, Any]:
    """A task's figures; what stands behind a comma is the filter: "exact_match,strict-match"."""
    told = {key.partition(",")[0]: value for key, value in figures.items()}
    whole = next((told[key] for key in HARNESS if key in told), None)
    named = {"task": name, **_percents(told)}
    return named if whole is None else named | _percents({"overall": whole})


def _percents(figures: Mapping[str, Any]) -> dict[str, str]:
    """Harnesses write fractions of one."""
    numbers = {
        name: float(value)
        for name, value in figures.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return {name: repr(100 * v) for name, v in numbers.items() if 0 <= v <= 1}


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
