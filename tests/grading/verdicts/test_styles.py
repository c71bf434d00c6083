"""Replies in styles of many kinds and languages: each has an answer, and values that are none.

Tables, JSON, comments of code, talk, LaTeX prose, twelve languages, answers before their reasons,
answers that are corrected, refusals. Written by hand; what a refusal names is no answer either.
"""

from __future__ import annotations

import json
from pathlib import Path

from benchwright import grade_response

ROWS = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("styles_of_replies.jsonl")
    .open(encoding="utf-8")
]


def test_answers_are_found_in_any_style() -> None:
    """The floor is what is reached: whoever reads one reply more lifts it."""
    verdicts = []
    for row in ROWS:
        given = {"options": row["options"]} if "options" in row else {}
        golds = [(gold, False) for gold in row["wrong"]]
        golds += [(row["right"], True)] if row["right"] is not None else []
        for gold, label in golds:
            verdicts.append(
                (grade_response(row["reply"], gold, **given).equal is True, label)
            )
    assert len(verdicts) == 136
    assert sum(said == label for said, label in verdicts) >= 122
    assert sum(said and not label for said, label in verdicts) <= 7
