"""A raw row as it stands, for people: names with texts, what is embedded told by size and hash."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ...base.files import encode
from ...base.pictures import SHORTEST, embedded
from ...errors import UserError
from .base import Raw

_URI = re.compile(r"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/=%]*")

_CARRIERS = frozenset(
    {"bytes", "data", "path", "file_name", "src", "url"}
)  # see `embedded`


class Cell(msgspec.Struct):
    """A name and what stands under it; `pictures` lie in the row itself, see `embedded`."""

    name: str
    text: str
    pictures: list[Any] = []


def cells_of(data: Any) -> list[Cell]:
    """The cells of a raw row, whatever its reader makes rows of.

    >>> [(cell.name, cell.text) for cell in cells_of({"id": 7, "row": {"a": ["x"], "b": None}})]
    [('id', '7'), ('row.a', '["x"]'), ('row.b', '')]
    """
    try:
        if not isinstance(data, dict | list | str):
            data = msgspec.to_builtins(data, builtin_types=(bytes,), enc_hook=str)
        return list(_cells("", data))
    except RecursionError:
        return [Cell("", "(nested too deeply)")]


def _cells(name: str, value: Any) -> Iterator[Cell]:
    if isinstance(value, str) and _is_plain(value):
        yield Cell(name, value)
        return
    shown, pictures = _without_pictures(value)
    if isinstance(shown, dict) and shown and not pictures:
        for inner, below in shown.items():
            yield from _cells(f"{name}.{inner}" if name else str(inner), below)
    else:
        told = "" if shown is None else shown
        text = told if isinstance(told, str) else _encoded(told)
        yield Cell(name, text, pictures)


def _encoded(value: Any) -> str:
    try:
        return encode(value).decode().rstrip("\n")
    except (TypeError, ValueError):  # a type of a table's own
        return str(value)


def _without_pictures(value: Any) -> tuple[Any, list[Any]]:
    """A value with a mark for each picture that lies in it, and the pictures."""
    if _is_plain(value) or (isinstance(value, list) and all(map(_is_plain, value))):
        return value, []
    if isinstance(value, list | tuple):
        pairs = [_without_pictures(one) for one in value]
        return [shown for shown, _ in pairs], [p for _, found in pairs for p in found]
    try:
        data = embedded(value)[1]
    except UserError:
        data = None
    if data is not None:
        return _mark(data), [value]
    if isinstance(value, bytes):
        return _mark(value), []
    if isinstance(value, str) and "data:image/" in value:
        found = _URI.findall(value)
        return _URI.sub(lambda m: _mark(m[0].encode()), value), found
    return value, []


def _is_plain(value: Any) -> bool:
    """A number, a text too short to be a picture, or a record without the names of one."""
    if isinstance(value, str):
        return len(value) < SHORTEST and "data:" not in value
    if isinstance(value, dict):
        return _CARRIERS.isdisjoint(value)
    return not isinstance(value, bytes | list | tuple)


def _mark(data: bytes) -> str:
    return f"‹{len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()[:12]}›"


class RawRow(msgspec.Struct):
    """A line of lines.jsonl: whose row it is, where it stood, and the hash of what stood there."""

    id: str
    at: str
    sha256: str
    row: list[tuple[str, str]]


def raw_row(name: str, raw: Raw) -> RawRow:
    """The raw row of the problem `name`; what is embedded counts by its hash."""
    data = raw.data
    if isinstance(data, dict) and all(
        isinstance(v, str) and _is_plain(v) for v in data.values()
    ):
        row = [*data.items()]  # as a table has it
    else:
        row = [(cell.name, cell.text) for cell in cells_of(data)]
    return RawRow(name, raw.place, hashlib.sha256(encode(row)).hexdigest(), row)
