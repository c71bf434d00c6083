"""A corpus without the problems that were found in it: documents dropped, or passages cut.

What holds nothing stays as it is, to the byte. Each file keeps its name, its format and how it is
packed. What could not be read is left out, for nobody can say what it holds.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from ...base.files import link_or_copy, replacing_folder, write_jsonl
from ...errors import UserError
from ...evaluate.predictions import is_of_hub
from ...pipeline import Engine, parallel_map
from .archives import WARC, elements
from .corpus import (
    BREAK,
    DAMAGE,
    PIECE,
    STANDARD_INPUT,
    Unreadable,
    holds_array,
    holds_lines,
    lines_of,
    packing_of,
    texts_of,
    unpacked,
    with_texts,
)
from .passages import Passage

Span = tuple[
    int, int, str
]  # characters of a document, and the problem that stands there
Spans = dict[int, list[Span]]  # by line of the file
ROWS = 1000  # of a Parquet file that are held in memory
WILD = "*?["


class Change(msgspec.Struct, kw_only=True):
    """What became of a document: `did` is dropped, cut, or left out (of what nobody could read)."""

    file: str
    line: int
    did: str
    problems: list[str]
    characters: int


class _Task(NamedTuple):
    file: str
    target: str
    spans: Spans
    has_unreadable: bool


class Cleaner:
    """Takes passages as they are found, and writes the corpus without them at the end."""

    def __init__(self, out: Path, *, cut: bool = False) -> None:
        self.out = out
        self.cut = cut
        self.spans: dict[str, Spans] = {}
        if out.exists() and any(out.iterdir()):
            raise UserError(f"{out} exists and is not empty", "name a new folder")

    def add(self, passage: Passage) -> None:
        if passage.linked:
            lines = self.spans.setdefault(passage.file, defaultdict(list))
            lines[passage.line].append((passage.start, passage.end, passage.a))

    def write(
        self,
        sources: Mapping[str, str],
        unreadable: Iterable[str],
        field: str | None,
        engine: Engine,
    ) -> list[Change]:
        """Write all files of `sources`, which say what each was given by, and the account."""
        self.check(sources)
        damaged = set(unreadable)
        names = _names(sources)
        changes = list[Change]()
        with replacing_folder(self.out) as folder:
            place = folder.absolute()
            tasks = [
                _Task(
                    file, str(place / name), self.spans.get(file, {}), file in damaged
                )
                for file, name in names.items()
            ]
            clean = partial(clean_file, field, self.cut)
            for some in parallel_map(clean, tasks, engine):
                changes += some
        write_jsonl(account_of(self.out), changes)
        return changes

    def check(self, sources: Iterable[str]) -> None:
        """Raises UserError for what cannot be read twice, and for an OUT inside the corpus."""
        out = self.out.resolve()
        for source in set(sources):
            if source == STANDARD_INPUT:
                raise UserError(
                    "standard input cannot be read twice, so no clean corpus can be written",
                    "give files",
                )
            if is_of_hub(source):
                raise UserError(
                    f"{source}: no folder of its own", "fetch it, and give the folder"
                )
            if out.is_relative_to(_folder_of(source).resolve()):
                raise UserError(f"{out} lies inside the corpus", "name another folder")


def account_of(out: Path) -> Path:
    """The account of a clean corpus, beside it: it is no part of what is trained on."""
    return out.with_name(f"{out.name}.account.jsonl")


def _folder_of(source: str) -> Path:
    """The folder that the names of a source's files are kept below."""
    path = Path(source)
    if path.is_dir():
        return path
    parts = path.parent.parts
    plain = next(
        (k for k, part in enumerate(parts) if any(sign in part for sign in WILD)),
        len(parts),
    )
    return Path(*parts[:plain])


def _names(sources: Mapping[str, str]) -> dict[str, str]:
    """The path of each file below the folder that all sources lie in."""
    folders = {str(_folder_of(source).absolute()) for source in sources.values()}
    top = os.path.commonpath(folders)
    return {file: os.path.relpath(os.path.abspath(file), top) for file in sources}


def clean_file(field: str | None, cut: bool, task: _Task) -> list[Change]:
    """Write one file without what was found in it."""
    source, target = Path(task.file), Path(task.target)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not task.spans and not task.has_unreadable:
        link_or_copy(source, target)
        return []
    cleaned = _File(task, field, cut)
    with source.open("rb") as opened:
        is_table = opened.read(4) == b"PAR1"
    try:
        cleaned.write_table() if is_table else cleaned.write_stream()
    except (*DAMAGE, ValueError, RecursionError) as error:
        cleaned.leave_out(0, f"left out behind the damage: {error}")
    return cleaned.changes


class _File:
    """One file of the corpus while it is written without what was found in it."""

    def __init__(self, task: _Task, field: str | None, cut: bool) -> None:
        self.task = task
        self.field = field
        self.cut = cut
        self.changes: list[Change] = []

    def leave_out(self, line: int, why: str) -> None:
        self.changes.append(
            Change(file=self.task.file, line=line, did=why, problems=[], characters=0)
        )

    def row(self, line: int, row: Any) -> Any:
        """A row without its passages; None where it is dropped."""
        spans = self.task.spans[line]
        if not self.cut:
            size = len(BREAK.join(texts_of(row, self.field)))
            self._note(line, "dropped", spans, size)
            return None
        self._note(
            line, "cut", spans, sum(end - start for start, end in _joined(spans))
        )
        at = 0

        def without(text: str) -> str:
            nonlocal at
            start, at = at, at + len(text) + len(BREAK)
            return _without(text, start, spans)

        return with_texts(row, self.field, without)

    def _note(self, line: int, did: str, spans: list[Span], characters: int) -> None:
        problems = sorted({name for _, _, name in spans})
        self.changes.append(
            Change(
                file=self.task.file,
                line=line,
                did=did,
                problems=problems,
                characters=characters,
            )
        )

    def write_stream(self) -> None:
        with ExitStack() as stack:
            source = stack.enter_context(open(self.task.file, "rb"))
            plain = unpacked(io.BufferedReader(source))  # type: ignore[arg-type]
            start = plain.peek(4096)[:4096]
            if b"\0" in start:
                self.leave_out(0, "left out: no text")
                return
            if start.startswith(WARC):
                self.leave_out(0, "left out: an archive, which is not cut")
                return
            is_array = holds_array(start)
            is_rows = holds_lines(start) or is_array
            if not is_rows and not self.cut:  # the file is the document
                size = sum(map(len, iter(partial(plain.read, PIECE), b"")))
                self._note(0, "dropped", self.task.spans[0], size)
                return
            out = stack.enter_context(_packed(self.task.file, self.task.target))
            if is_array:
                out.writelines(self._elements(plain))
            elif is_rows:
                out.writelines(self._lines(plain))
            else:
                self._write_text(plain, out)

    def _elements(self, plain: BinaryIO) -> Iterator[bytes]:
        before = b"[\n"
        for number, row in enumerate(elements(plain), 1):
            kept = self.row(number, row) if number in self.task.spans else row
            if kept is not None:
                yield before + json.dumps(kept, ensure_ascii=False).encode(
                    "utf-8", "replace"
                )
                before = b",\n"
        yield b"\n]\n" if before != b"[\n" else b"[]\n"

    def _lines(self, plain: BinaryIO) -> Iterator[bytes]:
        unreadable = Unreadable()
        for line, data in lines_of(plain, self.task.file, unreadable):
            try:
                row = msgspec.json.decode(data)
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                self.leave_out(line, "left out: no JSON")
                continue
            if line not in self.task.spans:
                yield data if data.endswith(b"\n") else data + b"\n"
            elif (kept := self.row(line, row)) is not None:
                yield msgspec.json.encode(kept) + b"\n"
        for name in unreadable.named:
            self.leave_out(
                int(name.split(": ")[0].rpartition(":")[2]), "left out: too long"
            )

    def _write_text(self, plain: BinaryIO, out: BinaryIO) -> None:
        spans = self.task.spans[0]
        reader = io.TextIOWrapper(plain, "utf-8", "replace")
        at = 0
        while text := reader.read(PIECE):
            out.write(_without(text, at, spans).encode("utf-8", "replace"))
            at += len(text)
        cut = sum(end - start for start, end in _joined(spans))
        self._note(0, "cut", spans, cut)

    def write_table(self) -> None:
        from pyarrow import RecordBatch, parquet

        with parquet.ParquetFile(self.task.file) as file:
            schema = file.schema_arrow
            line = 0
            with parquet.ParquetWriter(self.task.target, schema) as writer:
                for batch in file.iter_batches(ROWS):
                    lines = range(line + 1, line + len(batch) + 1)
                    line += len(batch)
                    if not any(number in self.task.spans for number in lines):
                        writer.write_batch(batch)
                        continue
                    rows = [
                        self.row(number, row) if number in self.task.spans else row
                        for number, row in zip(lines, batch.to_pylist(), strict=True)
                    ]
                    kept = [row for row in rows if row is not None]
                    writer.write_batch(RecordBatch.from_pylist(kept, schema))


def _joined(spans: list[Span]) -> list[tuple[int, int]]:
    """Stretches that overlap as one.

    >>> _joined([(4, 9, "b"), (0, 5, "a"), (12, 13, "a")])
    [(0, 9), (12, 13)]
    """
    joined: list[tuple[int, int]] = []
    for start, end, _ in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _without(text: str, at: int, spans: list[Span]) -> str:
    """A text that begins at character `at` of its document, without these stretches.

    >>> _without("cdefg", 2, [(0, 3, "a"), (5, 6, "b")])
    'deg'
    """
    kept = []
    place = 0
    for start, end in _joined(spans):
        first = min(max(start - at, place), len(text))
        kept.append(text[place:first])
        place = min(max(end - at, first), len(text))
    return "".join([*kept, text[place:]])


def _zstd(target: str) -> Any:
    import pyarrow

    return pyarrow.CompressedOutputStream(target, "zstd")


_writers: dict[bytes, Callable[[str], Any]] = {
    b"": partial(open, mode="wb"),
    b"\x1f\x8b": partial(gzip.GzipFile, mode="wb", mtime=0),
    b"BZh": partial(bz2.BZ2File, mode="wb"),
    b"\xfd7zXZ": partial(lzma.LZMAFile, mode="wb"),
    b"\x28\xb5\x2f\xfd": _zstd,
}


def _packed(source: str, target: str) -> Any:
    """The target, packed as the source is."""
    return _writers[packing_of(source)](target)
