"""What a question says of the values of a reply: its own numbers are seldom its answer."""

from __future__ import annotations

import pytest
from benchwright.grading.extraction import final_answer
from benchwright.grading.verdicts import grade_response

QUESTION = "Arthur bakes 35 muffins. How many muffins must he bake to have 83 muffins?"
REPLY = "Answer: \n\nArthur needs to bake 48 more muffins to have 83 muffins."


def test_a_new_number_that_counts_what_is_asked_is_the_answer() -> None:
    assert final_answer(REPLY, "number").answer == "83"
    assert final_answer(REPLY, "number", question=QUESTION).answer == "48"
    verdict = grade_response(REPLY, "48", question=QUESTION)
    assert verdict.equal
    assert "a new number" in verdict.candidates[0].features


def test_a_number_of_the_question_is_the_answer_where_it_is_declared() -> None:
    reply = "We find 48. The answer is 83."
    assert grade_response(reply, "83", question=QUESTION).equal


@pytest.mark.parametrize(
    ("reply", "gold", "equal"),
    [
        ("Answer: Yes, the coin is still heads up.", "yes", True),
        ("Answer: No, the coin is not heads up.", "yes", False),
        ("Therefore, Tom wins the race against Ann.", "Tom", True),
        ("Therefore, Tom never wins the race.", "Tom", False),
        ("Answer: red, blue", "red", False),
        ("The answer is red or blue.", "red", False),
        ('We need ">", ")". So the answer is > ).', "> )", True),
        ("So the answer is ).", ")", True),
        ("The answer is .1.", ".1", True),
        ("The answer is .1.", "1", False),
        ("La respuesta es menos 3.", "-3", True),
        ("La respuesta es menos 3.", "3", False),
        ("Ответ: минус 3.", "3", False),
        ("答えは2 kg 300 gです。", "2 kg 300 g", True),
        ("So r = 10/3 = 3.33.", "10/3", True),
        ("So r = 10/3 ~ 3.3", "10/3", True),
        (r"\[\text{Answer: 12}\] As 3 is less.", "12", True),
        (r"$\text{The answer is } \frac{1}{2}$", "0.5", True),
    ],
)
def test_replies_are_read_as_grade_reads_the_answer(
    reply: str, gold: str, equal: bool
) -> None:
    assert (grade_response(reply, gold).equal is True) == equal


def test_a_row_of_letters_ends_with_its_sentence() -> None:
    options = ["2", "3", "4", "5"]
    reply = "The answer is B. D is incorrect because it is not prime."
    assert grade_response(reply, "B", options=options).equal
    assert grade_response("Answer: ac", "AC", kind="choices", options=options).equal
