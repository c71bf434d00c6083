"""Workers that run tasks: processes of this machine, or those of a Dask cluster.

Both keep some tasks for each worker under way, hand results out as they come, and give the tasks
of a lost worker to another one.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import secrets
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from typing import Any

from ..base.extras import extra
from ..base.terminal import say
from ..errors import MachineError
from .proof import Proof, lacking

EACH = 3  # tasks under way for each worker: one runs, the others are on their way
MOST_LOSSES = 3  # of workers, within one run
RETRIES = 3  # of a task that a worker could not even begin
SMALL = 100_000  # bytes of a function that goes with each task
PATIENCE = 30  # seconds for a scheduler and its first worker to answer
LOOK = 10.0  # seconds without a result after which a cluster is looked at
EVERY, LONGEST = (
    6,
    60,
)  # looks without a worker after which it is said again, and is the end


class _Lost(Exception):
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
        os.environ.setdefault(
            "OPENBLAS_NUM_THREADS", "1"
        )  # one core each; read when it starts
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
            raise _Lost from None

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


class DaskCluster(Workers):
    """The workers of a scheduler, or of a local cluster with `jobs` processes.

    A plugin asks each worker, also one that comes later, for the proof and grants the fit one a
    resource, which every task needs: one task at a time, and none for the others, who are named.
    Dask does tasks of lost workers again.
    """

    def __init__(self, scheduler: str | None, jobs: int, proof: Proof | None) -> None:
        with extra("scale", "the dask engine"):
            from distributed import Client, LocalCluster
        self.where = scheduler or "of this machine"
        self.cluster = None
        if scheduler is None:
            self.cluster = LocalCluster(
                n_workers=max(1, jobs), threads_per_worker=1, dashboard_address=None
            )
        try:
            self.client = Client(self.cluster or scheduler, timeout=PATIENCE)
            if not self.client.nthreads():
                say(self._without_workers())
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, TimeoutError) as error:
            raise MachineError(
                f"no Dask workers at {self.where}: {error}",
                f"start one: {self._start()}",
            ) from error
        self.resource = f"benchwright-{secrets.token_hex(8)}"
        self.fit: set[str] = set()
        self.refused: dict[str, str] = {}  # worker -> what it lacks
        self.silent = self.since_look = 0
        self.revived = False  # whether all who are here came after those who were
        proof = proof if scheduler else None  # our own workers are like ourselves
        self.client.register_plugin(_fitness(self.resource, proof), name=self.resource)
        self.look()
        self.revived = not self.fit

    def look(self) -> None:
        """Who is there now, and what did newcomers prove?"""
        self.since_look = 0
        try:
            here = set(self.client.nthreads())
            said = self.client.get_events(self.resource)
        except Exception as error:
            raise MachineError(
                f"the Dask scheduler {self.where} went away ({type(error).__name__}: {error})",
                "start it again; the same command goes on from here",
            ) from error
        faults = dict(event for _, event in said)
        for name in sorted(here & faults.keys() - self.refused.keys()):
            if faults[name]:
                self.refused[name] = faults[name]
                say(f"worker {name} gets no work: {faults[name]}")
        fit = {name for name in here if faults.get(name) == ""}
        self.revived |= bool(fit) and fit.isdisjoint(self.fit)
        self.fit = fit
        if here and here <= self.refused.keys():
            reasons = "; ".join(
                f"{name}: {self.refused[name]}" for name in sorted(here)
            )
            raise MachineError(
                f"no worker of {self.where} can do this work: {reasons}",
                "give the workers the same benchwright and the same folders under the same "
                "names, or send pictures and options along with --ship",
            )

    def room(self) -> int:
        if self.since_look > EACH * len(self.fit):
            self.look()
        return max(1, EACH * len(self.fit))

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterator[tuple[int, Any]],
        ahead: int | None,
    ) -> Iterator[tuple[int, Any]]:
        """The function goes to each worker once: it may hold the files of a stage's options."""
        code: Any = pickle.dumps(function)
        if len(code) > SMALL:
            code = self.client.submit(
                bytes, code, pure=False
            )  # made again when it is lost
        yield from super().run(code, tasks, ahead)

    def submit(self, function: Any, task: Any) -> Any:
        return self.client.submit(
            _guarded,
            function,
            task,
            pure=False,
            retries=RETRIES,
            resources={self.resource: 1},
        )

    def done(self, under_way: dict[Any, Any]) -> list[Any]:
        """A silent cluster is looked at: its scheduler, or all fit workers, may be gone."""
        from distributed import wait

        while True:
            try:
                found = wait(
                    list(under_way), timeout=LOOK, return_when=FIRST_COMPLETED
                ).done
            except TimeoutError:
                self.look()
                self._still_there()
                if (
                    self.revived
                ):  # Dask does not see that tasks may have waited for a resource
                    self.revived = False
                    for future in under_way:
                        future.cancel()
                    return list(under_way)
                continue
            except (
                CancelledError,
                UnboundLocalError,
            ):  # with the scheduler; how Dask meets that
                self.look()
                found = {future for future in under_way if future.cancelled()}
            self.silent = 0
            self.since_look += len(found)
            return list(found)

    def _still_there(self) -> None:
        """Say that nobody works, at once and now and then; after LONGEST looks stop."""
        self.silent = 0 if self.fit else self.silent + 1
        if self.silent % EVERY == 1:
            say(self._without_workers())
        if self.silent > LONGEST:
            raise MachineError(
                self._without_workers(),
                "start a worker; the same command goes on from here",
            )

    def _without_workers(self) -> str:
        return (
            f"the Dask cluster {self.where} has no worker; start one: {self._start()}"
        )

    def _start(self) -> str:
        return f"dask worker {self.where if '://' in self.where else 'SCHEDULER'}"

    def result(self, future: Any) -> Any:
        try:
            value, error = future.result()
        except (
            Exception,
            CancelledError,
        ) as failure:  # of the cluster: our own are returned
            self.look()
            # a result that went with its worker: the client would wait for it in a loop of its own
            self.losses += isinstance(failure, RuntimeError)
            bounded = self.losses <= MOST_LOSSES * self.room()
            if isinstance(failure, CancelledError) or (
                isinstance(failure, RuntimeError) and bounded
            ):
                future.cancel()
                raise _Lost from None
            raise MachineError(
                f"the Dask cluster {self.where} lost a task: {type(failure).__name__}: {failure}",
                "look at the workers' logs; the same command goes on from here",
            ) from failure
        future.release()
        if error is not None:
            raise error
        return value

    def close(self) -> None:
        with suppress(Exception):  # a scheduler that is gone has forgotten it
            self.client.unregister_worker_plugin(self.resource)
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


def _fitness(resource: str, proof: Proof | None) -> Any:
    """The plugin that looks at a worker; made here, so that it travels whole to any worker."""
    from distributed import WorkerPlugin

    wanted = pickle.dumps((lacking, proof))

    class Fitness(WorkerPlugin):  # type: ignore[misc]
        async def setup(self, worker: Any) -> None:
            import pickle

            try:
                lacks, proof = pickle.loads(wanted)
                fault = lacks(proof) if proof is not None else ""
            except Exception as error:  # it cannot even be asked
                fault = f"other code ({type(error).__name__}: {error})"
            if not fault:
                await worker.set_resources(**{resource: 1})
            worker.log_event(resource, (worker.address, fault))

    return Fitness()


@lru_cache(maxsize=4)
def _loaded(code: bytes) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = pickle.loads(code)
    return function


def _guarded(code: bytes, task: Any) -> tuple[Any, Exception | None]:
    """On a worker: the result, or the error: errors of tasks are no cluster's."""
    try:
        return _loaded(code)(task), None
    except MachineError as error:
        from distributed import get_worker

        here = f"{error.message} (on worker {get_worker().address})"
        return None, MachineError(here, error.remedy)
    except Exception as error:
        return None, error
