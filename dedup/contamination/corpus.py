"""Documents of a corpus, a piece at a time: files, folders, patterns, standard input.

What a file holds decides how it is read, never its name: gzip, Zstandard, bzip2 and xz are
unpacked, Parquet, JSON lines and JSON arrays are rows, an archive of the web (WARC, WET) is pages,
all else is one document of plain text. The text of a row is every text in it, in order, so that
chat rows, instruction rows and pages need no setting.
"""

from __future__ import annotations

import bz2
import glob
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from ...base.files import address_of
from ...base.stores import brought
from ...errors import UserError
from ...evaluate.predictions import hub_files, is_of_hub
from ...tables import parquet_rows
from ..items import rows_of, text_of
from .archives import WARC, elements, records

STANDARD_INPUT = "-"
TRAINING = "train"  # the split of a data set on a hub that is looked through
BREAK = "\n"  # between two texts of a row
LONGEST_LINE = 256_000_000  # bytes of a row; a longer one is named and passed over
PIECE = 1_000_000  # characters of a document that are looked at together ...
OVERLAP = 20_000  # ... and of its next piece that they are part of
NAMED = 20  # unreadable rows of a file that are named; all are counted
DEEPEST = 8  # levels of a row in which texts are sought
QUESTION = 2_000  # mean characters of a text up to which rows are questions
QUESTIONS = (
    512_000_000  # bytes of a file up to which its rows are compared as questions
)
DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)


class Piece(NamedTuple):
    """A piece of a document: its id, its line in the file, where it begins, its text."""

    id: str
    line: int
    offset: int
    text: str


class Unreadable:
    """What could not be read: the first of a file by name, the rest counted."""

    def __init__(self) -> None:
        self.count = 0
        self.named: list[str] = []

    def add(self, place: str, cause: object) -> None:
        self.count += 1
        if len(self.named) < NAMED:
            self.named.append(f"{place}: {cause}")


def files_of(corpus: list[str | Path]) -> dict[str, str]:
    """The files of a corpus in order, each with what it was given by.

    What lies in a store or on a hub comes here first, and is found again the next time.

    Raises UserError for a name without a file.
    """
    files: dict[str, str] = {}
    for given in map(str, corpus):
        source = str(brought(given)) if address_of(given) else given
        if is_of_hub(given):
            paths = list(map(str, hub_files(given, TRAINING)))
        else:
            paths = [source] if source == STANDARD_INPUT else _below(source)
        if not paths:
            raise UserError(
                f"{source}: no such file", "give files, folders or patterns, or -"
            )
        for path in paths:
            files.setdefault(path, source)
    return files


def _below(source: str) -> list[str]:
    path = Path(source)
    if path.is_dir():
        return sorted(str(file) for file in path.rglob("*") if file.is_file())
    if path.is_file():
        return [source]
    if path.exists():  # it could be read once only, and a sample is read first
        raise UserError(
            f"{source} is a pipe or a device", "send it to standard input: -"
        )
    return sorted(
        file for file in glob.glob(source, recursive=True) if Path(file).is_file()
    )


def holds_questions(path: Path, field: str | None) -> bool:
    """Whether a file holds rows of questions, as a benchmark does, and no documents."""
    if not path.is_file() or path.stat().st_size > QUESTIONS:
        return False
    sizes = []
    try:
        for _, row in islice(rows_of(path), 1000):
            try:
                sizes.append(len(text_of(row, field)))
            except (ValueError, TypeError):
                continue
    except (UserError, *DAMAGE):
        return False
    return bool(sizes) and sum(sizes) <= QUESTION * len(sizes)


def pieces(file: str, field: str | None, unreadable: Unreadable) -> Iterator[Piece]:
    """All documents of a file; what cannot be read is named, and the rest goes on."""
    if file == STANDARD_INPUT:
        yield from _of_stream(sys.stdin.buffer, file, field, unreadable)
        return
    try:
        with open(file, "rb") as opened:
            if opened.read(4) == b"PAR1":
                yield from _of_table(file, field, unreadable)
                return
            opened.seek(0)
            yield from _of_stream(opened, file, field, unreadable)
    except OSError as error:
        unreadable.add(file, error.strerror or error)


def _of_table(file: str, field: str | None, unreadable: Unreadable) -> Iterator[Piece]:
    try:
        for line, row in parquet_rows(Path(file)):
            yield from _of_row(row, file, line, field, unreadable)
    except UserError as error:
        unreadable.add(file, error)


def _of_stream(
    stream: Any, file: str, field: str | None, unreadable: Unreadable
) -> Iterator[Piece]:
    line = 0
    try:
        plain = unpacked(io.BufferedReader(stream))
        start = plain.peek(4096)[:4096]
        if b"\0" in start:
            unreadable.add(file, "no text: it holds zero bytes")
        elif holds_lines(start):
            for line, data in lines_of(plain, file, unreadable):
                yield from _of_json(data, file, line, field, unreadable)
        elif holds_array(start):
            for line, row in enumerate(elements(plain), 1):
                yield from _of_row(row, file, line, field, unreadable)
        elif start.startswith(WARC):
            for line, address, text, cause in records(plain, file):
                if cause:
                    unreadable.add(f"{file}:{line}", cause)
                yield from _cut(address, line, text)
        else:
            yield from _of_text(plain, file)
    except (*DAMAGE, ValueError, RecursionError) as error:
        unreadable.add(file, f"damaged behind line {line}: {error}")


def holds_lines(start: bytes) -> bool:
    """Whether a file that begins so is JSON lines."""
    return start.lstrip()[:1] == b"{"


def holds_array(start: bytes) -> bool:
    """Whether a file that begins so is an array of rows."""
    first = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    return first[:1] == b"[" and first[1:].lstrip()[:1] in (b"{", b"]")


def _zstd(stream: Any) -> Any:
    import pyarrow

    return pyarrow.CompressedInputStream(stream, "zstd")


_openers: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstd,
}


def packing_of(file: str) -> bytes:
    """How a file is packed, by its first bytes; empty where it is not."""
    with open(file, "rb") as opened:
        start = opened.read(8)
    return next((magic for magic in _openers if start.startswith(magic)), b"")


def unpacked(stream: Any) -> Any:
    start = stream.peek(8)
    for magic, opener in _openers.items():
        if start.startswith(magic):
            return io.BufferedReader(opener(stream))
    return stream


def lines_of(
    stream: BinaryIO, file: str, unreadable: Unreadable
) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; one that is too long is passed over in bounded memory."""
    number = 0
    while data := stream.readline(LONGEST_LINE):
        number += 1
        if len(data) == LONGEST_LINE and not data.endswith(b"\n"):
            while data and not data.endswith(b"\n"):
                data = stream.readline(LONGEST_LINE)
            unreadable.add(f"{file}:{number}", f"longer than {LONGEST_LINE:,} bytes")
        elif not data.isspace():
            yield number, data


def _of_json(
    data: bytes, file: str, line: int, field: str | None, unreadable: Unreadable
) -> Iterator[Piece]:
    try:
        row = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        unreadable.add(f"{file}:{line}", error)
        return
    yield from _of_row(row, file, line, field, unreadable)


def _of_row(
    row: Any, file: str, line: int, field: str | None, unreadable: Unreadable
) -> Iterator[Piece]:
    name = f"{file}:{line}"
    if isinstance(row, dict):
        name = str(row.get("id", name))
    text = BREAK.join(texts_of(row, field))
    if not text:
        unreadable.add(
            f"{file}:{line}", f"no text in {field!r}" if field else "no text"
        )
    yield from _cut(name, line, text)


def texts_of(row: Any, field: str | None) -> list[str]:
    """Every text of a row but its id, or of one field, in order.

    >>> texts_of({"messages": [{"role": "user", "content": "Find x."}], "n": 1}, None)
    ['user', 'Find x.']
    """
    texts = list[str]()

    def collect(text: str) -> str:
        texts.append(text)
        return text

    with_texts(row, field, collect)
    return texts


def with_texts(row: Any, field: str | None, change: Callable[[str], str]) -> Any:
    """A row with every text that `texts_of` gives as `change` makes it."""
    if not isinstance(row, dict):
        return _changed(row, change, DEEPEST)
    changed = {}
    for name, value in row.items():
        is_read = name == field if field else name != "id"
        changed[name] = _changed(value, change, DEEPEST) if is_read else value
    return changed


def _changed(value: Any, change: Callable[[str], str], deep: int) -> Any:
    if isinstance(value, str):
        return change(value)
    if deep and isinstance(value, list):
        return [_changed(part, change, deep - 1) for part in value]
    if deep and isinstance(value, dict):
        return {name: _changed(part, change, deep - 1) for name, part in value.items()}
    return value


def _cut(name: str, line: int, text: str) -> Iterator[Piece]:
    for offset in range(0, max(len(text) - OVERLAP, 1), PIECE - OVERLAP):
        yield Piece(name, line, offset, text[offset : offset + PIECE])


def _of_text(stream: Any, file: str) -> Iterator[Piece]:
    """One document, read a piece at a time."""
    reader = io.TextIOWrapper(stream, "utf-8", "replace")
    offset, text = 0, reader.read(PIECE)
    while text:
        yield Piece(file, 0, offset, text)
        more = reader.read(PIECE - OVERLAP)
        kept = text[-OVERLAP:]
        offset += len(text) - len(kept)
        text = kept + more if more else ""
