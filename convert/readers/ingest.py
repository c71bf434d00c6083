"""Stage 00: raw dumps -> problems.jsonl, quarantine.jsonl, and the record of what was read.

Every row ends as a problem or as a drop, whose id is `file:line`; quarantine.jsonl shows what stood
there. `lines.jsonl` says where each problem was read, and `inputs.jsonl` lists each file read with
its hash, so that a rebuild knows whether anything changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError, nearest
from ...files import encode, read_jsonl, sha256_file
from ...pipeline import (
    NAME,
    Engine,
    Report,
    Results,
    SourceSpec,
    bug,
    code_hash,
    finished,
    parallel_map,
    write_stage,
)
from ...problem import Drop, Problem, all_images
from ...registry import Registry
from ...terminal import progress
from .base import Pictures, Raw, Reader, Unreadable
from .constants import check_constants, completed
from .mapped import check_fields, look_at_columns

BUILT_IN = {
    "math-v": "convert.readers.math_v:problem",
    "we-math": "convert.readers.we_math:problem",
    "mathverse": "convert.readers.mathverse:problem",
    "mm-math": "convert.readers.mm_math:problem",
    "jsonl": "convert.readers.mapped:jsonl",
    "csv": "convert.readers.mapped:csv",
    "problems": "convert.readers.problems:problem",
    "exam": "convert.readers.exam:problem",
    "moodle": "convert.readers.moodle:problem",
    "qti": "convert.readers.qti:problem",
    "tex": "convert.readers.tex:problem",
}
READERS = Registry("reader", BUILT_IN)
CHUNK = 32  # rows per task of a worker


class Glance(msgspec.Struct):
    """What a few rows of a source hold."""

    source: str
    rows: int  # that were read
    problems: list[Problem]
    unreadable: list[Unreadable]
    unknown_columns: list[str]  # that `fields` names and no row has
    suggested: dict[str, str]  # field -> column, of fields that nobody mapped


class Input(msgspec.Struct):
    """One file that was read; a missing one has the hash ''."""

    path: str
    sha256: str
    size: int = 0
    mtime: int = 0  # nanoseconds; only spares hashing, never decides alone that a file changed


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
    if reader.fields:
        check_fields(spec.fields)
    elif spec.fields:
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} takes no fields",
            "remove fields:, or use the reader jsonl or csv",
        )
    if spec.options and not reader.options:
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} has no options", "remove options:"
        )
    for name in spec.options:
        if name not in reader.options:
            raise UserError(
                f"source {spec.name!r}: reader {spec.reader!r} has no option {name!r}",
                nearest(name, list(reader.options)),
            )


def source_paths(spec: SourceSpec, folder: Path) -> list[Path]:
    """The dump files of a source. Raises UserError for one that does not exist."""
    names = [spec.path] if isinstance(spec.path, str) else spec.path
    paths = [folder / name for name in names]
    for path in paths:
        if not path.is_file():
            raise UserError(
                f"source {spec.name!r}: {path} is not a file",
                "correct path: in the recipe (it is relative to the recipe)",
            )
    return paths


def read_sources(
    sources: list[SourceSpec], folder: Path, work: Path, engine: Engine
) -> tuple[Report, bool]:
    """Read all sources into `work/00-read`; returns the report and whether anything was done."""
    for spec in sources:
        _check(spec, folder)
    target = work / "00-read"
    key = _key(sources)
    if (old := finished(target, key)) is not None and _inputs_unchanged(target):
        return old, False
    tables: SideTables = {"noted": [], "quarantine": []}
    records: SideTables = {"lines": [], "inputs": []}

    def results() -> Results:
        used = {path: None for spec in sources for path in source_paths(spec, folder)}
        rows = _converted(sources, folder, work, engine, used)
        yield from _accounted(rows, tables, records["lines"])
        records["inputs"] += map(_input, used)
        if unused := _unused(sources, folder, used):
            tables["unused"] = unused

    options = {"sources": [spec.name for spec in sources]}
    report = write_stage(
        target, "read", results(), options=options, key=key, tables=tables, records=records
    )
    return report, True


def glance(spec: SourceSpec, folder: Path, work: Path, most: int) -> Glance:
    """Up to `most` rows of a source, spread over the whole; pictures go to the store in `work`."""
    _check(spec, folder)
    paths = source_paths(spec, folder)
    images = folder / spec.images if spec.images else paths[0].parent
    raws = _rows(spec, paths)
    broken = [raw for raw in raws if isinstance(raw, Unreadable)]
    sound = [raw for raw in raws if isinstance(raw, Raw)]
    chosen = sound[:: max(1, -(-len(sound) // most))]
    results = [_convert(spec, folder, images, work, raw)[0] for raw in chosen]
    columns = dict.fromkeys(c for raw in chosen if isinstance(raw.data, dict) for c in raw.data)
    unknown: list[str] = []
    suggested: dict[str, str] = {}
    if load_reader(spec.reader).fields and columns:
        unknown, suggested = look_at_columns(spec.fields, [str(name) for name in columns])
    return Glance(
        spec.name,
        len(chosen) + len(broken),
        [result for result in results if isinstance(result, Problem)],
        broken + [result for result in results if isinstance(result, Unreadable)],
        unknown,
        suggested,
    )


def _unused(
    sources: list[SourceSpec], folder: Path, used: dict[Path, None]
) -> list[dict[str, str]]:
    """Hand-annotated pictures whose names are no problem's: work that would be lost in silence."""
    return [
        {"source": spec.name, "file": path.name, "why": "no problem of this raw id"}
        for spec in sources
        if spec.annotated is not None
        for path in sorted((folder / spec.annotated).iterdir())
        if path.is_file() and not path.name.startswith(".") and path not in used
    ]


def _key(sources: list[SourceSpec]) -> str:
    readers = [load_reader(spec.reader) for spec in sources]
    code = code_hash(
        read_sources, *(f for reader in readers for f in (reader.rows, reader.problem))
    )
    return hashlib.sha256(encode([code, sources])).hexdigest()


def _input(path: Path) -> Input:
    if not path.is_file():
        return Input(str(path), "")
    stat = path.stat()
    return Input(str(path), sha256_file(path), stat.st_size, stat.st_mtime_ns)


def _inputs_unchanged(target: Path) -> bool:
    """Every file that was read is as it was, and every picture is still in the store."""
    try:
        return all(_same(known) for known in read_jsonl(target / "inputs.jsonl", Input)) and all(
            (target.parent / image.path).exists()
            for problem in read_jsonl(target / "problems.jsonl", Problem)
            for image in all_images(problem)
        )
    except (OSError, UserError):
        return False


def _same(known: Input) -> bool:
    path = Path(known.path)
    if not path.is_file():
        return not known.sha256
    stat = path.stat()
    same = (stat.st_size, stat.st_mtime_ns) == (known.size, known.mtime)
    return same or sha256_file(path) == known.sha256


SideTables = dict[str, list[Any]]
RowResult = tuple[str, int, Problem | Drop | Unreadable]  # file, line, result


def _converted(
    sources: list[SourceSpec], folder: Path, work: Path, engine: Engine, used: dict[Path, None]
) -> Iterator[RowResult]:
    """Every row of every source, read; `used` gets the pictures that were looked for."""
    for spec in sources:
        paths = source_paths(spec, folder)
        images = folder / spec.images if spec.images else paths[0].parent
        raws = _rows(spec, paths)
        convert = partial(_convert, spec, folder, images, work)
        results = parallel_map(convert, raws, engine, chunk=CHUNK)
        tracked = progress(results, f"read {spec.name}", len(raws), "rows")
        for raw, (result, pictures) in zip(raws, tracked, strict=True):
            used.update(dict.fromkeys(pictures))
            yield raw.file, raw.line, result


def _rows(spec: SourceSpec, paths: list[Path]) -> list[Raw | Unreadable]:
    reader = load_reader(spec.reader)
    try:
        return list(reader.rows(spec, paths))
    except UserError:
        raise
    except Exception as error:
        raise bug(f"reader {spec.reader!r}", reader.rows, error, str(paths[0])) from error


def _convert(
    spec: SourceSpec, folder: Path, images: Path, work: Path, raw: Raw | Unreadable
) -> tuple[Problem | Drop | Unreadable, list[Path]]:
    """What one row is, and the pictures that were looked for."""
    if isinstance(raw, Unreadable):
        return raw, []
    reader, pictures = load_reader(spec.reader), Pictures(images, work)
    result: Problem | Drop | Unreadable
    try:
        result = reader.problem(raw, spec, pictures)
        if isinstance(result, Problem):
            result = completed(result, spec, pictures, folder)
    except (UserError, ValueError, TypeError, LookupError) as error:
        cause = f"no {error}" if isinstance(error, KeyError) else str(error)
        result = Unreadable(raw.file, raw.line, cause, _start(raw.data))
    except Exception as error:
        at = f"{raw.file}:{raw.line}"
        raise bug(f"reader {spec.reader!r}", reader.problem, error, at) from error
    if isinstance(result, Problem):
        result.notes.extend(pictures.notes)
    elif not isinstance(result, Drop | Unreadable):
        raise UserError(
            f"reader {reader.name!r} returned {type(result).__name__} for {raw.file}:{raw.line}",
            "return a Problem, or a Drop with its reason",
        )
    return result, pictures.used


def _start(data: Any) -> str:
    """How a row starts, for the quarantine; a reader's own type as it prints itself."""
    try:
        return encode(data)[:500].decode("utf-8", "replace")
    except TypeError:
        return str(data)[:500]


def _accounted(rows: Iterable[RowResult], tables: SideTables, lines: list[Any]) -> Results:
    """Each row as taken, and put out or dropped; an id that stands twice is its first row's."""
    places: dict[str, str] = {}
    for file, line, result in rows:
        at, reason = f"{file}:{line}", "unreadable"
        if not isinstance(result, Unreadable) and result.id in places:
            reason, cause = "id twice", f"id {result.id!r} stands also at {places[result.id]}"
            start = result.question if isinstance(result, Problem) else result.reason
            result = Unreadable(file, line, cause, start[:500])
        if isinstance(result, Unreadable):
            tables["quarantine"].append(result)
            yield [at], [Drop(id=at, reason=f"{reason}: {result.cause}")]
            continue
        places[result.id] = at
        lines.append({"id": result.id, "at": at})
        if isinstance(result, Problem) and result.notes:
            tables["noted"].append({"id": result.id, "at": at, "notes": result.notes})
        yield [at if isinstance(result, Problem) else result.id], [result]
