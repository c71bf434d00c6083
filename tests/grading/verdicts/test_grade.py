"""Verdicts on answers, case by case; the tables name what each group of cases is about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright import grade
from benchwright.grading.verdicts import GradeItem, grade_item, grade_response
from benchwright.grading.verdicts.grade import CHUNK
from benchwright.pipeline import Engine, parallel_map
from benchwright.problem import Option

HERE = Path(__file__).parent
CASES = json.loads((HERE / "grade_cases.json").read_text(encoding="utf-8"))
PAIRS = [(group, *case) for group, cases in CASES.items() for case in cases]
KINDS = json.loads((HERE / "grade_pairs.json").read_text(encoding="utf-8"))
NOTATIONS = json.loads((HERE / "notation_pairs.json").read_text(encoding="utf-8"))
WORDS = json.loads((HERE / "word_pairs.json").read_text(encoding="utf-8"))
STRUCTURES = json.loads((HERE / "structure_pairs.json").read_text(encoding="utf-8"))
REPLIES = json.loads(
    (HERE.parent / "extraction" / "final_cases.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("group", "gold", "prediction", "kind", "equal"), PAIRS)
def test_pair(group: str, gold: str, prediction: str, kind: str, equal: bool) -> None:
    verdict = grade(prediction, gold, kind=kind)
    assert verdict.equal is equal, (group, verdict)
    assert verdict.status == "ok"


@pytest.mark.parametrize(
    ("kind", "gold", "prediction", "equal"),
    [(kind, *pair, verdict == "equal")
     for kind, verdicts in KINDS.items() for verdict, pairs in verdicts.items() for pair in pairs],
)  # fmt: skip
def test_spellings_of_each_kind_and_what_only_looks_like_them(
    kind: str, gold: str, prediction: str, equal: bool
) -> None:
    known = None if kind == "any" else kind
    assert (grade(prediction, gold, kind=known).equal is True) is equal  # type: ignore[arg-type]


@pytest.mark.parametrize(("gold", "prediction", "equal"), NOTATIONS)
def test_units_and_further_notations(gold: str, prediction: str, equal: bool) -> None:
    """Nobody says of what kind the gold is."""
    verdict = grade(prediction, gold)
    assert (verdict.equal is True) is equal, verdict


@pytest.mark.parametrize(("gold", "prediction", "equal"), WORDS)
def test_words_names_and_notations_that_people_reported(
    gold: str, prediction: str, equal: bool
) -> None:
    assert (grade(prediction, gold).equal is True) is equal


NOUNS = (
    "rhombus rectangle circle parabola median mean hexagon prime vertex chord".split()
)


@pytest.mark.parametrize("kind", ["text", None])
def test_no_noun_with_its_article_is_another(kind: str | None) -> None:
    equal = {
        (one, other)
        for one in NOUNS
        for other in NOUNS
        for article in ("a", "an", "the")
        if grade(f"{article} {one}", f"a {other}", kind=kind).equal  # type: ignore[arg-type]
    }
    assert equal == {(noun, noun) for noun in NOUNS}


@pytest.mark.parametrize(("kind", "gold", "prediction", "equal"), STRUCTURES)
def test_answers_are_compared_by_what_they_are_made_of(
    kind: str | None, gold: str, prediction: str, equal: bool
) -> None:
    """Words, stray braces, quoted lists, labels, residues, matrices, ranges, spoken formulas."""
    assert (grade(prediction, gold, kind=kind).equal is True) is equal


def test_the_scale_of_a_table_is_stripped_from_every_value() -> None:
    assert grade("['$5 thousand', '$7 thousand']", "5, 7", unit="thousand").equal
    assert not grade("['$5 million', '$7 thousand']", "5, 7", unit="thousand").equal
    assert grade("50 mm, 7 cm", "5, 7", kind="set", unit="cm").equal
    assert not grade("50 mm, 8 cm", "5, 7", kind="set", unit="cm").equal


def test_a_unit_is_declared_in_any_spelling() -> None:
    assert grade("2.5 kJ/mol", "2500", kind="number", unit="J mol^{-1}").equal
    assert not grade("2.5 kJ", "2500", kind="number", unit="J mol^{-1}").equal
    assert grade("2500", "2500", kind="number", unit="J mol^{-1}").equal


@pytest.mark.parametrize(("reply", "gold", "kind", "equal"), REPLIES)
def test_reply(reply: str, gold: str, kind: str | None, equal: bool) -> None:
    verdict = grade_response(reply, gold, kind=kind)  # type: ignore[arg-type]
    assert (verdict.equal is True) is equal, verdict


def test_brackets_count_where_nobody_says_it_is_no_interval() -> None:
    assert grade("[1,3]", "(1,3)").equal is False
    assert grade("[1,2,3]", "(1,2,3)").equal is True
    assert grade("100200", "100,200", kind="set").equal is False
    assert grade("100200", "100,200", kind="number").equal is True


def test_damaged_text_is_unreadable_and_no_exception() -> None:
    for text in (
        "x\\overline",
        "②③",
        "y$$\\vec",
        "\\hat}",
        "0._1",
        "\\sum_",
        "]1,[",
        "1_{}",
    ):
        for verdict in (grade(text, "5"), grade("5", text), grade_response(text, "5")):
            assert verdict.equal is not True


def test_declared_unit_tolerance_and_order() -> None:
    assert grade("50 mm", "5", kind="number", unit="cm").equal
    assert not grade("50 m", "5", kind="number", unit="cm").equal
    assert grade("3.2", "3", kind="number", tolerance=0.25).equal
    assert not grade("3.3", "3", kind="number", tolerance=0.25).equal
    assert grade("2, 1", "1, 2", kind="set").equal
    assert not grade("2, 1", "1, 2", kind="set", ordered=True).equal
    assert grade("1 h 30 min", "1.5", kind="number", unit="h").equal
    assert grade("\\frac{\\pi}{3}", "60", kind="number", unit="degrees").equal
    assert not grade("\\frac{\\pi}{3}", "60", kind="number", unit="cm").equal


OPTIONS = [
    Option(label=label, text=text)
    for label, text in zip("ABCD", ("2", "3", "1/2", "9"), strict=True)
]


@pytest.mark.parametrize(
    ("reply", "equal"),
    [("C", True), ("(C)", True), ("\\boxed{\\textbf{(C)}}", True), ("**C**", True),
     ("\\boxed{C. 1/2}", True), ("\\boxed{0.5}", True), ("The answer is \\frac{1}{2}.", True),
     ("B", False), ("A or C", False), ("-C", False), ("7", False),
     ("$-\\frac12$", False), ("-1/2", False)],
)  # fmt: skip
def test_choice(reply: str, equal: bool) -> None:
    assert grade_response(reply, "C", kind="choice", options=OPTIONS).equal is equal


def test_several_gold_letters_are_a_set() -> None:
    assert grade("A, C", "A\nC", kind="choice", options=OPTIONS).equal
    assert grade("C and A", "A\nC", kind="choice", options=OPTIONS).equal
    assert not grade("A", "A\nC", kind="choice", options=OPTIONS).equal


@pytest.mark.parametrize(
    ("reply", "extracted", "rule"),
    [("We get \\boxed{3}. Wait, so \\boxed{\\frac{1}{2}}.", "\\frac{1}{2}", "boxed"),
     ("\\boxed{1} and \\boxed{2}", "1, 2", "boxed"),
     ("<think>it is \\boxed{9}</think> The final answer is 4.", "4", "declared"),
     ("The answer is **2**.", "2", "declared"), ("答案：12", "12", "declared"),
     ("<answer>x=3</answer>", "x=3", "answer tag"), ("<answer>x<3</answer>", "x<3", "answer tag"),
     ("<Thought process>: <<1>> <Answer>: <<7 cm>>", "7 cm", "answer tag"),
     ("<answer></answer> The answer is 5.", "5", "declared"),
     ("First 7 and then 8.\nTherefore the area is 15.", "15", "conclusion"),
     ("It was long.\nThere are many steps and\nI am not sure at all, but I saw 42 of them.", "42",
      "stated")],
)  # fmt: skip
def test_final_answer(reply: str, extracted: str, rule: str) -> None:
    verdict = grade_response(reply, "1", kind="number")
    assert (verdict.extracted, verdict.rule) == (extracted, rule)


def test_no_answer_counts_as_wrong() -> None:
    reply = "I cannot see the picture, sorry about that; please send it again, and we go on."
    verdict = grade_response(reply, "4", kind="number")
    assert verdict.equal is False
    assert verdict.extracted is None


def test_many_keeps_order_on_any_number_of_processes() -> None:
    items = [
        GradeItem(prediction=str(k % 7), gold=str(k % 5), kind="number")
        for k in range(1500)
    ]
    expected = [k % 7 == k % 5 for k in range(1500)]
    for jobs in (1, 2):
        verdicts = parallel_map(grade_item, items, Engine(jobs=jobs), chunk=CHUNK)
        assert [v.equal for v in verdicts] == expected
