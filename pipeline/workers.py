"""Workers that run tasks: processes of this machine, or those of a Dask cluster.

Both keep some tasks for each of their threads under way, hand results out as they come, and give
the tasks of a lost worker to another one.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from ..base.extras import extra
from ..base.terminal import say
from ..errors import MachineError
from .proof import Proof, lacking

EACH = 3  # tasks under way for each thread: one runs, the others are on their way
MOST_LOSSES = 3  # of workers, within one run
SMALL = 100_000  # bytes of a function that goes with each task
PATIENCE = 30  # seconds for a scheduler and its first worker to answer
LOOK = 10.0  # seconds without a result after which a cluster is looked at


class _Lost(Exception):
    """The task must be done again, by another worker."""


class Workers(ABC):
    """Runs numbered tasks and yields (number, result) as they finish."""

    losses = 0

    def run(
        self, function: Callable[[Any], Any], tasks: Iterator[tuple[int, Any]], ahead: int | None
    ) -> Iterator[tuple[int, Any]]:
        """With `ahead`, nothing starts so many times `room` before the oldest unfinished task."""
        self.losses = 0
        under_way: dict[Any, tuple[int, Any]] = {}
        try:
            while True:
                room = self.room() - len(under_way)
                if ahead is not None and under_way:
                    first, last = (f(n for n, _ in under_way.values()) for f in (min, max))
                    room = min(room, first + ahead * self.room() - last)
                for number, task in islice(tasks, max(0, room)):
                    under_way[self.submit(function, task)] = (number, task)
                if not under_way:
                    return
                for future in self.done(under_way):
                    number, task = under_way.pop(future)
                    try:
                        result = self.result(future)
                    except _Lost:
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
        """What the task returned; raises what it raised, and _Lost when its worker is gone."""

    @abstractmethod
    def close(self) -> None:
        """End the workers, or leave the cluster."""


class Processes(Workers):
    """`jobs` processes of this machine; a pool that breaks is replaced."""

    def __init__(self, jobs: int) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core each; read when it starts
        self.jobs = jobs
        self.pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.jobs, mp_context=multiprocessing.get_context("spawn"))

    def room(self) -> int:
        return EACH * self.jobs

    def submit(self, function: Callable[[Any], Any], task: Any) -> Any:
        while True:
            pool = self.pool
            try:  # a pool breaks at any moment: in submit as well as in result
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
        self.losses += 1
        if self.losses > MOST_LOSSES:
            raise MachineError(
                f"worker processes died {self.losses} times (killed, or out of memory)",
                "run with --jobs 1, or with less work per task; what is done is kept",
            )
        broken.shutdown(cancel_futures=True)
        self.pool = self._new()

    def done(self, under_way: dict[Any, Any]) -> list[Any]:
        return list(wait(under_way, return_when=FIRST_COMPLETED).done)

    def result(self, future: Any) -> Any:
        try:
            return future.result()
        except BrokenProcessPool:
            self._replace(future.pool)
            raise _Lost from None

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


class DaskCluster(Workers):
    """The workers of a scheduler, or of a local cluster with `jobs` processes.

    Each worker gives the proof before its first task. One that cannot is named and gets no task.
    """

    def __init__(self, scheduler: str | None, jobs: int, proof: Proof | None) -> None:
        with extra("scale", "the dask engine"):
            from distributed import Client, LocalCluster
        self.where = scheduler or "of this machine"
        self.proof = proof if scheduler else None  # our own workers are like ourselves
        self.cluster = None
        if scheduler is None:
            self.cluster = LocalCluster(
                n_workers=max(1, jobs), threads_per_worker=1, dashboard_address=None
            )
        try:
            self.client = Client(self.cluster or scheduler, timeout=PATIENCE)
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, TimeoutError) as error:
            raise MachineError(
                f"no Dask workers at {self.where}: {error}",
                "start the scheduler and a worker, and give the scheduler's address",
            ) from error
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self.threads: dict[str, int] = {}  # of each worker that gave the proof
        self.refused: dict[str, str] = {}  # worker -> what it lacks
        self.bound: dict[str, set[str]] = {}  # task -> the workers that may do it
        self.since_look = 0
        self.look()

    def look(self) -> None:
        """Who is there now? Newcomers give the proof."""
        self.since_look = 0
        try:
            threads: dict[str, int] = self.client.nthreads()
        except Exception as error:
            raise self._gone(error) from error
        new = [name for name in threads if name not in self.threads and name not in self.refused]
        if new and self.proof is not None:
            proofs = self.client.run(lacking, self.proof, workers=new, on_error="return")
            for name, fault in proofs.items():
                if isinstance(fault, BaseException):  # it cannot even run the question
                    fault = f"other code ({type(fault).__name__}: {fault})"
                if fault:
                    self.refused[name] = fault
                    say(f"worker {name} gets no work: {fault}")
        self.threads = {name: n for name, n in threads.items() if name not in self.refused}
        if threads and not self.threads:
            reasons = "; ".join(f"{name}: {why}" for name, why in self.refused.items())
            raise MachineError(
                f"no worker of {self.where} can do this work: {reasons}",
                "give the workers the same benchwright and the same folders under the same "
                "names, or send pictures and options along with --ship",
            )

    def room(self) -> int:
        if self.since_look > EACH * sum(self.threads.values()):
            self.look()
        return max(1, EACH * sum(self.threads.values()))

    def run(
        self, function: Callable[[Any], Any], tasks: Iterator[tuple[int, Any]], ahead: int | None
    ) -> Iterator[tuple[int, Any]]:
        """The function goes to each worker once: it may hold the files of a stage's options."""
        code: Any = pickle.dumps(function)
        if len(code) > SMALL:
            code = self.client.submit(bytes, code, pure=False)  # made again when it is lost
        yield from super().run(code, tasks, ahead)

    def submit(self, function: Any, task: Any) -> Any:
        limits: dict[str, Any] = {"workers": list(self.threads)} if self.refused else {}
        future = self.client.submit(_guarded, self.proof, function, task, pure=False, **limits)
        if self.refused:
            self.bound[future.key] = set(self.threads)
        future.add_done_callback(self.inbox.put)
        return future

    def done(self, under_way: dict[Any, Any]) -> list[Any]:
        """A silent cluster is looked at: its scheduler, or all fit workers, may be gone."""
        while True:
            found = []
            try:
                found.append(self.inbox.get(timeout=LOOK))
                while True:
                    found.append(self.inbox.get_nowait())
            except Empty:
                pass
            if found := [future for future in found if future in under_way]:
                self.since_look += len(found)
                return found
            self.look()
            if stranded := [future for future in under_way if self._stranded(future)]:
                return stranded

    def _stranded(self, future: Any) -> bool:
        """Are all workers gone that may do it?"""
        return future.key in self.bound and self.bound[future.key].isdisjoint(self.threads)

    def result(self, future: Any) -> Any:
        try:
            faults, value, error = self._taken(future)
        except _Lost:
            raise
        except Exception as failure:  # of the cluster: our own are returned
            future.release()
            self._after(failure)
            raise _Lost from None
        finally:
            self.bound.pop(future.key, None)
        future.release()
        if faults:
            self.look()
            raise _Lost
        if error is not None:
            raise error
        return value

    def _taken(self, future: Any) -> Any:
        """What a worker returned; a result that went with its worker is waited for in vain."""
        patience = LOOK
        while not self._stranded(future):
            try:
                return future.result(timeout=patience)
            except TimeoutError:
                self.look()
                if future.status != "finished":
                    break
                patience *= 2  # it is long on its way
        future.cancel()
        raise _Lost

    def _after(self, failure: Exception) -> None:
        """A task was lost by the cluster: go on without a worker that is unfit, or stop."""
        before = len(self.refused)
        self.look()
        self.losses += len(self.refused) == before
        if self.losses > MOST_LOSSES or type(failure).__name__ == "KilledWorker":
            raise MachineError(
                f"the Dask cluster {self.where} lost a task: {type(failure).__name__}: {failure}",
                "look at the workers' logs; the same command goes on from here",
            ) from failure

    def _gone(self, error: Exception) -> MachineError:
        return MachineError(
            f"the Dask scheduler {self.where} went away ({type(error).__name__}: {error})",
            "start it again; the same command goes on from here",
        )

    def close(self) -> None:
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


@lru_cache(maxsize=4)
def _loaded(code: bytes) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = pickle.loads(code)
    return function


# Of the threads of a worker: what stages call need not stand two at once, and msgspec crashed when
# two threads made a decoder of one type.
_TURN = threading.Lock()


def _guarded(proof: Proof | None, code: bytes, task: Any) -> tuple[str, Any, Exception | None]:
    """On a worker: (what it lacks, the result, the error). Errors of tasks are no cluster's."""
    if proof is not None and (faults := lacking(proof)):
        return faults, None, None
    try:
        with _TURN:
            return "", _loaded(code)(task), None
    except MachineError as error:
        from distributed import get_worker

        here = f"{error.message} (on worker {get_worker().address})"
        return "", None, MachineError(here, error.remedy)
    except Exception as error:
        return "", None, error
