"""Comparison keys: spellings meet, problems do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright.dedup import masked_word, number_words, quantities, text_key
from hypothesis import given
from hypothesis import strategies as st

CASES = json.loads(
    (Path(__file__).parent / "cases/keys.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("a", "b"), CASES["equal"])
def test_spellings_of_one_question_have_one_key(a: str, b: str) -> None:
    assert text_key(a) == text_key(b)


@pytest.mark.parametrize(("a", "b"), CASES["different"])
def test_different_questions_have_different_keys(a: str, b: str) -> None:
    assert text_key(a) != text_key(b)


@given(st.text(max_size=30))
def test_keys_of_any_text_keep_all_digits(text: str) -> None:
    plain = "".join(c for c in text if c.isascii() and c not in "<\\")
    assert [c for c in text_key(plain) if c.isdigit()] == [
        c for c in plain if c.isdigit()
    ]


def test_numbers_keep_their_order_and_skip_picture_tags() -> None:
    key = text_key("<image12> 1, 30.0, 007 and 2.50")
    assert quantities(key) == ["1", "30", "7", "2.5"]


def test_masked_keys_are_equal_within_a_template() -> None:
    one, other = (
        text_key(text).split() for text in ("Add 12 to 3.5.", "Add 7 to 100.")
    )
    assert [*map(masked_word, one)] == [*map(masked_word, other)]


@pytest.mark.parametrize(
    ("text", "numerals", "words"),
    [
        ("It fell to $-5$ degrees and rose by 8.", ["-5", "8"], []),
        ("$x-5 = -3$", ["5", "-3"], []),
        ("Three of the 1,250 tickets, one each", ["1250"], ["3"]),
        ("What is its volume in cm³ if $x^2 = 8$?", ["2", "8"], []),
        ("小明有三个苹果，一共二十四个", [], ["3", "24"]),
    ],
)
def test_quantities_have_signs_and_number_words(
    text: str, numerals: list[str], words: list[str]
) -> None:
    key = text_key(text)
    assert (quantities(key), number_words(key)) == (numerals, words)
