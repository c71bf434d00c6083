"""A table of any kind: its columns, and its rows one by one, damaged ones told apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from datetime import date, time
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UserError
from .cells import SEARCHED, Damaged, Row, above_header, split_rows
from .encoding import open_text
from .parquet import parquet_rows
from .workbook import NoValue, sheet_rows

TABLES = (".csv", ".tsv", ".xlsx", ".xlsm", ".parquet")
NAMES = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas"}


class Table(msgspec.Struct):
    """Columns and rows with their line (from 1); `remark` tells what was guessed, or is ""."""

    columns: list[str]
    rows: Iterator[tuple[int, dict[str, Any] | Damaged]]
    line: int = 1  # of the header
    remark: str = ""


def read_table(
    path: Path,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    typed: bool = False,
) -> Table:
    """A CSV, TSV (both also gzipped), Excel workbook or Parquet file, by its suffix.

    Encoding and delimiter are found where they are not given. Cells of CSV and TSV are texts; with
    `typed` those of a workbook, too, where a formula stands among texts: "=3" is what was typed.
    Raises UserError for a file that cannot be read at all, has no header, or names a column twice.
    """
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix == ".parquet":
        return _of_parquet(path)
    if suffix in (".xlsx", ".xlsm"):
        remark, rows = sheet_rows(path, sheet, typed=typed)
        return _headed(path, rows, remark)
    is_tsv = suffix == ".tsv"
    text, guess = open_text(path, encoding)
    cut, cells = split_rows(text, delimiter or ("\t" if is_tsv else None))
    guesses = []
    if encoding is None and guess not in ("utf-8", "utf-16", "utf-32"):
        guesses.append(guess)
    if delimiter is None and cut != ("\t" if is_tsv else ","):
        guesses.append(f"cells cut by {NAMES.get(cut, cut)}")
    return _headed(path, cells, f"read as {', '.join(guesses)}" if guesses else "")


def _headed(path: Path, rows: Iterator[tuple[int, Row]], remark: str) -> Table:
    """The first row names the columns, the first below a title where there is one."""
    first = list(islice(rows, SEARCHED))
    count, title = above_header(first)
    remark = "; ".join(filter(None, [remark, title]))
    rows = chain(first[count:], rows)
    line, header = next(rows, (1, None))
    if header is None:
        raise UserError(f"{path} is empty", "give a table with a header")
    if isinstance(header, Damaged):
        raise UserError(f"{path}:{line}: the header is {header.cause}", "mend it")
    columns = ["" if cell is None else str(cell).strip() for cell in header]
    if cause := _damage(["the header"] * len(columns), columns):
        raise UserError(
            f"{path}:{line}: {cause}", "save the file as UTF-8, or say its encoding"
        )
    twice = [name for name, count in Counter(columns).items() if count > 1 and name]
    if twice:
        raise UserError(
            f"{path}:{line}: two columns are called {twice[0]!r}", "rename one"
        )
    padded = path.suffix.lower() in (".xlsx", ".xlsm")
    return Table(columns, _body(columns, rows, padded), line, remark)


def _body(
    columns: list[str], rows: Iterator[tuple[int, Row]], padded: bool
) -> Iterator[tuple[int, dict[str, Any] | Damaged]]:
    for line, cells in rows:
        if isinstance(cells, Damaged):
            yield line, cells
            continue
        if padded:  # a sheet ends each row at its last cell
            cells = cells + [None] * (len(columns) - len(cells))
            while len(cells) > len(columns) and cells[-1] is None:
                cells.pop()
        cause = _damage(columns, cells)
        cells = ["" if cell is None else cell for cell in cells]
        if cause:
            yield line, Damaged.of(cause, ",".join(map(str, cells)))
        else:
            pairs = zip(columns, cells, strict=True)
            yield line, {name: cell for name, cell in pairs if name}


def _damage(columns: list[str], cells: list[Any]) -> str:
    if len(cells) != len(columns):
        return f"{len(cells)} cells where the header has {len(columns)}"
    for name, cell in zip(columns, cells, strict=True):
        if isinstance(cell, NoValue):
            return f"the formula of {name!r} has no saved value; save the file in Excel or Calc"
        if isinstance(cell, str) and not cell.isascii():
            try:
                cell.encode("utf-8")
            except UnicodeEncodeError as error:
                byte = ord(cell[error.start]) & 0xFF
                return f"{name!r} has bytes of another encoding ({byte:#04x})"
    return ""


def _of_parquet(path: Path) -> Table:
    rows = parquet_rows(path)
    first = next(rows, None)
    if first is None:
        return Table([], iter(()))

    def body() -> Iterator[tuple[int, dict[str, Any] | Damaged]]:
        yield first[0], _plain(first[1])
        for number, row in rows:
            yield number, _plain(row)

    return Table(list(first[1]), body())


def _plain(value: Any) -> Any:
    """What JSON knows, and bytes: dates as text, whole floats as integers, NaN as nothing."""
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    if isinstance(value, date | time):
        return value.isoformat()
    return value if isinstance(value, bytes | str | bool | int | None) else str(value)
