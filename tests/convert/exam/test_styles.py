"""Exams typeset in many styles from real problems: cut exactly, or flagged."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from benchwright.convert.documents import in_dollars
from benchwright.convert.exam import Exam, split_exam
from real_data import RealData
from typeset import STYLES, printed, squeezed, true_texts, typeset

SIZE = 25  # problems of one exam


@pytest.fixture(scope="module")
def real_problems(data: RealData) -> list[dict[str, Any]]:
    lines = data.math_v("test.jsonl").read_text("utf-8").splitlines()
    problems = [json.loads(line) for line in lines]
    return [p for p in problems if int(p["id"]) <= 1000 or 2200 < int(p["id"]) <= 2700]


def outcomes(problems: list[dict[str, Any]], exam: Exam) -> Counter[str]:
    """exact, flagged or silent for every problem; doubted: exact and flagged all the same."""
    counts: Counter[str] = Counter()
    texts = [
        squeezed("\0".join([p.question, *(o.text for o in p.options)]))
        for p in exam.problems
    ]
    whole = len(texts) == len(problems)
    flags = [bool(p.flags) for p in exam.problems]
    for k, problem in enumerate(problems):
        truth = squeezed("\0".join(in_dollars(text) for text in true_texts(problem)))
        if truth in texts:
            wrong = exam.problems[texts.index(truth)].answer.strip("$") not in answers(
                problem
            )
            counts["wrong answer" if wrong else "exact"] += 1
            counts["doubted"] += flags[texts.index(truth)]
        else:
            counts["flagged" if (flags[k] if whole else any(flags)) else "silent"] += 1
    return counts


def answers(problem: dict[str, Any]) -> set[str]:
    """What may be read: nothing, the answer, or the answer in small letters."""
    answer = problem["answer"].strip().strip("$")
    return {"", answer, answer.lower()}


@pytest.mark.parametrize("style", STYLES)
def test_real_problems_are_cut_as_they_were_set(
    style: str, real_problems: list[dict[str, Any]]
) -> None:
    """At least 99 % exactly; all others are flagged, and few exact ones (stray dollars) are."""
    counts: Counter[str] = Counter()
    for start in range(0, len(real_problems), SIZE):
        problems = real_problems[start : start + SIZE]
        counts += outcomes(
            printed(problems, style), split_exam(typeset(problems, style))
        )
    total = len(real_problems)
    assert total - counts["exact"] <= max(2, total // 100)
    assert counts["silent"] == counts["wrong answer"] == 0
    assert counts["doubted"] <= 0.04 * total
