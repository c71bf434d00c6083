"""Strict and partial scores of samples with several letters or sub-answers."""

from __future__ import annotations

from benchwright.evaluate.metrics.several import several
from small_releases import make_result


def test_several_answers_have_a_strict_and_a_partial_score() -> None:
    results = [
        make_result("a-1", False, kind="parts", credit=0.5),
        make_result("a-2", True, kind="parts", credit=1.0),
        make_result("a-3", False, kind="choices", credit=0.25),
        make_result("a-4", False, kind="choices"),  # no answer: no credit
        make_result("a-5", True),
    ]
    score = several(results)
    assert score is not None
    assert (score.strict.n, score.strict.correct, score.partial) == (4, 1, 0.4375)
    assert score.low < 0.4375 < score.high
    assert several(results[4:]) is None
