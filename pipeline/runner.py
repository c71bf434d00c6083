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

from ..display import Display, Table
from ..errors import UserError
from ..files import encode, pretty, read_jsonl, replacing_folder, sha256_file, sha256_tree
from ..problem import Drop, Problem
from ..terminal import progress
from .accounting import Accounts
from .engine import parallel_map
from .stage import Context, Stage

Result = Problem | list[Problem] | Drop
CHUNK = 64  # problems per task of a worker


class Report(Display, msgspec.Struct, kw_only=True):
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

    def headline(self) -> str:
        return f"{self.stage}, {self.taken} in, {self.kept} kept, {self.dropped} dropped"

    def table(self) -> Table:
        counts = {**self.reasons, **self.findings, **self.tables}
        return ["what", "problems"], [[name, count] for name, count in counts.items()]


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
            yield [p.id for p in held], list(stage.function(held, **options))
        except UserError:
            raise
        except Exception as error:
            raise UserError(
                f"stage {stage.name!r} failed: {type(error).__name__}: {error}",
                "run with --debug for the traceback",
            ) from error
        return
    run = partial(_run_chunk, stage, options, keep_going, context.work)
    chunks = parallel_map(run, _chunks(problems), context.engine)
    for rows, tables in progress(chunks, stage.name):
        for name, extra in tables.items():
            context.tables.setdefault(name, []).extend(extra)
        for taken, outputs in rows:
            yield [taken], outputs


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
        except UserError:
            raise
        except Exception as error:
            cause = f"{type(error).__name__}: {error}"
            if not keep_going:
                where = source_line(work, problem.id) or f"raw id {problem.source.raw_id}"
                raise UserError(
                    f"stage {stage.name!r} failed on problem {problem.id!r} ({where}): {cause}; "
                    f"its question starts {problem.question[:80]!r}",
                    "repair the problem, or drop it with --keep-going",
                ) from error
            result = Drop(id=problem.id, reason=f"error: {cause}")
        rows.append((problem.id, list(result) if isinstance(result, list) else [result]))
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
