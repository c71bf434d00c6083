"""No pattern that is tried on whole replies is worse than linear: each is tried on long runs."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator

import pytest
from benchwright.grading import extraction
from benchwright.grading.verdicts.grade import grade_response

SHORT, LONG = 20_000, 200_000
SECONDS = 2.0  # of CPU for 200,000 characters; what is quadratic takes minutes
RUNS = [
    "\n",
    " ",
    ".",
    "?!",
    "*",
    "_",
    "$",
    "(",
    "{",
    "1",
    "1,",
    "a",
    "A ",
    "\\",
    "=",
    "#",
    "<<",
    "。",
]


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in pkgutil.iter_modules(extraction.__path__, f"{extraction.__name__}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                yield f"{module.name}.{name}", value


def seconds(pattern: re.Pattern[str], text: str) -> float:
    start = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - start


@pytest.mark.parametrize("run", RUNS)
def test_every_pattern_is_linear(run: str) -> None:
    slow = []
    for name, pattern in patterns():
        for length in (SHORT, LONG):
            text = run * (length // len(run))
            if seconds(pattern, text) > SECONDS * length / LONG:
                slow.append((name, length))
                break
    assert slow == []


@pytest.mark.parametrize("run", RUNS)
def test_a_reply_that_ends_in_a_run_is_graded_in_time(run: str) -> None:
    start = time.process_time()
    verdict = grade_response("The answer is 5." + run * (LONG // len(run)), "5")
    assert verdict.status in ("ok", "unparsed", "refused")
    assert time.process_time() - start < SECONDS
