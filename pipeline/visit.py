"""What a worker does: lines of problems.jsonl go through row stages that follow one another.

A task names a part. The worker reads it, takes what each stage made of the same before (`parts.py`)
or makes it now, and returns problems, counts, ids, drops and side tables.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ..base.bugs import bug
from ..base.files import BAD_JSON, read_jsonl
from ..errors import BenchwrightError, UserError, is_of_machine
from ..problem import Drop, Problem, all_images
from .by_shard import Lines
from .parts import Parts, key_of
from .shard import SHARDS, Result, Shard, encoded, line_of, set_apart, shard_of
from .stage import Stage


class Step(msgspec.Struct, frozen=True):
    """A row stage as a visit runs it; `key` is the hash of its code and options."""

    stage: Stage
    options: dict[str, Any]
    key: str
    keep_going: bool


class Made(NamedTuple):
    """What a stage made of one problem; the seed that it drew with, and pictures that are new."""

    result: Result
    seed: int | None
    pictures: list[str]


def visit(steps: Sequence[Step], work: Path, apart: bool, lines: Lines) -> list[Shard]:
    """Each stage's shard; with `apart` another process takes it from a file."""
    made = list(through(steps, work, lines.content(), lines.number))
    for shard in made if apart else ():
        set_apart(shard, work / SHARDS)
    return made


def through(
    steps: Sequence[Step], work: Path, coming: bytes, number: int = 0
) -> Iterator[Shard]:
    """What each step makes of what the one before it put out; the first line has this number."""
    for step in steps:
        shard = _shard(step, work, coming, number)
        yield shard
        coming, number = shard.problems, 0


def _shard(step: Step, work: Path, coming: bytes, number: int) -> Shard:
    """What a step makes of a part, or made of the same before."""
    parts = Parts(work, step.key)
    key = key_of(coming)
    data = parts.get(key)
    shard = None if data is None else msgspec.msgpack.decode(data, type=Shard)
    if shard is None or not _holds(shard, step, work):
        shard = _made(step, work, coming, number)
        same = shard.problems == coming
        problems = b"" if same else shard.problems
        kept = replace(shard, same=same, problems=problems, seconds=0.0)
        parts.put(key, msgspec.msgpack.encode(kept))
    elif shard.same:
        shard.problems = coming
    return shard


def _holds(shard: Shard, step: Step, work: Path) -> bool:
    """Whether it is what would be made now: with the same seed, and its pictures in the store."""
    context = step.options.get("context")
    drawn = shard.seed is None or (context is not None and context.seed == shard.seed)
    return drawn and all((work / path).exists() for path in shard.pictures)


def _made(step: Step, work: Path, coming: bytes, number: int) -> Shard:
    """What a stage makes of a part."""
    started = time.perf_counter()
    lines = enumerate(coming.splitlines(keepends=True), number)
    made = [
        _made_of_one(step, work, line, number and place)
        for place, line in lines
        if line.strip()
    ]
    shard = shard_of(step.stage.name, (one.result for one in made))
    seeds = (one.seed for one in made if one.seed is not None)
    shard.seed = next(seeds, None)
    shard.pictures = [path for one in made for path in one.pictures]
    shard.seconds = time.perf_counter() - started
    return shard


def _made_of_one(step: Step, work: Path, line: bytes, number: int) -> Made:
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
        own = replace(options["context"], tables=tables, drew=False)
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
    result = Result([problem.id], map(line_of, outputs), encoded(tables))
    seed = own.seed if own and own.drew else None
    return Made(result, seed, sorted(drawn - before))


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
