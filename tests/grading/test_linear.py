"""No pattern of the grader is worse than linear, and no reply is: both are grown tenfold, twice."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Callable, Iterator

import pytest
from benchwright import grading
from benchwright.grading.extraction import visible
from benchwright.grading.verdicts import grade_response

LENGTHS = (1_000, 10_000, 100_000)
# What is linear takes ten times as long at the next length, what is quadratic a hundred times.
# Both times are of one process; below the floor a ratio says nothing. Whatever a busy machine adds
# differs from one run to the next: what seems to grow is run again, and the shortest run counts.
GROWTH = 40
FLOOR = 0.02  # seconds of CPU
REPEATED = 5
RUNS = [
    "\n", " ", ".", "?!", "*", "(", "1", "1,", "a",
    "\\", "=", "<|", "a b ", "\n\n1", "是", "answer ",
]  # fmt: skip
BOUNDED = {"readings"}  # modules that read no text of more than some hundred characters
_SEARCHES = r"\b{}\b(?:\[\d\]|\.\w+)*\.(?:search|finditer|findall|sub|subn|split)\b"


def patterns() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Each pattern by its name, in the way its module uses it."""
    seen = set()
    for found in pkgutil.walk_packages(grading.__path__, f"{grading.__name__}."):
        if found.name.rpartition(".")[2] in BOUNDED:
            continue
        module = importlib.import_module(found.name)
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            group = value if isinstance(value, tuple) else (value,)
            for pattern in group:
                if isinstance(pattern, re.Pattern) and pattern not in seen:
                    seen.add(pattern)
                    searches = re.search(_SEARCHES.format(name), source)
                    is_searched = searches or isinstance(value, tuple)
                    yield (
                        f"{found.name}.{name}",
                        (_searched(pattern) if is_searched else pattern.fullmatch),
                    )


def _searched(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: sum(1 for _ in pattern.finditer(text))


def grows(work: Callable[[str], object], run: str) -> bool:
    """Does the work on a run grow faster than its length?"""
    before = FLOOR
    for length in LENGTHS:
        text = run * (length // len(run))
        spent = seconds(work, text)
        if spent > GROWTH * before:
            spent = min(seconds(work, text) for _ in range(REPEATED))
        if spent > GROWTH * before:
            return True
        before = max(spent, FLOOR)
    return False


def seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def test_what_is_quadratic_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = iter([9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    clocks: dict[str, Callable[[Callable[[str], object], str], float]] = {
        "quadratic": lambda _, text: 1e-9 * len(text) ** 2,
        "linear": lambda _, text: 1e-5 * len(text),
        "disturbed once": lambda _, text: next(noise),
    }
    found = {}
    for name, clock in clocks.items():
        monkeypatch.setitem(globals(), "seconds", clock)
        found[name] = grows(len, "a")
    assert found == {"quadratic": True, "linear": False, "disturbed once": False}


@pytest.mark.parametrize("run", RUNS)
def test_no_pattern_is_worse_than_linear(run: str) -> None:
    assert [name for name, work in patterns() if grows(work, run)] == []


@pytest.mark.parametrize("options", [(), ("red", "a blue car", "5", "6")])
@pytest.mark.parametrize("run", RUNS)
def test_no_reply_is_worse_than_linear(run: str, options: tuple[str, ...]) -> None:
    gold = "C" if options else "5"

    def work(text: str) -> object:
        visible.cache_clear()  # of a run before
        return grade_response(f"The answer is 5.{text}", gold, options=options)

    assert not grows(work, run)
