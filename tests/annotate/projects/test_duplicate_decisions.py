"""Decisions on duplicate pairs from people's votes."""

from __future__ import annotations

import pytest
from benchwright.annotate.kinds.duplicate_decisions import decisions_of
from benchwright.problem import Vote

PAIRS = {"p|q": {"id": "p|q", "a": "p", "b": "q", "a_hash": "1", "b_hash": "2"}}


@pytest.mark.parametrize(
    ("answers", "verdict", "keep", "annotator"),
    [
        (["duplicate>p", "duplicate>p", "variant"], "duplicate", "p", "x, y"),
        (["duplicate>p", "duplicate>q", "duplicate>q"], "duplicate", "q", "x, y, z"),
        (["duplicate>p", "duplicate>q", "not duplicate"], "duplicate", "", "x, y"),
        (["variant", "variant"], "variant", "", "x, y"),
        (["not duplicate"], "not duplicate", "", "x"),
        (["variant", "duplicate"], None, "", ""),
        (["variant", "duplicate", "not duplicate"], None, "", ""),
        (["pending", "pending", "variant"], None, "", ""),
    ],
)
def test_majority_of_people(
    answers: list[str], verdict: str | None, keep: str, annotator: str
) -> None:
    votes = []
    for person, answer in zip("xyz", answers, strict=False):
        value, _, kept = answer.partition(">")
        for field, given in [("duplicate", value), *([("keep", kept)] if kept else [])]:
            votes.append(
                Vote(
                    problem_id="p|q",
                    field=field,
                    value=given,
                    annotator=person,
                    at=person,
                )
            )
    expected = {
        "a": "p", "b": "q", "a_hash": "1", "b_hash": "2", "verdict": verdict, "keep": keep,
        "annotator": annotator, "at": "xyz"[len(answers) - 1], "note": "",
    }  # fmt: skip
    assert decisions_of(PAIRS, votes) == ([expected] if verdict else [])
