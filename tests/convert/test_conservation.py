"""What a raw row holds is in its problem, its notes, outside, or missed by name."""

from __future__ import annotations

import pytest
from benchwright import Holding
from benchwright.convert import (
    Held,
    held_in,
    held_in_html,
    losses,
    lost,
    row_of,
    signs,
    unaccounted,
)
from benchwright.problem import Option, Problem, Source


def problem(question: str, *options: str, **more: object) -> Problem:
    lettered = [Option(label="ABCDE"[k], text=text) for k, text in enumerate(options)]
    source = Source(name="a", raw_id="7")
    return Problem(
        id="a-7", origin="a-7", source=source, question=question, options=lettered,
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"$\alpha+\beta$", "α + β"),
        (r"$\frac{1}{2}$", "½"),
        ("ｘ＝１", "x=1"),
        (r"\begin{array}{c}1\end{array}", "c 1"),
        (r"$\sin\theta$", "sin θ"),
        (r"$\triangle ABC$ <image2>", "△ABC"),
        (r"$30^{\circ}$", "30º"),
    ],
)
def test_the_same_seen_in_two_spellings_has_the_same_signs(
    one: str, other: str
) -> None:
    assert signs(one) == signs(other)


def test_what_is_lost_is_shown_by_its_words() -> None:
    assert lost("Find the area. Use a ruler.", ["Find the area."]) == "Use ruler"
    assert lost("ab a", ["ab"]) == "a"  # each word stands there, one letter is too few
    assert lost("求面积。提示：作高", ["求面积。"]) == "提示 作高"


@pytest.mark.parametrize("other", ["aside", "zweitens"])
def test_a_text_that_stands_in_two_columns_is_not_lost_where_one_is_used(
    other: str,
) -> None:
    text = "How many apples are there?"
    row = row_of({"aside": text, "stem": text, "zweitens": text}, ["stem"])
    assert unaccounted(row, problem(text)) == ([], [])
    used = row_of({other: text, "stem": text}, ["stem", other])
    assert unaccounted(used, problem(text, solution=text)) == ([], [])


def test_a_row_is_held_together_with_its_problem() -> None:
    row = {"stem": "Which is even?", "opts": "A. 3; B. 4; C. 5", "topic": "parity"}
    whole = row_of(row, ["stem", "opts"])
    assert unaccounted(whole, problem("Which is even?", "3", "4", "5"))[0] == []
    notes, outside = unaccounted(whole, problem("Which is even?", "3", "4"))
    assert notes == ["lost-text: opts: C 5"]
    assert [(one.where, one.text) for one in outside] == [("topic", "parity")]


def test_a_text_is_not_found_twice() -> None:
    row = row_of({"q": "Add 7.", "hint": "Add 7."}, ["q", "hint"])
    assert unaccounted(row, problem("Add 7."))[0] == ["lost-text: hint: Add"]
    assert unaccounted(row, problem("Add 7.", solution="Add 7."))[0] == []


def test_a_long_column_is_shown_by_its_start() -> None:
    _, outside = unaccounted(Holding({"x": [Held("x", "é" * 5000)]}), problem("q"))
    assert len(outside[0].text) < 400
    assert "5,000 characters" in outside[0].text


MATHML = "<math><mi>x</mi><mo>=</mo><mn>3</mn></math>"


@pytest.mark.parametrize(
    ("html", "text", "notes"),
    [
        (f"<p>Let {MATHML}, find <i>y</i></p>", "Let $x=3$, find $y$", []),
        (f"<p>Let {MATHML}, find y</p>", "Let , find y", ["lost-text: question: x 3"]),
        (
            '<p>Let <mjx-container><mjx-math><mjx-c class="mjx-c1D465"></mjx-c></mjx-math>'
            "</mjx-container>!</p>",
            "Let !",
            ["lost-text: question: x"],
        ),
        ("<p>See <canvas></canvas></p>", "See", ["lost-picture: question: canvas"]),
        ('<p>See <object data="b.svg"></object></p>', "See <image1>", []),
        ('<p>Is <img alt="$a+b$" src="f.png"> odd?</p>', "Is $a+b$ odd?", []),
        (
            '<p>Is <img alt="$a+b$" src="f.png"> odd?</p>',
            "Is odd?",
            ["lost-picture: question: f.png"],
        ),
        (
            '<p>Is <span class="katex-inline" data-id="e1"></span>?</p>',
            "Is ?",
            ["lost-formula: question: 1 of 1 show nothing to read"],
        ),
        ("<p>one<newline/>two</p><style>p{}</style><!-- three -->", "one two", []),
    ],
)  # fmt: skip
def test_what_a_page_shows_is_held_together_with_its_text(
    html: str, text: str, notes: list[str]
) -> None:
    assert list(losses(held_in_html("question", html), [text])) == notes


@pytest.mark.parametrize(
    "html", ["<", "<p", "a\0b", "<b" * 3000, "<p>" * 3000, "&#xffffffff;"]
)
def test_damaged_pages_are_read_as_far_as_they_go(html: str) -> None:
    assert held_in_html("question", html).where == "question"


def test_leaves_of_a_deep_value() -> None:
    deep: object = "x"
    for _ in range(50_000):
        deep = [deep]
    assert [one.text for one in held_in(deep, "row")] == ["x"]
