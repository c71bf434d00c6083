"""Answers and options are compared by what they say, as the project grades."""

from __future__ import annotations

import pytest
from benchwright.dedup.items import Item
from benchwright.dedup.values import answer_value, equal_values, same_answer, same_options


def item(options: list[str], answer: str) -> Item:
    return Item(
        id="1", question="", options=list(zip("ABCDE", options, strict=False)), answer=answer
    )


@pytest.mark.parametrize("answer", ["B", "b", "(B)", "B."])
def test_a_letter_is_read_through_its_option(answer: str) -> None:
    assert answer_value(item(["I", "$I, II$"], answer)) == "$I, II$"


def test_an_answer_without_option_is_itself_and_a_bare_letter_says_nothing() -> None:
    assert answer_value(item([], "$\\dfrac12$")) == "$\\dfrac12$"
    assert answer_value(item(["A", "B"], "B")) == ""


@pytest.mark.parametrize(("a", "b", "equal"), [
    ("12", "$12 \\mathrm{~cm}^2$", True),
    ("6", "6 cm", True),
    ("0.5", "1/2", True),
    ("60°", "60", True),
    ("3", "4", False),
    ("$a+2b$", "$2a+b$", False),
    ("12 cm", "12 m", False),
])  # fmt: skip
def test_values_are_equal_as_they_are_graded(a: str, b: str, equal: bool) -> None:
    assert equal_values(a, b) is equal_values(b, a) is equal


def test_letters_count_only_where_nothing_is_said() -> None:
    assert same_answer(item(["7", "8"], "A"), item(["8", "7"], "B")) == "equal"
    assert same_answer(item(["7", "8"], "A"), item(["8", "7"], "A")) == "differ"
    assert same_answer(item(["7", "8"], "A"), item([], "7 cm")) == "equal"
    assert same_answer(item(["A", "B"], "A"), item(["A", "B"], "B")) == "differ"
    assert same_answer(item(["A", "B"], "A"), item([], "7")) == "unknown"


def test_options_in_another_spelling_or_order() -> None:
    one = item(["1/2", "2", "3"], "A")
    assert same_options(one, item(["0.5", "2", "3"], "A")) == "respelled"
    assert same_options(one, item(["3", "0.5", "2"], "B")) == "shuffled"
    assert same_options(one, item(["3", "0.5", "4"], "B")) == "differ"
    assert same_options(one, item([], "3")) == "one side"
