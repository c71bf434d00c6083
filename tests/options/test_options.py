"""Options in the spellings of tables, records and texts, by oracles written by hand."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from benchwright.options import (
    Choices,
    in_order,
    options_in_cell,
    options_in_question,
    read_options,
)
from benchwright.words import CLOSING, OPENING, ranks

THREE = ["3", "4", "5"]


@pytest.mark.parametrize(
    "cell",
    [
        "A. 3 B. 4 C. 5", "A. 3; B. 4; C. 5", "A. 3, B. 4, C. 5", "(A) 3 (B) 4 (C) 5",
        "（A）3（B）4（C）5", "A) 3\nB) 4\nC) 5", "a ) 3 , b ) 4 , c ) 5", "[A] 3 [B] 4 [C] 5",
        "A、3 B、4 C、5", "Ａ．3　Ｂ．4　Ｃ．5", "A: 3 | B: 4 | C: 5", "A - 3; B - 4; C - 5",
        "A=3;B=4;C=5", "A.3B.4C.5", "A 3\nB 4\nC 5", "A | 3\nB | 4\nC | 5", "A→3, B→4, C→5",
        "**A.** 3 **B.** 4 **C.** 5", "**A**: 3\n**B**: 4\n**C**: 5",
        "__(A)__ 3 __(B)__ 4 __(C)__ 5", r"\textbf{A.} 3 \textbf{B.} 4 \textbf{C.} 5",
        "<b>A.</b> 3<br><b>B.</b> 4<br><b>C.</b> 5", "Option A: 3 Option B: 4 Option C: 5",
        "选项A：3 选项B：4 选项C：5", "Choice 1: 3\nChoice 2: 4\nChoice 3: 5", "1) 3 2) 4 3) 5",
        "(1) 3 (2) 4 (3) 5", "1. 3\n2. 4\n3. 5", "① 3 ② 4 ③ 5", "⑴3⑵4⑶5", "ⓐ 3 ⓑ 4 ⓒ 5",
        "甲：3 乙：4 丙：5", "一、3 二、4 三、5", "i) 3 ii) 4 iii) 5", "I. 3 II. 4 III. 5",
        "А) 3 Б) 4 В) 5", "α) 3 β) 4 γ) 5", "가. 3 나. 4 다. 5", "ㄱ. 3 ㄴ. 4 ㄷ. 5",
        "ア 3\nイ 4\nウ 5", "أ) 3 ب) 4 ج) 5", "א. 3 ב. 4 ג. 5", "3; 4; 5", "3；4；5；", "3 | 4 | 5",
        "3|4|5", "3\n4\n5", "- 3\n- 4\n- 5", "• 3 • 4 • 5", "3 / 4 / 5", "3, 4, 5", "3，4，5",
        "3、4、5", "3\t4\t5", "3###4###5", "3 or 4 or 5", "3   4   5",
        "<ol><li>3</li><li>4</li><li>5</li></ol>", "<p>A. 3</p><p>B. 4</p><p>C. 5</p>",
        "['3', '4', '5']", "['3' '4' '5']", '["3", 4, "5"]',
        "array(['3', '4', '5'], dtype=object)", "('3', '4', '5')", '"3", "4", "5"', "[3, 4, 5]",
        "{'A': '3', 'B': '4', 'C': '5'}", '{"a": 3, "b": 4, "c": 5}',
    ],
)  # fmt: skip
def test_three_options_in_one_text(cell: str) -> None:
    options = read_options(cell).options
    assert [(o.label, o.text) for o in options] == [*zip("ABC", THREE, strict=True)]


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("A、-4 B、-3 C、-2", ["-4", "-3", "-2"]),
        ("A. |x| B. |y| C. |z|", ["|x|", "|y|", "|z|"]),
        ("A. .5 B. .6", [".5", ".6"]),
        ("A. **x** B. **y**", ["**x**", "**y**"]),
        ("A. B; B. C; C. D; D. None", ["B", "C", "D", "None"]),
        ("1) 3.5 2) 4.5 3) 5.5", ["3.5", "4.5", "5.5"]),
        ("1. 3.5 2. 4.5 3. 5.5", ["3.5", "4.5", "5.5"]),
        ("A. $f(A)$ B. $f(B)$ C. $C. x$", ["$f(A)$", "$f(B)$", "$C. x$"]),
        ("A. I only B. II only C. I and II", ["I only", "II only", "I and II"]),
        ("A. Point A. is B. Point B. is", ["Point A. is", "Point B. is"]),
        ("A. 3 C. 5 B. 4 D. 6", ["3", "4", "5", "6"]),
        ("A. 3, 5; B. 3, 6; C. 30, 6.", ["3, 5", "3, 6", "30, 6."]),
        ("1,200, 1,300, 1,400", ["1,200", "1,300", "1,400"]),
        ("(2, 3), (4, 5), (6, 7)", ["(2, 3)", "(4, 5)", "(6, 7)"]),
        ("[$x$, $y$, $z$]", ["$x$", "$y$", "$z$"]),
        ("$\\{1,2\\}$; $\\{1;2\\}$", ["$\\{1,2\\}$", "$\\{1;2\\}$"]),
        ("No, it is not", ["No, it is not"]),
        ("A B C D", ["A", "B", "C", "D"]),
        ("", []),
    ],
)
def test_what_an_option_holds_is_not_cut(cell: str, texts: list[str]) -> None:
    assert [o.text for o in read_options(cell).options] == texts


def test_the_last_label_may_leave_some_out() -> None:
    options = options_in_cell("A. 1; B. 2; E. No correct answer").options
    assert [(o.label, o.text) for o in options] == [
        ("A", "1"), ("B", "2"), ("E", "No correct answer"),
    ]  # fmt: skip


def test_text_before_the_labels_is_kept_apart() -> None:
    assert options_in_cell("Options: (A) 3 (B) 4").before == "Options:"


@pytest.mark.parametrize(
    "value",
    [
        THREE, [3, 4, 5], ["(A)3", "(B)4", "(C)5"], ["A) 3", "B) 4", "C) 5"], ["A. 3; B. 4; C. 5"],
        ("3", "4", "5"), [["A", "3"], ["B", "4"], ["C", "5"]], [{"A": "3"}, {"B": "4"}, {"C": "5"}],
        {"A": "3", "B": "4", "C": "5"}, {"option_a": "3", "option_b": "4", "option_c": "5"},
        {"0": "3", "1": "4", "2": "5"}, {"A": "3", "B": "4", "C": "5", "D": None},
        {"label": ["A", "B", "C"], "text": THREE}, {"choices": THREE},
        [{"label": x, "text": t} for x, t in zip("ABC", THREE, strict=True)],
        [{"key": x, "value": t} for x, t in zip("abc", THREE, strict=True)],
        [{"id": k, "content": t, "ok": k == 2} for k, t in enumerate(THREE, 1)],
        [{"text": t} for t in THREE], {"A": {"text": "3"}, "B": {"text": "4"}, "C": {"text": "5"}},
    ],
)  # fmt: skip
def test_three_options_as_plain_data(value: object) -> None:
    options = read_options(value).options
    assert [(o.label, o.text) for o in options] == [*zip("ABC", THREE, strict=True)]


def test_records_say_which_is_right_and_where_the_picture_is() -> None:
    choices = read_options(
        [
            {"t": "x", "img": "a.png", "correct": False},
            {"t": "y", "img": "b.png", "correct": True},
        ]
    )
    assert choices.right == [False, True]
    assert choices.pictures == ["a.png", "b.png"]
    assert [o.text for o in choices.options] == ["x", "y"]


def test_a_tick_says_which_is_right() -> None:
    choices = options_in_question("Which?\n[ ] A. 3\n[x] B. 4\n[ ] C. 5")[1]
    assert ([o.text for o in choices.options], choices.right) == (
        THREE,
        [False, True, False],
    )


def test_an_empty_column_keeps_the_labels_of_those_behind() -> None:
    options = read_options({"A": "3", "B": None, "C": "5"}).options
    assert [(o.label, o.text) for o in options] == [("A", "3"), ("B", ""), ("C", "5")]


@pytest.mark.parametrize(
    ("question", "stem", "texts"),
    [
        ("Which is even? A. 3 B. 4 C. 5", "Which is even?", THREE),
        ("Which is even?\n(A) 3\n(B) 4\n(C) 5", "Which is even?", THREE),
        ("Is $A. 1 B. 2 C. 3$ it?", "Is $A. 1 B. 2 C. 3$ it?", []),
        ("Is it?\nA. 3\nB. 4\nC. 5\n\nSee <image1>", "Is it?\nSee <image1>", THREE),
        ("Let A, B and C be points.", "Let A, B and C be points.", []),
        (
            r"Is it? $\textbf{(A)}\ 3 \qquad \textbf{(B)}\ 4 \qquad \textbf{(C)}\ 5$",
            "Is it?",
            ["$3$", "$4$", "$5$"],
        ),
        (
            "Is it?\n\\begin{align*}\n\\text{A)}\\ & 3 &\\text{B)}\\ & 4\\\\\n"
            "\\text{C)}\\ & 5\\\\\n\\end{align*}",
            "Is it?",
            ["$3$", "$4$", "$5$"],
        ),
        (
            "A, B, C lie so. Which?\nA 3\nB 4\nC 5\nAnswer:",
            "A, B, C lie so. Which?\nAnswer:",
            THREE,
        ),
        (
            r"Let $x=2$. $\text{(A) }3 \text{(B) }4 \text{(C) }5$",
            "Let $x=2$.",
            ["$3$", "$4$", "$5$"],
        ),
        ("Which?\n**Options:**\nA. 3\nB. 4\nC. 5", "Which?", THREE),
        (r"Which? \begin{tasks}(4)\task 3\task 4\task 5\end{tasks}", "Which?", THREE),
        ("Which?\n\\begin{enumerate}[A.]\n\\item 3\n\\item 4 \\item 5\n\\end{enumerate}", "Which?",
         THREE),
        ("Which?\n- [ ] A. 3\n- [ ] B. 4\n- [ ] C. 5", "Which?", THREE),
    ],
)  # fmt: skip
def test_options_at_the_end_of_a_question(
    question: str, stem: str, texts: list[str]
) -> None:
    found, choices = options_in_question(question)
    assert (found, [o.text for o in choices.options]) == (stem, texts)


def test_orders_of_signs() -> None:
    assert in_order([*"甲乙丙"])
    assert in_order([*"①②③④"])
    assert not in_order([*"ACB"])
    assert ("1", 9) in ranks("10")


@pytest.mark.parametrize(
    "cell",
    ["A. " * 16_000, "(" * 50_000, "1 " * 25_000, "a b " * 12_000, "$" * 50_000, "[" * 50_000,
     "; " * 25_000, "{'" * 25_000, "**A" * 16_000, "\\text{" * 8_000, "A" * 50_000],
)  # fmt: skip
def test_the_time_is_linear(cell: str) -> None:
    def seconds(text: str) -> float:
        spent = []
        for _ in range(3):
            start = time.process_time()
            with suppress(ValueError):
                read_options(text)
            spent.append(time.process_time() - start)
        return min(spent)

    assert seconds(cell) < 8 * seconds(cell[: len(cell) // 4]) + 0.2


def test_too_much_is_refused_by_its_size() -> None:
    with pytest.raises(ValueError, match="options of 1,000,000 characters"):
        read_options("x" * 1_000_000)
    with pytest.raises(ValueError, match="10,000 options"):
        read_options(["x"] * 10_000)


def test_dots_in_front_of_a_text_are_its_own() -> None:
    text = "How many?\n(A) ... only be 3.\n(B) ... be 3 or 4.\n(C) ... be 5."
    _, choices = options_in_question(text)
    assert [o.text for o in choices.options] == [
        "... only be 3.",
        "... be 3 or 4.",
        "... be 5.",
    ]


def test_a_minus_behind_a_circled_label_belongs_to_its_number() -> None:
    _, choices = options_in_question(
        "Which is true?\n① x < - 1　② - 1 < x < 0　③ x = 0"
    )
    assert [option.text for option in choices.options] == [
        "x < - 1",
        "- 1 < x < 0",
        "x = 0",
    ]


def test_a_question_with_more_items_than_letters_has_no_options() -> None:
    question = "Which are prime?\n" + "\n".join(
        f"({k}) {k * k + 1}" for k in range(1, 40)
    )
    assert options_in_question(question) == (question, Choices())


@pytest.mark.parametrize(
    "names", ["A, B, C, D or E", "1, 2, 3, 4, 5 and 6", "A、B、C、D 和 E"]
)
def test_names_in_a_row_are_no_options(names: str) -> None:
    question = f"One of the children {names} was wrong. Which one?"
    assert options_in_question(question)[1].options == []


def test_every_bracket_of_labels_is_one_of_options() -> None:
    """One list of brackets serves exams and options: what is added there counts here."""
    opens, shuts = OPENING.replace("\\", ""), CLOSING.replace("\\", "")
    unread = [
        a + b
        for a, b in zip(opens, shuts, strict=True)
        if [o.text for o in options_in_cell(f"{a}A{b} 3 {a}B{b} 4 {a}C{b} 5").options]
        != THREE
    ]
    assert (len(opens), unread) == (10, [])
