"""Numbers in words, against a speller of their own."""

from __future__ import annotations

from fractions import Fraction

import pytest
from benchwright.words import in_figures, number, numbers
from hypothesis import given
from hypothesis import strategies as st
from spelling import chinese, english

WHOLE = st.one_of(st.integers(0, 10**4), st.integers(0, 10**9 - 1))


@given(WHOLE)
def test_what_is_spelled_is_read_back(n: int) -> None:
    for said in (
        english(n),
        english(n).title(),
        english(n).replace("-", " "),
        chinese(n),
    ):
        found = number(said)
        assert found is not None, said
        assert (found.value, found.form) == (n, "cardinal"), said


@given(st.integers(1, 999), st.integers(1, 99))
def test_and_stands_behind_hundreds(hundreds: int, rest: int) -> None:
    said = f"{english(hundreds)} thousand and {english(rest)}"
    found = number(said)
    assert found is not None
    assert found.value == 1000 * hundreds + rest


@given(st.lists(WHOLE, min_size=1, max_size=4))
def test_numbers_of_a_text_keep_their_order_and_places(values: list[int]) -> None:
    for text in (", ".join(map(english, values)), "、".join(map(chinese, values))):
        found = list(numbers(text))
        assert [n.value for n in found] == values
        assert all(number(text[n.start : n.end]).value == n.value for n in found)  # type: ignore[union-attr]


@given(st.text("aeo threfivwnsdy-一二十百千万分之点又半0123456789. ", max_size=40))
def test_any_text_has_numbers_in_order_or_none(text: str) -> None:
    ends = [0, *(end for n in numbers(text) for end in (n.start, n.end))]
    assert ends == sorted(ends)
    in_figures(text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("two three", "2 3"),
        ("twenty, twenty-five and twenty five", "20 25 25"),
        ("one hundred and two hundred", "100 200"),
        ("between five and six", "5 6"),
        ("the twenty-third of twelve", "23 12"),
        ("a third of three thirds", "1/3 1"),
        ("twice as many as half of it", "2 1/2"),
        ("someone often counts heights, weighting tense attendees", ""),
        (r"\one \ten \sixth", ""),
        ("a hundred or hundreds", "100"),
        ("5千米和3千克", ""),
        ("三点十五分", "3 15"),
        ("半径是一半", "1/2"),
        ("三又二分之一和三", "7/2 3"),
        ("12 and 3.5", ""),
        ("1.5 million, 1,500 thousand", "1500000 1500000"),
    ],
)
def test_where_one_number_ends(text: str, values: str) -> None:
    assert [n.value for n in numbers(text)] == [
        Fraction(value) for value in values.split()
    ]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("veintitrés", 23), ("treinta y uno", 31), ("doscientos cinco", 205), ("dos mil", 2000),
        ("dix-sept", 17), ("soixante-quinze", 75), ("quatre-vingt-dix-sept", 97),
        ("vingt et un", 21), ("deux cents", 200), ("mille deux cents", 1200),
        ("dreiundzwanzig", 23), ("hundertfünf", 105), ("zweitausenddreihundertvierzig", 2340),
        ("двадцать три", 23), ("двести пять", 205), ("пять тысяч", 5000),
    ],
)  # fmt: skip
def test_other_languages(said: str, value: int) -> None:
    found = number(said)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "apples",
        "five apples",
        "12",
        "and",
        "a",
        "point",
        "two three",
        "und",
        "x" * 500,
    ],
)
def test_what_is_no_number(text: str) -> None:
    assert number(text) is None
