"""The stage runner: stages from problems.jsonl to their folders, done again only when needed.

A folder that was made of the same content by the same code is left as it is (`code.py`). Row stages
that follow one another run in one visit of workers to each part (`visit.py`), which takes what is
known of it; the folders are written by `stage_folder.py`.
"""

from __future__ import annotations

import hashlib
import inspect
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.bugs import bug
from ..base.files import encode, read_jsonl, sha256_file, sha256_tree
from ..base.registry import consulted
from ..base.terminal import progress
from ..errors import BenchwrightError
from .by_shard import cut
from .code import code_hash
from .engine import AHEAD, Engine, any_order, in_order
from .shard import SHARDS, Shard, line_of, shards_of
from .stage import Context, Stage
from .stage_folder import PROBLEMS, Report, Settled, finished, writing
from .visit import Step, results_of, visit


class _Named(msgspec.Struct):
    """As much of a problem as says which it is."""

    id: str


class Planned(NamedTuple):
    """A stage with the recipe's options, and the folder that it is to fill."""

    stage: Stage
    options: dict[str, Any]
    folder: Path


def run_stage(
    stage: Stage,
    options: dict[str, Any],
    source: Path,
    folder: Path,
    context: Context,
    keep_going: bool = False,
) -> tuple[Report, bool]:
    """Run one stage from `source` (problems.jsonl) into `folder`; as `run_stages`."""
    return next(
        run_stages([Planned(stage, options, folder)], source, context, keep_going)
    )


def run_stages(
    stages: Sequence[Planned], source: Path, context: Context, keep_going: bool = False
) -> Iterator[tuple[Report, bool]]:
    """Run stages one after another, the first from `source`; each report, and whether it ran.

    Finished work with the same key is left as it is. Raises UserError naming stage, problem and
    source line when a function raises, unless `keep_going` turns that into a drop.
    """
    left = list(stages)
    content = sha256_file(source)
    steps = [_step(planned, context, keep_going) for planned in stages]
    while left:
        planned = left[0]
        step = steps[0]
        key = _with_source(step.key, content)
        if (old := finished(planned.folder, key, context.seed)) is not None:
            found = [(old, False)]
        elif planned.stage.whole_set:
            found = [(_of_whole_set(planned, step, source, key, context), True)]
        else:
            rows = len(list(takewhile(lambda one: not one.stage.whole_set, left)))
            found = _visited(left[:rows], steps[:rows], source, content, context)
        yield from found
        source = left[len(found) - 1].folder / PROBLEMS
        content = found[-1][0].outputs[PROBLEMS]
        del left[: len(found)], steps[: len(found)]


def _step(planned: Planned, context: Context, keep_going: bool) -> Step:
    """The stage with its options as its function takes them, and the hash of what it would do."""
    stage = planned.stage
    options = stage.options(planned.options, context)
    plain = {
        name: sha256_tree(value)
        if isinstance(value, Path)
        else msgspec.to_builtins(value)
        for name, value in stage.meant(options).items()
    }
    if "context" in inspect.signature(stage.function).parameters:
        options |= {"context": context}
    parts = [stage.name, code_hash(stage.function, *consulted()), plain, keep_going]
    return Step(stage, options, hashlib.sha256(encode(parts)).hexdigest(), keep_going)


def _with_source(key: str, source: str) -> str:
    return hashlib.sha256(f"{key} {source}".encode()).hexdigest()


def _of_whole_set(
    planned: Planned, step: Step, source: Path, key: str, context: Context
) -> Report:
    """The stage's function on all problems at once; rows of side tables go to disk as they come."""
    stage = planned.stage
    started = time.monotonic()
    own = msgspec.structs.replace(context, tables={}, drew=False, recorded=Counter())
    options = step.options | ({"context": own} if "context" in step.options else {})

    def shards() -> Iterator[Shard]:
        try:
            made = results_of(stage.function(stage.taking(source), **options))
            taken = [problem.id for problem in read_jsonl(source, _Named)]
            yield from shards_of(stage.name, taken, map(line_of, made))
        except BenchwrightError:
            raise
        except Exception as error:
            raise bug(f"stage {stage.name!r}", stage.function, error) from error

    with writing(planned.folder, stage.name) as folder:
        own.sink = lambda name, row: folder.add_rows(name, [row])
        for shard in shards():
            folder.put(shard)
        folder.seed = own.seed if own.drew else None
        folder.seconds = time.monotonic() - started
        return folder.finish(stage.meant(planned.options), key, settled=_settling(step))


def _settling(step: Step) -> Settled | None:
    if (settled := step.stage.settled) is None:
        return None
    options = {name: value for name, value in step.options.items() if name != "context"}
    return lambda folder: settled(folder, options)


def _visited(
    planned: Sequence[Planned],
    steps: Sequence[Step],
    source: Path,
    content: str,
    context: Context,
) -> list[tuple[Report, bool]]:
    """Row stages that follow one another: every shard goes through all of them in one visit.

    `content` is the hash of `source`.
    """
    with ExitStack() as stack:
        folders = [
            stack.enter_context(writing(one.folder, one.stage.name)) for one in planned
        ]
        for shards in _shards(steps, source, context):
            for folder, shard in zip(folders, shards, strict=True):
                folder.put(shard)
        reports = []
        for one, step, folder in zip(planned, steps, folders, strict=True):
            key = _with_source(step.key, content)
            report = folder.finish(
                one.stage.meant(one.options), key, settled=_settling(step)
            )
            reports.append((report, finished(one.folder, key, context.seed) is None))
            content = report.outputs[PROBLEMS]
    shutil.rmtree(context.work / SHARDS, ignore_errors=True)
    return reports


def row_steps(
    stages: Sequence[Planned], context: Context, keep_going: bool
) -> list[Step]:
    """The row stages before the first that wants the whole set, as workers take them."""
    rows = takewhile(lambda one: not one.stage.whole_set, stages)
    return _travelling([_step(one, context, keep_going) for one in rows], context)


def _travelling(steps: Iterable[Step], context: Context) -> list[Step]:
    """The steps without anything in their context that grows."""
    alone = msgspec.structs.replace(context, tables={}, drew=False, recorded=Counter())
    return [
        msgspec.structs.replace(step, options=step.options | {"context": alone})
        if "context" in step.options
        else step
        for step in steps
    ]


def _shards(
    steps: Sequence[Step], source: Path, context: Context
) -> Iterator[list[Shard]]:
    """What the stages made of each shard, in the order of the source."""
    steps = _travelling(steps, context)
    engine = context.engine
    lines = cut(source)
    total = sum(one.count for one in lines)
    names = ", ".join(step.stage.name for step in steps)
    made = partial(visit, steps, context.work, engine != Engine())
    found = any_order(made, enumerate(lines), engine, ahead=AHEAD)
    watched = progress(
        found, names, total, "problems", weight=lambda one: one[1][0].taken
    )
    yield from in_order(watched)
