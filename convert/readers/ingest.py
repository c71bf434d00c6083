"""Stage 00: raw dumps -> problems.jsonl, quarantine.jsonl, and the record of what was read.

Every row ends as a problem or as a drop, whose id is `file:line`; quarantine.jsonl shows what stood
there. `lines.jsonl` says where each problem was read and holds its raw row with its hash, and
`inputs.jsonl` lists each file read with its hash, so that a rebuild knows whether anything changed.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ...base.files import encode, read_jsonl
from ...base.registry import consulted
from ...base.terminal import progress
from ...errors import UserError
from ...pipeline import (
    SHARDS,
    Engine,
    Line,
    Lines,
    Parts,
    Report,
    Result,
    Shard,
    SourceSpec,
    code_hash,
    cut,
    finished,
    in_parts,
    key_of,
    line_of,
    parallel_map,
    set_apart,
    shard_of,
    write_stage,
)
from ...problem import Drop, Problem
from ..conservation import Outside
from .base import (
    Input,
    Pictures,
    Raw,
    Redrawn,
    Unreadable,
    common_folder,
    file_names,
    front_of,
    in_lines,
    input_of,
    json_lines_rows,
    line_name,
)
from .one_row import convert
from .raw_rows import RawRow, raw_row
from .sources import (
    beside_of,
    check_source,
    files_of,
    load_reader,
    rows_of,
    settled_spec,
    source_paths,
)

_PICTURE = re.compile(rb'"path":"([^"]+)"')  # in a problem's line: texts escape quotes
ROWS = 10_000  # that a source is taken to have whose rows nobody has counted


class Row(msgspec.Struct, array_like=True, frozen=True):
    """What one row is, encoded by the worker that read it; `cause` says why it is unreadable."""

    file: str
    line: int
    id: str
    data: bytes  # the problem or drop
    reason: str | None  # of a drop
    start: str  # how it starts, for the quarantine
    cause: str = ""
    notes: list[str] = []
    inputs: list[Input] = []  # pictures that were looked for
    outside: list[Outside] = []
    redrawn: list[Redrawn] = []
    raw: bytes = b""  # a RawRow; not kept with the row


class RowsTask(msgspec.Struct, frozen=True):
    """Some rows of a source, or lines that hold rows."""

    spec: SourceSpec
    images: Path
    given: list[Raw | Unreadable] | Lines
    file: str = ""  # that the lines are of, and what its rows are called
    front: str = ""

    def count(self) -> int:
        return self.given.count if isinstance(self.given, Lines) else len(self.given)

    def rows(self) -> list[Raw | Unreadable]:
        if not isinstance(self.given, Lines):
            return self.given
        rows = list(rows_of(self.spec, [self.given]))
        for row in rows:
            row.file = self.file
            if isinstance(row, Raw):
                row.name = line_name(self.front, row.line)
        return rows

    def key(self) -> bytes:
        """The key of what the rows are where they stand."""
        if isinstance(self.given, Lines):
            at = [self.spec, self.file, self.front, self.given.number]
            return key_of(encode(at) + self.given.content())
        return _key_of(encode(self.spec), self.given)

    def key_anywhere(self) -> bytes:
        """The key of what the rows are, wherever they stand."""
        if isinstance(self.given, Lines):
            return key_of(encode(self.spec) + self.given.content())
        rows = [[one.data, one.notes] for one in self.given if isinstance(one, Raw)]
        return _key_of(encode(self.spec), rows)


class Kept(msgspec.Struct, array_like=True, frozen=True):
    """What one row is, as it is kept; `at` is the place of one that depends on its place."""

    row: Row
    at: str = ""


class Chunk(msgspec.Struct, array_like=True):
    """What some rows are, those whose ids stand nowhere else; kept by what stands in the rows."""

    shard: Shard
    places: dict[str, str]  # id -> where it stands
    inputs: dict[str, bytes]  # path -> Input, as it is written
    redrawn: dict[str, bytes] = {}  # stored picture -> Redrawn, likewise


class _Noted(Raw):
    """A row that notes whether its place was asked for: an id may be made from it."""

    asked: bool = False

    def __getattribute__(self, name: str) -> Any:
        if name in ("file", "line", "name"):
            self.asked = True
        return super().__getattribute__(name)


def read_sources(
    sources: list[SourceSpec], folder: Path, work: Path, engine: Engine
) -> tuple[Report, bool]:
    """Read all sources into `work/00-read`; returns the report and whether anything was done."""
    for spec in sources:
        check_source(spec, folder)
    target = work / "00-read"
    key = _key(sources, folder)
    if (old := finished(target, key)) is not None and _inputs_unchanged(target):
        return old, False
    folder = folder.absolute()
    used, parts = _kept_parts(sources, folder, work, key)
    report = write_stage(
        target,
        "read",
        _shards(sources, folder, work, engine, used, parts),
        options={"sources": [spec.name for spec in sources]},
        key=key,
        tables=("noted", "quarantine"),
        records=("lines", "inputs", "outside", "redrawn"),
    )
    return report, True


def rows_in_parts(
    sources: list[SourceSpec], folder: Path, work: Path
) -> tuple[str, Callable[[RowsTask], Chunk], Iterator[RowsTask]]:
    """The rows of all sources, as tasks; the hash of all that is read; and what reads a task.

    What is read of a task is kept below `work`: whoever reads the sources there next, takes it.
    """
    for spec in sources:
        check_source(spec, folder)
    folder = folder.absolute()
    used, parts = _kept_parts(sources, folder, work, _key(sources, folder))
    content = hashlib.sha256(encode([parts.made, [one.sha256 for one in used]]))
    read = partial(_of_chunk, folder, work, parts, None)
    return content.hexdigest(), read, _tasks(sources, folder)


def _kept_parts(
    sources: list[SourceSpec], folder: Path, work: Path, key: str
) -> tuple[list[Input], Parts]:
    """The files that are read as a whole, and where parts that were read are kept."""
    used = [
        input_of(path)
        for spec in sources
        for path in [*files_of(spec, folder), *beside_of(spec, folder)]
    ]
    rows_key = _beside_dumps(key, used, sources, folder)
    return used, Parts(work, rows_key)


def _beside_dumps(
    key: str, used: list[Input], sources: list[SourceSpec], folder: Path
) -> str:
    """The key of rows: the stage's, and the files that are read with every row."""
    dumps = {str(path) for spec in sources for path in source_paths(spec, folder)}
    return hashlib.sha256(
        encode([key, [one.sha256 for one in used if one.path not in dumps]])
    ).hexdigest()


def _unused(
    sources: list[SourceSpec], folder: Path, used: Container[str]
) -> list[dict[str, str]]:
    """Hand-annotated pictures whose names are no problem's: work that would be lost in silence."""
    return [
        {"source": spec.name, "file": path.name, "why": "no problem of this raw id"}
        for spec in sources
        if spec.annotated is not None
        for path in sorted((folder / spec.annotated).iterdir())
        if path.is_file() and not path.name.startswith(".") and str(path) not in used
    ]


def _key(sources: list[SourceSpec], folder: Path) -> str:
    readers = [load_reader(spec.reader) for spec in sources]
    code = code_hash(
        read_sources,
        *(
            f
            for one in readers
            for f in (one.rows, one.problem, one.holds)
            if f is not None
        ),
        *consulted(),
    )
    found = [[str(path) for path in source_paths(spec, folder)] for spec in sources]
    return hashlib.sha256(
        encode([code, sources, found, str(folder.absolute())])
    ).hexdigest()


def _inputs_unchanged(target: Path) -> bool:
    """Every file that was read is as it was, and every picture is still in the store."""
    try:
        pictures = set(_PICTURE.findall((target / "problems.jsonl").read_bytes()))
        inputs = read_jsonl(target / "inputs.jsonl", Input)
        return all(one.unchanged() for one in inputs) and _stored(
            target.parent, pictures
        )
    except (OSError, UserError):
        return False


def _stored(work: Path, pictures: Iterable[bytes]) -> bool:
    root = f"{work}{os.sep}".encode()
    return all(os.path.exists(root + path) for path in pictures)


def _shards(
    sources: list[SourceSpec],
    folder: Path,
    work: Path,
    engine: Engine,
    used: list[Input],
    parts: Parts,
) -> Iterator[Shard]:
    """Every row of every source, read; `used` are the files that were read before."""
    total = sum(_sizes(sources, folder)) if sys.stderr.isatty() else 0
    sent = deque[RowsTask]()

    def tasks() -> Iterator[RowsTask]:
        for task in _tasks(sources, folder):
            sent.append(task)
            yield task

    apart = work / SHARDS if engine != Engine() else None
    read = parallel_map(partial(_of_chunk, folder, work, parts, apart), tasks(), engine)
    known = {one.path for one in used}
    places = dict[str, str]()
    told = set[str]()
    yield Shard(rows={"inputs": [encode(one) for one in used], "lines": []})
    for chunk in progress(
        read, "read", total, "rows", weight=lambda _: sent[0].count()
    ):
        task = sent.popleft()
        if not places.keys().isdisjoint(chunk.places):
            chunk = _chunk(_of_rows(folder, work, parts, task), places)
        places |= chunk.places
        new = {path: one for path, one in chunk.inputs.items() if path not in known}
        known.update(new)
        redrawn = {path: one for path, one in chunk.redrawn.items() if path not in told}
        told.update(redrawn)
        yield chunk.shard
        yield Shard(rows={"inputs": [*new.values()], "redrawn": [*redrawn.values()]})
    if unused := _unused(sources, folder, known):
        yield Shard(rows={"unused": [encode(row) for row in unused]})


def _sizes(sources: list[SourceSpec], folder: Path) -> Iterator[int]:
    """How many rows each source has."""
    for spec in sources:
        yield sum(1 for _ in rows_of(spec, source_paths(spec, folder)))


def _tasks(sources: list[SourceSpec], folder: Path) -> Iterator[RowsTask]:
    for spec in sources:
        paths = source_paths(spec, folder)
        images = folder / spec.images if spec.images else common_folder(paths)
        meant = settled_spec(spec, paths)
        given = in_parts(rows_of(meant, paths), ROWS, _mark_of)
        lined = load_reader(spec.reader).rows is json_lines_rows
        if lined and all(in_lines(meant, path) for path in paths):  # workers read them
            for path, (file, called) in file_names(paths).items():
                front = front_of(path, called)
                for lines in cut(path):
                    yield RowsTask(meant, images, lines, file, front)
            continue
        yield from (RowsTask(meant, images, some) for some in given)


def _holds(work: Path, inputs: Iterable[Input], problems: bytes) -> bool:
    """Whether what was read is as it was, and its pictures are in the store."""
    return all(one.unchanged() for one in inputs) and _stored(
        work, _PICTURE.findall(problems)
    )


def _of_chunk(
    folder: Path, work: Path, parts: Parts, apart: Path | None, task: RowsTask
) -> Chunk:
    """On a worker: some rows of a source, as a chunk that is known or made now."""
    whole = replace(parts, made=f"{parts.made}-chunks")
    data = whole.get(key := task.key())
    chunk = Chunk(Shard(), {}, {})
    if data is not None:
        chunk = msgspec.msgpack.decode(data, type=Chunk)
        inputs = map(msgspec.json.Decoder(Input).decode, chunk.inputs.values())
        data = data if _holds(work, inputs, chunk.shard.problems) else None
    if data is None:
        chunk = _chunk(_of_rows(folder, work, parts, task), {})
        whole.put(key, msgspec.msgpack.encode(chunk))
    if apart is not None:
        set_apart(chunk.shard, apart)
    return chunk


def _key_of(source: bytes, data: Any) -> bytes:
    try:
        return key_of(source + encode(data))
    except TypeError:  # a reader's own type
        return key_of(source + pickle.dumps(data))


def _mark_of(row: Raw | Unreadable) -> int:
    """What decides whether a part of rows ends with this one."""
    content = [row.data, row.notes] if isinstance(row, Raw) else row.raw
    return int.from_bytes(_key_of(b"", content)[:4])


def _of_rows(folder: Path, work: Path, parts: Parts, task: RowsTask) -> Iterator[Row]:
    """Each row of a part, known or read now."""
    rows = task.rows()
    raws = [row for row in rows if isinstance(row, Raw)]
    data = parts.get(key := task.key_anywhere())
    kept = [] if data is None else msgspec.msgpack.decode(data, type=list[Kept])
    holds = len(kept) == len(raws) and all(
        _still_holds(one, raw, work) for one, raw in zip(kept, raws, strict=True)
    )
    if not holds:
        kept = [_read_now(folder, work, task, raw) for raw in raws]
        parts.put(key, msgspec.msgpack.encode(kept))
    known = iter(kept)
    for raw in rows:
        if isinstance(raw, Unreadable):
            yield Row(raw.file, raw.line, "", b"", None, raw.raw, raw.cause)
            continue
        row = next(known).row
        stood = encode(raw_row(row.id, raw))
        yield replace(row, file=raw.file, line=raw.line, raw=stood)


def _read_now(folder: Path, work: Path, task: RowsTask, raw: Raw) -> Kept:
    reader = load_reader(task.spec.reader)
    noted = _Noted(raw.file, raw.line, raw.data, raw.name, raw.notes)
    result = convert(reader, task.spec, folder, task.images, work, noted)
    return Kept(_row(*result, raw), raw.place if noted.asked else "")


def _still_holds(kept: Kept, raw: Raw, work: Path) -> bool:
    """Whether what was kept of a row is what reading it here would give."""
    row = kept.row
    problem = b"" if row.reason else row.data
    return kept.at in ("", raw.place) and _holds(work, row.inputs, problem)


def _row(result: Problem | Drop | Unreadable, seen: Pictures, raw: Raw) -> Row:
    if isinstance(result, Unreadable):
        return Row(
            raw.file, raw.line, "", b"", None, result.raw, result.cause, [], seen.inputs
        )
    reason: str | None = None
    notes: list[str] = []
    if isinstance(result, Drop):
        start = reason = result.reason
    else:
        start = result.question
        notes = result.notes
    return Row(
        raw.file,
        raw.line,
        result.id,
        encode(result),
        reason,
        start[:500],
        notes=notes,
        inputs=seen.inputs,
        outside=seen.outside,
        redrawn=seen.redrawn,
    )


def _chunk(rows: Iterable[Row], places: dict[str, str]) -> Chunk:
    """Each row as taken, and put out or dropped; an id that stands twice is its first row's.

    `places` are those of the ids before.
    """
    chunk = Chunk(Shard(), {}, {})

    def accounted() -> Iterator[Result]:
        for row in rows:
            at = f"{row.file}:{row.line}"
            why = "unreadable"
            cause = row.cause
            chunk.inputs |= {one.path: encode(one) for one in row.inputs}
            first = places.get(row.id) or chunk.places.get(row.id)
            if not cause and first:
                why = "id twice"
                cause = f"id {row.id!r} stands also at {first}"
            tables: dict[str, list[bytes]] = {}
            if cause:
                tables["quarantine"] = [
                    encode(Unreadable(row.file, row.line, cause, row.start))
                ]
                if row.raw:
                    stood = msgspec.json.decode(row.raw, type=RawRow)
                    tables["lines"] = [encode(msgspec.structs.replace(stood, id=at))]
                drop = line_of(Drop(id=at, reason=f"{why}: {cause}"))
                yield Result([at], [drop], tables)
                continue
            chunk.places[row.id] = at
            tables["lines"] = [row.raw]
            if row.notes:
                tables["noted"] = [encode({"id": row.id, "at": at, "notes": row.notes})]
            if row.outside:
                held = (msgspec.to_builtins(one) for one in row.outside)
                tables["outside"] = [encode({"at": at} | one) for one in held]
            chunk.redrawn |= {one.path: encode(one) for one in row.redrawn}
            taken = at if row.reason is None else row.id
            yield Result([taken], [Line(row.id, row.data, row.reason)], tables)

    chunk.shard = shard_of("read", accounted())
    return chunk
