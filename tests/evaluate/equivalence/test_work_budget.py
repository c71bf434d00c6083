"""The bound on a verdict's work: the same verdict every time, and no debt left for the next."""

from __future__ import annotations

import os

import pytest
from benchwright.evaluate.answers.parser import read
from benchwright.evaluate.answers.tokens import LimitExceeded
from benchwright.evaluate.equivalence import Rules
from benchwright.evaluate.equivalence.normal_form import exact
from benchwright.evaluate.equivalence.work_budget import UNITS, OutOfBudget, budget, spend
from benchwright.evaluate.grading.grade import grade_response
from benchwright.evaluate.grading.pairs import judged

BUDGETED = 3.0  # seconds of processor time that a reply may take, its worker's start included
LARGE = r"(x+1)^{50} (x+2)^{50} (x+3)^{50}"


def test_work_is_counted_and_not_owed() -> None:
    for _ in range(3):
        with budget(10), budget(10**6):  # the inner one is the same
            spend(6)
            with pytest.raises(OutOfBudget):
                spend(6)
    spend(10**9)  # nobody asked for a bound


def test_polynomials_and_long_fractions_cost_work() -> None:
    for text in (LARGE, r"\frac{1}{3^{2000}}+\frac{1}{7^{2000}}"):
        with budget(100), pytest.raises(LimitExceeded):
            exact(read(text))


def test_finite_sums_need_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.evaluate.equivalence import cas_pool as pool
    from benchwright.evaluate.grading.grade import grade

    def worker(gold: str, prediction: str) -> tuple[bool | None, str]:
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(pool, "symbolic", worker)
    assert grade(r"\sum_{k=1}^{n} k", r"\frac{n(n+1)}{2}").equal is True
    assert grade(r"\int_0^1 x\,dx", r"\int_0^1 x dx").equal is True


def test_a_verdict_that_is_remembered_costs_what_it_did() -> None:
    """Otherwise verdicts would depend on what was graded before."""
    rules = Rules("expression")
    pair = "(x+1)^{20}(x+2)^{20}", "(x+2)^{20}(x+1)^{20}"
    left = []
    for _ in range(2):
        with budget() as shared:
            assert judged(*pair, rules, None).equal is True
            left.append(shared.left)
    assert left[0] == left[1] < UNITS
    with budget(50):
        assert judged(*pair, rules, None).status == "timeout"
    assert judged(*pair, rules, None).equal is True


def test_a_reply_has_one_budget_for_all_its_options() -> None:
    """Four workers' time was spent on this reply when every option had a limit of its own."""
    options = [str(k) for k in range(1, 11)]
    before = _seconds()
    for formula in (r"\prod_{k=1}^{1000000} k", r"\int \frac{x^{10}\sin(x)}{\sqrt{1+x^7}}dx"):
        reply = f"The answer is ${formula}$."
        verdict = grade_response(reply, "B", kind="choice", options=options)
        assert (verdict.equal, verdict.status) == (None, "timeout")
    assert _seconds() - before < 2 * BUDGETED * 1.5  # this machine may be slower than ours


def _seconds() -> float:
    """Processor time of this process and of its children that are no more."""
    return sum(os.times()[:4])
