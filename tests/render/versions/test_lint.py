"""Lint: what a person must read, and no alarm on sound texts."""

from __future__ import annotations

import pytest
from benchwright.problem import Span
from benchwright.render.versions import lint
from benchwright.render.versions.lint import lint_conditions, lint_cut, values


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A radius of 3 cm. Find L.", "no-verb"),
        ("The height is of. Find L.", "dangling-word"),
        ("In the figure, find the angle of , and say it.", "dangling-word"),
        ("Find L,. Then stop.", "doubled-punctuation"),
        ("find L.", "lower-case-start"),
        ("It is shown. find L.", "lower-case-start"),
        ("Find the the length.", "repeated-word"),
        ("It is then is 5.", "broken-join"),
        ("The is 5 cm. Find L.", "broken-join"),
        ("Find $x.", "unbalanced-dollar"),
        ("Find (x.", "unbalanced-parentheses"),
        ("", "empty-text"),
        ("如图，已知，求x", "dangling-word"),
        ("如图，，求x", "doubled-punctuation"),
        ("What is its slope?", "dangling-pronoun"),
        ("求其面积", "dangling-pronoun"),
        ("Find the distance to the top of a tree from a point to be.", "dangling-word"),
        ("The angle of is 30°.", "function-words"),
        ("What is the length of?", "dangling-word"),
        ("A cone has height 5. Find what the radius is and.", "dangling-word"),
        ("Find the of the cone.", "function-words"),
        ("The surface area is mm.", "bare-unit"),
        ("The angle is °.", "bare-unit"),
        ("则面积为cm。", "bare-unit"),
        ("A circle has radius and centre O. Find x.", "lost-value"),
        ("AB is twice as long. Find AB.", "cut-comparison"),
        ("AB is 3 times the. Find AB.", "cut-comparison"),
        ("Find the angle between AB.", "cut-comparison"),
    ],
)
def test_flagged(text: str, code: str) -> None:
    assert code in {issue.code for issue in lint(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Find the area of triangle ABC.",
        "The function T models the temperature as a function of height.",
        "The cylinder has radius and height 2, and its side is twice as long as AB.",
        "How many degrees is the angle between AB and CD? Its area is in cm.",
        "A die is rolled 3 times. Its number of degrees is three times that of angle B.",
        "What is the y-coordinate of point A?",
        "The domain is [0, 1). Find f(x).",
        "如图，已知∠A=80°，则∠CED的大小是（ ）",
        "Solve $x , , y$ for x.",  # never inside mathematics
        "The flight left at 12:00 a.m. and it is late.",
        "AB ⟂ CD at point E. Find ∠AEC.",
        "Triangle ABC is shown. What is its area?",
        "求其中一条边的长",
        "In right triangle $ABC$, $AC = BC$. Find $x$.",
        "A solid has a surface area of 5 mm. What must the height $h$ of the solid figure be?",
        "State the centre in the form (a,b).",
    ],
)
def test_sound_texts_pass(text: str) -> None:
    assert lint(text) == []


def test_conditions_must_be_in_the_picture_and_not_in_the_vision_text() -> None:
    question = "The radius is 3.0 cm and AB = 3 cm. Find L."
    spans = [Span(start=0, end=20, role="EC")]
    codes = lambda texts: [i.code for i in lint_conditions(question, spans, texts)]  # noqa: E731
    assert codes(["r = 3", "A"]) == [
        "condition-in-vision-text"
    ]  # AB = 3 still tells it
    assert codes(["4"]) == ["condition-in-vision-text", "condition-nowhere"]
    assert codes(None) == ["condition-in-vision-text", "condition-unchecked"]
    whole = [Span(start=0, end=36, role="EC")]
    assert lint_conditions(question, whole, ["3 cm"]) == []


def test_values_are_written_alike() -> None:
    assert values("3.0, 05, $50^{\\circ}$ and 2.50") == {"3", "5", "50", "2.5"}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (r"an area of $12 \mathrm{~cm}^2$", {"12"}), (r"is $7cm^{3}$", {"7"}),
        ("$3x^2$ is 4", {"2", "3", "4"}), (r"$5^2$ m", {"5", "2"}),
    ],
)  # fmt: skip
def test_the_power_of_a_unit_is_no_value(text: str, numbers: set[str]) -> None:
    assert values(text) == numbers


def test_a_condition_inside_other_text_is_named() -> None:
    """EC inside DI goes with it in Text Lite and Vision Intensive: nobody would see it again."""
    question = "In the triangle with AB = 3 cm, find the area."
    inner = Span(start=21, end=30, role="EC")
    outer = Span(start=0, end=31, role="DI")
    codes = [i.code for i in lint_conditions(question, [outer, inner], ["3 cm"])]
    assert codes == ["condition-goes-along"]
    around = [Span(start=0, end=31, role="EC"), Span(start=0, end=15, role="DI")]
    assert lint_conditions(question, around, ["3 cm"]) == []


@pytest.mark.parametrize(
    ("marked", "is_broken"),
    [
        ("The graph of [[y = 2x + 1 is shown.]] Find a + b + c.", True),
        ("AB is [[5 cm]] and BC is 3.", True),
        ("The radius of [[the circle is 5.]] Find its area.", True),
        ("In triangle ABC with [[AB = 5,]] find BC.", True),
        ("[[The line AB]] is parallel to CD.", True),
        ("DE divides [[BC into 2 and 3]]. Find BD.", True),
        ("ABCD is a rectangle. [[AB is 5 and BC is 3.]] What is its area?", False),
        ("As shown in the figure, [[AB = 5,]] find BC.", False),
        ("A [[square]] pyramid is shown. Find its height.", False),
        (
            "In the figure, AB is parallel to CD[[, and angle A is 50°]]. Find angle C.",
            False,
        ),
        ("What is the area of the shaded region[[ if AB = 4]]?", False),
    ],
)
def test_a_cut_is_judged_at_its_seam(marked: str, is_broken: bool) -> None:
    start = marked.index("[[")
    end = marked.index("]]") - 2
    question = marked.replace("[[", "").replace("]]", "")
    span = Span(start=start, end=end, role="EC")
    codes = [issue.code for issue in lint_cut(question, [span], "vision_dominant")]
    assert codes == (["broken-seam"] if is_broken else [])
