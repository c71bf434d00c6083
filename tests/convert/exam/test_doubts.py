"""What a damaged or unusual exam must not hide: each loss is flagged at the problem it concerns."""

from __future__ import annotations

import pytest
from benchwright.convert.exam import Exam, split_exam

CHOICES = "(A) 1 (B) 2 (C) 3 (D) 4"
NUMBERS = range(1, 9)


def exam(**changes: str) -> str:
    """Eight problems of four options; `p3="..."` prints the third one otherwise."""
    return "\n\n".join(
        changes.get(f"p{n}", f"{n}. What is the sum of {n} terms?\n{CHOICES}")
        for n in NUMBERS
    )


def kinds(cut: Exam) -> dict[str, set[str]]:
    """Problem -> kinds of its issues."""
    issue_kinds: dict[str, set[str]] = {}
    for issue in cut.issues:
        issue_kinds.setdefault(issue.problem, set()).add(issue.kind)
    return issue_kinds


def test_a_regular_exam_has_no_issue() -> None:
    assert split_exam(exam()).issues == []


@pytest.mark.parametrize(
    ("printed", "problem", "kind"),
    [
        (f"3. Sum?\n{CHOICES[:-5]}", "3", "option-count"),
        ("3. Sum?\n(A) 1 (B) 2 C 3 (D) 4", "3", "options-not-split"),
        ("3. Sum?\nA  1  B  2  8  3  D  4", "3", "options-not-split"),
        (f"What is lost?\n{CHOICES}", "2", "two-option-sets"),
        (f"3. One?\n{CHOICES}\n3. Two?\n{CHOICES}", "3", "number-doubtful"),
        ("3. Sum?\n(a) 1 (b) 2 (c) 3 (d) 4", "3", "options-or-parts"),
        (
            "3. Sum?\n(A) 1\n(B) 2\n(C) 3\n(D) 4\nDrawings by Ada",
            "3",
            "text-after-options",
        ),
        (f"3. Sum?\n{CHOICES}\nPage 7 of 9", "3", "page-line"),
        (
            f"3. Sum of $ a, which is the first one, and b$?\n{CHOICES}",
            "3",
            "dollar-unbalanced",
        ),
        (
            f"3. Sum of $a b, which is the first one, and b$?\n{CHOICES}",
            "3",
            "dollar-unbalanced",
        ),
        (f"3. Sum?\n{CHOICES}\nAnswer: E", "3", "answer-no-option"),
        ("3. Is the sum odd?\nA. Yes\nB. No", "3", "options-not-split"),
        (
            "3. Which?\n" + "\n".join(f"![]({x}.png) {x}" for x in "ABCD"),
            "3",
            "options-not-split",
        ),
    ],
)
def test_what_breaks_the_rule_is_flagged(printed: str, problem: str, kind: str) -> None:
    assert kind in kinds(split_exam(exam(p3=printed)))[problem]


def test_the_last_number_of_a_part_lost_inside_a_line() -> None:
    part = "\n".join(f"{n}. Question {n}?" for n in (1, 2, 3, 4, 5))
    lost = part.replace("\n5.", " 5.")
    cut = split_exam(f"# 3 points\n{lost}\n# 4 points\n{part}")
    assert "number-missing" in kinds(cut)["1.4"]


def test_the_first_number_of_a_part_lost() -> None:
    part = "\n".join(f"{n}. Question {n}?" for n in NUMBERS)
    cut = split_exam(f"# 3 points\n{part}\n# 4 points\n{part[3:]}")
    assert "number-missing" in kinds(cut)["1.8"]


def test_running_lines_are_flagged_and_pages_removed() -> None:
    changes = {f"p{n}": f"{n}. What is it?\n\nSpring Contest {n}" for n in (2, 4, 6)}
    changes |= {
        f"p{n}": f"{n}. What is it?\n\nSpring Contest, page {n}\n" for n in (3, 5)
    }
    cut = split_exam(exam(**changes))
    issue_kinds = kinds(cut)
    assert all("repeated-line" in issue_kinds[k] for k in "246")
    assert issue_kinds[""] == {"page-line-removed"}
    assert cut.problems[2].question == "What is it?"


def test_what_stands_before_the_first_number_is_shared_or_listed() -> None:
    shared = "Questions 1-2 refer to the figure.\n![](https://h/a-1.jpg)\n\n"
    assert [len(p.figures) for p in split_exam(shared + exam()).problems[:3]] == [
        1,
        1,
        0,
    ]
    front = split_exam(f"1. Do not open.\n2. Use a pen.\n\n{exam()}")
    assert kinds(front) == {"": {"text-before-first"}}


def test_small_and_circled_labels_are_called_by_capitals() -> None:
    for labels in ("abcd", "①②③④"):
        text = exam()
        for small, capital in zip(labels, "ABCD", strict=True):
            text = text.replace(
                f"({capital})", f"({small})" if labels == "abcd" else small
            )
        cut = split_exam(text, "\n".join(f"{n}. {labels[1]}" for n in NUMBERS))
        assert [o.label for o in cut.problems[0].options] == list("ABCD")
        assert {p.answer for p in cut.problems} == {"B"}
        assert cut.issues == []


def test_parts_of_a_question_are_no_options() -> None:
    parts = "(a) Find $x$. (b) Find $y$. (c) Prove it. (d) Is it true?"
    cut = split_exam("\n".join(f"{n}. Let $x>0$. {parts}" for n in NUMBERS))
    assert [len(p.options) for p in cut.problems] == [0] * 8
    assert cut.problems[0].question.endswith("Is it true?")


def test_statements_in_circles_are_no_options() -> None:
    text = "1. 下列说法：①甲；②乙；③丙；④丁．其中正确的是（　　）\nA．①②　B．③④　C．①③　D．②④"
    [problem] = split_exam(text).problems
    assert [o.text for o in problem.options] == ["①②", "③④", "①③", "②④"]


def test_pictures_in_a_table_of_options() -> None:
    """The address of a crop holds `&`, which is no border of a cell."""
    crop = "https://h/x-01.jpg?height=9&width=8&top_left_y={}&top_left_x=6"
    rows = r" \\ ".join(f"({c}) & ![]({crop.format(k)})" for k, c in enumerate("ABCD"))
    [problem] = split_exam(
        rf"1. Which? \begin{{tabular}}{{ll}}{rows}\end{{tabular}}"
    ).problems
    assert [o.text for o in problem.options] == [f"<image{k}>" for k in (1, 2, 3, 4)]
    assert [figure.box.top for figure in problem.figures if figure.box] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "key",
    [
        "<table><tr><th>No.</th><th>Key</th></tr><tr><td>1</td><td>B</td></tr>"
        "<tr><td>2</td><td>-3</td></tr></table>",
        "- 1. B\n- 2. -3",
        "Part I\n1. B\nPart II\n2. -3",
        "1．B　2．-3",
        "1: B, 2: -3",
    ],
)
def test_shapes_of_keys(key: str) -> None:
    cut = split_exam(f"1. One?\n{CHOICES}\n2. Two?\n\n## Answers\n{key}")
    assert [p.answer for p in cut.problems] == ["B", "-3"]


def test_a_key_on_the_line_of_its_heading() -> None:
    cut = split_exam(f"1. One?\n{CHOICES}\n2. Two?\n\nAnswers: 1 (b); 2 $-3$")
    assert [p.answer for p in cut.problems] == ["B", "$-3$"]


@pytest.mark.parametrize("wide", ["   ", "　　", r" $\quad$ "])
def test_a_second_column_in_the_lines_of_the_first_is_flagged(wide: str) -> None:
    rows = "\n".join(
        f"{n}. Find $x_{n}$.{wide}{n + 3}. Find $x_{n + 3}$." for n in (1, 2, 3)
    )
    found = kinds(split_exam(rows))
    assert all("number-missing" in found[problem] for problem in "123")


def test_a_number_in_a_sentence_is_no_second_column() -> None:
    text = "1. A box holds 4. What is left?\n2. We take 5. And then?\n3. How many?"
    assert not any(
        "number-missing" in kind for kind in kinds(split_exam(text)).values()
    )


def test_small_letters_that_count_two_or_three_things_count_parts() -> None:
    """In an exam where (a), (b) are parts elsewhere, four of them are parts, too."""
    four = "3. Name these.\n(a) $K_4$ (b) $K_5$ (c) $C_7$ (d) $P_7$"
    assert "options-or-parts" in kinds(split_exam(exam(p3=four)))["3"]
    parted = exam(p3=four, p5="5. Name these.\n(a) $K_2$ (b) $K_3$")
    assert split_exam(parted).issues == []
