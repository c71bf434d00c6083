"""What a worker does: lines of problems.jsonl go through row stages that follow one another.

A task names the lines. The worker reads them, makes of each what is not yet known (`results.py`),
writes a file of problems for each stage, and returns counts, ids, drops and side tables.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..base.bugs import bug
from ..base.files import BAD_JSON, read_jsonl
from ..errors import BenchwrightError, UserError, is_of_machine
from ..problem import Drop, Problem, all_images
from .by_shard import Lines
from .results import FOLDER, Pack, Results, key_of, packed
from .shard import SHARDS, Line, Result, Shard, encoded, line_of, set_apart, shard_of
from .stage import Stage


class Step(msgspec.Struct, frozen=True):
    """A row stage as a visit runs it; `key` is the hash of its code and options."""

    stage: Stage
    options: dict[str, Any]
    key: str
    keep_going: bool


class Kept(msgspec.Struct, array_like=True, frozen=True):
    """What became of one line, as it is kept: one that is as it came in stands as b""."""

    id: str
    lines: list[Line]
    rows: dict[str, list[bytes]]
    seed: int | None  # that was drawn with
    pictures: list[str]  # that were made


def visit(
    steps: Sequence[Step], work: Path, build: str, apart: bool, lines: Lines
) -> list[Shard]:
    """Each stage's shard; with `apart` another process takes it from a file."""
    coming = lines.read()
    results = _of_shards(steps, work, build)
    key = key_of(b"".join(coming))
    made = _known(steps, work, results.get(key), coming)
    if made is None:
        made = list(through(steps, work, build, coming, lines.number))
        with results.adding() as pack:
            pack.add(key, msgspec.msgpack.encode([*_brief(made, coming)]))
    for shard in made if apart else ():
        set_apart(shard, work / SHARDS)
    return made


def through(
    steps: Sequence[Step], work: Path, build: str, lines: list[bytes], number: int = 0
) -> Iterator[Shard]:
    """What each step makes of what the one before it put out; the first line has this number."""
    for step in steps:
        made = _through(step, work, build, lines, number)
        lines, number = made.problems.splitlines(keepends=True), 0
        yield made


def _of_shards(steps: Sequence[Step], work: Path, build: str) -> Results:
    """Where what all the steps made of a shard is kept."""
    return Results(
        work, key_of(b"".join(step.key.encode() for step in steps)).hex(), build
    )


def _known(
    steps: Sequence[Step], work: Path, data: bytes | None, coming: list[bytes]
) -> list[Shard] | None:
    """The shards as they are kept, where they are what would be made now."""
    shards = [] if data is None else msgspec.msgpack.decode(data, type=list[Shard])
    before = b"".join(coming)
    for step, shard in zip(steps, shards, strict=False):
        if not holds(shard, step, work):
            return None
        before = shard.problems = before if shard.same else shard.problems
    return shards or None


def _brief(shards: list[Shard], coming: list[bytes]) -> Iterator[Shard]:
    """Shards as they are kept."""
    before = b"".join(coming)
    for shard in shards:
        same = shard.problems == before
        before = shard.problems
        problems = b"" if same else before
        yield msgspec.structs.replace(shard, same=same, problems=problems, seconds=0.0)


def holds(made: Kept | Shard, step: Step, work: Path) -> bool:
    """Whether it is what would be made now: with the same seed, and its pictures in the store."""
    context = step.options.get("context")
    drawn = made.seed is None or (context is not None and context.seed == made.seed)
    return drawn and all((work / path).exists() for path in made.pictures)


def _through(
    step: Step, work: Path, build: str, lines: list[bytes], number: int
) -> Shard:
    """What a stage makes of the lines; what is known of one is taken."""
    started = time.perf_counter()
    seeds = set[int | None]()
    pictures = list[str]()
    results = Results(work, step.key, build)

    def each(pack: Pack) -> Iterator[Result]:
        for k, line in enumerate(lines):
            if not line.strip():
                continue
            key = key_of(line)
            data = results.get(key)
            kept = None if data is None else msgspec.msgpack.decode(data, type=Kept)
            if kept is None or not holds(kept, step, work):
                kept = _made(step, work, line, number and number + k)
                pack.add(key, msgspec.msgpack.encode(kept))
            seeds.add(kept.seed)
            pictures.extend(kept.pictures)
            whole = (
                one if one.data else msgspec.structs.replace(one, data=line)
                for one in kept.lines
            )
            yield Result([kept.id], whole, kept.rows)

    with results.adding() as pack:
        shard = shard_of(step.stage.name, each(pack))
    shard.seed = next((seed for seed in seeds if seed is not None), None)
    shard.pictures, shard.seconds = pictures, time.perf_counter() - started
    return shard


def _made(step: Step, work: Path, line: bytes, number: int) -> Kept:
    """The stage's own work on one problem, and the rows that it recorded on the way."""
    stage = step.stage
    tables = dict[str, list[Any]]()
    options = step.options
    try:
        problem = msgspec.json.decode(line, type=Problem)
    except BAD_JSON as error:
        raise UserError(
            f"line {number} of what stage {stage.name!r} reads: {error}",
            f"remove the stage's folder and those before it below {work}, and build again",
        ) from error
    before = {image.path for image in all_images(problem)}
    own = None
    if "context" in options:  # tables of its own: in-process and pooled runs agree
        own = msgspec.structs.replace(options["context"], tables=tables, drew=False)
        options = options | {"context": own}
    try:
        result = stage.function(problem, **options)
        outputs = list(results_of(result if isinstance(result, list) else [result]))
    except BenchwrightError:
        raise
    except Exception as error:
        if not step.keep_going or is_of_machine(error):
            where = source_line(work, problem.id) or f"raw id {problem.source.raw_id}"
            on = f"problem {problem.id!r} ({where}), which starts {problem.question[:80]!r}"
            raise bug(f"stage {stage.name!r}", stage.function, error, on) from error
        outputs = [
            Drop(id=problem.id, reason=f"error: {type(error).__name__}: {error}")
        ]
    drawn = {
        i.path for one in outputs if isinstance(one, Problem) for i in all_images(one)
    }
    made = [
        msgspec.structs.replace(one, data=b"") if one.data == line else one
        for one in map(line_of, outputs)
    ]
    seed = own.seed if own and own.drew else None
    return Kept(problem.id, made, encoded(tables), seed, sorted(drawn - before))


def results_of(returned: Iterable[Any]) -> Iterator[Problem | Drop]:
    """What a stage returned, when it is what stages may return."""
    for result in returned:
        if not isinstance(result, Problem | Drop):
            raise TypeError(f"it returned {type(result).__name__}, not Problem or Drop")
        yield result


def source_line(work: Path, problem_id: str) -> str | None:
    """`file:line` of the raw dump from which a problem was read."""
    lines = work / "00-read" / "lines.jsonl"
    if not lines.exists():
        return None
    rows = read_jsonl(lines, dict[str, Any])
    return next((row["at"] for row in rows if row["id"] == problem_id), None)


def known(
    steps: Sequence[Step], work: Path, build: str, lines: Lines
) -> dict[str, bytes]:
    """Packs of what is kept of these lines, by path below `work`, for workers without it."""
    packs: dict[str, bytes] = {}

    def find(results: Results, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        found = {key: data for key in keys if (data := results.get(key)) is not None}
        if found:
            packs[f"{FOLDER}/{results.key}/{lines.number}.pack"] = packed(found)
        return found

    coming = lines.read()
    if find(_of_shards(steps, work, build), [key_of(b"".join(coming))]):
        return packs
    for step in steps:
        chosen = find(Results(work, step.key, build), map(key_of, coming))
        coming = [
            made.data or line
            for line in coming
            if (data := chosen.get(key_of(line))) is not None
            for made in msgspec.msgpack.decode(data, type=Kept).lines
            if made.reason is None
        ]
    return packs
