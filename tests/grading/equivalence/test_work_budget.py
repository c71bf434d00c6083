"""The bound on a verdict's work: the same verdict every time, and no debt left for the next."""

from __future__ import annotations

import time

import pytest
from benchwright import grade
from benchwright.grading.answers import LimitExceeded, read
from benchwright.grading.equivalence import OutOfBudget, Rules, budget, judged
from benchwright.grading.equivalence.numeric import same
from benchwright.grading.equivalence.work_budget import UNITS, spend
from benchwright.grading.verdicts import grade_response

BUDGETED = 3.0  # seconds of processor time that a reply may take
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
        with budget(20), pytest.raises(LimitExceeded):
            same(read(text), read("1/3"))


@pytest.mark.parametrize(
    ("formula", "value"),
    [(r"\sum_{k=1}^{n} k", r"\frac{n(n+1)}{2}"), (r"\sum_{k=1}^{\infty}\frac{1}{k^2}", r"\pi^2/6"),
     (r"\int_0^1 x^2 dx", r"\frac13"), (r"\int_0^{\pi} \sin x\,dx", "2"),
     (r"\int_1^2 \frac{dx}{x}", r"\ln 2"), (r"\lim_{x \to 0} \frac{\sin x}{x}", "1"),
     (r"\lim_{n\to\infty} (1+\frac1n)^n", "e"), (r"\sum_{k=1}^{5000} k", "12502500")],
)  # fmt: skip
def test_whatever_runs_has_a_value(formula: str, value: str) -> None:
    assert grade(formula, value).equal is True
    assert grade(formula, f"{value}+1").equal is False


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
    """Four times as much was spent on this reply when every option had a limit of its own."""
    options = [str(k) for k in range(1, 11)]
    before = time.process_time()
    for formula in (
        r"\prod_{k=1}^{1000000} k",
        r"\int \frac{x^{10}\sin(x)}{\sqrt{1+x^7}}dx",
    ):
        reply = f"The answer is ${formula}$."
        verdict = grade_response(reply, "B", kind="choice", options=options)
        assert not verdict.equal
    assert (
        time.process_time() - before < 2 * BUDGETED * 1.5
    )  # this machine may be slower than ours
