"""Stage 00: raw dumps -> problems.jsonl, quarantine.jsonl, and the record of what was read.

Every row ends as a problem or as a quarantine entry with file, line and cause. `inputs.jsonl` lists
each file read with its hash, so that a rebuild knows whether anything changed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...files import encode, pretty, read_jsonl, replacing_folder, sha256_file
from ...lazy import load
from ...pipeline import NAME, Engine, Report, SourceSpec, parallel_map
from ...problem import Problem
from ...terminal import progress
from .base import Pictures, Raw, Reader, Unreadable
from .mapped import check_fields

READERS = {
    "math-v": "convert.readers.math_v:reader",
    "we-math": "convert.readers.we_math:reader",
    "mathverse": "convert.readers.mathverse:reader",
    "mm-math": "convert.readers.mm_math:reader",
    "jsonl": "convert.readers.mapped:jsonl_reader",
    "csv": "convert.readers.mapped:csv_reader",
    "problems": "convert.readers.problems:reader",
    "exam": "convert.readers.exam:reader",
}
VERSION = "2"  # raise when what readers make of a dump changes
CHUNK = 32


class Input(msgspec.Struct):
    """One file that was read; a missing one has the hash ''."""

    path: str
    sha256: str
    size: int = 0
    mtime: int = 0  # nanoseconds; only spares hashing, never decides alone that a file changed


def load_reader(name: str) -> Reader:
    """The reader a recipe calls `name`. Raises UserError naming the nearest known one."""
    reader: Reader = load(name, READERS, "reader")
    return reader


def _check(spec: SourceSpec, folder: Path) -> None:
    """Fail before any reading when a source cannot be meant as it is written."""
    load_reader(spec.reader)
    source_paths(spec, folder)
    if not NAME.fullmatch(spec.name):
        raise UserError(f"source {spec.name!r}", "use letters, digits, '.', '_', '-'")
    if spec.images is not None and not (folder / spec.images).is_dir():
        raise UserError(
            f"source {spec.name!r}: {folder / spec.images} is not a folder",
            "correct images: in the recipe (it is relative to the recipe)",
        )
    if READERS[spec.reader].startswith("convert.readers.mapped:"):
        check_fields(spec.fields)
    elif spec.fields:
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} takes no fields",
            "remove fields:, or use the reader jsonl or csv",
        )
    if spec.options and spec.reader != "exam":
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} has no options", "remove options:"
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
    if (old := _unchanged(target, key)) is not None:
        return old, False
    started = time.monotonic()
    with replacing_folder(target) as temporary:
        rows = _converted(sources, folder, work, engine)
        report = _write(rows, temporary, key)
        inputs = {path: None for spec in sources for path in source_paths(spec, folder)}
        inputs |= {Path(path): None for path in report.pop("used")}
        with (temporary / "inputs.jsonl").open("wb") as file:
            for path in inputs:
                file.write(encode(_input(path)))
        result = Report(
            stage="read",
            version=VERSION,
            options={"sources": [s.name for s in sources]},
            key=key,
            seconds=round(time.monotonic() - started, 3),
            **report,
        )
        (temporary / "stage.json").write_bytes(pretty(result))
    return result, True


def _key(sources: list[SourceSpec]) -> str:
    return hashlib.sha256(encode([VERSION, sources])).hexdigest()


def _input(path: Path) -> Input:
    if not path.is_file():
        return Input(str(path), "")
    stat = path.stat()
    return Input(str(path), sha256_file(path), stat.st_size, stat.st_mtime_ns)


def _unchanged(target: Path, key: str) -> Report | None:
    """The old report, when the same sources were read and no file has changed since."""
    try:
        report = msgspec.json.decode((target / "stage.json").read_bytes(), type=Report)
        if report.key != key or not (target / "problems.jsonl").exists():
            return None
        for known in read_jsonl(target / "inputs.jsonl", Input):
            path = Path(known.path)
            if not path.is_file():
                if known.sha256:
                    return None
                continue
            stat = path.stat()
            same = (stat.st_size, stat.st_mtime_ns) == (known.size, known.mtime)
            if not same and sha256_file(path) != known.sha256:
                return None
        pictures = target.parent
        for problem in read_jsonl(target / "problems.jsonl", Problem):
            if any(not (pictures / image.path).exists() for image in problem.images):
                return None
    except (OSError, UserError, msgspec.DecodeError):
        return None
    return report


Row = tuple[str, int, Problem | Unreadable, list[str]]  # file, line, result, pictures used


def _converted(
    sources: list[SourceSpec], folder: Path, work: Path, engine: Engine
) -> Iterator[Row]:
    for spec in sources:
        paths = source_paths(spec, folder)
        images = folder / spec.images if spec.images else paths[0].parent
        work_on = partial(_convert_chunk, spec, images, work)
        chunks = parallel_map(work_on, _chunks(load_reader(spec.reader).rows(spec, paths)), engine)
        for rows in progress(chunks, f"read {spec.name}"):
            yield from rows


def _chunks(rows: Iterable[Raw | Unreadable]) -> Iterator[list[Raw | Unreadable]]:
    source = iter(rows)
    while chunk := list(islice(source, CHUNK)):
        yield chunk


def _convert_chunk(
    spec: SourceSpec, images: Path, work: Path, rows: list[Raw | Unreadable]
) -> list[Row]:
    reader = load_reader(spec.reader)
    results: list[Row] = []
    for raw in rows:
        if isinstance(raw, Unreadable):
            results.append((raw.file, raw.line, raw, []))
            continue
        pictures = Pictures(images, work)
        result: Problem | Unreadable
        try:
            problem: Problem = reader.problem(raw, spec, pictures)
            problem.notes.extend(pictures.notes)
            result = problem
        except (UserError, ValueError, TypeError, LookupError) as error:
            shown = encode(raw.data)[:500].decode("utf-8", "replace")
            result = Unreadable(raw.file, raw.line, str(error), shown)
        results.append((raw.file, raw.line, result, [str(path) for path in pictures.used]))
    return results


def _write(rows: Iterable[Row], folder: Path, key: str) -> dict[str, Any]:
    """problems.jsonl, lines.jsonl (id -> file:line), quarantine.jsonl, noted.jsonl; the counts."""
    taken = kept = noted = 0
    reasons: dict[str, int] = {}
    ids: dict[str, str] = {}
    used: dict[str, None] = {}
    with (
        (folder / "problems.jsonl").open("wb") as good,
        (folder / "lines.jsonl").open("wb") as lines,
        (folder / "quarantine.jsonl").open("wb") as bad,
        (folder / "noted.jsonl").open("wb") as remarks,
    ):
        for file, line, result, pictures in rows:
            taken += 1
            used |= dict.fromkeys(pictures)
            if isinstance(result, Problem) and result.id in ids:
                cause = f"id {result.id!r} stands also at {ids[result.id]}"
                result = Unreadable(file, line, cause, result.question[:500])
            if isinstance(result, Unreadable):
                reason = "id twice" if "stands also at" in result.cause else "unreadable"
                reasons[reason] = reasons.get(reason, 0) + 1
                bad.write(encode(result))
                continue
            kept += 1
            ids[result.id] = f"{file}:{line}"
            if result.notes:
                noted += 1
                remarks.write(
                    encode({"id": result.id, "at": ids[result.id], "notes": result.notes})
                )
            lines.write(encode({"id": result.id, "at": ids[result.id]}))
            good.write(encode(result))
    (folder / "dropped.jsonl").touch()
    return {
        "taken": taken,
        "kept": kept,
        "dropped": taken - kept,
        "out": kept,
        "reasons": dict(sorted(reasons.items())),
        "tables": {"noted": noted, "quarantine": taken - kept},
        "used": list(used),
    }
