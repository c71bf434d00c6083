"""A small pool of warm workers for answers that need computer algebra.

Workers are separate interpreters started with `subprocess` at first need: no fork, no `__main__`
guard, no inherited thread or lock; the same on every platform. The worker counts its work, which
the reply's budget pays; this side watches the processor time and the memory of each task and kills
a worker that goes beyond. A worker that dies is replaced at the next need and its task given once
to another. The clock decides nothing.
"""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Literal

import msgspec

from ...errors import UserError
from .work_budget import CALLS, SECONDS, budget, spend

WORKERS = 2
MEMORY = 2 * 2**30  # bytes
PATIENCE = 120.0  # seconds of the clock for a start or a task: a far backstop
LOOK = 0.05  # seconds between two looks at a busy worker
Status = Literal["ok", "timeout", "refused", "unparsed"]


class Lost(Exception):
    """The worker died without an answer."""


class Worker:
    """One interpreter with sympy, asked over its pipes."""

    def __init__(self) -> None:
        import psutil

        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.cas_worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                              "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        self.usage = psutil.Process(self.process.pid)
        self.lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.ready = False

    def _read(self) -> None:
        """Waiting for a pipe with a time limit is portable only in a thread."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def start(self) -> None:
        """Wait for the worker's imports. Raises UserError when they fail."""
        if self.ready:
            return
        with suppress(queue.Empty):
            self.ready = self.lines.get(timeout=PATIENCE) == b"ready\n"
        if not self.ready:
            self.stop()
            raise UserError(
                "the worker of computer algebra does not start",
                "see its message above, and install benchwright anew",
            )

    def ask(self, gold: str, prediction: str, work: int, seconds: float, memory: int) -> str:
        """A word and the calls used; timeout and refused alone where the worker was killed."""
        self.start()
        task = {
            "gold": gold, "prediction": prediction,
            "work": work, "seconds": seconds, "memory": memory,
        }  # fmt: skip
        before, _ = self._used()
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(msgspec.json.encode(task) + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Lost from error
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=LOOK)
            except queue.Empty:
                used, held = self._used()
                if used - before > seconds or held > memory or time.monotonic() > end:
                    self.stop()
                    return "refused" if held > memory else "timeout"
                continue
            if not line:
                raise Lost
            return line.decode()

    def _used(self) -> tuple[float, int]:
        """Processor time of the worker so far, and its memory now."""
        import psutil

        try:
            times, memory = self.usage.cpu_times(), self.usage.memory_info()
        except psutil.Error:  # it has just died; its last line says so
            return 0.0, 0
        return float(times.user + times.system), int(memory.rss)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what was written to a dead worker cannot be flushed
                pipe.close()


class Pool:
    """At most WORKERS tasks at a time, from any number of threads."""

    def __init__(self) -> None:
        self.seconds, self.memory = SECONDS, MEMORY
        self.owner = os.getpid()
        self.slots = threading.BoundedSemaphore(WORKERS)
        self.idle: list[Worker] = []

    def ask(self, gold: str, prediction: str, work: int) -> tuple[str, int]:
        """One word, and how much of the work it took. A task that kills two workers is refused."""
        with self.slots:
            for _ in range(2):
                worker = self._worker()
                try:
                    answer = worker.ask(gold, prediction, work, self.seconds, self.memory)
                except Lost:
                    worker.stop()
                    continue
                word, *used = answer.split()
                if word == "timeout":
                    worker.stop()
                    return word, work
                if worker.process.poll() is None:
                    self.idle.append(worker)
                return word, int(used[0]) if used else work
        return "refused", work

    def _worker(self) -> Worker:
        try:
            return self.idle.pop()
        except IndexError:
            return Worker()

    def stop(self) -> None:
        while self.idle and self.owner == os.getpid():
            self.idle.pop().stop()


_pool: Pool | None = None
_lock = threading.Lock()


def symbolic(gold: str, prediction: str) -> tuple[bool | None, Status]:
    """Equality by computer algebra, in a worker.

    >>> symbolic(r"\\sum_{k=1}^{3} k", "6")
    (True, 'ok')

    Raises OutOfBudget when it takes more than the reply has left, UserError when no worker can
    start.
    """
    global _pool
    with _lock:
        if _pool is None or _pool.owner != os.getpid():  # a forked process has its own workers
            _pool = Pool()
            atexit.register(_pool.stop)
        pool = _pool
    with budget() as shared:
        spend(1)  # nothing starts when nothing is left
        answer, used = pool.ask(gold, prediction, shared.left * CALLS)
        spend(shared.left + 1 if answer == "timeout" else used // CALLS)
    if answer in ("true", "false"):
        return answer == "true", "ok"
    return None, "refused" if answer == "refused" else "unparsed"
