"""The stage runner: one stage from problems.jsonl to its folder, done again only when needed.

Finished work is skipped by the hash of name, code, options and inputs (`code.py`); the folder is
written by `stage_folder.py`.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ..base.bugs import bug
from ..base.files import BAD_JSON, encode, read_jsonl, read_lines, sha256_file, sha256_tree
from ..base.registry import consulted
from ..base.terminal import progress
from ..errors import BenchwrightError, UserError, is_of_machine
from ..problem import Drop, Problem
from .code import code_hash
from .engine import chunked
from .journal import journaled
from .outcome import Outcome, SideTables, outcome_of, pack, size_of, unpack
from .shipping import Lines, parcel, received, shipped
from .stage import Context, Stage
from .stage_folder import Report, Results, finished, write_stage

StageResult = Problem | list[Problem] | Drop
Numbered = Iterator[tuple[int, bytes]]  # records of chunks
CHUNK = 64  # problems per task of a worker


def run_stage(
    stage: Stage,
    options: dict[str, Any],
    source: Path,
    folder: Path,
    context: Context,
    keep_going: bool = False,
) -> tuple[Report, bool]:
    """Run one stage from `source` (problems.jsonl) into `folder`; True beside the report: it ran.

    Finished work with the same key is left as it is. Raises UserError naming stage, problem and
    source line when the function raises, unless `keep_going` turns that into a drop.
    """
    converted = stage.options(options, context)
    key = _key(stage, converted, source, context, keep_going)
    if (old := finished(folder, key)) is not None:
        return old, False
    context.tables.clear()
    journal = journal_of(folder)
    results: Results
    if stage.whole_set:
        results = _of_whole_set(stage, converted, source, context)
    else:
        results = _of_problems(stage, converted, source, context, keep_going, journal, key)
    report = write_stage(
        folder,
        stage.name,
        results,
        options=stage.meant(options),
        key=key,
        whole_set=stage.whole_set,
        tables=context.tables,
        settled=stage.settled and partial(_settle, stage.settled, converted),
    )
    context.tables.clear()
    journal.unlink(missing_ok=True)
    return report, True


def _settle(
    settled: Callable[[Path, dict[str, Any]], None], options: dict[str, Any], folder: Path
) -> None:
    settled(folder, options)


def journal_of(folder: Path) -> Path:
    """Where the results of a stage are kept until its folder is complete."""
    return folder.with_name(f".{folder.name}.journal")


def _key(
    stage: Stage, options: dict[str, Any], source: Path, context: Context, keep_going: bool
) -> str:
    plain_options = {
        name: sha256_tree(value) if isinstance(value, Path) else msgspec.to_builtins(value)
        for name, value in stage.meant(options).items()
    }
    code = code_hash(stage.function, *consulted())
    parts = [stage.name, code, plain_options, sha256_file(source), context.seed, keep_going]
    return hashlib.sha256(encode(parts)).hexdigest()


def _of_problems(
    stage: Stage,
    options: dict[str, Any],
    source: Path,
    context: Context,
    keep_going: bool,
    journal: Path,
    key: str,
) -> Iterator[Outcome]:
    """What became of each problem, in the order of the source."""
    alone = msgspec.structs.replace(context, tables={})  # nothing that grows travels
    if _takes_context(stage):
        options = options | {"context": alone}
    run = partial(_of_chunk, stage, keep_going)
    total = sum(1 for _ in read_lines(source))
    chunks = chunked(read_lines(source), CHUNK)

    def seen(found: Numbered) -> Numbered:
        return progress(found, stage.name, total, "problems", weight=size_of)

    if context.engine.ship:
        away = shipped(run, options, context.recipe_folder)
        parcels = (parcel(context.work, lines) for lines in chunks)
        unloaded = partial(_unloaded, context.work)
        records = journaled(
            away, parcels, context.engine, journal, key, seen=lambda found: seen(unloaded(found))
        )
    else:
        here = partial(run, options, context.work)
        records = journaled(here, chunks, context.engine, journal, key, seen=seen)
    for record in records:
        yield from unpack(record)


def _unloaded(work: Path, found: Numbered) -> Numbered:
    return ((number, received(work, data)) for number, data in found)


def _takes_context(stage: Stage) -> bool:
    return "context" in inspect.signature(stage.function).parameters


def _of_whole_set(
    stage: Stage, options: dict[str, Any], source: Path, context: Context
) -> Iterator[tuple[list[str], list[Problem | Drop]]]:
    problems = list(read_jsonl(source, Problem))
    if _takes_context(stage):
        options = options | {"context": context}
    try:
        yield [p.id for p in problems], _results_of(stage.function(problems, **options))
    except BenchwrightError:
        raise
    except Exception as error:
        raise bug(f"stage {stage.name!r}", stage.function, error) from error


def _of_chunk(
    stage: Stage, keep_going: bool, options: dict[str, Any], work: Path, lines: Lines
) -> bytes:
    """On a worker: problems decoded, run through the stage, and encoded as they are written."""
    decode = msgspec.json.Decoder(Problem).decode
    outcomes = []
    for number, line in lines:
        try:
            problem = decode(line)
        except BAD_JSON as error:
            raise UserError(
                f"line {number} of what stage {stage.name!r} reads: {error}",
                f"remove the stage's folder and those before it below {work}, and build again",
            ) from error
        outcomes.append(_of_problem(stage, options, keep_going, work, problem))
    return pack(outcomes)


def _of_problem(
    stage: Stage, options: dict[str, Any], keep_going: bool, work: Path, problem: Problem
) -> Outcome:
    """What became of one problem, and the rows that the stage recorded on the way."""
    tables: SideTables = {}
    if "context" in options:  # tables of its own: in-process and pooled runs agree
        own = msgspec.structs.replace(options["context"], tables=tables)
        options = options | {"context": own}
    try:
        result: StageResult = stage.function(problem, **options)
        outputs = _results_of(result if isinstance(result, list) else [result])
    except BenchwrightError:
        raise
    except Exception as error:
        if not keep_going or is_of_machine(error):
            where = source_line(work, problem.id) or f"raw id {problem.source.raw_id}"
            on = f"problem {problem.id!r} ({where}), which starts {problem.question[:80]!r}"
            raise bug(f"stage {stage.name!r}", stage.function, error, on) from error
        outputs = [Drop(id=problem.id, reason=f"error: {type(error).__name__}: {error}")]
    return outcome_of([problem.id], outputs, tables)


def _results_of(returned: Iterable[Any]) -> list[Problem | Drop]:
    results = list(returned)
    for result in results:
        if not isinstance(result, Problem | Drop):
            raise TypeError(f"it returned {type(result).__name__}, not Problem or Drop")
    return results


def source_line(work: Path, problem_id: str) -> str | None:
    """`file:line` of the raw dump from which a problem was read."""
    lines = work / "00-read" / "lines.jsonl"
    if not lines.exists():
        return None
    rows = read_jsonl(lines, dict[str, str])
    return next((row["at"] for row in rows if row["id"] == problem_id), None)
