"""Workers of a Dask cluster: of any scheduler, of the program's own client, or started here."""

from __future__ import annotations

import json
import pickle
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ..base.extras import extra
from ..base.terminal import say
from ..errors import MachineError, UserError
from .proof import Proof, lacking
from .workers import EACH, MOST_LOSSES, Lost, Workers

RETRIES = 3  # of a task that a worker could not even begin
LOOK = 10.0  # seconds without a result after which a cluster is looked at
OFTEN = 60.0  # seconds without a worker after which it is said again
BRIEF = 30.0  # seconds for a scheduler that is there to answer


class Cluster(NamedTuple):
    """A client of Dask, how people call its scheduler, and for how long nobody need work there."""

    client: Any
    where: str
    patience: float  # seconds
    ours: bool = False  # its workers were started here, and are like ourselves
    owned: bool = True  # the client is closed after use


def connected(
    scheduler: str | None, file: Path | None, jobs: int, minutes: float
) -> Cluster:
    """The cluster of a scheduler, given by its address or by the file that it writes.

    Without either it is that of the program's own client (of `dask_gateway`, `dask_jobqueue`,
    ...), that of Dask's configuration, or `jobs` processes that start here. Raises MachineError
    where nobody answers in time, and UserError for what is no address.
    """
    with extra("scale", "the dask engine"):
        import dask
        from distributed import Client, LocalCluster, default_client
    seconds = 60 * minutes
    if scheduler is None and file is None:
        with suppress(ValueError):
            client = default_client()
            return Cluster(client, client.scheduler.address, seconds, owned=False)
        scheduler = dask.config.get("scheduler-address", None)
    if scheduler is None and file is None:
        try:
            workers = LocalCluster(
                n_workers=max(1, jobs), threads_per_worker=1, dashboard_address=None
            )
        except (RuntimeError, OSError) as error:
            what = f"no Dask cluster starts on this machine: {error}"
            raise MachineError(what, "build without --engine dask") from error
        client = Client(workers, set_as_default=False)
        return Cluster(client, "of this machine", seconds, ours=True)
    return _answering(scheduler, file, minutes)


def _answering(scheduler: str | None, file: Path | None, minutes: float) -> Cluster:
    """The cluster of a scheduler, as soon as it answers.

    One that waits in a queue writes its file when its turn comes.
    """
    from distributed import Client

    where = scheduler or str(file)
    end = time.monotonic() + 60 * minutes
    waiting = f"no Dask scheduler at {where} yet: waiting {minutes:g} minutes for one"
    while True:
        try:
            address = scheduler or json.loads((file or Path()).read_bytes())["address"]
            left = max(min(BRIEF, end - time.monotonic()), 1.0)
            client = Client(address, timeout=left, set_as_default=False)
        except (OSError, TimeoutError, json.JSONDecodeError) as error:
            if time.monotonic() >= end:
                raise MachineError(
                    f"no Dask scheduler at {where} within {minutes:g} minutes: {error}",
                    "start one: dask scheduler; or wait longer with --wait",
                ) from error
            if waiting:
                say(waiting)
            waiting = ""
            time.sleep(1.0)
        except Exception as error:  # whatever a scheme of others may raise
            raise UserError(
                f"Dask cannot connect to {where}: {type(error).__name__}: {error}",
                "give an address such as tcp://HOST:8786; a gateway's or another manager's client "
                "is taken where a Python program has connected it: see docs/build.md",
            ) from error
        else:
            return Cluster(client, address, 60 * minutes)


class DaskCluster(Workers):
    """The workers of a cluster, which need not be there yet.

    A plugin asks each worker, also one that comes later, for the proof and grants the fit one a
    resource, which every task needs: one task at a time, and none for the others, who are named.
    Dask does tasks of lost workers again.
    """

    def __init__(self, cluster: Cluster, proof: Proof | None) -> None:
        self.cluster, self.client, self.where = cluster, cluster.client, cluster.where
        self.resource = f"benchwright-{secrets.token_hex(8)}"
        self.fit: set[str] = set()
        self.refused: dict[str, str] = {}  # worker -> what it lacks
        self.since_look = 0
        self.alone_since: float | None = None  # when there was no fit worker first
        self.told = 0  # times that it was said since
        self.revived = False  # whether all who are here came after those who were
        self.plugin = _fitness(self.resource, None if cluster.ours else proof)
        self.client.register_plugin(self.plugin, name=self.resource)
        self.look()
        self.revived = not self.fit
        self._still_there()

    def look(self) -> None:
        """Who is there now, and what did newcomers prove?"""
        self.since_look = 0
        try:
            here = set(self.client.nthreads())
            said = self.client.get_events(self.resource)
            if here and here.isdisjoint(name for _, (name, _) in said):
                # a scheduler that started again asks nobody
                self.client.register_plugin(self.plugin, name=self.resource)
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
                "give the workers the same benchwright and the same folders under the same names",
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
        code: Any = pickle.dumps(function)
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
                with self.client.as_current():
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
            self.since_look += len(found)
            return list(found)

    def _still_there(self) -> None:
        """Say that nobody works, at once and now and then; after the cluster's patience stop."""
        if self.fit:
            self.alone_since, self.told = None, 0
            return
        now = time.monotonic()
        self.alone_since = now if self.alone_since is None else self.alone_since
        alone = now - self.alone_since
        if alone >= self.told * OFTEN:
            self.told += 1
            say(self._without_workers())
        if alone >= self.cluster.patience:
            raise MachineError(
                self._without_workers(),
                "start a worker, or wait longer with --wait; the same command goes on from here",
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
                raise Lost from None
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
        if self.cluster.owned:
            self.client.close()
        if self.cluster.ours:
            self.client.cluster.close()


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
