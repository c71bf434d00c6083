"""Short replies as people write them, with what a reader would say of each beside its gold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright import grade, grade_response

CASES = json.loads(
    Path(__file__).with_name("said_in_replies.json").read_text(encoding="utf-8")
)
# Notations of one answer, and near misses of them.
NOTATIONS = [
    ("N30°E", "030°", True),
    ("S30^\\circ E", "150°", True),
    ("N 60° W", "300^\\circ", True),
    ("N30°E", "N30°W", False),
    ("7 with a remainder of 2", "7 R2", True),
    ("7 r 3", "7 R 2", False),
    ("7", "7 R 2", False),
    ("3 R 1", "31", False),
    ("y=C_1 e^{x}", "y=ce^x", True),
    ("C", "c", False),
    ("all real numbers except 2", "\\mathbb{R}", False),
    ("three quarters of an hour", "45 minutes", True),
    ("three hours", "180 minutes", True),
    ("3,5 cm", "3.5", True),
    ("3.5", "3,5", False),
    ("1,234", "1.234", False),
    ("No, it diverges.", "No", True),
    ("Yes, it diverges.", "No", False),
    ("yes, no", "yes", False),
]


@pytest.mark.parametrize(("reply", "gold", "right"), CASES)
def test_reply(reply: str, gold: str, right: bool) -> None:
    verdict = grade_response(reply, gold)
    assert (verdict.equal is True) == right, verdict


@pytest.mark.parametrize(("prediction", "gold", "right"), NOTATIONS)
def test_notation(prediction: str, gold: str, right: bool) -> None:
    assert (grade(prediction, gold).equal is True) == right
