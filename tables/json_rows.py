"""Rows of JSON files as people have them: lines, an array, an array in an object, columns, by id.

A file of lines is read line by line. Any other is read as a whole, and the shape of its value says
where the rows are; where it does not, the error names what is there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import read_lines
from ..base.json_lines import decode
from ..base.yaml_lines import located
from ..errors import UserError
from .encoding import open_text, plain_utf8, utf8_bytes
from .paths import rows_at

MAX_WHOLE = 2_000_000_000  # bytes of a file that is read as one value
MAX_YAML = 10_000_000  # bytes, of which a megabyte takes seconds
MOST_VALUES = 1_000_000  # of a file in YAML
YAML = (".yaml", ".yml")
DEEPEST = 4  # objects around the array of rows
FEW = 3  # elements of an array that are looked into
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)  # a name that a path has no quotes for
_OPEN = (b"{", b"[", b",", b":", b"}", b"]")

IsRow = Callable[[Any], bool]


def whole_rows(
    path: Path, is_row: IsRow, key: str = "", name: str = "id", rows: str = ""
) -> list[Any] | None:
    """The rows of a file that is one JSON value; None of one that holds lines.

    `is_row` says whether a value can be a row by its columns, `rows` is the path to them, `key` the
    names to what holds them, and `name` the column for a row's key in an object of rows. Raises
    UserError where nothing says which of several arrays is meant, for a path that leads nowhere, or
    for text whose encoding cannot be told.
    """
    in_yaml = path.suffix.lower() in YAML
    if holds_lines(path, is_row, key or rows):
        return None
    data = _utf8(path)
    values = [_of_yaml(path, data)] if in_yaml else _values(data)
    if values is None and (script := _ASSIGNED.match(data)):
        values = _values(data[script.end() :].rstrip().rstrip(b";"))
        if values is None:
            raise UserError(
                f"{path} is a script, and what it assigns is no JSON",
                "save what stands between [ and ], with keys and texts in double quotes",
            )
    if values is None or len(values) != 1:
        values = values and [row for one in values for row in _led(one, rows, path)]
        return values
    if rows:
        return _led(values[0], rows, path)
    return rows_of(values[0], is_row, key, name, str(path))


def _of_yaml(path: Path, data: bytes) -> Any:
    """The value of a file in YAML, in which aliases may stand for others, as JSON has it."""
    if len(data) > MAX_YAML:
        what = f"{path}: {len(data):,} bytes of YAML, {MAX_YAML:,} at most"
        raise UserError(what, "part the file, or save it as JSON")
    left = [MOST_VALUES]

    def plain(value: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise UserError(
                f"{path}: more than {MOST_VALUES:,} values", "part the file"
            )
        if isinstance(value, dict):
            return {str(name): plain(one) for name, one in value.items()}
        if isinstance(value, list):
            return [plain(one) for one in value]
        is_plain = isinstance(value, str | int | float | None)
        return value if is_plain else str(value)

    return plain(located(path, data.decode("utf-8")).data)


def _led(value: Any, rows: str, path: Path) -> list[Any]:
    """The rows that a path leads to; without one, the value itself."""
    try:
        return rows_at(value, rows) if rows else [value]
    except UserError as error:
        raise UserError(f"{path}: {error.message}", error.remedy) from error


# A script that only gives a name to a value: `const questions = [`, `export default [`.
_ASSIGNED = re.compile(
    rb"""
    \s*+ (?: export \s++ default | module\.exports \s*+ =
          | (?:export\s++)? (?:const|let|var) \s++ \w++ \s*+ (?: : [^=\n]{1,80} )? = )
    \s*+ (?=[\[{])
    """,
    re.VERBOSE,
)


def holds_lines(path: Path, is_row: IsRow, key: str = "") -> bool:
    """Whether each line of a file is a value of its own, as the first ones say."""
    if path.suffix.lower() in YAML:
        return False
    starts = [line.strip() for _, line in islice(read_lines(path), 2)]
    in_lines = not starts or (
        _is_line(starts, is_row) and not _ASSIGNED.match(starts[0])
    )
    is_large = path.stat().st_size > MAX_WHOLE
    return not key and plain_utf8(path) and (in_lines or is_large)


def _is_line(starts: list[bytes], is_row: IsRow) -> bool:
    """Whether the first line is a row of its own, or one that is broken among others."""
    try:
        value = json_value(starts[0])
    except (msgspec.DecodeError, ValueError):
        return not starts[0].endswith(_OPEN) and starts[0][:1] != b"["
    return isinstance(value, dict) and (len(starts) > 1 or is_row(value))


def _utf8(path: Path) -> bytes:
    data = utf8_bytes(path)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        text, encoding = open_text(path)
        if encoding != "utf-8":
            return text.encode("utf-8", "surrogateescape")
    return data


def json_value(data: bytes) -> Any:
    """A value, also where Python wrote NaN or Infinity, which JSON does not know: none."""
    try:
        return decode(data)
    except msgspec.DecodeError:
        if b"NaN" not in data and b"Infinity" not in data:
            raise
        try:
            return json.loads(data, parse_constant=lambda name: None)
        except RecursionError:
            raise msgspec.DecodeError("JSON is nested too deeply") from None


def _values(data: bytes) -> list[Any] | None:
    """The value of a whole file, or several objects one behind the other; None of neither."""
    try:
        return [json_value(data)]
    except (msgspec.DecodeError, ValueError):
        pass
    try:
        values = list(_behind_each_other(data.decode("utf-8")))
    except (ValueError, RecursionError):
        return None
    return values if all(isinstance(value, dict) for value in values) else None


def _behind_each_other(text: str) -> Iterator[Any]:
    """Values with blanks or commas between them. Raises ValueError for anything else."""
    decoder = json.JSONDecoder()
    position = 0
    while position < len(text):
        value, position = decoder.raw_decode(text, position)
        yield value
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1


def rows_of(
    value: Any, is_row: IsRow, key: str = "", name: str = "id", at: str = ""
) -> list[Any]:
    """The rows in a JSON value of any usual shape.

    >>> asks = lambda row: isinstance(row, dict) and isinstance(row.get("q"), str)
    >>> rows_of({"data": [{"q": "1+1?"}]}, asks)
    [{'q': '1+1?'}]
    >>> rows_of({"q": ["1+1?", "1+2?"], "key": [2, 3]}, asks)
    [{'q': '1+1?', 'key': 2}, {'q': '1+2?', 'key': 3}]
    >>> rows_of({"7": {"q": "1+1?"}}, asks)
    [{'q': '1+1?', 'id': '7'}]
    """
    steps = key.split(".") if key else []
    for k, step in enumerate(steps):
        if isinstance(value, list) or "[" in key:
            way = "[].".join(["", *steps[k:], ""]) if "[" not in key else key
            return rows_at(value, way.removesuffix("."))
        names = value if isinstance(value, dict) else {}
        if step not in names:
            there = ", ".join(map(repr, names)) if names is value else "no names"
            raise UserError(
                f"{at}: no {step!r} of key {key!r}", f"there: {there[:300]}"
            )
        value = names[step]
    if isinstance(value, list) and not is_row(value):
        array = _of_array(value)
        return array if any(map(is_row, array)) else _nested(value, is_row) or array
    if isinstance(value, dict) and not is_row(value):
        return _of_object(value, is_row, name, at)
    return [value]


def _of_object(value: dict[str, Any], is_row: IsRow, name: str, at: str) -> list[Any]:
    """The rows in an object: its columns, its values by their keys, or the arrays inside it."""
    if (columns := _of_columns(value, is_row)) is not None:
        return columns
    rows = {k: row for k, row in value.items() if isinstance(row, dict)}
    if rows and len(rows) == len(value) and any(map(is_row, rows.values())):
        return [_with(row, name, k) for k, row in rows.items()]
    arrays = {k: _of_array(array) for k, array in _arrays(value, "", DEEPEST)}
    asking = {k: array for k, array in arrays.items() if any(map(is_row, array))}
    if not asking and (nested := _nested(value, is_row)):
        return nested
    if len(asking or arrays) == 1:
        [array] = (asking or arrays).values()
        return array
    if asking:
        return [_with(row, "key", k) for k, array in asking.items() for row in array]
    if arrays:
        first = next(iter(arrays))
        more = f" and {len(arrays) - FEW} more" if len(arrays) > FEW else ""
        raise UserError(
            f"{at}: several arrays: {', '.join(islice(arrays, FEW))}{more}",
            f"say options: {{key: {first}}}",
        )
    return [value]


def _nested(value: Any, is_row: IsRow) -> list[Any]:
    """The rows of arrays inside arrays, where one way alone leads to some."""
    ways = list(dict.fromkeys(_ways(value, is_row, "", DEEPEST)))
    return rows_at(value, ways[0]) if len(ways) == 1 else []


def arrays_of_records(value: Any) -> list[str]:
    """The paths to all arrays of several records inside a value, the outer ones first.

    >>> arrays_of_records({"quiz": {"title": "T", "questions": [{"q": "1?"}, {"q": "2?"}]}})
    ['quiz.questions[]']
    """
    ways = _ways(value, lambda one: isinstance(one, dict), "", DEEPEST, through=True)
    return sorted(dict.fromkeys(ways), key=lambda way: way.count("["))


def _ways(
    value: Any, is_row: IsRow, way: str, depth: int, through: bool = False
) -> Iterator[str]:
    """The paths to arrays of rows, by the first elements of each array.

    `through`: to those inside of rows, too, of arrays with two elements at least.
    """
    if isinstance(value, list):
        first = value[:FEW]
        if any(map(is_row, first)) and (not through or len(value) > 1):
            yield f"{way}[]"
        if any(map(is_row, first)) and not through:
            return
        records = [(f"{way}[].", one) for one in first]
    else:
        records = [(f"{way}." if way else "", value)]
    for front, record in records if depth else ():
        for name, inner in record.items() if isinstance(record, dict) else ():
            if isinstance(inner, list | dict):
                called = name if _PLAIN.fullmatch(name) else f'"{name}"'
                below = f"{front}{called}"
                yield from _ways(inner, is_row, below, depth - 1, through)


def _with(row: Any, name: str, value: str) -> Any:
    """A row with one more column, where it has none of this name."""
    if not isinstance(row, dict) or name in row:
        return row
    return row | {name: value}


def _of_array(array: list[Any]) -> list[Any]:
    """The rows of an array; of arrays, where the first names the columns."""
    header = array[0] if array else None
    if not isinstance(header, list) or not all(
        isinstance(cell, str) for cell in header
    ):
        return array
    names_columns = len(set(header)) == len(header) > 1
    if not names_columns or not all(_is_as_wide(row, header) for row in array):
        return array
    return [dict(zip(header, row, strict=True)) for row in array[1:]]


def _is_as_wide(row: Any, header: list[str]) -> bool:
    return isinstance(row, list) and len(row) == len(header)


def _of_columns(value: dict[str, Any], is_row: IsRow) -> list[Any] | None:
    """Columns as arrays of one length, as objects of one set of keys, or beside their names."""
    names = value.get("columns")
    data = value.get("data")
    if isinstance(names, list) and isinstance(data, list):  # pandas, orient="split"
        return _of_array([names, *data])
    columns = list(value.values())
    if all(isinstance(c, dict) and c.keys() == columns[0].keys() for c in columns):
        columns = [list(column.values()) for column in columns]
    are_lists = all(isinstance(column, list) for column in columns)
    if len(columns) < 2 or not are_lists or len(set(map(len, columns))) > 1:
        return None
    rows = [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]
    return rows if any(map(is_row, rows)) else None


def _arrays(
    value: dict[str, Any], path: str, depth: int
) -> Iterator[tuple[str, list[Any]]]:
    """The arrays of objects or arrays in an object, with the way to each."""
    for name, one in value.items():
        if isinstance(one, list) and one and isinstance(one[0], dict | list):
            yield path + name, one
        elif isinstance(one, dict) and depth:
            yield from _arrays(one, f"{path}{name}.", depth - 1)
