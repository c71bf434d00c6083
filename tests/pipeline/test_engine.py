"""parallel_map: order, lost workers, Dask."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from benchwright.errors import MachineError
from benchwright.pipeline import Engine, parallel_map

ENGINES = {
    "process": Engine(),
    "pool": Engine(jobs=2),
    "dask": Engine(jobs=2, kind="dask"),
}


def square(x: int) -> int:
    return x * x


def die_once(task: tuple[str, int]) -> int:
    """Kills its own worker the first time it meets task 5."""
    folder, number = task
    mark = Path(folder) / "died"
    if number == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def always_die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_results_come_in_the_order_of_the_tasks(engine: Engine) -> None:
    assert list(parallel_map(square, range(40), engine)) == [k * k for k in range(40)]


@pytest.mark.parametrize("name", ["pool", "dask"])
def test_a_lost_worker_loses_no_task(tmp_path: Path, name: str) -> None:
    tasks = [(str(tmp_path), k) for k in range(20)]
    assert list(parallel_map(die_once, tasks, ENGINES[name])) == list(range(20))
    assert (tmp_path / "died").exists()


def test_a_worker_lost_while_nobody_waits_for_it(tmp_path: Path) -> None:
    """The pool is found broken when the next task is handed to it, not when a result is read."""
    tasks = [(str(tmp_path), k) for k in range(3, 20)]
    results = []
    for number in parallel_map(die_once, tasks, ENGINES["pool"]):
        results.append(number)
        time.sleep(0.2)  # time for task 5 to be started, and for the pool to notice
    assert results == list(range(3, 20))


def test_a_task_that_always_kills_its_worker_is_reported() -> None:
    with pytest.raises(MachineError, match="worker processes died"):
        list(parallel_map(always_die, range(3), ENGINES["pool"]))
