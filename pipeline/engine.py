"""Map a function over tasks: in process, on local worker processes, or on a Dask cluster.

Results come as they are ready, with their numbers (`any_order`), or in the order of the tasks
(`parallel_map`): every engine gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from ..base.registry import travelling
from ..errors import UserError
from .dask_cluster import DaskCluster, connected
from .proof import Proof
from .workers import Processes, Workers

# A process is one core, as the command line has it: threads of numpy would wait for each other
# at full speed. It counts when numpy is imported, which is later than this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

A = TypeVar("A")
B = TypeVar("B")
Jobs = Annotated[int, msgspec.Meta(ge=0)]
AHEAD = (
    50  # times the tasks under way: results that may wait for a slow one before them
)


class Engine(msgspec.Struct, frozen=True):
    """Where work runs.

    Args:
        jobs: Worker processes; 0 takes all cores. Results do not depend on it.
        kind: On this machine, or on the workers of Dask.
        scheduler: Address of a Dask scheduler [default: the program's own Dask client, or workers
            that start here].
        scheduler_file: The file that `dask scheduler --scheduler-file` writes, or will write.
        wait: Minutes that a cluster may be without a scheduler, or without any worker.
    """

    jobs: Jobs = 1
    kind: Literal["local", "dask"] = "local"
    scheduler: str | None = None
    scheduler_file: Path | None = None
    wait: Annotated[float, msgspec.Meta(ge=0)] = 10.0

    def __post_init__(self) -> None:
        if self.kind == "local" and (self.scheduler or self.scheduler_file):
            raise UserError("a scheduler is for Dask", "give --engine dask")
        if self.scheduler and self.scheduler_file:
            raise UserError(
                "a scheduler has one address", "give --scheduler or --scheduler-file"
            )
        if self.jobs == 0:
            msgspec.structs.force_setattr(self, "jobs", os.cpu_count() or 1)


class _Crew:
    """An engine's workers, from their first task on."""

    def __init__(self, engine: Engine, proof: Proof | None = None) -> None:
        self.engine, self.proof = engine, proof
        self.workers: Workers | None = None

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterator[tuple[int, Any]],
        ahead: int | None,
    ) -> Iterator[tuple[int, Any]]:
        if self.workers is None:
            if self.engine.kind == "dask":
                cluster = connected(
                    self.engine.scheduler,
                    self.engine.scheduler_file,
                    self.engine.jobs,
                    self.engine.wait,
                )
                self.workers = DaskCluster(cluster, self.proof)
            else:
                self.workers = Processes(self.engine.jobs)
        return self.workers.run(function, tasks, ahead)

    def close(self) -> None:
        if self.workers is not None:
            self.workers.close()


_STARTED: ContextVar[dict[Engine, _Crew]] = ContextVar("started", default={})  # noqa: B039


@contextmanager
def started(engine: Engine, proof: Proof | None = None) -> Iterator[None]:
    """Within it the engine's workers are started once, at their first task, and stay.

    Workers of a cluster must give the `proof` before they get work; those that cannot are named,
    with the reason, and get none. MachineError is raised when none is left.
    """
    if engine in _STARTED.get():  # around all of this
        yield
        return
    crew = _Crew(engine, proof)
    token = _STARTED.set(_STARTED.get() | {engine: crew})
    try:
        yield
    finally:
        _STARTED.reset(token)
        crew.close()


def parallel_map(
    function: Callable[[A], B], tasks: Iterable[A], engine: Engine, chunk: int = 1
) -> Iterator[B]:
    """`map(function, tasks)` on the engine, in order, with a bounded number of tasks under way.

    `function` must be importable (a module's function); workers take `chunk` tasks at a time, and
    those of a lost worker are done again. Plugins that are active go along.

    >>> list(parallel_map(abs, [-1, 2], Engine()))
    [1, 2]
    """
    if engine.kind == "local" and engine.jobs <= 1:
        yield from map(function, tasks)
        return
    chunks = enumerate(chunked(tasks, chunk))
    results = any_order(partial(_each, function), chunks, engine, ahead=AHEAD)
    yield from chain.from_iterable(in_order(results))


def any_order(
    function: Callable[[A], B],
    tasks: Iterable[tuple[int, A]],
    engine: Engine,
    *,
    ahead: int | None = None,
) -> Iterator[tuple[int, B]]:
    """The result of each numbered task, as soon as it is there.

    With `ahead`, no task starts that many times the tasks under way before the oldest unfinished.

    >>> sorted(any_order(abs, [(0, -1), (1, -2)], Engine()))
    [(0, 1), (1, 2)]
    """
    if engine.kind == "local" and engine.jobs <= 1:
        yield from ((number, function(task)) for number, task in tasks)
        return
    shared = _STARTED.get().get(engine)
    crew = shared or _Crew(engine)
    work, pack = travelling(function)
    source = ((number, pack(task)) for number, task in tasks)
    try:
        yield from crew.run(work, source, ahead)
    finally:
        if shared is None:
            crew.close()


def _each(function: Callable[[A], B], tasks: list[A]) -> list[B]:
    return [function(task) for task in tasks]


def chunked(tasks: Iterable[A], size: int) -> Iterator[list[A]]:
    """Lists of `size` tasks; the last one may be shorter.

    >>> list(chunked("abc", 2))
    [['a', 'b'], ['c']]
    """
    source = iter(tasks)
    while chunk := list(islice(source, size)):
        yield chunk


def in_order(results: Iterable[tuple[int, B]]) -> Iterator[B]:
    """Numbered results by their numbers, those before them awaited."""
    waiting: dict[int, B] = {}
    expected = 0
    for number, result in results:
        waiting[number] = result
        while expected in waiting:
            yield waiting.pop(expected)
            expected += 1
