"""Map a function over tasks: in process, on local worker processes, or on a Dask cluster.

Results come in the order of the tasks, so every engine gives the same bytes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any, Literal, TypeVar

import msgspec

from ..errors import UserError
from ..registry import travelling

A = TypeVar("A")
B = TypeVar("B")


class Engine(msgspec.Struct, frozen=True):
    """Where work runs. `scheduler` is a Dask address; without one Dask starts local workers."""

    jobs: int = 1
    kind: Literal["local", "dask"] = "local"
    scheduler: str | None = None


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
    work, chunks = travelling(partial(_each, function), _chunks(tasks, chunk))
    if engine.kind == "dask":
        yield from chain.from_iterable(_dask_map(work, chunks, engine))
    else:
        yield from chain.from_iterable(_pool_map(work, chunks, engine.jobs))


def _each(function: Callable[[A], B], tasks: list[A]) -> list[B]:
    return [function(task) for task in tasks]


def _chunks(tasks: Iterable[A], size: int) -> Iterator[list[A]]:
    source = iter(tasks)
    while chunk := list(islice(source, size)):
        yield chunk


def _pool_map(function: Callable[[A], B], tasks: Iterable[A], jobs: int) -> Iterator[B]:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core per worker; read when it starts
    context = multiprocessing.get_context("spawn")
    waiting: deque[A] = deque()  # tasks under way, in order
    results: deque[Future[B]] = deque()  # of the first of them
    source = iter(tasks)
    pool, losses = ProcessPoolExecutor(jobs, mp_context=context), 0
    try:
        while True:
            waiting.extend(islice(source, 2 * jobs - len(waiting)))
            if not waiting:
                return
            try:  # a pool breaks at any moment: in submit as well as in result
                while len(results) < len(waiting):
                    results.append(pool.submit(function, waiting[len(results)]))
                result = results[0].result()
            except BrokenProcessPool:
                losses += 1
                if losses > 3:
                    raise UserError(
                        "worker processes died four times (killed, or out of memory)",
                        "run with --jobs 1, or with less work per task",
                    ) from None
                pool.shutdown(cancel_futures=True)
                pool = ProcessPoolExecutor(jobs, mp_context=context)
                results.clear()
                continue
            waiting.popleft()
            results.popleft()
            yield result
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def dask_client(engine: Engine) -> Iterator[Any]:
    """A client of the engine's scheduler, or of a local cluster with `jobs` workers."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise UserError(
            "the dask engine needs an extra", "pip install 'benchwright[scale]'"
        ) from error
    if engine.scheduler:
        with Client(engine.scheduler, timeout=30) as client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=max(1, engine.jobs), threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _dask_map(function: Callable[[A], B], tasks: Iterable[A], engine: Engine) -> Iterator[B]:
    with dask_client(engine) as client:
        waiting: deque[Any] = deque()
        source = iter(tasks)
        limit = 4 * max(1, len(client.scheduler_info()["workers"]))
        while True:
            while len(waiting) < limit and (task := next(source, waiting)) is not waiting:
                waiting.append(client.submit(function, task, pure=False, retries=3))
            if not waiting:
                return
            yield waiting.popleft().result()
