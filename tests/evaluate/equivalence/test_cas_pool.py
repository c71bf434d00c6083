"""The workers of computer algebra: limits, deaths, threads."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

from benchwright.evaluate.equivalence import cas_pool as pools
from benchwright.evaluate.equivalence import cas_worker as symbolic


def test_limits_of_time_and_memory(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(symbolic, "equal", lambda gold, said: bytearray(8 * 2**30) == b"")
    assert symbolic.run("1", "1") == "refused"

    def spin(gold: str, said: str) -> bool:
        while True:
            pass

    monkeypatch.setattr(symbolic, "equal", spin)
    assert symbolic.run("1", "1", seconds=0.2) == "timeout"
    monkeypatch.setattr(symbolic, "equal", lambda gold, said: gold == said)
    assert symbolic.run("1", "1") == "true"


def test_a_killed_worker_loses_no_verdict() -> None:
    pool = pools.Pool()
    try:
        assert pool.ask(r"\sum_{k=1}^{3} k", "6") == "true"
        os.kill(pool.idle[0].process.pid, signal.SIGKILL)
        assert pool.ask(r"\sum_{k=1}^{3} k", "7") == "false"
    finally:
        pool.stop()


def test_a_worker_killed_in_the_middle_of_a_verdict_is_replaced() -> None:
    pool = pools.Pool()
    try:
        assert pool.ask(r"\sum_{k=1}^{3} k", "6") == "true"
        victim = pool.idle[0].process.pid
        threading.Timer(0.1, os.kill, (victim, signal.SIGKILL)).start()
        slow = r"\int \frac{x^{10}\sin(x)}{\sqrt{1+x^7}}dx"
        assert pool.ask(slow, "5") in ("timeout", "unparsed", "false")
        assert pool.ask(r"\sum_{k=1}^{3} k", "6") == "true"
        assert all(worker.process.pid != victim for worker in pool.idle)
    finally:
        pool.stop()


def test_sixteen_threads_at_once() -> None:
    def ask(k: int) -> bool | None:
        return pools.symbolic(rf"\sum_{{j=1}}^{{{k}}} j", str(k * (k + 1) // 2 + k % 2))[0]

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(ask, range(2, 34)))
    assert answers == [k % 2 == 0 for k in range(2, 34)]
