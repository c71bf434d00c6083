"""Everybody reads one number in words alike: grading, extraction, dedup, guards, judges."""

from __future__ import annotations

from fractions import Fraction

import pytest
from benchwright import grade, grade_response
from benchwright.convert.guards.quantities import quantities
from benchwright.dedup import number_words, text_key
from benchwright.evaluate.judges import states
from benchwright.problem import Sample, Source
from benchwright.words import figures, number
from spelling import chinese, english

WHOLE = [*range(2, 31), 40, 55, 60, 78, 90, 99, 100, 101, 105, 110, 112, 120, 123, 200, 230, 305,
         340, 500, 567, 700, 999, 1000, 1001, 1010, 1100, 1200, 1234, 2000, 2005, 2024, 3050, 5600,
         8848, 10_000, 12_000, 12_345, 20_000, 23_400, 50_050, 100_000, 105_000, 123_456, 250_000,
         999_999, 1_000_000, 2_500_000, 12_000_000, 100_000_000, 123_456_789]  # fmt: skip
SPELLED = [(say(n), str(n)) for n in WHOLE for say in (english, chinese)] + [
    ("one hundred and five", "105"), ("two thousand and three", "2003"), ("a hundred", "100"),
    ("nineteen hundred", "1900"), ("half a million", "500000"), ("5 million", "5000000"),
    ("2.5 million", "2500000"), ("7 thousand", "7000"), ("two dozen", "24"), ("a dozen", "12"),
    ("half a dozen", "6"), ("one half", "1/2"), ("a third", "1/3"), ("two thirds", "2/3"),
    ("three quarters", "3/4"), ("five eighths", "5/8"), ("seven tenths", "7/10"),
    ("two and a half", "5/2"), ("three and three quarters", "15/4"), ("two point five", "5/2"),
    ("zero point seven five", "3/4"), ("one twenty-fifth", "1/25"), ("twelve hundred", "1200"),
    ("廿三", "23"), ("廿", "20"), ("卅一", "31"), ("两百", "200"), ("三万五", "35000"),
    ("二百五", "250"), ("3万", "30000"), ("2.5亿", "250000000"), ("3万5千", "35000"),
    ("二〇二四", "2024"), ("四分之三", "3/4"), ("二又四分之三", "11/4"), ("三点五", "7/2"),
    ("零点二五", "1/4"), ("十分之七", "7/10"), ("五分之二", "2/5"), ("壹佰贰拾", "120"),
    ("万分之一", "1/10000"), ("百分之五", "1/20"), ("百分之二十五", "1/4"), ("３万", "30000"),
]  # fmt: skip
QUESTION = Sample(
    id="1",
    problem_id="1",
    origin="1",
    source=Source(name="a", raw_id="1"),
    question="How many?",
)


def test_there_are_two_hundred_of_them() -> None:
    assert len(dict(SPELLED)) >= 200


@pytest.mark.parametrize(("spelled", "value"), SPELLED)
def test_every_caller_reads_it(spelled: str, value: str) -> None:
    found = number(spelled)
    assert found is not None
    assert found.value == Fraction(value)
    reply = f"The answer is {spelled}." if spelled.isascii() else f"答案是{spelled}。"
    other = str(Fraction(value) + 1)
    assert (grade(spelled, value).equal, grade(spelled, other).equal) == (True, False)
    assert grade_response(reply, value).equal is True
    assert grade_response(reply, other).equal is False
    assert number_words(text_key(reply)) == [figures(found)]
    guarded = Fraction(value) * (100 if found.form == "percent" else 1)
    assert [quantity.value for quantity in quantities(reply)] == [guarded]
    assert states(QUESTION, reply, figures(found))
    assert states(QUESTION, reply, spelled)


@pytest.mark.parametrize(
    ("reply", "wrong"),
    [
        ("The answer is twenty-three.", "20"),
        ("The answer is two thousand.", "2"),
        ("The answer is one hundred and five.", "1"),
        ("The answer is 5 million.", "5"),
        ("The answer is $5 million.", "5"),
        ("答案是一千二百。", "2"),
        ("答案是3万。", "3"),
        ("答案是廿三。", "3"),
    ],
)
def test_a_part_of_it_is_not_the_answer(reply: str, wrong: str) -> None:
    assert grade_response(reply, wrong).equal is False


def test_figures_count_what_the_unit_of_the_gold_counts() -> None:
    assert (
        grade_response("The answer is $52 thousand.", "52", unit="thousand").equal
        is True
    )
    assert (
        grade_response("The answer is $52 million.", "52", unit="thousand").equal
        is False
    )
