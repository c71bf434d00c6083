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
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ...base.files import encode, read_jsonl
from ...base.published import keep
from ...base.registry import Registry, consulted
from ...base.terminal import progress
from ...errors import BenchwrightError, UserError, nearest
from ...latex import mended
from ...options import PICTURE_NAME
from ...pipeline import (
    NAME,
    SHARDS,
    Engine,
    Line,
    Lines,
    Parts,
    Report,
    Result,
    Shard,
    SourceSpec,
    bug,
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
from ...problem import Drop, Problem, all_images
from ...tables import arrays_of_records, check_path, root_of, value_of
from ...words import RoleError, own_roles, role_word
from ..conservation import Outside, row_of, unaccounted
from .base import (
    Input,
    Pictures,
    PlaceError,
    Raw,
    Reader,
    Redrawn,
    Unreadable,
    common_folder,
    file_names,
    fitting,
    front_of,
    in_lines,
    input_of,
    json_lines_rows,
    line_name,
)
from .columns import look_at_columns, not_to_be_left
from .constants import check_constants, completed
from .mapped import (
    FIELDS,
    check_fields,
    columns_of,
    with_columns,
)
from .proposals import Paste, Read, roles_for, verified
from .raw_rows import RawRow, raw_row
from .recognise import instead

BUILT_IN = {
    "math-v": "convert.readers.math_v:problem",
    "we-math": "convert.readers.we_math:problem",
    "mathverse": "convert.readers.mathverse:problem",
    "mm-math": "convert.readers.mm_math:problem",
    "jsonl": "convert.readers.mapped:jsonl",
    "table": "convert.readers.mapped:table",
    "csv": "convert.readers.mapped:csv",
    "xml": "convert.readers.xml_records:problem",
    "problems": "convert.readers.problems:problem",
    "exam": "convert.readers.exam:problem",
    "document": "convert.readers.document:problem",
    "folders": "convert.readers.folders:problem",
    "gift": "convert.readers.gift:problem",
    "cnxml": "convert.readers.cnxml:problem",
    "stackexchange": "convert.readers.stack_exchange:problem",
    "moodle": "convert.readers.moodle:problem",
    "qti": "convert.readers.qti:problem",
    "tex": "convert.readers.tex:problem",
    "markdown": "convert.readers.markdown:problem",
    "pretext": "convert.readers.pretext:problem",
    "hub": "hub.reader:problem",
    "living": "living.reader:problem",
}
READERS = Registry("reader", BUILT_IN)
_PICTURE = re.compile(rb'"path":"([^"]+)"')  # in a problem's line: texts escape quotes
WHOLE = "@"  # the path to rows that is the file itself
ONE_A_FILE = ("tex", "markdown")  # readers of documents that may be one problem
ROWS = 10_000  # that a source is taken to have whose rows nobody has counted
DEEPEST = 30  # of a row whose texts are mended


class Seen(NamedTuple):
    """A raw row, what it is, and what of it belongs to no problem."""

    raw: Raw | Unreadable
    result: Problem | Drop | Unreadable
    outside: list[Outside]


class Glance(msgspec.Struct):
    """What a few rows of a source hold."""

    source: str
    rows: int  # that were read
    problems: list[Problem]
    unreadable: list[Unreadable]
    unknown_columns: list[str]  # that `fields` names and no row has
    suggested: dict[str, str]  # field -> column, of fields that nobody mapped
    seen: list[Seen]  # the rows, each with what it is
    unused: dict[str, str] = {}  # column that no field uses -> what stands there once
    takes_fields: bool = False
    total: int = 0  # rows that the source holds
    lines: list[Paste] = []  # of the recipe, that say what was not understood
    way: str = ""  # to rows that lie inside of what was read as one
    instead: tuple[str, str] | None = (
        None  # what its files are, of which nothing is read
    )
    idle: list[str] = []  # words of its roles that stand nowhere


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
        rows = list(_rows(self.spec, [self.given]))
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


def load_reader(name: str) -> Reader:
    """The reader a recipe calls `name`. Raises UserError naming the nearest known one."""
    function = READERS.load(name)
    return Reader(problem=function, **function.__reader__)


def _check(spec: SourceSpec, folder: Path) -> None:
    """Fail before any reading when a source cannot be meant as it is written."""
    reader = load_reader(spec.reader)
    source_paths(spec, folder)
    if not NAME.fullmatch(spec.name):
        raise UserError(f"source {spec.name!r}", "use letters, digits, '.', '_', '-'")
    if spec.images is not None and not (folder / spec.images).is_dir():
        raise UserError(
            f"source {spec.name!r}: {folder / spec.images} is not a folder",
            "correct images: in the recipe (it is relative to the recipe)",
        )
    check_constants(spec, folder)
    if spec.rows is not None:
        _check_rows(spec, reader)
    if spec.roles:
        _check_roles(spec, reader)
    if reader.fields:
        check_fields(spec.fields)
    elif spec.fields:
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} takes no fields",
            "remove fields:, or use the reader jsonl or table",
        )
    if spec.options and not reader.options:
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} has no options",
            "remove options:",
        )
    for name in spec.options:
        if name not in reader.options:
            raise UserError(
                f"source {spec.name!r}: reader {spec.reader!r} has no option {name!r}",
                nearest(name, list(reader.options)),
            )


def _check_rows(spec: SourceSpec, reader: Reader) -> None:
    """Raises UserError for a path to rows that is none, or of a reader that has no use for it."""
    rows = spec.rows or ""
    if spec.reader in ONE_A_FILE and rows == WHOLE:
        return
    if not reader.nested:
        what = f"reader {spec.reader!r} takes no path to rows"
        raise PlaceError(
            spec.name, ("rows",), what, "remove it, or use the reader jsonl"
        )
    try:
        check_path(rows)
    except UserError as error:
        raise PlaceError(spec.name, ("rows",), error.message, error.remedy) from error


def _check_roles(spec: SourceSpec, reader: Reader) -> None:
    """Raises UserError for roles that contradict each other, or that nobody would ask for."""
    if not (reader.roles or reader.fields):
        what = f"reader {spec.reader!r} asks for no roles"
        raise PlaceError(spec.name, ("roles",), what, "remove them")
    try:
        own_roles(spec.roles)
    except RoleError as error:
        keys = ("roles", error.key)
        raise PlaceError(spec.name, keys, error.message, error.remedy) from error


def source_paths(spec: SourceSpec, folder: Path) -> list[Path]:
    """The dump files of a source; a name with `*`, `?` or `[` stands for all that it fits, sorted.

    Raises UserError for a name that is no file and fits none.
    """
    if (elsewhere := load_reader(spec.reader).paths) is not None:
        return elsewhere(spec, folder)
    return fitting(spec, folder)


def read_sources(
    sources: list[SourceSpec], folder: Path, work: Path, engine: Engine
) -> tuple[Report, bool]:
    """Read all sources into `work/00-read`; returns the report and whether anything was done."""
    for spec in sources:
        _check(spec, folder)
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
        _check(spec, folder)
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
        for path in [*_files(spec, folder), *_beside(spec, folder)]
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


def paths_of(spec: SourceSpec, folder: Path) -> list[Path]:
    """Every file and folder that a source is read from."""
    files = _files(spec, folder)
    folders = [
        folder / name for name in (spec.images, spec.annotated) if name is not None
    ]
    beside = [] if spec.images is not None else [common_folder(files)]
    return [*files, *beside, *folders]


def _files(spec: SourceSpec, folder: Path) -> list[Path]:
    """The files of a source that are read as a whole: the dump, and those that options name.

    Options name them as seen from the recipe, or from the dump.
    """
    dumps = source_paths(spec, folder)
    places = dict.fromkeys([folder, *(dump.parent for dump in dumps)])
    options = [
        value for value in spec.options.values() if isinstance(value, str) and value
    ]
    named = (place / value for place in places for value in options)
    return dumps + [path for path in named if path.is_file()]


def _beside(spec: SourceSpec, folder: Path) -> list[Path]:
    """Files that would be read with a dump, whether or not they are there."""
    dumps = source_paths(spec, folder)
    suffixes = load_reader(spec.reader).beside
    return [dump.with_suffix(suffix) for dump in dumps for suffix in suffixes]


def glance(spec: SourceSpec, folder: Path, work: Path, most: int) -> Glance:
    """Up to `most` rows of a source, spread over the whole; pictures go to the store in `work`."""
    _check(spec, folder)
    paths = source_paths(spec, folder)
    images = folder / spec.images if spec.images else common_folder(paths)
    reader = load_reader(spec.reader)
    spec = _settled(spec, paths)
    raws = list(_rows(spec, paths))
    sound = [raw for raw in raws if isinstance(raw, Raw)]
    broken = [raw for raw in raws if isinstance(raw, Unreadable)]
    broken += _named_twice(sound, spec.fields.get("id", "id")) if reader.fields else []
    chosen = sound[:: max(1, -(-len(sound) // most))]
    seen = [Seen(raw, raw, []) for raw in broken]
    for raw in chosen:
        own = Raw(raw.file, raw.line, raw.data, raw.name, raw.notes)
        result, pictures = _convert(reader, spec, folder, images, work, own)
        seen.append(Seen(raw, result, pictures.outside))
    results = [one.result for one in seen]
    unused = {entry.where: entry.text for one in seen for entry in one.outside}
    used = columns_of(FIELDS, spec.fields)
    used |= {root_of(name) for name in used}
    columns = dict.fromkeys(
        c for raw in chosen if isinstance(raw.data, dict) for c in raw.data
    )
    unknown: list[str] = []
    suggested: dict[str, str] = {}
    way = ""
    lines: list[Paste] = []

    def read(tried: SourceSpec) -> list[Any]:
        """What the rows are, as another source has them."""
        meant = _settled(tried, paths)
        rows = [raw for raw in _rows(meant, paths) if isinstance(raw, Raw)]
        some = rows[:: max(1, -(-len(rows) // most))]
        made = (_convert(reader, meant, folder, images, work, raw) for raw in some)
        return [result for result, _ in made]

    if reader.fields and columns:
        rows = [raw.data for raw in chosen if isinstance(raw.data, dict)]
        unknown, suggested = _map_of(spec, rows, read)
        read_already = any(isinstance(result, Problem) for result in results)
        if reader.nested and not (spec.rows or spec.fields or read_already):
            whole = _rows(replace(spec, rows=WHOLE), paths)  # a file a problem
            files = [raw.data for raw in islice(whole, most) if isinstance(raw, Raw)]
            rows = [data for data in files if isinstance(data, dict)]
            of_files = _map_of(spec, rows, read)[1] if rows else {}
            suggested = of_files if len(of_files) >= len(suggested) else suggested
            if len(sound) == len(paths) and rows:
                way, of_way = _deeper(spec, rows[0], paths, read)
                suggested = of_way if way else suggested
    if reader.roles or (reader.fields and not suggested):
        lines += roles_for(spec, results, read)
    return Glance(
        spec.name,
        len(chosen) + len(broken),
        [result for result in results if isinstance(result, Problem)],
        [result for result in results if isinstance(result, Unreadable)],
        unknown,
        suggested,
        seen,
        {
            name: text
            for name, text in unused.items()
            if name in columns and name not in used
        },
        reader.fields,
        total=len(raws),
        lines=lines,
        way=way,
        instead=_instead(spec, paths, results),
        idle=_idle(spec, paths) if spec.roles else [],
    )


MOST_READ = 20_000_000  # characters of a source's files that are searched for words


def _instead(
    spec: SourceSpec, paths: list[Path], results: list[Any]
) -> tuple[str, str] | None:
    """What files are of which no problem is read, where that is for another reader."""
    if any(isinstance(one, Problem | Drop) for one in results):
        return None
    return next(filter(None, (instead(path, spec.reader) for path in paths)), None)


def _idle(spec: SourceSpec, paths: list[Path]) -> list[str]:
    """The names of a source's roles that stand nowhere in its files; of text alone."""
    texts: list[str] = []
    for path in paths:
        if sum(map(len, texts)) > MOST_READ:
            return []
        try:
            texts.append(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError):
            return []
    whole = "\n".join(texts).casefold()
    return [str(name) for name in spec.roles if role_word(str(name)) not in whole]


MOST_WAYS = 8  # arrays inside of a file that are tried


def _deeper(
    spec: SourceSpec, value: dict[str, Any], paths: list[Path], read: Read
) -> tuple[str, dict[str, str]]:
    """Where in files that are one row each questions with answers lie, and their map."""
    best: tuple[str, dict[str, str]] = ("", {})
    most = len(paths)
    for way in arrays_of_records(value)[:MOST_WAYS]:
        tried = replace(spec, rows=way)
        try:
            raws = [raw for raw in _rows(tried, paths) if isinstance(raw, Raw)]
            rows = [raw.data for raw in raws if isinstance(raw.data, dict)]
            fields = _map_of(tried, rows, read)[1]
            results = read(replace(tried, fields=fields)) if fields else []
        except UserError:
            continue
        known = {*fields, *rows[0]} if rows else set()
        count = sum(isinstance(result, Problem) for result in results)
        if "question" in known and {"answer", "options"} & known and count > most:
            best, most = (way, fields), count
    return best


def _map_of(
    spec: SourceSpec, rows: list[dict[str, Any]], read: Read
) -> tuple[list[str], dict[str, str]]:
    """Columns of a map that are not there, and a map for fields that have none, as rows bear it."""
    columns = [str(name) for name in dict.fromkeys(c for row in rows for c in row)]
    unknown, proposed = look_at_columns(spec.fields, columns, rows)
    return unknown, verified(spec, proposed, rows, read) if proposed else {}


def _named_twice(rows: list[Raw], column: str) -> Iterator[Unreadable]:
    """Rows whose id is another row's: of these the build keeps the first."""
    places: dict[str, Raw] = {}
    for raw in rows:
        name = value_of(raw.data, column)
        first = places.setdefault(str(name), raw)
        if name not in (None, "") and first is not raw:
            is_same = first.data == raw.data
            how = "in the same words" if is_same else "of another problem"
            where = f"stands also at {first.place}, {how}"
            cause = f"id twice: {name!r} in {column!r} {where}"
            yield Unreadable(raw.file, raw.line, cause, _start(raw.data))


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
        yield sum(1 for _ in _rows(spec, source_paths(spec, folder)))


def _tasks(sources: list[SourceSpec], folder: Path) -> Iterator[RowsTask]:
    for spec in sources:
        paths = source_paths(spec, folder)
        images = folder / spec.images if spec.images else common_folder(paths)
        meant = _settled(spec, paths)
        given = in_parts(_rows(meant, paths), ROWS, _mark_of)
        lined = load_reader(spec.reader).rows is json_lines_rows
        if lined and all(in_lines(meant, path) for path in paths):  # workers read them
            for path, (file, called) in file_names(paths).items():
                front = front_of(path, called)
                for lines in cut(path):
                    yield RowsTask(meant, images, lines, file, front)
            continue
        yield from (RowsTask(meant, images, some) for some in given)


def _settled(spec: SourceSpec, paths: list[Path]) -> SourceSpec:
    """The source with what its rows say together; what reading says is said later, once."""
    reader = load_reader(spec.reader)
    if reader.fields and spec.roles and not reader.roles:
        spec = with_columns(spec)
    if not reader.settled:
        return spec
    with redirect_stderr(StringIO()):
        return reader.settled(spec, _rows(spec, paths))


def _rows(
    spec: SourceSpec, paths: Sequence[Path | Lines]
) -> Iterator[Raw | Unreadable]:
    reader = load_reader(spec.reader)
    files = [one.path if isinstance(one, Lines) else one for one in paths]
    try:
        for row in reader.rows(spec, paths):
            if isinstance(row, Unreadable):
                row = _placeless(row, {path.parent for path in files})
            yield row
    except PlaceError:
        raise
    except UserError as error:
        others = (instead(path, spec.reader) for path in files)
        if other := next(filter(None, others), None):
            raise UserError(f"{error.message}; {other[0]}", other[1]) from error
        raise
    except BenchwrightError:
        raise
    except Exception as error:
        raise bug(
            f"reader {spec.reader!r}", reader.rows, error, str(files[0])
        ) from error


def _placeless(row: Unreadable, folders: set[Path]) -> Unreadable:
    """Without the folders of this machine: the same dump gives the same quarantine anywhere."""
    cause = row.cause
    for folder in folders if "/" in cause else ():
        for spelling in (folder.absolute(), folder.resolve()):
            cause = cause.replace(f"{spelling}/", "").replace(str(spelling), ".")
    return msgspec.structs.replace(row, cause=cause)


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
    result = _convert(reader, task.spec, folder, task.images, work, noted)
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


def _convert(
    reader: Reader, spec: SourceSpec, folder: Path, images: Path, work: Path, raw: Raw
) -> tuple[Problem | Drop | Unreadable, Pictures]:
    """What one row is; the pictures that were looked for, and what of the row is no problem's."""
    pictures = Pictures(images, work, _folder_of(raw))
    pictures.notes += raw.notes
    given = _restored(raw, pictures)
    result: Problem | Drop | Unreadable
    try:
        result = reader.problem(raw, spec, pictures)
        if isinstance(result, Problem):
            _keep_published(result, given)
            result = completed(result, spec, pictures, folder)
    except (UserError, ValueError, TypeError, LookupError) as error:
        cause = f"no {error}" if isinstance(error, KeyError) else str(error)
        result = Unreadable(raw.file, raw.line, cause, _start(raw.data))
        result = _placeless(result, {folder, images})
    except BenchwrightError:
        raise
    except Exception as error:
        at = f"{raw.file}:{raw.line}"
        raise bug(f"reader {spec.reader!r}", reader.problem, error, at) from error
    if isinstance(result, Problem):
        result.notes.extend(pictures.notes)
        _account(reader, raw, spec, result, pictures)
    elif not isinstance(result, Drop | Unreadable):
        raise UserError(
            f"reader {reader.name!r} returned {type(result).__name__} for {raw.file}:{raw.line}",
            "return a Problem, or a Drop with its reason",
        )
    return result, pictures


def _folder_of(raw: Raw) -> str:
    """Where the file of a row lies, below the folder of several."""
    file = object.__getattribute__(raw, "file")  # a place that makes no id
    return str(file).rpartition("/")[0]


def _account(
    reader: Reader, raw: Raw, spec: SourceSpec, problem: Problem, pictures: Pictures
) -> None:
    """Note what of the row came out nowhere; what nothing was taken of is outside."""
    row = reader.holds(raw, spec) if reader.holds else row_of(raw.data)
    notes, outside = unaccounted(row, problem, pictures.marks)
    problem.notes.extend(notes)
    if isinstance(raw.data, dict) and outside and reader.fields:
        unread = {one.where: one.text for one in outside}
        for column in not_to_be_left(raw.data, [*unread], problem):
            problem.notes.append(f"lost-text: {column}: {unread[column][:80]}")
    pictures.outside.extend(outside)
    if not all_images(problem):
        named = [one for one in outside if PICTURE_NAME.fullmatch(one.text)]
        problem.notes += [
            f"unused-picture: {one.where}: {one.text[:80]}" for one in named
        ]


MENDED = ("question", "answer", "solution")  # whose published spelling is kept


def _restored(raw: Raw, pictures: Pictures) -> dict[str, str]:
    """Restore damaged backslashes of a row before anything is read of it, with a note.

    What was restored, each with what stood there. What cannot be restored, `check` finds.
    """
    commands: list[str] = []
    given: dict[str, str] = {}
    data = object.__getattribute__(raw, "data")
    if isinstance(data, dict | list | str):
        raw.data = _whole(data, commands, given, 0)
    if commands:
        told = ", ".join(dict.fromkeys(commands))
        pictures.notes.append(f"text: backslashes restored: {told}")
    return given


def _whole(value: Any, commands: list[str], given: dict[str, str], depth: int) -> Any:
    """A value of plain data with every text in it restored; the value itself where none is."""
    if isinstance(value, str):
        text, found = mended(value)
        if found:
            commands += found
            given[text.strip()] = value
        return text
    if depth > DEEPEST or not isinstance(value, dict | list):
        return value
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    new = {
        k: whole
        for k, v in pairs
        if (whole := _whole(v, commands, given, depth + 1)) is not v
    }
    if not new:
        return value
    return (
        value | new
        if isinstance(value, dict)
        else [new.get(k, v) for k, v in enumerate(value)]
    )


def _keep_published(problem: Problem, given: dict[str, str]) -> None:
    """Keep how a restored field was published."""
    made = {name: getattr(problem, name) for name in MENDED}
    said = {name: given.get((text or "").strip(), text) for name, text in made.items()}
    if said != made:
        keep(problem, said, made)


def _start(data: Any) -> str:
    """How a row starts, for the quarantine; a reader's own type as it prints itself."""
    try:
        return encode(data)[:500].decode("utf-8", "replace")
    except TypeError:
        return str(data)[:500]


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
