"""Computer algebra in an interpreter of its own: verdicts, limits, and what cannot start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchwright import grade
from benchwright.errors import UserError
from benchwright.grading.equivalence import OutOfBudget, algebra, budget
from benchwright.grading.equivalence.work_budget import UNITS

SLOW = r"\int \frac{x^{10}\sin(x)}{\sqrt{1+x^7}}dx"


@pytest.mark.parametrize(
    ("prediction", "gold", "equal"),
    [
        ("2x", r"\frac{d}{dx} x^2", True),
        ("3x", r"\frac{d}{dx} x^2", False),
        (r"\cos x", r"\frac{d}{dx} \sin x", True),
        ("x^2", r"\int 2x dx", True),
        ("x^3", r"\int 2x dx", False),
    ],
)
def test_derivatives_and_antiderivatives(
    prediction: str, gold: str, equal: bool
) -> None:
    verdict = grade(prediction, gold)
    assert (verdict.equal, verdict.status) == (equal, "ok")
    assert verdict.how.startswith("computer algebra")


@pytest.mark.parametrize("text", [r"\int 9^{9^{9^{9}}} x dx", r"\frac{d}{dx} \wrong{"])
def test_hostile_text_is_no_verdict(text: str) -> None:
    assert grade("5", text).equal is None


def test_work_is_counted_and_paid_by_the_reply() -> None:
    with pytest.raises(OutOfBudget), budget(UNITS // 50):
        algebra.symbolic(SLOW, "5")
    with budget() as shared:
        assert algebra.symbolic(r"\frac{d}{dx} x^2", "2x") == (True, "ok")
    assert 0 < shared.left < UNITS


def test_algebra_that_cannot_start_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Never a quiet refusal for every pair."""
    (tmp_path / "sympy.py").write_text("raise ImportError('broken')", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    algebra._in_interpreter.cache_clear()
    with pytest.raises(UserError, match="does not start: ImportError: broken"):
        algebra.symbolic(r"\frac{d}{dx} x^2", "2x")
