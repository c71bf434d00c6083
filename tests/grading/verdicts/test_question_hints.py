"""What a question asks for is read, and what it only mentions is not."""

from __future__ import annotations

import pytest
from benchwright import grade
from benchwright.grading.verdicts import grade_response
from benchwright.grading.verdicts.question_hints import question_hints

LETTERED = "Which is prime? (A) 4 (B) 7 (C) 9 (D) 15"


@pytest.mark.parametrize(
    ("question", "percent"),
    [
        ("What percent of the pupils walk?", True),
        ("By what percentage did the price rise?", True),
        ("Find the chance. Give it as a percentage.", True),
        ("增长了百分之几？", True),
        ("A price of 20 falls by 5 percent. What is it now?", False),
        ("A price falls by 5 percent each year. What is it after twenty years?", False),
        ("What is 20 percent of 80?", False),
        ("What is 20\\% of 80?", False),
        ("What is twenty percent of 80?", False),
    ],
)
def test_percent(question: str, percent: bool) -> None:
    assert question_hints(question).percent is percent
    assert (grade("10%", "10", question=question).equal is True) is percent
    assert grade("10", "10%", question=question).equal is True
    assert grade("11%", "10", question=question).equal is False


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How many centimeters are in 5 km?", "centimeters"),
        ("The side is 5 m. What is the area in square feet?", "square feet"),
        ("What is its speed, in miles per hour?", "miles per hour"),
        ("A car goes 5 km in 3 minutes. How long (in seconds) is 1 km?", "seconds"),
        ("路程是多少千米？", "千米"),
        ("The ladder is ____ cm long.", "cm"),
        ("He walks 5 miles in 2 hours. How far does he come?", None),
        ("How many metres and how many seconds?", None),
        ("How many apples are left?", None),
        ("What is the chance?", None),
    ],
)
def test_unit(question: str, unit: str | None) -> None:
    assert question_hints(question).unit == unit


def test_the_unit_asked_for_is_the_unit_of_a_bare_gold() -> None:
    question = "The string is 2 m long. How many centimetres is half of it?"
    assert grade("1 m", "100", question=question).equal
    assert grade("100 cm", "100", question=question).equal
    assert grade("100", "100", question=question).equal
    assert not grade("100 m", "100", question=question).equal
    assert grade("100 pieces", "100", question=question).equal
    assert grade("1 m", "1 m", question=question).equal


@pytest.mark.parametrize(
    "question",
    [
        LETTERED,
        "Which is prime?\nA. 4\nB. 7\nC. 9\nD. 15",
        "Which? $\\textbf{(A)}\\ 4 \\qquad\\textbf{(B)}\\ 7 \\qquad\\textbf{(C)}\\ 9$",
        "下列哪个是质数（ ）\nA、4 B、7 C、9",
    ],
)
def test_options_inside_the_question(question: str) -> None:
    assert [option.text.strip("$\\ ") for option in question_hints(question).options][
        :3
    ] == [
        "4",
        "7",
        "9",
    ]
    assert grade("7", "B", question=question).equal
    assert grade_response("So the answer is 7.", "B", question=question).equal
    assert grade("B", "7", question=question).equal
    assert grade_response("The answer is (B).", "7", question=question).equal
    assert not grade("C", "7", question=question).equal
    assert not grade("9", "B", question=question).equal


def test_letters_that_are_no_options() -> None:
    assert not question_hints("The lines AB. and C. D. meet in E. What is F?").options
    assert not question_hints("Points A) and B) are given. Find C.").options
    assert question_hints("(A) 1 (C) 2 (D) 3").options == ()
