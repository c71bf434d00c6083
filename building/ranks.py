"""A build by ranks, without a scheduler: `build-release RECIPE --part K/N` on N machines.

Each rank reads its share of the rows, takes them through the row stages, and keeps what came of
them below the work folder, which all ranks see. It leaves a mark there. The last rank finds every
mark and builds: what is kept need not be made again. So ranks may run at once or one after another,
in any order, and again after a kill, as arrays of Slurm, indexed jobs of Kubernetes and Ray do it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import encode, pretty, write_bytes
from ..base.terminal import say
from ..convert.readers import rows_in_parts
from ..errors import MachineError
from ..pipeline import (
    Context,
    Proof,
    Rank,
    Recipe,
    Step,
    lacking,
    parallel_map,
    proof_for,
    row_steps,
    through,
)
from .run import (
    RANKS,
    Busy,
    files_read,
    is_held,
    locked_or_busy,
    placed,
    planned_stages,
    workers_for,
)


class Mark(msgspec.Struct):
    """What a rank leaves below the work folder: what it sees, and whether its share is done."""

    proof: Proof
    done: bool = False
    problems: int = 0


def carry(
    plan: Recipe, context: Context, rank: Rank, keep_going: bool, upto: int | None
) -> list[int]:
    """Do a rank's share, once; the ranks whose share is still missing then.

    Raises Busy while a build, or this very rank, is at work in the folder, and MachineError where
    this machine sees other files, or has other versions, than the ranks before it.
    """
    work = context.work
    with _alone(work, rank):
        if plan.withhold_answers:  # what is kept holds them, too
            work.chmod(0o700)
        with placed(plan):
            content, read, tasks = rows_in_parts(
                plan.sources, context.recipe_folder, work
            )
        stages = planned_stages(plan, work, upto)
        steps = row_steps(stages, context, keep_going)
        key = hashlib.sha256(encode([content, [step.key for step in steps]]))
        folder = work / RANKS / key.hexdigest()[:16]
        with proof_for(work, files_read(plan, context, upto)) as proof:
            mark = Mark(msgspec.structs.replace(proof, token=""))
        if not _is_done(folder, rank):
            _write(folder, rank, mark)
            _require_alike(folder, rank)
            share = islice(tasks, rank.number - 1, None, rank.of)
            take = partial(_take, read, steps, work)
            with workers_for(plan, context, upto):
                mark.problems = sum(parallel_map(take, share, context.engine))
            mark.done = True
            _write(folder, rank, mark)
            say(f"rank {rank}: {mark.problems} problems")
        missing = [
            number
            for number in range(1, rank.of + 1)
            if not _is_done(folder, Rank(number, rank.of))
        ]
        if not missing:
            _remove_others(folder)
    return missing


@contextmanager
def _alone(work: Path, rank: Rank) -> Iterator[None]:
    """Hold the lock of a rank, while no build runs."""
    lock = work / RANKS / f"{rank.name}.lock"
    with locked_or_busy(lock, f"rank {rank} is at work in {work} already"):
        if is_held(work / ".lock"):
            raise Busy(f"a build is running in {work}", "wait for it")
        yield


def _take(
    read: Callable[[Any], Any],
    steps: Sequence[Step],
    work: Path,
    task: Any,
) -> int:
    """On a worker: a part of the rows through all steps; what comes of it is kept."""
    part = read(task).shard
    if part.ids:
        deque(through(steps, work, part.problems), maxlen=0)
    return len(part.ids)


def _write(folder: Path, rank: Rank, mark: Mark) -> None:
    write_bytes(folder / f"{rank.name}.json", pretty(mark))


def _read(path: Path) -> Mark | None:
    """A rank's mark; None where there is none that is whole."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Mark)
    except (OSError, msgspec.DecodeError):
        return None


def _is_done(folder: Path, rank: Rank) -> bool:
    mark = _read(folder / f"{rank.name}.json")
    return mark is not None and mark.done


def _require_alike(folder: Path, rank: Rank) -> None:
    """Raises MachineError where another rank saw other files, or had other versions."""
    own = folder / f"{rank.name}.json"
    for path in sorted(folder.glob("*.json")):
        other = _read(path)
        if path == own or other is None or not (fault := lacking(other.proof)):
            continue
        own.unlink()
        raise MachineError(
            f"rank {rank} is not like rank {path.stem}: {fault}",
            "give all ranks the same benchwright and the same folders under the same names; "
            f"to begin anew with this one, remove {folder}",
        )


def _remove_others(folder: Path) -> None:
    """Marks of other inputs, options and code."""
    for other in folder.parent.iterdir():
        if other.is_dir() and other != folder:
            shutil.rmtree(other, ignore_errors=True)
