"""Workers that run tasks, such as processes of this machine; `dask_cluster.py` has those of Dask.

All keep some tasks for each worker under way, hand results out as they come, and give the tasks
of a lost worker to another one.
"""

from __future__ import annotations

import multiprocessing
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any

from ..errors import MachineError

EACH = 3  # tasks under way for each worker: one runs, the others are on their way
MOST_LOSSES = 3  # of workers, within one run


class Lost(Exception):
    """The task must be done again, by another worker."""


class Workers(ABC):
    """Runs numbered tasks and yields (number, result) as they finish."""

    losses = 0

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterator[tuple[int, Any]],
        ahead: int | None,
    ) -> Iterator[tuple[int, Any]]:
        """With `ahead`, nothing starts so many times `room` before the oldest unfinished task."""
        self.losses = 0
        under_way: dict[Any, tuple[int, Any]] = {}
        try:
            while True:
                room = self.room() - len(under_way)
                if ahead is not None and under_way:
                    first, last = (
                        f(n for n, _ in under_way.values()) for f in (min, max)
                    )
                    room = min(room, first + ahead * self.room() - last)
                for number, task in islice(tasks, max(0, room)):
                    under_way[self.submit(function, task)] = (number, task)
                if not under_way:
                    return
                for future in self.done(under_way):
                    number, task = under_way.pop(future)
                    try:
                        result = self.result(future)
                    except Lost:
                        under_way[self.submit(function, task)] = (number, task)
                    else:
                        yield number, result
        finally:
            for future in under_way:
                future.cancel()

    @abstractmethod
    def room(self) -> int:
        """How many tasks may be under way now."""

    @abstractmethod
    def submit(self, function: Callable[[Any], Any], task: Any) -> Any:
        """A future of `function(task)`."""

    @abstractmethod
    def done(self, under_way: dict[Any, Any]) -> list[Any]:
        """Wait for a finished future; all that are finished."""

    @abstractmethod
    def result(self, future: Any) -> Any:
        """What the task returned; raises what it raised, and Lost when its worker is gone."""

    @abstractmethod
    def close(self) -> None:
        """End the workers, or leave the cluster."""


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes that start in the block do not run the caller's script again.

    What workers run stands in modules; a plain script without a main guard would start itself
    over in each of them.
    """
    main = vars(sys.modules["__main__"])
    kept: dict[str, Any] = {
        n: main.pop(n) for n in ("__file__", "__spec__") if n in main
    }
    main["__spec__"] = None
    try:
        yield
    finally:
        del main["__spec__"]
        main.update(kept)


class Processes(Workers):
    """`jobs` processes of this machine; a pool that breaks is replaced."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.jobs, mp_context=multiprocessing.get_context("spawn")
        )

    def room(self) -> int:
        return EACH * self.jobs

    def submit(self, function: Callable[[Any], Any], task: Any) -> Any:
        while True:
            pool = self.pool
            try:  # a pool breaks at any moment: in submit as well as in result
                with _without_main():
                    future = pool.submit(function, task)
            except BrokenProcessPool:
                self._replace(pool)
            else:
                future.pool = pool  # type: ignore[attr-defined]
                return future

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """A new pool, once for all tasks that the broken one lost."""
        if broken is not self.pool:
            return
        broken.shutdown(
            wait=False, cancel_futures=True
        )  # nobody is left to be waited for
        self.losses += 1
        if self.losses > MOST_LOSSES:
            raise MachineError(
                f"worker processes died {self.losses} times (killed, or out of memory)",
                "run with --jobs 1, or with less work per task; what is done is kept",
            )
        self.pool = self._new()

    def done(self, under_way: dict[Any, Any]) -> list[Any]:
        return list(wait(under_way, return_when=FIRST_COMPLETED).done)

    def result(self, future: Any) -> Any:
        try:
            return future.result()
        except BrokenProcessPool:
            self._replace(future.pool)
            raise Lost from None

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)
