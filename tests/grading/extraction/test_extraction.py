"""Letters in replies: the cases of other projects' tests, and the failure modes of extractors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright.grading.extraction import extract, final_answer
from benchwright.problem import Option

GROUPS = json.loads(
    (Path(__file__).parent / "extract_cases.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("reply", "options", "letter"),
    [case for group in GROUPS for case in group["cases"]],
)
def test_letter(reply: str, options: int | list[str], letter: str | None) -> None:
    result = extract(reply, [None] * options if isinstance(options, int) else options)
    assert result.letter == letter, result
    assert result.rule


def test_labels_are_the_items_own() -> None:
    options = [Option(label="甲", text="1"), Option(label="乙", text="2")]
    assert extract("选 A", options).letter is None
    assert extract("The answer is 2.", options).letter == "乙"


@pytest.mark.cpu(60)
@pytest.mark.parametrize(
    "piece",
    ["the answer is ", "(A) or ", "not ", "A, ", "{", "**", "answer answer: ", "不是A", "<",
     "<answer><<"],
)  # fmt: skip
def test_a_long_reply_has_no_endless_search(piece: str) -> None:
    assert extract(piece * 20_000, ["1", "2", "3"]).rule
    assert final_answer(piece * 20_000).rule
