"""Rows of any table of questions: JSON lines, plain or gzipped, and Parquet; and their texts."""

from __future__ import annotations

import atexit
import gzip
import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import read_lines
from ..errors import UserError, nearest
from ..tables import parquet_rows

TEXTS = ("question", "problem", "text", "prompt", "query", "instruction", "content", "input")
PICTURES = ("images", "image", "decoded_image", "picture")


def rows_of(path: Path) -> Iterator[tuple[int, Any]]:
    """Line or row number, from 1, and the row; an exception in place of a damaged one.

    Raises UserError for a file that cannot be read at all.
    """
    if path.suffix == ".parquet":
        yield from parquet_rows(path)
        return
    for number, line in _gzip_lines(path) if path.suffix == ".gz" else read_lines(path):
        try:
            yield number, msgspec.json.decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            yield number, error


def _gzip_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except (OSError, EOFError) as error:
        raise UserError(f"cannot read {path}: {error}", "give a whole gzip file") from error


def text_of(row: Any, field: str | None = None) -> str:
    """The question of a row: its `field`, or the first of TEXTS that holds a text.

    Raises ValueError where there is none.

    >>> text_of({"id": 1, "problem": "Find x."})
    'Find x.'
    """
    if not isinstance(row, dict):
        raise ValueError("no object")
    for name in (field,) if field else TEXTS:
        if isinstance(row.get(name), str):
            return str(row[name])
    if field:
        raise ValueError(f"no text in {field!r}; {nearest(field, list(row))}")
    texts = [name for name, value in row.items() if isinstance(value, str)]
    raise ValueError(f"no object with a text `question`; name a field: {', '.join(texts) or '-'}")


def picture_values(row: dict[str, Any]) -> list[Any]:
    """Paths, {"path"} objects, and {"bytes"} objects as Parquet files of data sets hold them."""
    value: Any = next((row[name] for name in PICTURES if row.get(name)), [])
    return [one for one in (value if isinstance(value, list) else [value]) if one]


def embedded(data: bytes) -> Path:
    """A file with these bytes, which goes when the process ends."""
    path = _folder() / hashlib.sha256(data).hexdigest()
    if not path.exists():
        path.write_bytes(data)
    return path


@lru_cache(maxsize=1)
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="benchwright-pictures-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
