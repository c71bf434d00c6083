"""The bound on a verdict's work: the same verdict every time, and no debt left for the next."""

from __future__ import annotations

import pytest
from benchwright.evaluate.answers.parser import read
from benchwright.evaluate.answers.tokens import LimitExceeded
from benchwright.evaluate.equivalence.normal_form import exact
from benchwright.evaluate.equivalence.work_budget import bounded, spend

LARGE = r"(x+1)^{50} (x+2)^{50} (x+3)^{50}"


def test_work_is_counted_and_not_owed() -> None:
    for _ in range(3):
        with bounded(10):
            spend(6)
            with pytest.raises(LimitExceeded):
                spend(6)
    spend(10**9)  # nobody asked for a bound


def test_polynomials_and_long_fractions_cost_work() -> None:
    for text in (LARGE, r"\frac{1}{3^{2000}}+\frac{1}{7^{2000}}"):
        with bounded(100), pytest.raises(LimitExceeded):
            exact(read(text))


def test_finite_sums_need_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.evaluate.equivalence import cas_pool as pool
    from benchwright.evaluate.grading.grade import grade

    def worker(gold: str, prediction: str) -> tuple[bool | None, str]:
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(pool, "symbolic", worker)
    assert grade(r"\sum_{k=1}^{n} k", r"\frac{n(n+1)}{2}").equal is True
    assert grade(r"\int_0^1 x\,dx", r"\int_0^1 x dx").equal is True
