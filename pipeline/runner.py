"""The stage runner: one stage from problems.jsonl to its folder, done again only when needed.

Finished work is skipped by the hash of name, code, options and inputs (`code.py`); the folder is
written by `stage_folder.py`.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UserError
from ..files import encode, read_jsonl, read_lines, sha256_file, sha256_tree
from ..problem import Drop, Problem
from ..terminal import progress
from .bugs import bug
from .code import code_hash
from .engine import parallel_map
from .stage import Context, Stage
from .stage_folder import Report, Results, finished, write_stage

StageResult = Problem | list[Problem] | Drop
SideTables = dict[str, list[Any]]
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
    report = write_stage(
        folder,
        stage.name,
        _results(stage, converted, source, context, keep_going),
        options=stage.meant(options),
        key=key,
        whole_set=stage.whole_set,
        tables=context.tables,
    )
    context.tables.clear()
    return report, True


def _key(
    stage: Stage, options: dict[str, Any], source: Path, context: Context, keep_going: bool
) -> str:
    plain_options = {
        name: sha256_tree(value) if isinstance(value, Path) else msgspec.to_builtins(value)
        for name, value in stage.meant(options).items()
    }
    code = code_hash(stage.function)
    parts = [stage.name, code, plain_options, sha256_file(source), context.seed, keep_going]
    return hashlib.sha256(encode(parts)).hexdigest()


def _results(
    stage: Stage, options: dict[str, Any], source: Path, context: Context, keep_going: bool
) -> Results:
    """Pairs (ids taken, outputs) in input order; a whole set gives one pair."""
    problems = read_jsonl(source, Problem)
    if "context" in inspect.signature(stage.function).parameters:
        options = options | {"context": context}
    if stage.whole_set:
        yield _of_whole_set(stage, options, list(problems))
        return
    run = partial(_of_problem, stage, options, keep_going, context.work)
    results = parallel_map(run, problems, context.engine, chunk=CHUNK)
    total = sum(1 for _ in read_lines(source))
    for taken, outputs, tables in progress(results, stage.name, total, "problems"):
        for name, rows in tables.items():
            context.tables.setdefault(name, []).extend(rows)
        yield [taken], outputs


def _of_whole_set(
    stage: Stage, options: dict[str, Any], problems: list[Problem]
) -> tuple[list[str], list[Problem | Drop]]:
    try:
        return [p.id for p in problems], _results_of(stage.function(problems, **options))
    except UserError:
        raise
    except Exception as error:
        raise bug(f"stage {stage.name!r}", stage.function, error) from error


def _of_problem(
    stage: Stage, options: dict[str, Any], keep_going: bool, work: Path, problem: Problem
) -> tuple[str, list[Problem | Drop], SideTables]:
    """What became of one problem, and the rows that the stage recorded on the way."""
    tables: SideTables = {}
    if "context" in options:  # tables of its own: in-process and pooled runs agree
        own = msgspec.structs.replace(options["context"], tables=tables)
        options = options | {"context": own}
    try:
        result: StageResult = stage.function(problem, **options)
        outputs = _results_of(result if isinstance(result, list) else [result])
    except UserError:
        raise
    except Exception as error:
        if not keep_going:
            where = source_line(work, problem.id) or f"raw id {problem.source.raw_id}"
            on = f"problem {problem.id!r} ({where}), which starts {problem.question[:80]!r}"
            raise bug(f"stage {stage.name!r}", stage.function, error, on) from error
        outputs = [Drop(id=problem.id, reason=f"error: {type(error).__name__}: {error}")]
    return problem.id, outputs, tables


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
