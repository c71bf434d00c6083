"""Proposed spans: clauses by role, in English and Chinese; what asks stays."""

from __future__ import annotations

import pytest
from benchwright.render.versions import check_spans, propose, texts_of
from benchwright.render.versions.role_text import text_of
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "As shown in the figure, AB is tangent to circle O, angle A = 50°, find angle O.",
            [("AB is tangent to circle O,", "IP"), ("angle A = 50°,", "EC")],
        ),
        (
            "The curve goes through (0, 1) and (2, 3). What is the slope of the line?",
            [("The curve goes through (0, 1) and (2, 3).", "DI")],
        ),
        (
            "Find the volume of the cone shown. The height of the cone is 8 cm.",
            [("cone", "IP"), ("The height of the cone is 8 cm.", "EC"), ("cone", "IP")],
        ),
        (
            "如图，DE∥BC，∠A=80°，则∠CED的大小是（ ）",
            [("DE∥BC，", "IP"), ("∠A=80°，", "EC")],
        ),
        ("AB = 3.", []),  # nothing would be asked
        (
            "As shown in the figure, AB is the diameter of circle O, C is on the circle, and "
            "angle BAC = 35°. Find angle ABC.",
            [
                (
                    "As shown in the figure,",
                    "EC",
                ),  # goes when nothing that follows it stays
                ("AB is the diameter of circle O,", "DI"),
                ("C is on the circle,", "DI"),
                ("and angle BAC = 35°", "EC"),
            ],
        ),
        (  # what leads in stays as long as one clause does
            "In rectangle ABCD, AB = 6, and E is the midpoint of CD. Find AE.",
            [("AB = 6,", "EC"), ("and E is the midpoint of CD", "IP")],
        ),
        (
            "In triangle ABC, AB = AC. Find angle B.",
            [("In triangle ABC, AB = AC.", "IP")],
        ),
        (
            "Angle C is 90°, and AC = 3. Find BC.",
            [("Angle C is 90°,", "IP"), ("and AC = 3", "EC")],
        ),
        (
            "Find the domain of f, which goes through (-2, -4) and (0, 0).",
            [(", which goes through (-2, -4) and (0, 0)", "DI")],
        ),
        (
            "Find the volume of a pipe with inner radius 3 m and length 13 m.",
            [("with inner radius 3 m and length 13 m", "EC")],
        ),
        (
            "The x-intercept of the line is -1.5. Find k.",
            [("The x-intercept of the line is -1.5.", "DI")],
        ),
        (
            "Each day, Max forgets 15 words of his list. What is left?",
            [],
        ),  # a story, no figure
        ("The figure is shown below. Find x.", []),  # only points at it
        (
            "The graph of $y = f(x)$ is shown below. Find f(1).",
            [("The graph of $y = f(x)$ is shown below.", "DI")],
        ),
        ("In the figure, if ∠B = 50°, then ∠C equals ( )°", [("if ∠B = 50°,", "EC")]),
        (
            "If $EF = 32$ and $GF = 24$, then $BE$ equals: <image1>",
            [("If $EF = 32$ and", "EC"), ("$GF = 24$,", "EC")],
        ),
        (
            "Point P (on AB, near A) is marked. AP = x. Find x.",
            [("Point P (on AB, near A) is marked.", "DI"), ("AP = x.", "EC")],
        ),
        (
            "长方体ABCD-A₁B₁C₁D₁中，AA₁=5，求BD",
            [("长方体ABCD-A₁B₁C₁D₁中，", "DI"), ("AA₁=5，", "EC")],
        ),
        ("如图，圆锥的高为4cm，求侧面积", [("圆锥的高为4cm，", "EC"), ("圆锥", "IP")]),
    ],
)
def test_roles(question: str, expected: list[tuple[str, str]]) -> None:
    spans = check_spans(question, propose(question))
    assert [(question[s.start : s.end], s.role) for s in spans] == expected


def test_values_may_count_as_shown() -> None:
    question = "Angle A is 50°. Find angle B."
    assert [s.role for s in propose(question, "DI")] == ["DI"]


@given(st.text(alphabet="AB =3°.,，。 $find?\n则()", max_size=80))
def test_proposals_are_always_valid_spans(question: str) -> None:
    texts = texts_of(question, propose(question))
    assert texts["text_only"] == question


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Find the volume of the cone shown.",
            "Find the volume of the solid figure shown.",
        ),
        ("Find the equation of the hyperbola.", "Find the equation of the graph."),
        (
            "Find the asymptotes of this hyperbola.",
            "Find the asymptotes of this graph.",
        ),
        ("Find the area of the hexagon.", "Find the area of the figure."),
        ("求抛物线的焦点", "求曲线的焦点"),
    ],
)
def test_names_of_shapes_are_drafted_away_in_vision_intensive(
    question: str, text: str
) -> None:
    assert text_of(question, propose(question), "vision_intensive") == text


def test_values_that_the_picture_prints_are_no_conditions_of_the_text() -> None:
    question = "As shown, AB = 12.0 cm, angle A = 50°, find angle O."
    roles = {
        question[s.start : s.end]: s.role for s in propose(question, "EC", {"12", "7"})
    }
    assert roles == {"AB = 12.0 cm,": "DI", "angle A = 50°,": "EC"}
