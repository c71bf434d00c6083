"""Golds in the spellings of tables, against options, by oracles written by hand."""

from __future__ import annotations

import pytest
from benchwright.options import counting_of, read_gold, read_options, undressed
from benchwright.options.golds import UNCLEAR

FOUR = read_options(["3", "4", "5", "7"])
WORDS = read_options(["after 6 min", "after 12 min", "never", "none of these"])
FORMULAS = read_options([r"$\frac{1}{2}$", r"$3 \sqrt{3}$", "6", "-6"])


@pytest.mark.parametrize(
    "gold",
    [
        "B", "b", " B ", "(B)", "[B]", "B.", "B．", "B)", "（B）", "**B**", "'B'", "$B$", "\\(B\\)",
        r"\boxed{B}", r"$\boxed{\text{B}}$", r"\text{(B)}", "②", "⑵", "Ｂ", "二", "B. 4", "(B) 4",
        "B: 4", "B、4", "b) 4", "Option B", "选B", "答案：B", "Answer: B", "The answer is (B).",
        "The correct answer is option B.", "It is 4.", ["B"], ["b"], "['B']", '["B"]',
        [False, True, False, False], {"label": "B", "text": "4"}, {"answer": "B"}, ("B",),
        "Ответ: B", "B) because 2+2 is 4", "option_b", [0, 1, 0, 0], "[0, 1, 0, 0]",
        {"3": 0, "4": 1, "5": 0, "7": 0},
    ],
)  # fmt: skip
def test_one_option_in_every_dress(gold: object) -> None:
    assert read_gold(gold, FOUR).answer == "B"


def test_the_column_that_holds_the_right_option_names_it() -> None:
    assert read_gold("opt2", read_options({"opt1": "3", "opt2": "4"})).answer == "B"


@pytest.mark.parametrize(
    "gold",
    ["BD", "DB", "B, D", "B、D", "B and D", "B;D", "(B), (D)", "②④", "bd".upper(), ["B", "D"],
     ["D", "b"], "['B', 'D']", [False, True, False, True], r"\boxed{B, D}"],
)  # fmt: skip
def test_several_options(gold: object) -> None:
    assert read_gold(gold, FOUR).answer == "BD"


@pytest.mark.parametrize(
    ("gold", "label"),
    [
        ("after 12 min", "B"), ("After 12 min.", "B"), ("never", "C"), ("D. none of these", "D"),
        ("We wait, so it is after 12 min.", "B"),
    ],
)  # fmt: skip
def test_values_in_words(gold: str, label: str) -> None:
    assert read_gold(gold, WORDS).answer == label


@pytest.mark.parametrize(
    ("gold", "label"),
    [(r"\dfrac{1}{2}", "A"), (r"$3\sqrt{3}$", "B"), ("$-6$", "D"), (r"\boxed{-6}", "D"),
     (r"B. $3\sqrt{3}$", "B"), ("−6", "D")],
)  # fmt: skip
def test_values_that_are_formulas(gold: str, label: str) -> None:
    assert read_gold(gold, FORMULAS).answer == label


@pytest.mark.parametrize(
    "gold",
    [
        "C. 4",
        "E",
        "A and B are both wrong, C is right",
        "a house",
        "BB",
        "8",
        "12",
        "",
        "none",
    ],
)
def test_what_names_no_option_or_two_stays_as_it_is(gold: str) -> None:
    assert read_gold(gold, FOUR).answer == gold


def test_what_is_more_than_the_answer_is_kept() -> None:
    assert read_gold("The answer is B.", FOUR).wording == "The answer is B."
    assert read_gold("(B)", FOUR).wording == ""


def test_without_options_a_list_of_one_is_its_value_and_several_are_a_set() -> None:
    none = read_options(None)
    assert read_gold(["3"], none).answer == "3"
    assert read_gold("['3']", none).answer == "3"
    assert (
        read_gold(["3", "-3"], none).answer,
        read_gold(["3", "-3"], none).several,
    ) == (
        "3, -3",
        True,
    )
    for gold in ("[2,6]", r"\{1,2\}", "B. 3", "(2, 3)", "x=[1]"):
        assert read_gold(gold, none).answer == gold


# Numbers: what they count is learnt from all rows, by an oracle over every way of counting.


@pytest.mark.parametrize(
    ("golds", "options", "counting"),
    [
        ([0, 1, 3], ["w", "x", "y", "z"], "index-0"),
        ([1, 2, 4], ["w", "x", "y", "z"], "index-1"),
        (["1", "2", "4"], ["w", "x", "y", "z"], "index-1"),
        ([1, 2, 3], ["w", "x", "y", "z"], UNCLEAR),
        ([0, 4], ["w", "x", "y", "z"], UNCLEAR),
        ([7, 3], ["3", "4", "5", "7"], "value"),
        (["B", "C"], ["w", "x", "y", "z"], ""),
        ([2, 3], ["1", "2", "3", "4"], UNCLEAR),
        ([2, "three"], ["1", "2", "three", "4"], "value"),
        ([1, 3], {"1": "x", "2": "y", "3": "z"}, "label"),
    ],
)
def test_how_the_rows_of_a_source_count(
    golds: list[object], options: object, counting: str
) -> None:
    assert counting_of((gold, read_options(options)) for gold in golds) == counting


def test_a_number_is_read_as_its_source_counts_or_named() -> None:
    letters = read_options(["w", "x", "y", "z"])
    assert read_gold(1, letters, "index-0").answer == "B"
    assert read_gold("1", letters, "index-1").answer == "A"
    assert read_gold(4, FOUR, "value").answer == "B"
    doubtful = read_gold(2, letters, UNCLEAR)
    assert (doubtful.answer, "C by index-0, B by index-1" in doubtful.doubt) == (
        "2",
        True,
    )
    assert read_gold(9, letters, "index-0").answer == "9"


def test_dress_is_taken_off_step_by_step() -> None:
    assert [*undressed(r"$\boxed{\text{(B)}}$.")][-1] == "B"
    assert len([*undressed("(" * 500 + "B" + ")" * 500)]) <= 9


def test_a_worked_solution_with_its_answer_in_a_box_gives_both() -> None:
    none, four = read_options([]), read_options(["2", "3", "4", "5"])
    worked = r"We have $2 + 2 = \boxed{4}$."
    gold = read_gold(worked, none)
    assert (gold.answer, gold.solution, gold.wording) == ("4", worked, "")
    assert read_gold(worked, four, "value").answer == "C"
    two = read_gold(r"So $x=\boxed{\frac12}$ or $x=\boxed{5}$.", none)
    assert (two.answer, two.several) == (r"\frac12, 5", True)
    for bare in (r"$\boxed{4}$", r"\boxed{4}.", r"it is \boxed{4"):
        assert not read_gold(bare, none).solution


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("3 and 2 are <<3+2=5>>5.\n#### 5", "5"),  # as GSM8K writes it
        ("A dozen.\n#### 1,200", "1,200"),
        ("#### 5", "#### 5"),  # one line is no worked solution
        ("#### Way\nIt is 5.", "#### Way\nIt is 5."),
    ],
)
def test_a_worked_solution_ends_on_its_answer(gold: str, answer: str) -> None:
    read = read_gold(gold, read_options(None))
    assert read.answer == answer
    assert read.solution == (gold if answer != gold else "")
