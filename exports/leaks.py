"""Withheld text that stands where it should not: solutions and long answers, in any file.

Files that follow from the problems cannot leak: `verify` writes them anew from problems without
answers. What is searched here is the ground itself, the words in pictures' metadata, the exports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

WORDS = 8  # so many words in a row of a solution are no chance
LETTERS = 24  # a text of fewer letters and digits may stand anywhere by chance
_WORD = re.compile(r"\w+")


class Withheld:
    """The withheld texts, by runs of their words.

    >>> secret = Withheld([{"id": "a-1", "solution": "Half of the base times the height is 12."}])
    >>> secret.told_in("note: half of the base, times the height is 12!")
    'a-1'
    """

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        self.runs: dict[tuple[str, ...], str] = {}
        for row in rows:
            parts = row.get("parts") or []
            for text in (row.get("answer"), row.get("solution"), *(p.get("answer") for p in parts)):
                words = _WORD.findall(str(text or "").lower())
                if sum(map(len, words)) >= LETTERS:
                    for run in _runs(words, min(WORDS, len(words))):
                        if sum(map(len, run)) >= LETTERS:
                            self.runs.setdefault(run, str(row["id"]))
        self.lengths = {len(run) for run in self.runs}

    def without(self, texts: Iterable[str]) -> Withheld:
        """But for what is public anyway: a solution may quote its question."""
        for text in texts:
            words = _WORD.findall(text.lower())
            for length in self.lengths:
                for run in _runs(words, length):
                    self.runs.pop(run, None)
        return self

    def told_in(self, text: str) -> str:
        """The id of a withheld text of which a run stands in `text`, or ""."""
        words = _WORD.findall(text.lower())
        return next(
            (
                self.runs[run]
                for length in self.lengths
                for run in _runs(words, length)
                if run in self.runs
            ),
            "",
        )


def _runs(words: list[str], length: int) -> Iterator[tuple[str, ...]]:
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


def texts_of_file(path: Path) -> Iterator[str]:
    """The texts in a file: of JSON, of Parquet, of a picture's metadata, or the file as text."""
    data = path.read_bytes()
    if path.suffix in (".png", ".jpg", ".jpeg"):
        yield from picture_texts(data)
    elif path.suffix == ".parquet":
        import pyarrow.parquet as pq

        for batch in pq.ParquetFile(path).iter_batches(100):
            for row in batch.to_pylist():
                yield from strings({k: v for k, v in row.items() if k != "images"})
    elif path.suffix in (".json", ".jsonl"):
        for line in data.splitlines() if path.suffix == ".jsonl" else [data]:
            try:
                yield from strings(msgspec.json.decode(line))
            except msgspec.DecodeError:
                yield line.decode("utf-8", "replace")
    else:
        yield data.decode("utf-8", "replace")


def picture_texts(data: bytes) -> Iterator[str]:
    """What a picture says beside its pixels: PNG's text, JPEG's comment, EXIF."""
    import io

    from PIL import Image as Pillow

    try:
        with Pillow.open(io.BytesIO(data)) as picture:
            values = [*picture.info.values(), *picture.getexif().values()]
    except Exception:  # Pillow raises what it likes; `verify` has opened the picture before
        values = [data]
    for value in values:
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        yield from strings(value)
