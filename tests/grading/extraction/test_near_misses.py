"""Replies with the gold that they say and one that stands in them: denied, a part, or a bound."""

from __future__ import annotations

import pytest
from benchwright import grade, grade_response
from benchwright.grading.extraction import final_answer

VALUES = [
    ("The temperature dropped to minus twelve degrees.", "-12", "12"),
    ("Donc, l'aire vaut 3,5.", "3,5", "3"),
    ("El resultado es 1.250,75 euros.", "1250.75", "1.25"),
    ("Hence the slope equals negative two thirds.", "-2/3", "2/3"),
    ("Therefore the probability is 3 out of 8.", "3/8", "8"),
    ("The probability is 1 in 20.", "1/20", "20"),
    ("The answer is between 4 and 5.", "(4,5)", "5"),
    ("The solutions are x = -2 and x = 5.", "{-2, 5}", "5"),
    ("He is 5 ft 9 in tall.", "69 inches", "5 ft"),
    ("The answer is 17 (units); 9 (units).", "17; 9", "17 (points)"),
    ("一共需要三小时二十分钟。", "200分钟", "20分钟"),
    ("因此 x 的取值范围是 $x\\ge 2$ 且 $x\\ne 3$。", "x\\ge2且x\\ne3", "x\\ne3"),
    ("Таким образом, осталось 14 яблок, а не 15.", "14", "15"),
    ("Portanto, restam 17 laranjas, e não 18.", "17", "18"),
    ("答えは8ではなく9です。", "9", "8"),
    ("정답은 8이 아니라 9입니다.", "9", "8"),
    ("I get 0.1666..., that is 1/6.", "1/6", "0.16"),
]
COLUMN = "\\begin{{pmatrix}}{}\\\\0.196\\end{{pmatrix}}"
WORDS = [
    ("True. Every square is a rectangle.", "True", "False"),
    ("The system has infinitely many solutions.", "infinitely many solutions", "no solution"),
    ("The limit does not exist.", "does not exist", "exists"),
    ("The series converges absolutely.", "converges absolutely", "diverges"),
    ("La proposition est fausse.", "faux", "vrai"),
    ("答案：错误", "×", "√"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "gold", "other"), VALUES)
def test_values(reply: str, gold: str, other: str) -> None:
    assert grade_response(reply, gold).equal, final_answer(reply, "number")
    assert not grade_response(reply, other).equal


@pytest.mark.parametrize(("reply", "gold", "other"), WORDS)
def test_words(reply: str, gold: str, other: str) -> None:
    assert grade_response(reply, gold, kind="text").equal, final_answer(reply, "text")
    assert not grade_response(reply, other, kind="text").equal


@pytest.mark.parametrize("gold", ["7", "8"])
def test_of_two_that_may_be_meant_neither_is(gold: str) -> None:
    assert not grade_response("You could guess 7 or 8 here.", gold).equal


@pytest.mark.parametrize(
    ("reply", "letter", "other"),
    [("A. 12 - no\nB. 15 - no\nC. 18 - yes\nD. 21 - no", "C", "D"),
     ("A. 12 ✗\nB. 15 ✗\nC. 18 ✓\nD. 21 ✗", "C", "D"),
     ("Between C and D, C is the better choice.", "C", "D"),
     ("정답은 ③이다.", "C", "B"), ("Đáp án đúng là B.", "B", "A")],
)  # fmt: skip
def test_options(reply: str, letter: str, other: str) -> None:
    options = ["12", "15", "18", "21"]
    assert grade_response(reply, letter, kind="choice", options=options).equal
    assert not grade_response(reply, other, kind="choice", options=options).equal


def test_what_is_only_denied_is_not_chosen() -> None:
    reply = "It can't be A. It can't be B. It can't be D."
    for letter in "ABD":
        assert not grade_response(
            reply, letter, kind="choice", options=["1", "2", "3", "4"]
        ).equal


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [("Yes", "True", True), ("wahr", "falsch", False), ("三小时二十分钟", "3小时20分钟", True),
     ("three hours and twenty minutes", "200 minutes", True), ("1 in 20", "20", False),
     ("0.8333333333333334", "0.8333333333333333", True), ("0.83333", "0.83334", False),
     (COLUMN.format(0.29025), COLUMN.format(0.29), True),
     (COLUMN.format(0.29125), COLUMN.format(0.29), False)],
)  # fmt: skip
def test_bare_answers(one: str, other: str, equal: bool) -> None:
    assert (grade(one, other).equal is True) is equal
