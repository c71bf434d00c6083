"""The workers of computer algebra: limits, deaths, threads, platforms without hard limits."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchwright import UserError
from benchwright.evaluate.equivalence import cas_pool as pools
from benchwright.evaluate.equivalence.work_budget import UNITS

SUM = r"\sum_{k=1}^{3} k"
SLOW = r"\int \frac{x^{10}\sin(x)}{\sqrt{1+x^7}}dx"
HUNGRY = """
def latex2sympy(text):
    kept = []
    while text == "memory":
        kept.append(b"x" * 2**24)
    return text
"""


WORK = pools.CALLS * UNITS


def word(pool: pools.Pool, gold: str, prediction: str, work: int = WORK) -> str:
    return pool.ask(gold, prediction, work)[0]


@pytest.fixture(params=["hard limits", "no hard limits"])
def pool(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[pools.Pool]:
    """A pool here, and as on a platform without `resource` and `fcntl`."""
    if request.param == "no hard limits":
        blocked = "import sys; sys.modules['resource'] = sys.modules['fcntl'] = None\n"
        (tmp_path / "sitecustomize.py").write_text(blocked, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
    pool = pools.Pool()
    yield pool
    pool.stop()


def test_verdicts(pool: pools.Pool) -> None:
    assert [word(pool, SUM, text) for text in ("6", "7", r"\wrong{", "6")] == [
        "true", "false", "unparsed", "true",
    ]  # fmt: skip
    assert len(pool.idle) == 1  # one worker did it all


def test_a_task_beyond_its_processor_time_is_given_up(pool: pools.Pool) -> None:
    pool.seconds = 0.2
    assert word(pool, SLOW, "5") == "timeout"
    assert word(pool, SUM, "6") == "true"


def test_a_task_beyond_its_work_is_given_up(pool: pools.Pool) -> None:
    assert word(pool, SLOW, "5", work=5000) == "timeout"
    assert word(pool, SUM, "6") == "true"


def test_the_first_task_pays_for_no_import(pool: pools.Pool) -> None:
    """It ends within half of the work that a task has, as the tenth does."""
    integral = r"\int_0^1 x^2 dx"
    assert [word(pool, integral, r"\frac13", WORK // 2) for _ in range(10)] == ["true"] * 10


@pytest.mark.skipif(sys.platform == "win32", reason="one platform's load is enough")
def test_verdicts_do_not_depend_on_load() -> None:
    """Eight busy processes beside it: only the clock runs slower."""
    pairs = [
        (r"\int_0^1 x^2 dx", r"\frac13"), (r"\int_0^{\pi} \sin x dx", "3"), (SLOW, "5"),
        (r"\sum_{k=1}^{\infty}\frac{1}{k^2}", r"\frac{\pi^2}{6}"), (SUM, "6"),
    ]  # fmt: skip
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
    pool = pools.Pool()
    try:
        answers = [word(pool, *pair) for pair in pairs]
    finally:
        pool.stop()
        for process in busy:
            process.kill()
            process.wait()
    assert answers == ["true", "false", "timeout", "true", "true"]


def test_a_task_beyond_its_memory_is_refused(
    pool: pools.Pool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A parser that eats all there is stands in for the library's."""
    (tmp_path / "latex2sympy2_extended.py").write_text(HUNGRY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    pool.memory, pool.seconds = 2**29, 60.0
    assert word(pool, "memory", "5") == "refused"
    assert word(pool, "6", "6") == "true"


def test_a_killed_worker_loses_no_verdict(pool: pools.Pool) -> None:
    assert word(pool, SUM, "6") == "true"
    pool.idle[0].process.kill()
    assert word(pool, SUM, "7") == "false"


def test_a_worker_killed_in_the_middle_of_a_verdict_is_replaced(pool: pools.Pool) -> None:
    assert word(pool, SUM, "6") == "true"
    victim = pool.idle[0].process
    threading.Timer(0.1, victim.kill).start()
    assert word(pool, SLOW, "5") == "timeout"  # of the second worker
    assert word(pool, SUM, "6") == "true"
    assert all(worker.process is not victim for worker in pool.idle)


def test_a_worker_that_cannot_start_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Never a quiet `timeout` for every pair."""
    (tmp_path / "sympy.py").write_text("raise ImportError('broken')", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    pool = pools.Pool()
    with pytest.raises(UserError, match="does not start"):
        word(pool, SUM, "6")
    pool.stop()


def test_sixteen_threads_at_once() -> None:
    def ask(k: int) -> bool | None:
        return pools.symbolic(rf"\sum_{{j=1}}^{{{k}}} j", str(k * (k + 1) // 2 + k % 2))[0]

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(ask, range(2, 34)))
    assert answers == [k % 2 == 0 for k in range(2, 34)]
