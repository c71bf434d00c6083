"""Withheld text that stands where it should not: solutions and long answers, in any file.

Files that follow from the problems cannot leak: `verify` writes them anew from problems without
answers. What is searched here is the ground itself, the words in pictures' metadata, the exports.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import BAD_JSON, read_lines

WORDS = 8  # so many words in a row of a solution are no chance
LETTERS = 24  # a text of fewer letters and digits may stand anywhere by chance
TABLES = (".parquet", ".json", ".jsonl", ".csv", ".tsv")
TELLING = ("answer", "solution", "gold", "target")  # columns that tell an answer
_WORD = re.compile(r"\w+")


class Withheld:
    """The withheld texts, by runs of their words.

    >>> secret = Withheld([{"id": "a-1", "solution": "Half of the base times the height is 12."}])
    >>> secret.found_in("note: half of the base, times the height is 12!")
    'a-1'
    """

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        self.runs: dict[tuple[str, ...], str] = {}
        for row in rows:
            answers = [part.get("answer") for part in row.get("parts") or []]
            for text in [row.get("answer"), row.get("solution"), *answers]:
                words = _words(str(text or ""))
                for run in _runs(words, min(WORDS, len(words))):
                    if _is_long(run):
                        self.runs.setdefault(run, str(row["id"]))
        self.lengths = {len(run) for run in self.runs}

    def without(self, texts: Iterable[str]) -> Withheld:
        """But for what is public anyway: a solution may quote its question."""
        for text in texts:
            for run in self._runs_in(text):
                self.runs.pop(run, None)
        return self

    def found_in(self, text: str) -> str:
        """The id of a withheld text of which a run stands in `text`, or ""."""
        owners = (self.runs.get(run) for run in self._runs_in(text))
        return next(filter(None, owners), "")

    def _runs_in(self, text: str) -> Iterator[tuple[str, ...]]:
        words = _words(text)
        for length in self.lengths:
            yield from _runs(words, length)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _is_long(run: tuple[str, ...]) -> bool:
    return sum(map(len, run)) >= LETTERS


def _runs(words: list[str], length: int) -> Iterator[tuple[str, ...]]:
    """All stretches of so many words."""
    return zip(*(words[k:] for k in range(length)), strict=False)


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def answered(path: Path, withheld: Container[str]) -> list[str]:
    """The withheld ids whose row, in a file of any table format, holds an answer or a solution."""
    answered_ids = []
    for row in _rows(path):
        ids = [
            cell for cell in row.values() if isinstance(cell, str) and cell in withheld
        ]
        if ids and _tells_answer(row):
            answered_ids.append(ids[0])
    return answered_ids


def _tells_answer(row: dict[str, Any]) -> bool:
    """Whether a row, or one of its parts, has a cell in a column that tells an answer."""
    parts = row.get("parts")
    records = [row]
    if isinstance(parts, list):
        records += [part for part in parts if isinstance(part, dict)]
    return any(record.get(name) for record in records for name in TELLING)


def texts_of_file(path: Path) -> Iterator[str]:
    """The texts in a file: of its rows, of a picture's metadata, or the file as text."""
    if path.suffix in (".png", ".jpg", ".jpeg"):
        yield from picture_texts(path.read_bytes())
    elif path.suffix in TABLES:
        for row in _rows(path):
            yield from strings(row)
    else:
        yield path.read_text("utf-8", "replace")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a table, whose cells are as they stand there; of a damaged one what is sound."""
    # Damage is told elsewhere, and Arrow and csv raise what they like.
    with suppress(Exception):
        if path.suffix == ".parquet":
            yield from _parquet_rows(path)
        elif path.suffix == ".json":
            yield from _objects(msgspec.json.decode(path.read_bytes()))
        elif path.suffix == ".jsonl":
            for _, line in read_lines(path):
                with suppress(*BAD_JSON):
                    yield from _objects(msgspec.json.decode(line))
        elif path.suffix in TABLES:
            csv.field_size_limit(1 << 30)  # pictures are cells, too
            delimiter = "\t" if path.suffix == ".tsv" else ","
            with path.open(encoding="utf-8", errors="replace", newline="") as file:
                yield from csv.DictReader(file, delimiter=delimiter)


def _parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    table = pq.ParquetFile(path)
    columns = [name for name in table.schema_arrow.names if name != "images"]
    for batch in table.iter_batches(100, columns=columns):
        yield from batch.to_pylist()


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of a JSON value that is one, or a list of them."""
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict):
            yield entry


def picture_texts(data: bytes) -> Iterator[str]:
    """What a picture says beside its pixels: PNG's text, JPEG's comment, EXIF."""
    from PIL import Image as Pillow

    try:
        with Pillow.open(io.BytesIO(data)) as picture:
            values = [*picture.info.values(), *picture.getexif().values()]
    except (
        Exception
    ):  # Pillow raises what it likes; `verify` has opened the picture before
        values = [data]
    for value in values:
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        yield from strings(value)
