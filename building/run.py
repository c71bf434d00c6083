"""Running a recipe into its work folder: the sources are read, then stage follows stage.

`build` packages what comes out; `annotate push RECIPE` shows people what stands before a stage.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from ..base.files import locked
from ..base.terminal import say
from ..base.yaml_lines import read_located
from ..convert.readers import PlaceError, paths_of, read_sources
from ..errors import UserError
from ..pipeline import (
    SHARDS,
    Context,
    Planned,
    Recipe,
    Report,
    StageSpec,
    load_stage,
    proof_for,
    started,
)
from ..pipeline import run_stages as run_planned

FOLDER = re.compile(r"\d\d-.+")  # of a stage, below the work folder
RANKS = "ranks"  # marks of ranks, below the work folder
LOOKS = 7  # at a lock that another may only look at, two seconds in all


def stages_of(plan: Recipe) -> list[StageSpec]:
    """The recipe's stages. Errata come first: their `old` is what the dump says; withdrawing last.

    Raises UserError for errata that cannot be read.
    """
    stages = list(plan.stages)
    if plan.errata is not None:
        from ..exports import new_pictures

        options = {"path": plan.errata} | new_pictures(plan.folder / plan.errata)
        stages.insert(0, StageSpec(name="errata", options=options, at=str(plan.path)))
    if plan.withdraw:
        withdrawn = msgspec.to_builtins(plan.withdraw)
        options = {"withdrawn": withdrawn}
        stages.append(StageSpec(name="withdraw", options=options, at=str(plan.path)))
    return stages


def folders_of(plan: Recipe) -> list[str]:
    """The names of the stages' folders: `00-read`, `01-latex`, ..."""
    names = ["read", *(spec.name for spec in stages_of(plan))]
    return [f"{number:02d}-{name}" for number, name in enumerate(names)]


def position(plan: Recipe, until: str) -> int:
    """How many stages run up to and with `until`, a stage's name or its folder's.

    Raises UserError naming all folders when there is no such stage, or several have the name.
    """
    folders = folders_of(plan)
    found = [
        k for k, name in enumerate(folders) if until in (name, name.partition("-")[2])
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UserError(
            f"{plan.path}: no stage {until!r}", f"give one of {', '.join(folders)}"
        )
    names = ", ".join(folders[k] for k in found)
    raise UserError(
        f"{plan.path}: {len(found)} stages are {until!r}", f"give one of {names}"
    )


def check_stages(plan: Recipe, context: Context, upto: int | None = None) -> None:
    """Fail before any work when one of the first `upto` stages, or an option of it, is wrong."""
    for spec in stages_of(plan)[:upto]:
        try:
            load_stage(spec.name).options(spec.options, context)
        except UserError as error:
            votes = spec.options.get("votes")
            field = spec.options.get("field", spec.name)
            remedy = error.remedy
            if isinstance(votes, str) and not (context.recipe_folder / votes).exists():
                push = f"benchwright annotate push {plan.path} --field {field}"
                remedy += f"; votes come from: {push}"
            raise UserError(
                f"{spec.at}: {error.message}".lstrip(": "), remedy
            ) from error


def run_stages(
    plan: Recipe, context: Context, *, keep_going: bool = False, upto: int | None = None
) -> tuple[list[Report], Path]:
    """Read the sources and run the first `upto` stages; their reports and the last problems.jsonl.

    Finished stages are reused; folders of stages that the recipe no longer has go away.
    """
    _remove_others(plan, context.work)
    with workers_for(plan, context, upto):
        return _run_stages(plan, context, keep_going, upto)


@contextmanager
def workers_for(plan: Recipe, context: Context, upto: int | None) -> Iterator[None]:
    """The engine's workers, started once; those of a cluster prove that they see what we see."""
    engine = context.engine
    if engine.kind == "local":
        with started(engine):
            yield
        return
    paths = files_read(plan, context, upto)
    with (
        proof_for(context.work, paths) as proof,
        started(engine, proof),
    ):
        yield


def files_read(plan: Recipe, context: Context, upto: int | None = None) -> list[Path]:
    """Files and folders that the sources and the first `upto` stages read."""
    paths = [
        path for spec in plan.sources for path in paths_of(spec, context.recipe_folder)
    ]
    for spec in stages_of(plan)[:upto]:
        values = load_stage(spec.name).options(spec.options, context).values()
        paths += [value for value in values if isinstance(value, Path)]
    return paths


def planned_stages(plan: Recipe, work: Path, upto: int | None = None) -> list[Planned]:
    """The first `upto` stages, each with its folder."""
    folders = [work / name for name in folders_of(plan)[1:]]
    return [
        Planned(load_stage(spec.name), spec.options, folder)
        for spec, folder in zip(stages_of(plan)[:upto], folders, strict=False)
    ]


def _run_stages(
    plan: Recipe, context: Context, keep_going: bool, upto: int | None
) -> tuple[list[Report], Path]:
    with placed(plan):
        report, ran = read_sources(
            plan.sources, context.recipe_folder, context.work, context.engine
        )
    say_report(report, ran)
    folders = [context.work / name for name in folders_of(plan)]
    reports = [report]
    source = folders[0] / "problems.jsonl"
    planned = planned_stages(plan, context.work, upto)
    for report, ran in run_planned(planned, source, context, keep_going):
        say_report(report, ran)
        reports.append(report)
    return reports, folders[len(reports) - 1] / "problems.jsonl"


@contextmanager
def placed(plan: Recipe) -> Iterator[None]:
    """What a source cannot mean is told with its line of the recipe."""
    try:
        yield
    except PlaceError as error:
        names = [spec.name for spec in plan.sources]
        inner = [key for key in error.keys if isinstance(key, str | int)]
        keys: list[str | int] = ["sources", names.index(error.source), *inner]
        at = read_located(plan.path).at(*keys) if plan.path.exists() else ""
        raise UserError(f"{at}: {error.message}".lstrip(": "), error.remedy) from error


def _remove_others(plan: Recipe, work: Path) -> None:
    names = folders_of(plan)
    expected = {*names, f"{len(names):02d}-split"}
    for folder in work.iterdir():
        if FOLDER.fullmatch(folder.name) and folder.name not in expected:
            shutil.rmtree(folder)


def say_report(report: Report, ran: bool) -> None:
    """One line for people about what a stage did."""
    reasons = ", ".join(
        f"{reason}: {count}" for reason, count in report.reasons.items()
    )
    findings = ", ".join(f"{count} {code}" for code, count in report.findings.items())
    rows = {
        name: count
        for name, count in report.tables.items()
        if count and name != "findings"
    }
    tables = ", ".join(f"{count} in {name}.jsonl" for name, count in rows.items())
    say(
        f"{report.stage}: {report.taken} in, {report.kept} kept, {report.dropped} dropped"
        + (f" ({reasons})" if reasons else "")
        + (f"; findings: {findings}" if findings else "")
        + (f"; {tables}" if tables else "")
        + ("" if ran else "  [unchanged]")
    )


class Busy(UserError):
    """Somebody else is at work in a work folder."""


@contextmanager
def locked_work(work: Path) -> Iterator[None]:
    """One build at a time in a work folder; what a killed one left halfway is cleared."""
    with locked_or_busy(work / ".lock", f"another build is running in {work}"):
        for lock in sorted((work / RANKS).glob("*.lock")):
            if is_held(lock):
                raise Busy(f"rank {lock.stem} is at work in {work}", "wait for it")
        shutil.rmtree(work / SHARDS, ignore_errors=True)
        for part in (work / "images").glob(".*.part"):
            part.unlink(missing_ok=True)
        yield


@contextmanager
def locked_or_busy(path: Path, busy: str) -> Iterator[None]:
    """Hold a lock of a work folder; raises Busy when another process does."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path, wait=False))
        except BlockingIOError as error:
            raise Busy(busy, "wait, or choose another --out") from error
        except OSError as error:
            raise UserError(
                f"cannot write below {path.parent}: {error.strerror}",
                "choose another --out",
            ) from error
        yield


def is_held(lock: Path) -> bool:
    """Whether somebody holds a lock for longer than it takes to look."""
    for look in range(LOOKS):
        try:
            with locked(lock, wait=False):
                return False
        except BlockingIOError:
            time.sleep(0.02 * 2**look)
    return True
