"""The gate over all rows of a recipe: what the build reads, converts and checks, grouped by cause.

The sources are read and taken through the first stages as the build does it, into its work folder,
which takes up from there. Nothing that is wrong with the data ends it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..base.files import read_jsonl
from ..check import Finding as CheckFinding
from ..check import at_a_glance, findings_of, set_findings
from ..convert.readers import Unreadable
from ..errors import MachineError, UserError
from ..pipeline import Context, Recipe, StageSpec, load_stage
from ..problem import Problem
from .run import locked_work, run_stages, stages_of

EXAMPLES = 3
SHOWN = 90  # characters of a value
# stages that only rewrite texts, at the speed of reading (closed: a stage that draws, asks or waits
# for people is none, nor is one of somebody's own)
_OF_TEXTS = frozenset("errata html mathml mmd text latex open-ended check".split())
_NUMBERS = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")


class Cause(NamedTuple):
    """All findings of one cause: how many rows or problems, the first places, what to do."""

    source: str
    what: str
    times: int
    examples: list[str]
    remedy: str
    is_error: bool


class Passed(NamedTuple):
    """What the gate saw: rows of each source, problems that came through it, causes."""

    rows: dict[str, int]
    problems: list[Problem]  # some of each source
    causes: list[Cause]
    glance: list[str]  # what a person would see at once, by source
    stopped: list[UserError]


def pass_gate(plan: Recipe, context: Context, most: int) -> Passed:
    """Read all rows, run the stages of texts, look at every problem; `most` of each are kept."""
    stopped: list[UserError] = []
    if not plan.sources:
        return Passed({}, [], [], [], stopped)
    with locked_work(context.work):
        folder = _made(plan, context, stopped)
        if folder is None:
            return Passed({}, [], [], [], stopped)
        read = context.work / "00-read"
        at = _places(read)
        sources = [spec.name for spec in plan.sources]
        problems: dict[str, list[Problem]] = defaultdict(list)
        rows = Counter[str]()
        for problem in read_jsonl(read / "problems.jsonl", Problem):
            rows[problem.source.name] += 1
            if len(problems[problem.source.name]) < most:
                problems[problem.source.name].append(problem)
        glance = at_a_glance(read_jsonl(read / "problems.jsonl", Problem))
        causes = [*_unreadable(plan, read, rows)]
        findings = _findings(folder, context.work)
        causes += _by_cause(findings, sources, at)
    counted = {name: rows[name] for name in sources}
    some = [problem for kept in problems.values() for problem in kept]
    return Passed(counted, some, causes, glance, stopped)


def _made(plan: Recipe, context: Context, stopped: list[UserError]) -> Path | None:
    """The folder whose problems are looked at; what stopped a stage is told."""
    for upto in dict.fromkeys([_leading(stages_of(plan)), 0]):
        try:
            _, last = run_stages(plan, context, upto=upto)
        except MachineError:
            raise
        except UserError as error:
            stopped.append(error)
        else:
            return last.parent
    return None


def _leading(stages: list[StageSpec]) -> int:
    """How many stages of texts come first: up to the last check among them, where there is one."""
    checked = 0
    for number, spec in enumerate(stages, 1):
        if spec.name not in _OF_TEXTS or load_stage(spec.name).whole_set:
            return checked or number - 1
        if spec.name == "check":
            checked = number
    return checked or len(stages)


def _findings(folder: Path, work: Path) -> Iterator[CheckFinding]:
    """What the stage check wrote; where none ran, what it would write."""
    if folder.name.endswith("-check"):
        table = folder / "findings.jsonl"
        yield from read_jsonl(table, CheckFinding) if table.exists() else ()
        return
    problems = folder / "problems.jsonl"
    for problem in read_jsonl(problems, Problem):
        yield from findings_of(problem, work)
    yield from set_findings(lambda: read_jsonl(problems, Problem))


class _Line(msgspec.Struct):
    id: str
    at: str = ""


def _places(read: Path) -> dict[str, str]:
    """Where the row of each problem stands: id -> `file:line`."""
    return {line.id: line.at for line in read_jsonl(read / "lines.jsonl", _Line)}


def _by_cause(
    findings: Iterable[CheckFinding], sources: list[str], at: dict[str, str]
) -> Iterator[Cause]:
    """Findings of one code in one source as one cause, the most frequent first."""
    first: dict[tuple[str, str], CheckFinding] = {}
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    problems: dict[tuple[str, str], set[str]] = defaultdict(set)
    longest_first = sorted(sources, key=len, reverse=True)
    for finding in findings:
        name = _source_of(finding.id, longest_first)
        key = (name, finding.code)
        first.setdefault(key, finding)
        if finding.id not in problems[key] and len(examples[key]) < EXAMPLES:
            examples[key].append(_example(finding, at))
        problems[key].add(finding.id)
    for key in sorted(first, key=lambda one: (-len(problems[one]), one)):
        name, code = key
        one = first[key]
        count = len(problems[key])
        yield Cause(name, code, count, examples[key], one.remedy, one.level == "error")


def _source_of(name: str, sources: list[str]) -> str:
    """The source that a problem, or a finding on all of it, is of."""
    is_of = (one for one in sources if name == one or name.startswith(f"{one}-"))
    return next(is_of, name)


def _example(finding: CheckFinding, at: dict[str, str]) -> str:
    """`s-3 (d.jsonl:3): options: B`"""
    place = at.get(finding.id, "")
    shown = " ".join(finding.value.split())
    shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
    if finding.where == "source":
        return shown
    return f"{finding.id}{f' ({place})' if place else ''}: {finding.where}: {shown}"


def _unreadable(plan: Recipe, read: Path, rows: Counter[str]) -> Iterator[Cause]:
    """Rows that cannot be read by cause; the names and numbers in it make no difference."""
    of_file = {
        Path(path).name: spec.name
        for spec in plan.sources
        for path in ([spec.path] if isinstance(spec.path, str) else spec.path)
    }
    usual = plan.sources[0].name if len(plan.sources) == 1 else ""
    first: dict[tuple[str, str], str] = {}
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    count = Counter[tuple[str, str]]()
    for row in read_jsonl(read / "quarantine.jsonl", Unreadable):
        name = of_file.get(row.file, usual)
        key = (name, _NUMBERS.sub("_", row.cause)[:80])
        first.setdefault(key, row.cause)
        count[key] += 1
        if row.line or not row.cause.startswith("outside of problems"):
            rows[name] += 1
        if len(places[key]) < EXAMPLES:
            places[key].append(f"{row.file}:{row.line}" if row.line else row.file)
    for key, number in count.most_common():
        cause = first[key]
        outside = cause.startswith(("outside of problems", "backslashes restored"))
        yield Cause(key[0], cause, number, places[key], "", not outside)
