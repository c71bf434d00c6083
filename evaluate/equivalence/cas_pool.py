"""A small pool of warm workers for answers that need computer algebra.

Workers are separate interpreters started with `subprocess` (no `__main__` guard is needed, no
thread or lock is inherited), at first need. The worker limits each task; this side has a timer of
its own, and a worker that dies or hangs is replaced and its task given once to another.
"""

from __future__ import annotations

import atexit
import os
import select
import subprocess
import sys
import threading
import time
from typing import IO, Literal

import msgspec

from .cas_worker import SECONDS

WORKERS = 2
START = 20.0  # seconds a worker may take to import sympy
FIRST = 2.3  # seconds for a worker's start and its first task together, where the start allows
LEAST = 0.4  # seconds for a task after a slow start
GRACE = 1.0  # seconds beyond a task's own limit
Status = Literal["ok", "timeout", "refused", "unparsed"]


class Lost(Exception):
    """The worker died, or did not answer in time."""


class Worker:
    """One interpreter with sympy, asked over its pipes."""

    def __init__(self) -> None:
        path = [p for p in sys.path if p]
        code = (
            f"import sys; sys.path[:0] = {path!r}; import {__package__}.cas_worker as s; s.serve()"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        self.started = time.monotonic()
        self.ready = False

    def ask(self, gold: str, said: str) -> str:
        seconds = SECONDS
        if not self.ready:
            self._line(START)
            self.ready = True
            seconds = min(SECONDS, max(LEAST, FIRST - (time.monotonic() - self.started)))
        sending, _ = self._pipes()
        try:
            task = {"gold": gold, "said": said, "seconds": seconds}
            sending.write(msgspec.json.encode(task) + b"\n")
            sending.flush()
        except OSError as error:
            raise Lost from error
        return self._line(seconds + GRACE)

    def _line(self, seconds: float) -> str:
        """The worker's next line. Raises Lost when it does not come in time."""
        _, receiving = self._pipes()
        ready, _, _ = select.select([receiving], [], [], seconds)
        line = receiving.readline() if ready else b""
        if not line.endswith(b"\n"):
            raise Lost
        return line.decode().strip()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def stop(self) -> None:
        self.process.kill()
        for pipe in self._pipes():
            pipe.close()
        self.process.wait()


class Pool:
    """At most WORKERS tasks at a time, from any number of threads."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.slots = threading.BoundedSemaphore(WORKERS)
        self.idle: list[Worker] = []

    def ask(self, gold: str, said: str) -> str:
        with self.slots:
            for _ in range(2):
                try:
                    worker = self.idle.pop()
                except IndexError:
                    worker = Worker()
                try:
                    answer = worker.ask(gold, said)
                except Lost:
                    worker.stop()
                    continue
                self.idle.append(worker)
                return answer
        return "timeout"

    def stop(self) -> None:
        while self.idle and self.owner == os.getpid():
            self.idle.pop().stop()


_pool: Pool | None = None
_lock = threading.Lock()


def symbolic(gold: str, said: str) -> tuple[bool | None, Status]:
    """Equality by computer algebra, in a worker.

    >>> symbolic(r"\\sum_{k=1}^{3} k", "6")
    (True, 'ok')
    """
    global _pool
    with _lock:
        if _pool is None or _pool.owner != os.getpid():  # a forked process has its own workers
            _pool = Pool()
            atexit.register(_pool.stop)
        pool = _pool
    answer = pool.ask(gold, said)
    if answer in ("true", "false"):
        return answer == "true", "ok"
    return None, answer if answer in ("timeout", "refused") else "unparsed"  # type: ignore[return-value]
