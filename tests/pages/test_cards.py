"""Cards of samples: evidence is found where the answer stands, gold and spans are told."""

from __future__ import annotations

import pytest
from benchwright.pages import Mark, card_of, reply, rich
from benchwright.problem import Option, Part, Problem, Span
from small_releases import make_sample


@pytest.mark.parametrize(
    ("text", "extracted", "place"),
    [
        ("A or B. So (B).", "B", (12, 13)),
        ("Bob chose C", "B", None),
        ("12, then 2.", "2", (9, 10)),
        ("The answer is $\\frac12$.", "$\\frac12$", (14, 23)),
        ("It is seven.", "A", (6, 11)),  # by the option's text
        ("nothing", None, None),
    ],
)
def test_evidence_is_coloured_where_it_stands_last(
    text: str, extracted: str | None, place: tuple[int, int] | None
) -> None:
    options = [Option(label="A", text="seven"), Option(label="B", text="eight")]
    marks = [Mark(*place, "evidence")] if place else []
    assert reply(text, extracted, options) == rich(text, marks)


def test_several_letters_and_parts_are_told() -> None:
    several = make_sample("a-1", "BD", options={"A": "1", "B": "2", "D": "3"})
    several.answer_kind = "choices"
    assert card_of(several, {}).gold == ["B", "D"]
    parts = make_sample(
        "a-2", "", parts=[Part(label="1", answer="3"), Part(label="2", answer="x")]
    )
    parts.answer_kind = "parts"
    assert card_of(parts, {}).rows == [("answer (1)", "3"), ("answer (2)", "x")]


def test_withheld_answers_are_said_to_be() -> None:
    assert card_of(make_sample("a-1", None), {}).rows == [("gold", "withheld")]


def test_spans_colour_only_the_question_they_were_marked_in() -> None:
    sample = make_sample("a-1", question="AB is 3.")
    problem = Problem(
        id="a-1", origin="a-1", source=sample.source, question="AB is 3.",
        spans=[Span(start=0, end=2, role="DI"), Span(start=6, end=7, role="EC")],
    )  # fmt: skip
    assert card_of(sample, {}, problem).question == [
        {"m": "DI", "p": ["AB"]}, " is ", {"m": "EC", "p": ["3"]}, ".",
    ]  # fmt: skip
    sample.question = "3?"
    assert card_of(sample, {}, problem).question == "3?"


def test_a_condition_stands_before_its_question() -> None:
    sample = make_sample(
        "a-1", question="Its area?", condition="A square has side $2$."
    )
    assert card_of(sample, {}).question == [
        "A square has side ",
        {"f": "2"},
        ". Its area?",
    ]


def test_roles_colour_every_version_that_keeps_their_words() -> None:
    """MathVerse, figure 2: what a version keeps of DI, IP and EC has their colours there, too."""
    question = "As shown, DE is parallel to BC, and A = 80. Find B."
    spans = [Span(start=0, end=9, role="DI"), Span(start=10, end=30, role="IP"),
             Span(start=36, end=42, role="EC")]  # fmt: skip
    problem = Problem(id="a-1", origin="a-1", source=make_sample("a-1").source,
                      question=question, spans=spans)  # fmt: skip
    lite = make_sample(
        "a-1.text_lite", question="DE is parallel to BC, and A = 80. Find B."
    )
    dominant = make_sample(
        "a-1.vision_dominant", question="DE is parallel to BC. Find B."
    )
    marks = [Mark(0, 20, "IP"), Mark(26, 32, "EC")]
    assert card_of(lite, {}, problem).question == rich(lite.question, marks)
    assert card_of(dominant, {}, problem).question == rich(
        dominant.question, [Mark(0, 20, "IP")]
    )
