"""Multiple choice, blanks and parts to open-ended questions; the rest stays closed."""

from __future__ import annotations

import pytest
from benchwright import grade_response
from benchwright.check import findings_of
from benchwright.convert import open_up
from benchwright.grading.verdicts import infer_kind
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
def test_choice(
    question: str, texts: list[str], answer: str, opened: str, value: str
) -> None:
    [result] = open_up(
        problem(
            question=question,
            options=options(*texts),
            answer=answer,
            answer_kind="choice",
        )
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
    [result] = open_up(
        problem(question="The value of $x$ is ____.", answer="3")
    ).problems
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
    assert third.question.endswith("\n$BD$ is $5$.\nFind the area.")
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
    asked = problem(
        question=question, options=options("3", "4"), answer="B", answer_kind="choice"
    )
    result = open_up(asked)
    assert [p.question for p in result.problems] == [opened]
    assert opened.count("$") % 2 == 0


@pytest.mark.parametrize(
    "question",
    [
        "函数的图象大致为（ ）",
        "$x$的值可以是（ ）",
        "What could be the value of $x$? ( )",
    ],
)
def test_questions_without_a_single_value_stay_closed(question: str) -> None:
    asked = problem(
        question=question, options=options("3", "4"), answer="B", answer_kind="choice"
    )
    assert open_up(asked).reason == "no single value"


@pytest.mark.parametrize(
    ("question", "answer", "opened"),
    [
        ("AB=3. (Ⅰ)求x; (Ⅱ)求y.", "(Ⅰ)1;(Ⅱ)2", ["1", "2"]),
        ("AB=3. (I) Find x. (II) Find y.", "(I) 1 (II) 2", ["1", "2"]),
        (
            "AB=3. Question 1: find x. Question 2: find y.",
            "Question 1: 1 Question 2: 2",
            ["1", "2"],
        ),
        ("AB=3. 问题1：求x；问题2：求y", "(1)1;(2)2", ["1", "2"]),
        ("AB=3. (Ⅰ)求证：x>0; (Ⅱ)求y.", "(Ⅰ)见解析;(Ⅱ)2", ["2"]),
    ],
)
def test_sub_questions_are_opened_however_they_are_marked(
    question: str, answer: str, opened: list[str]
) -> None:
    made = open_up(
        problem(1, question=question, answer=answer, answer_kind="text")
    ).problems
    assert [p.answer for p in made] == opened


def test_circled_sub_answers_become_parts() -> None:
    asked = problem(
        1, question="如图，①求∠A；②求BC．", answer="①30°②5", answer_kind="text"
    )
    (made,) = open_up(asked).problems
    assert (made.answer_kind, made.answer) == ("parts", "(1) 30° (2) 5")
    assert [(part.label, part.answer) for part in made.parts] == [
        ("1", "30°"),
        ("2", "5"),
    ]
    nested = problem(
        1, question="(1)求x; (2)①求y；②求z．", answer="(1)1;(2)①2②3", answer_kind="text"
    )
    one, two = open_up(nested).problems
    assert (one.answer_kind, one.answer) == ("number", "1")
    assert [part.answer for part in two.parts] == ["2", "3"]


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("求x和y．", "①30°②5", "2 sub-answers, 0 sub-questions"),
        ("①求证AB=CD；②求x．", "①见解析②5", "a sub-answer is a proof"),
        (
            "(1)求x; (2)求y,z．",
            "(1)1;(2)①2②3",
            "part 2: 2 sub-answers, 0 sub-questions",
        ),
        ("(Ⅰ)求x；(Ⅱ)求y．", "3", "parts without answers"),
    ],
)
def test_composites_that_stay_closed_say_why(
    question: str, answer: str, reason: str
) -> None:
    asked = problem(1, question=question, answer=answer, answer_kind="text")
    assert open_up(asked).reason == reason


def test_numbered_statements_are_no_sub_questions() -> None:
    asked = problem(1, question="结论：①AB=CD；②x>0，其中正确的有几个？", answer="2")
    (made,) = open_up(asked).problems
    assert (made.parts, made.answer) == ([], "2")
    letters = problem(
        1, question="结论：①AB=CD；②x>0，正确的是？", answer="①②", answer_kind="text"
    )
    (made,) = open_up(letters).problems
    assert (made.parts, made.answer) == ([], "①②")


@pytest.mark.parametrize(
    ("question", "opened"),
    [
        ("如图，则∠2=____°", "如图，则∠2=多少°？"),
        (
            r"若$AB=3$，则$\angle 2=\_\_\_\_^{\circ}$.",
            r"若$AB=3$，则$\angle 2=$多少°？",
        ),
        (r"so $AB=(\quad)\mathrm{~cm}$", "What is $AB$ in cm?"),
        ("If a, then ∠2 = ____°.", "If a, what is ∠2 in degrees?"),
        ("这样的点共有____个", "这样的点共有多少个？"),
    ],
)
def test_a_blank_with_a_unit_is_asked_for_in_it(question: str, opened: str) -> None:
    [result] = open_up(
        problem(question=question, answer="50", answer_kind="number")
    ).problems
    assert (result.question, result.answer, result.answer_kind) == (
        opened,
        "50",
        "number",
    )


@pytest.mark.parametrize(
    "question", ["请写出一个满足条件的数____", "$x$的值可以是____"]
)
def test_a_blank_that_many_values_fill_stays(question: str) -> None:
    assert open_up(problem(question=question, answer="5")).reason == "no single value"


@pytest.mark.parametrize(
    ("first", "premise"),
    [
        ("Question 1: Connect DF. Prove that $AF = DF$.", "Connect DF, $AF = DF$."),
        ("Question 1: Prove: $AF = DF$.", "$AF = DF$."),
        ("问题1：连接CD，求证：CD=BD", "连接CD，CD=BD"),
    ],
)
def test_what_a_proof_draws_and_proves_is_given(first: str, premise: str) -> None:
    """MM-MATH, figure 8: what was drawn stays drawn, and no order to prove is left."""
    second = "问题2：求x" if "问题" in first else "Question 2: Find $x$."
    asked = problem(question=f"In $ABC$. {first} {second}", answer="(2) 30")
    (made,) = open_up(asked).problems
    assert (
        made.question
        == f"In $ABC$.\n{premise}\n{second.split('：' if '：' in second else ': ')[1]}"
    )


@pytest.mark.parametrize(
    "first",
    [
        "If CD = BD, prove that $x=1$.",
        "Prove that AB=CD and find $y$.",
        "若AB=CD，求证：AC=BD",
    ],
)
def test_a_proof_under_its_own_condition_is_refused(first: str) -> None:
    result = open_up(
        problem(question=f"T. (1) {first} (2) Find $x$.", answer="(1) 2 (2) 3")
    )
    assert result.reason == "part 1: a proof with a condition or question of its own"


@pytest.mark.parametrize(
    ("solution", "kept"),
    [
        (
            r"So AB = $2\sqrt2$. Hence the answer is B or $2\sqrt{2}$",
            r"So AB = $2\sqrt2$.",
        ),
        (r"AB=2. Hence the answer is B $\boxed{2}$", r"AB=2. $\boxed{2}$"),
        ("x=3，故选：B．", "x=3"),
        ("BC=3.故选B", "BC=3."),
        ("Thus x=3. The correct option is B.", "Thus x=3."),
        ("Point B lies on AB. So x = 3.", "Point B lies on AB. So x = 3."),
    ],
)
def test_opened_solutions_name_no_letter(solution: str, kept: str) -> None:
    """MM-MATH, figure 7: the explanation without the words that chose."""
    asked = problem(
        question="Find AB.", options=options("1", "2"), answer="B", answer_kind="choice",
        solution=solution,
    )  # fmt: skip
    assert [p.solution for p in open_up(asked).problems] == [kept]


def test_a_letter_that_may_be_an_option_is_listed() -> None:
    asked = problem(
        question="Find AB.", options=options("1", "2"), answer="B", answer_kind="choice",
        solution="Option A is too small. Hence B is right.",
    )  # fmt: skip
    (made,) = open_up(asked).problems
    assert made.notes[-1] == "open-ended: the solution may name an option: Option A"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("Prove that AB = CD.", "See the solution.", "proof"),
        ("求证：AB=CD", "见解析", "proof"),
        ("Draw the image of triangle ABC.", "See figure 3.", "answer elsewhere"),
        ("画出函数图象", "图略", "answer elsewhere"),
    ],
)
def test_what_has_no_value_is_not_asked(
    question: str, answer: str, reason: str
) -> None:
    assert open_up(problem(question=question, answer=answer)).reason == reason
    assert infer_kind(answer) == "text"
    assert [f.code for f in findings_of(problem(answer=answer))] == ["gold-picture"]


@pytest.mark.parametrize(
    ("part", "answer", "said"),
    [
        ("Find the length of $AD$.", "$3$", "The length of $AD$ is $3$."),
        ("If $AC=3$, what is the measure of $\\angle A$?", "60°",
         "If $AC=3$, the measure of $\\angle A$ is 60°."),
        ("求AD的长。", "3", "AD的长为3。"),
        ("若AC=3，求∠A的度数。", "60°", "若AC=3，∠A的度数为60°。"),
        ("△ABC的面积是多少？", "12", "△ABC的面积为12。"),
        ("Find $AB$ and $CD$.", "3, 4", "Given: Find $AB$ and $CD$; the result is 3, 4."),
        ("How far is it?", "3 km", "Given: How far is it; the result is 3 km."),
    ],
)  # fmt: skip
def test_the_conclusion_of_a_part_is_a_statement(
    part: str, answer: str, said: str
) -> None:
    """MM-MATH, 2.2: the conclusions of parts are integrated into those that follow."""
    whole = problem(
        question=f"Given a figure. (1) {part} (2) Find $x$." if part.isascii() or ("°" in part
        and "求" not in part) else f"如图。(1){part}(2)求x。",
        answer=f"(1) {answer}; (2) 12",
    )  # fmt: skip
    _, second = open_up(whole).problems
    assert second.question.split("\n")[1] == said


@pytest.mark.parametrize(
    ("question", "answer", "opened", "answers"),
    [
        ("从A到B共有____种不同的走法．", "6", "从A到B共有多少种不同的走法？", ["6"]),
        ("正方体有____个面，有____条棱。", "6；12",
         "正方体有①多少个面，有②多少条棱？", ["6", "12"]),
        (r"则$a=$____，$b=$____.<image1>", r"$\frac{1}{2}$,$-3$",
         "则$a=$①多少，$b=$②多少？<image1>", [r"\frac{1}{2}", "-3"]),
        ("当$x=2$时，第____个数是____", "3, 8", "当$x=2$时，第①多少个数是②多少？", ["3", "8"]),
    ],
)  # fmt: skip
def test_blanks_for_numbers_are_asked_for_where_they_stand(
    question: str, answer: str, opened: str, answers: list[str]
) -> None:
    [result] = open_up(problem(question=question, answer=answer)).problems
    assert result.question == opened
    assert [p.answer for p in result.parts] == (answers if len(answers) > 1 else [])
    if result.parts:
        reply = "，".join(
            f"{sign}{p.answer}" for sign, p in zip("①②", result.parts, strict=True)
        )
        assert grade_response(
            reply, result.answer, kind="parts", parts=result.parts
        ).equal


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("△ABC是____三角形，它有____条对称轴。", "等边；3"),  # a word is no number
        ("正方体有____个面，有____条棱。", "6"),  # which of the two?
        ("它的面____且棱____相等。", "6；12"),  # nothing counts there
        ("The sum is ____ and the product is ____.", "5, 6"),
        ("方程的根是____和另一个根，$x$是____", "a+1；2"),
    ],
)
def test_blanks_that_no_number_fills_stay(question: str, answer: str) -> None:
    result = open_up(problem(question=question, answer=answer))
    assert (result.problems, result.reason) == ([], "blank")


def test_a_choice_whose_blank_has_a_noun_behind_it_is_opened() -> None:
    asked = problem(
        question="图中共有（ ）条对称轴", options=options("3", "4"), answer="B"
    )
    [result] = open_up(asked).problems
    assert (result.question, result.answer) == ("图中共有多少条对称轴？", "4")
