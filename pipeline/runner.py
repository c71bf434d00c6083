"""The stage runner: one stage from problems.jsonl to its folder, cached, accounted, reported.

It keeps `work/<nn>-<stage>/{problems.jsonl, dropped.jsonl, stage.json}` and enforces
in = kept + dropped; finished work is skipped by the hash of name, version, options and inputs.
"""

from __future__ import annotations

import hashlib
import inspect
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UserError
from ..files import encode, pretty, read_jsonl, replacing_folder, sha256_file, sha256_tree
from ..problem import Drop, Problem
from ..registry import added_code
from ..terminal import progress
from .accounting import Accounts
from .bugs import bug
from .engine import parallel_map
from .stage import Context, Stage

Result = Problem | list[Problem] | Drop
CHUNK = 64  # problems per task of a worker


class Report(msgspec.Struct, kw_only=True):
    """stage.json: what one stage did. `seconds` stays out of releases."""

    stage: str
    version: str
    options: dict[str, Any]
    key: str
    taken: int  # problems in
    kept: int
    dropped: int
    out: int  # problems out; more than kept where a stage splits problems
    reasons: dict[str, int]
    tables: dict[str, int]
    findings: dict[str, int] = {}  # rows of the table "findings", by code
    seconds: float = 0.0


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
    try:
        old = msgspec.json.decode((folder / "stage.json").read_bytes(), type=Report)
        if old.key == key and (folder / "problems.jsonl").exists():
            return old, False
    except (OSError, msgspec.DecodeError):
        pass
    started = time.monotonic()
    with replacing_folder(folder) as temporary:
        results = _results(stage, converted, source, context, keep_going)
        counts = _write(stage, results, temporary)
        for name, rows in sorted(context.tables.items()):
            (temporary / f"{name}.jsonl").write_bytes(b"".join(encode(row) for row in rows))
        report = Report(
            stage=stage.name,
            version=stage.version,
            options=options,
            key=key,
            tables={name: len(rows) for name, rows in sorted(context.tables.items())},
            findings=_by_code(context.tables.get("findings", [])),
            seconds=round(time.monotonic() - started, 3),
            **counts,
        )
        (temporary / "stage.json").write_bytes(pretty(report))
    context.tables.clear()
    return report, True


def _by_code(findings: list[Any]) -> dict[str, int]:
    return dict(sorted(Counter(finding.code for finding in findings).items()))


def _key(
    stage: Stage, options: dict[str, Any], source: Path, context: Context, keep_going: bool
) -> str:
    shown = {
        name: sha256_tree(value) if isinstance(value, Path) else msgspec.to_builtins(value)
        for name, value in options.items()
    }
    parts = [stage.name, stage.version, shown, sha256_file(source), context.seed, keep_going]
    if code := added_code(stage.function):
        parts.append(code)
    return hashlib.sha256(encode(parts)).hexdigest()


def _results(
    stage: Stage, options: dict[str, Any], source: Path, context: Context, keep_going: bool
) -> Iterator[tuple[list[str], Iterable[Problem | Drop]]]:
    """Pairs (ids taken, outputs) in input order; a whole set gives one pair."""
    problems = read_jsonl(source, Problem)
    context.tables.clear()
    if "context" in inspect.signature(stage.function).parameters:
        options = options | {"context": context}
    if stage.whole_set:
        held = list(problems)
        try:
            yield [p.id for p in held], [_result(r) for r in stage.function(held, **options)]
        except UserError:
            raise
        except Exception as error:
            raise bug(f"stage {stage.name!r}", stage.function, error) from error
        return
    run = partial(_run_chunk, stage, options, keep_going, context.work)
    chunks = parallel_map(run, _chunks(problems), context.engine)
    for rows, tables in progress(chunks, stage.name):
        for name, extra in tables.items():
            context.tables.setdefault(name, []).extend(extra)
        for taken, outputs in rows:
            yield [taken], outputs


def _result(given: Any) -> Problem | Drop:
    if not isinstance(given, Problem | Drop):
        raise TypeError(f"it returned {type(given).__name__}, not Problem or Drop")
    return given


def _chunks(problems: Iterator[Problem]) -> Iterator[list[Problem]]:
    while chunk := list(islice(problems, CHUNK)):
        yield chunk


def _run_chunk(
    stage: Stage,
    options: dict[str, Any],
    keep_going: bool,
    work: Path,
    problems: list[Problem],
) -> tuple[list[tuple[str, list[Problem | Drop]]], dict[str, list[Any]]]:
    context: Context | None = options.get("context")
    if context is not None:  # a worker's own tables, so that in-process and pooled runs agree
        context = msgspec.structs.replace(context, tables={})
        options = options | {"context": context}
    rows: list[tuple[str, list[Problem | Drop]]] = []
    for problem in problems:
        try:
            result: Result = stage.function(problem, **options)
            outputs = [_result(r) for r in (result if isinstance(result, list) else [result])]
        except UserError:
            raise
        except Exception as error:
            if not keep_going:
                where = source_line(work, problem.id) or f"raw id {problem.source.raw_id}"
                on = f"problem {problem.id!r} ({where}), which starts {problem.question[:80]!r}"
                raise bug(f"stage {stage.name!r}", stage.function, error, on) from error
            outputs = [Drop(id=problem.id, reason=f"error: {type(error).__name__}: {error}")]
        rows.append((problem.id, outputs))
    return rows, context.tables if context is not None else {}


def _write(
    stage: Stage,
    results: Iterable[tuple[list[str], Iterable[Problem | Drop]]],
    folder: Path,
) -> dict[str, Any]:
    """Write problems.jsonl and dropped.jsonl; returns the stage's counts."""
    accounts = Accounts(stage.name, stage.whole_set)
    with (
        (folder / "problems.jsonl").open("wb") as good,
        (folder / "dropped.jsonl").open("wb") as bad,
    ):
        for taken, outputs in results:
            accounts.take(taken)
            for output in outputs:
                if isinstance(output, Drop):
                    accounts.drop(output)
                    bad.write(encode(output))
                else:
                    accounts.put_out(output.id)
                    good.write(encode(output))
            accounts.settle()
    return accounts.counts()


def source_line(work: Path, problem_id: str) -> str | None:
    """`file:line` of the raw dump from which a problem was read."""
    lines = work / "00-read" / "lines.jsonl"
    if not lines.exists():
        return None
    rows = read_jsonl(lines, dict[str, str])
    return next((row["at"] for row in rows if row["id"] == problem_id), None)
