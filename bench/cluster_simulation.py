"""What more machines would give: tasks of measured costs on workers, handed out by one process."""

from __future__ import annotations

import heapq
from typing import NamedTuple

THREADS = 4  # worker processes of a machine
UNDER_WAY = 3  # tasks for each worker
DISPATCH = (
    0.001  # seconds of a scheduler for a task (Dask's manual says about a millisecond)
)
BYTES = 125e6  # a second over the network card of the machine that hands out (1 Gbit/s)
LATENCY = 0.002  # seconds there and back
ASSUMPTIONS = f"""\
Each machine has {THREADS} worker processes as fast as the one measured; all are there from the \
start. One process hands tasks out and writes results down: a task costs it its share of what that \
process itself was measured to need in the stage, {DISPATCH * 1000:g} ms of the scheduler, and its \
bytes over 1 Gbit/s; a task is {LATENCY * 1000:g} ms on its way. {UNDER_WAY} tasks are under way \
for each worker. Stages follow one another; what is not handed out runs on one process. Tasks of a \
stage cost alike; disks and pictures that workers read are not counted."""


class Work(NamedTuple):
    """What was measured of one build."""

    cpu: dict[str, float]  # seconds of each parallel stage
    chunks: dict[str, float]  # its tasks
    serial: float  # seconds of what one process does alone
    handing: dict[
        str, float
    ]  # seconds of the process that hands out, in each parallel stage
    moved: float  # bytes to workers and back

    def times(self, factor: float) -> Work:
        """The same of so many times the problems."""
        return Work(
            {name: seconds * factor for name, seconds in self.cpu.items()},
            {name: count * factor for name, count in self.chunks.items()},
            self.serial * factor,
            {name: seconds * factor for name, seconds in self.handing.items()},
            self.moved * factor,
        )


def simulated(work: Work, machines: int) -> tuple[float, float]:
    """Seconds of the whole build, and of its parallel stages.

    >>> one = Work({"read": 100.0}, {"read": 1000}, 0.0, {"read": 0.0}, 0.0)
    >>> whole, _ = simulated(one, 1)
    >>> round(whole)
    25
    """
    sent = DISPATCH + work.moved / sum(work.chunks.values()) / BYTES
    stages = 0.0
    for name, chunks in work.chunks.items():
        count = max(1, round(chunks))
        own = sent + work.handing[name] / count
        stages += _stage(work.cpu[name] / count, count, machines * THREADS, own)
    return stages + work.serial, stages


def _stage(cost: float, tasks: int, workers: int, own: float) -> float:
    """One stage: the hander gives a task to the worker that is free first, and takes results."""
    free = [0.0] * min(workers, tasks)  # when each worker is done with what it has
    returns: list[float] = []
    now = end = 0.0
    for _ in range(tasks):
        if len(returns) >= UNDER_WAY * workers:
            now = max(now, heapq.heappop(returns))
        now += own
        start = max(now + LATENCY / 2, heapq.heappop(free))
        heapq.heappush(free, start + cost)
        heapq.heappush(returns, start + cost + LATENCY / 2)
        end = max(end, start + cost + LATENCY / 2)
    return end
