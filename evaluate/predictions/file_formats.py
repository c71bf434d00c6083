"""Rows of a prediction file: JSON lines, a JSON array or object, a table, inspect's logs.

Text may be gzipped (found by its first bytes) and in UTF-8, UTF-16 or UTF-32 (by its byte order
mark); tables are read as recipes read them. What a row means is `match.py`'s business; here a file
is only cut into rows, and what cannot be read becomes a message with file and line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...base.files import read_lines
from ...base.terminal import say
from ...errors import UserError
from ...tables import TABLES, Damaged, plain_utf8, read_table, utf8_bytes
from .inspect_logs import decoded, inspect_archive, inspect_samples, unfinished

Row = dict[str, Any]
TABLE_DEPTH = 4  # levels of an object in which its rows are looked for
FEWEST_ROWS = 10  # rows by their names; fewer are settings


def read_rows(path: Path) -> Iterator[tuple[int, Row | str]]:
    """Line (or element) number and row; a string instead of a row says why it is unreadable.

    The suffix decides: .json, .csv, .tsv, .xlsx, .parquet, .eval; anything else is JSON lines.
    Raises UserError when the file cannot be read at all.
    """
    if not path.is_file():
        raise UserError(f"cannot read {path}: not a file", "give a file of predictions")
    readers = dict.fromkeys(TABLES, _table) | {".json": _json, ".eval": inspect_archive}
    yield from readers.get(_suffix(path), _json_lines)(path)


def _suffix(path: Path) -> str:
    """What kind of file it is by name; `run.csv.gz` is a CSV.

    >>> _suffix(Path("run.CSV.gz")), _suffix(Path("run.jsonl"))
    ('.csv', '.jsonl')
    """
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of every line that is not blank; plain files are not held in memory."""
    if plain_utf8(path):
        yield from read_lines(path)
        return
    for number, line in enumerate(utf8_bytes(path).split(b"\n"), 1):
        if line.strip():
            yield number, line


def _json_lines(path: Path) -> Iterator[tuple[int, Row | str]]:
    for number, line in _lines(path):
        try:
            row = decoded(line)
        except ValueError as error:
            yield number, f"{path}:{number}: {error}"
            continue
        yield number, _object(row, path, number)


def _object(row: Any, path: Path, number: int) -> Row | str:
    return row if isinstance(row, dict) else f"{path}:{number}: not a JSON object"


def _json(path: Path) -> Iterator[tuple[int, Row | str]]:
    """An array of rows, an object of rows by id (MM-MATH), inspect's log; JSON lines too."""
    try:
        data = decoded(utf8_bytes(path))
    except ValueError:
        yield from _json_lines(path)
        return
    if isinstance(data, dict) and isinstance(data.get("samples"), list):
        yield from unfinished(path, data)
        yield from inspect_samples(path, data["samples"])
        return
    rows = _rows_of(data) if isinstance(data, dict) else data
    if not isinstance(rows, list):
        raise UserError(
            f"{path}: not a JSON array or object", "give rows of predictions"
        )
    for number, row in enumerate(rows, 1):
        yield number, _object(row, path, number)


def _rows_of(data: Row) -> list[Any]:
    """The rows of an object: by their ids, its one table, replies by ids, or itself the one row."""
    values = list(data.values())
    if values and all(isinstance(value, dict) for value in values):
        return [{"id": key} | row for key, row in data.items()]
    tables = [value for value in values if _is_table(value)]
    if len(tables) == 1:
        return list(tables[0])
    by_id = [value for value in values if _is_by_id(value)]
    # beside a total: {"acc": 63.5, "results": {"8": {}}}
    if len(by_id) == 1 and not tables:
        return _rows_of(by_id[0])
    if "id" in data:
        return [data]
    if values and all(isinstance(value, str) for value in values):
        return [{"id": key, "response": text} for key, text in data.items()]
    return _deeper(data) or [data]


def _deeper(data: Row) -> list[Row]:
    """The largest table in an object: a list of rows, or rows by their names, at any depth."""
    tables: list[list[Row]] = []
    parts: list[tuple[Any, int]] = [(data, 0)]
    for part, depth in parts:
        if depth == TABLE_DEPTH:
            continue
        if _is_table(part):
            tables.append([row for row in part if isinstance(row, dict)])
        elif isinstance(part, dict):
            rows = {key: row for key, row in part.items() if isinstance(row, dict)}
            if depth and len(rows) >= FEWEST_ROWS:
                tables.append([{"id": key} | row for key, row in rows.items()])
            else:
                parts += [(value, depth + 1) for value in part.values()]
    return max(tables, key=len, default=[])


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and value != [] and isinstance(value[0], dict)


def _is_by_id(value: Any) -> bool:
    is_object = isinstance(value, dict) and len(value) > 1
    return is_object and all(isinstance(row, dict) for row in value.values())


def _table(path: Path) -> Iterator[tuple[int, Row | str]]:
    """CSV, TSV, Excel (VLMEvalKit's default) and Parquet."""
    table = read_table(path, typed=True)
    if table.remark:
        say(f"{path}: {table.remark}")
    for line, row in table.rows:
        yield line, f"{path}:{line}: {row.cause}" if isinstance(row, Damaged) else row


def is_table(path: Path) -> bool:
    """Whether a file holds cells, of which a blank one says nothing."""
    return _suffix(path) in TABLES
