"""Multiple choice, blanks and parts to open-ended questions; the rest stays closed."""

from __future__ import annotations

import pytest
from benchwright.convert.open_ended import open_up
from small import options, problem


@pytest.mark.parametrize(
    ("question", "texts", "answer", "opened", "value"),
    [
        ("What is $x$?", ["1", "$\\frac{1}{2}$"], "B", "What is $x$?", "\\frac{1}{2}"),
        ("As shown, then the length of AC is ( )", ["3", "4"], "A",
         "As shown, what is the length of AC?", "3"),
        ("如图，则$x$的值为（　　）<image1>", ["3", "4"], "B",
         "如图，则$x$的值为多少？\n<image1>", "4"),
        ("求面积.", ["3cm", "4cm"], "A", "求面积.", "3cm"),
    ],
)  # fmt: skip
def test_choice(question: str, texts: list[str], answer: str, opened: str, value: str) -> None:
    [result] = open_up(
        problem(question=question, options=options(*texts), answer=answer, answer_kind="choice")
    ).problems
    assert (result.question, result.answer, result.options) == (opened, value, [])
    assert result.answer_kind != "choice"


@pytest.mark.parametrize(
    ("question", "texts", "reason"),
    [
        ("Which of the following is right?", ["1", "2"], "compares its options"),
        ("下列说法正确的是（ ）", ["甲", "乙"], "compares its options"),
        ("What is $x$?", ["1", "none of these"], "answer is no value"),
        ("What is it?", ["A", "B"], "answer is no value"),
        ("The sum ( ) is ( )", ["1", "2"], "blank"),
        ("The sum", ["1", "2"], "no question"),
    ],
)
def test_closed(question: str, texts: list[str], reason: str) -> None:
    result = open_up(problem(question=question, options=options(*texts), answer="B"))
    assert (result.problems, result.reason) == ([], reason)


def test_a_blank_is_asked_for() -> None:
    [result] = open_up(problem(question="The value of $x$ is ____.", answer="3")).problems
    assert result.question == "What is the value of $x$?"


def test_parts_become_a_chain_and_proofs_premises() -> None:
    whole = problem(
        question="In $ABC$, $AB=AC$. (1) Prove that $BD=CE$. (2) Find $BD$. (3) Find the area.",
        answer="(2) $5$; (3) $12$",
        solution="(1) Congruent. (2) So $5$. (3) So $12$.",
    )
    second, third = open_up(whole).problems
    assert [p.id for p in (second, third)] == [f"{whole.id}-2", f"{whole.id}-3"]
    assert {p.origin for p in (second, third)} == {whole.origin}
    assert second.question == "In $ABC$, $AB=AC$.\n$BD=CE$.\nFind $BD$."
    assert (second.answer, third.answer) == ("5", "12")
    assert "the result is $5$" in third.question
    assert second.solution == "So $5$."


def test_parts_without_answers_stay() -> None:
    result = open_up(problem(question="(1) Find $x$. (2) Find $y$.", answer="3"))
    assert (result.problems, result.reason) == ([], "parts without answers")


def test_only_proofs() -> None:
    result = open_up(problem(question="Prove that $x=1$.", answer=""))
    assert result.reason == "proof"


@pytest.mark.parametrize(
    ("question", "opened"),
    [
        (r"若$a=2$，则$a^2=(\quad)$", "若$a=2$，则$a^2=$多少？"),
        (r"若$a=2$，则$a^2=(\quad$ ）", "若$a=2$，则$a^2=$多少？"),
        (r"若$a=2$，则$a^2$等于$(\qquad)$。", "若$a=2$，则$a^2$等于多少？"),
        (r"则$\frac{a}{b}=\left(\quad\right)$", r"则$\frac{a}{b}=$多少？"),
        (r"If $x+1=3$, then $x=(\quad)$", "If $x+1=3$, what is $x$?"),
        (r"The area is $\_\_\_\_$.", "What is the area?"),
        (r"则$f(x)$等于$(\quad)$", "则$f(x)$等于多少？"),
    ],
)
def test_blanks_inside_formulas(question: str, opened: str) -> None:
    asked = problem(question=question, options=options("3", "4"), answer="B", answer_kind="choice")
    result = open_up(asked)
    assert [p.question for p in result.problems] == [opened]
    assert opened.count("$") % 2 == 0


@pytest.mark.parametrize(
    "question",
    ["函数的图象大致为（ ）", "$x$的值可以是（ ）", "What could be the value of $x$? ( )"],
)
def test_questions_without_a_single_value_stay_closed(question: str) -> None:
    asked = problem(question=question, options=options("3", "4"), answer="B", answer_kind="choice")
    assert open_up(asked).reason == "no single value"
