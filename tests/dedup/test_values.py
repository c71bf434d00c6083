"""Answers and options are compared by what they say, as the project grades."""

from __future__ import annotations

import pytest
from benchwright.dedup import Item
from benchwright.dedup import values as module
from benchwright.dedup.classes import compare
from benchwright.dedup.values import Values, fingerprint


def item(options: list[str], answer: str) -> Item:
    return Item(
        id="1",
        question="",
        options=list(zip("ABCDE", options, strict=False)),
        answer=answer,
    )


@pytest.mark.parametrize("answer", ["B", "b", "(B)", "B."])
def test_a_letter_is_read_through_its_option(answer: str) -> None:
    assert item(["I", "$I, II$"], answer).value == "$I, II$"


def test_an_answer_without_option_is_itself_and_a_bare_letter_says_nothing() -> None:
    assert item([], "$\\dfrac12$").value == "$\\dfrac12$"
    assert item(["A", "B"], "B").value == ""


@pytest.mark.parametrize(("a", "b", "equal"), [
    ("12", "$12 \\mathrm{~cm}^2$", True),
    ("6", "6 cm", True),
    ("0.5", "1/2", True),
    ("60°", "60", True),
    ("3", "4", False),
    ("$a+2b$", "$2a+b$", False),
    ("12 cm", "12 m", False),
    ("1 m", "100 cm", True),
    ("$x = 2$ or $x = 3$", r"\{3, 2\}", True),
    ("(1, 3)", "[1, 3]", False),
    ("$x > 2$", "$2 < x$", True),
    ("$2x + 3y = 6$", "$4x + 6y = 12$", True),
    ("$(a+b)^2$", "$a^2 + 2ab + b^2$", True),
    (r"$2 \pm \sqrt 3$", r"$2 - \sqrt 3$, $2 + \sqrt 3$", True),
    ("12 : 7", r"\frac{12}{7}", True),
    ("1/3", "0.333", True),
    ("1/3", "0.34", False),
    ("ⓐ $5^6$ ⓑ 3", "ⓐ 15625 ⓑ 3", True),
    ("text} $3$", "text} $5$", False),
    ("yes", "Yes.", True),
])  # fmt: skip
def test_values_are_equal_as_they_are_graded(a: str, b: str, equal: bool) -> None:
    for one, other in ((a, b), (b, a)):
        values = Values()
        assert (values.number(one) == values.number(other)) is equal


def test_a_number_without_unit_does_not_join_two_units() -> None:
    for texts in (
        ["12", "12 cm", "12 m"],
        ["12 cm", "12", "12 m"],
        ["12 cm", "12 m", "12"],
    ):
        values = Values()
        numbers = dict(zip(texts, map(values.number, texts), strict=True))
        assert numbers["12 cm"] != numbers["12 m"]
        assert numbers["12"] in (numbers["12 cm"], numbers["12 m"])


def test_a_value_is_graded_at_most_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, grade_item = [], module.grade_item
    monkeypatch.setattr(
        module, "grade_item", lambda i: calls.append(i) or grade_item(i)
    )
    texts = [
        rf"$\frac{{{k}\sqrt{{{m}x}}}}{{7}}+{k * m}x^2$"
        for k in range(20)
        for m in range(20)
    ]
    texts += [f"it takes {k} days, then {7 - k}" for k in range(8)]
    values = Values()
    numbers = [values.number(text) for text in texts * 2]
    assert numbers[: len(texts)] == numbers[len(texts) :]
    assert len(calls) <= 2 * len(texts)
    assert fingerprint("x" * 10**6).rough is None


def same_answer_of(a: Item, b: Item) -> str:
    return compare(a, b, []).answer


def same_options_of(a: Item, b: Item) -> str:
    return compare(a, b, []).options


def test_letters_count_only_where_nothing_is_said() -> None:
    assert same_answer_of(item(["7", "8"], "A"), item(["8", "7"], "B")) == "equal"
    assert same_answer_of(item(["7", "8"], "A"), item(["8", "7"], "A")) == "differ"
    assert same_answer_of(item(["7", "8"], "A"), item([], "7 cm")) == "equal"
    assert same_answer_of(item(["A", "B"], "A"), item(["A", "B"], "B")) == "differ"
    assert same_answer_of(item(["A", "B"], "A"), item([], "7")) == "unknown"


def test_options_in_another_spelling_or_order() -> None:
    one = item(["1/2", "2", "3"], "A")
    assert same_options_of(one, item(["0.5", "2", "3"], "A")) == "respelled"
    assert same_options_of(one, item(["3", "0.5", "2"], "B")) == "shuffled"
    assert same_options_of(one, item(["3", "0.5", "4"], "B")) == "differ"
    assert same_options_of(one, item([], "3")) == "one side"
