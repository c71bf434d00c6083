"""Numberings, headings, instructions, notes, shared text and keys as exams print them."""

from __future__ import annotations

import re

import pytest
from benchwright.convert.exam import Exam, split_exam
from hypothesis import given
from hypothesis import strategies as st

CHOICES = "(A) 1 (B) 2 (C) 3 (D) 4"


def lines(*numbers: int) -> str:
    return "\n\n".join(f"{n}. What is {n}?" for n in numbers)


def ids(exam: Exam) -> list[str]:
    return [problem.raw_id for problem in exam.problems]


def flags(exam: Exam) -> dict[str, list[str]]:
    return {p.raw_id: p.flags for p in exam.problems if p.flags}


def kinds(exam: Exam) -> set[str]:
    return {issue.kind for issue in exam.issues}


@given(st.sets(st.integers(2, 30), min_size=2, max_size=20))
def test_lost_pages_end_no_exam(left: set[int]) -> None:
    """Whatever numbers are left behind the first, each starts a problem or an issue shows it."""
    numbers = left | {1}
    exam = split_exam(lines(*sorted(numbers)))
    details = " ".join(issue.detail for issue in exam.issues)
    assert all(str(n) in ids(exam) or f"{n}. What" in details for n in numbers)
    gaps = [n for n in map(int, ids(exam)) if n - 1 not in numbers and n > 1]
    assert len([x for x in exam.issues if x.kind == "number-missing"]) >= len(gaps)


def test_a_number_far_away_is_listed() -> None:
    exam = split_exam(lines(1, 2, 3, 27))
    assert flags(exam) == {"3": ["number-unused: 27. What is 27?"]}
    assert ids(split_exam(lines(1, 2, 3, 7))) == ["1", "2", "3", "7"]


def test_numbers_above_999() -> None:
    assert ids(split_exam(lines(*range(997, 1005)))) == [
        str(n) for n in range(997, 1005)
    ]
    year = split_exam(f"{lines(1, 2)}\n2012. was a good year\n\n{lines(3, 4)}")
    assert ids(year) == ["1", "2", "3", "4"]
    assert flags(year) == {"2": ["number-unused: 2012. was a good year"]}


def test_two_columns_read_row_by_row_are_cut_and_flagged() -> None:
    exam = split_exam(lines(1, 4, 2, 5, 3, 6, 7, 8))
    assert [(p.number, p.question) for p in exam.problems] == [
        (n, f"What is {n}?") for n in range(1, 9)
    ]
    assert flags(exam) == {}  # columns explain the order, and every problem has an end
    assert "numbers-shuffled" in kinds(exam)
    cut_off = split_exam(lines(1, 4, 2, 5, 3, 6).replace("What is 4?", "What is"))
    assert "4" in flags(cut_off)
    assert flags(split_exam(lines(1, 5, 3, 2, 6, 4, 7, 8)))  # no columns


def test_axes_of_a_plot_are_no_problems() -> None:
    ticks = "\n".join(str(n) for n in range(1, 40))
    exam = split_exam(f"150.\nWhat is it?\n{ticks}\n151.\nAnd this?\n152.\nLast one?")
    assert ids(exam) == ["150", "151", "152"]


@pytest.mark.parametrize(
    "notes",
    [
        "注意事项：\n\n1．答卷前填写姓名。\n\n2．用铅笔涂黑。\n\n## 一、选择题",
        "## 注意事项\n1. 答卷前填写姓名。\n2. 用铅笔涂黑。\n\n一、选择题：本题共2小题",
        "INSTRUCTIONS\n\n1. Do not open the booklet.\n\n2. Use a pencil.",
        "**General Instructions:**\n\n(i) All questions are compulsory.\n\n## Section A",
        "\\section*{Instructions to Candidates}\n1. Your name.\n2. No calculators.\n\n# Part A",
    ],
)
def test_notes_to_candidates_are_no_problems(notes: str) -> None:
    exam = split_exam(f"{notes}\n\n{lines(1, 2, 3)}", "1. 5\n2. 6\n3. 7")
    assert ids(exam) == ["1", "2", "3"]
    assert [p.answer for p in exam.problems] == ["5", "6", "7"]
    words = re.findall(r"\w{2,}", notes)
    assert all(any(word in block.text for block in exam.outside) for word in words)
    assert {issue.problem for issue in exam.issues} <= {""}


@pytest.mark.parametrize(
    "line",
    [
        "For the following exercises, multiply.",
        "In the following exercises, ⓐ graph and ⓑ solve.",
        "Solve the following equations.",
        "Use the graph to answer the subsequent questions.",
        "Evaluate:",
        "True or false? Justify the following statements.",
    ],
)
def test_a_line_for_the_problems_behind_it(line: str) -> None:
    exam = split_exam(
        f"1. $x$\n\n2. $y$\n\n{line}\n\n3. $z$\n\n4. $u$\n\n# B\n\n5. $v$"
    )
    assert [p.question for p in exam.problems] == ["$x$", "$y$", "$z$", "$u$", "$v$"]
    assert [p.instruction for p in exam.problems] == ["", "", line, line, ""]
    assert [(i.problem, i.kind) for i in exam.issues] == [("", "instruction")]


def test_a_line_before_the_first_problem() -> None:
    exam = split_exam(
        "# 3.4\n\nFor the following exercises, find:\n\na. $x$\n\nb. $y$\n\n7. $z$\n\n8. $u$"
    )
    assert [p.instruction[:7] for p in exam.problems] == ["For the", "For the"]
    assert exam.problems[0].instruction.endswith("b. $y$")


def test_a_question_of_its_own_stays() -> None:
    exam = split_exam(
        "1. Let $x>0$.\n\nFind the following sum.\n\n$1+x$\n\n2. Is $x<1$?\n\n3. Why?"
    )
    assert exam.problems[0].question.endswith("$1+x$")
    either = split_exam(
        "1. Prove it.\n\n**OR**\n\nShow that.\n\n2. What is next?\n\n3. Why?"
    )
    assert either.problems[0].question == "Prove it.\n\n**OR**\n\nShow that."
    bold = split_exam(
        "1. See\n\n**Points A and B**\n\non a line.\n\n2. What is it?\n\n3. Why?"
    )
    assert bold.problems[0].question.endswith("on a line.")


def test_section_lines_of_chinese_papers() -> None:
    line = "（二）选考题：共10分。请考生在第3、4题中任选一题作答。"
    exam = split_exam(f"1. 求甲。\n\n2. 求乙。\n\n{line}\n\n3. 求丙。\n\n4. 求丁。")
    assert [p.question for p in exam.problems] == [
        "求甲。",
        "求乙。",
        "求丙。",
        "求丁。",
    ]
    assert exam.problems[2].section == line


def test_named_problems_share_a_table_but_not_an_order() -> None:
    table = "Questions 2 and 3 refer to the table.\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    exam = split_exam(f"{lines(1)}\n\n{table}\n\n{lines(2, 3, 4)}")
    assert [table in p.question for p in exam.problems] == [False, True, True, False]
    order = "Fill in the blanks in question numbers 2 to 3."
    exam = split_exam(f"{lines(1)}\n\n{order}\n\n{lines(2, 3, 4)}")
    assert [p.instruction for p in exam.problems] == ["", order, order, ""]


def test_latex_counters_levels_and_second_lists() -> None:
    counted = (
        r"\section*{A}\begin{enumerate}\item a?\item b?\end{enumerate}"
        r"\section*{B}\begin{enumerate}\setcounter{enumi}{2}\item \begin{enumerate}\item Prove."
        r"\item Show.\end{enumerate}\item d?\end{enumerate}"
    )
    exam = split_exam(counted)
    assert ids(exam) == ["1", "2", "3", "4"]
    assert exam.problems[2].question.split() == ["(a)", "Prove.", "(b)", "Show."]
    second = r"\begin{enumerate}\item a?\item b?\item c?\end{enumerate}"
    assert ids(split_exam(second + "\n" + second[:-25] + r"\end{enumerate}")) == [
        "1.1", "1.2", "1.3", "2.1", "2.2",
    ]  # fmt: skip
    resumed = second + r"\begin{enumerate}[resume]\item d?\end{enumerate}"
    assert ids(split_exam(resumed)) == ["1", "2", "3", "4"]


def test_page_feet_that_count_are_taken_out() -> None:
    exam = split_exam(
        f"{lines(1)}\n\n数学试题 第 1 页（共 4 页）\n\n{lines(2)}\n\nPage 3 of 4\n\n{lines(3)}"
    )
    assert [p.question for p in exam.problems] == [f"What is {n}?" for n in (1, 2, 3)]
    assert [b.text for b in exam.outside] == [
        "数学试题 第 1 页（共 4 页）",
        "Page 3 of 4",
    ]


def test_numbers_inside_formulas_of_recognisers() -> None:
    exam = split_exam(
        "$$150. \\quad s(t)=2$$\n\n$\\text{151. The position } s(t)$ of a car\n\n"
        "$\\text{152.} \\quad \\text{The speed}$ of a car"
    )
    assert [p.question for p in exam.problems] == [
        "$$s(t)=2$$", "$\\text{The position } s(t)$ of a car", "$\\text{The speed}$ of a car",
    ]  # fmt: skip


def test_full_width_letters_are_labels() -> None:
    exam = split_exam(
        "１．求\nＡ．1　Ｂ．2　Ｃ．3　Ｄ．4\n２．求\n（Ａ）1（Ｂ）2（Ｃ）3（Ｄ）4"
    )
    assert [[o.text for o in p.options] for p in exam.problems] == [list("1234")] * 2


# Keys -------------------------------------------------------------------------------------------

EXAM = "\n\n".join(f"{n}. Find {n}.\n{CHOICES if n < 3 else ''}" for n in range(1, 6))


@pytest.mark.parametrize(
    ("key", "answers"),
    [
        ("## Answers to Odd-Numbered Exercises\n\n1. B  3. $x$  5. 7", ["B", "", "$x$", "", "7"]),
        ("## 参考答案与试题解析\n\n一、选择题\n\n1. 【答案】B\n\n【解析】解：(1) 甲\n\n1. 乙\n\n"
         "2. 【答案】C\n\n二、填空题\n\n3. 【答案】$x$.\n\n【分析】略", ["B", "C", "$x$", "", ""]),
        ("## Answers\n1. B 2. C 3. 7\n\n## Solutions\n\n1. Since $x$, it is B.\n\n"
         "2. Here (1) and (2).\n\n3. Seven:\n\n1. first\n\n2. then", ["B", "C", "7", "", ""]),
        ("参考答案\n1-2 BC\n3．5　4．略\n5．解：(1) 因为…\n(2) 所以…", ["B", "C", "5", "", ""]),
        (r"## Key" "\n" r"\begin{tabular}{|c|c|c|c|}题号 & 1 & 2 & 3 \\ 答案 & B & C & 4 \\"
         r" 题号 & 4 & 5 & \\ 答案 & 10 & 11 & \end{tabular}", ["B", "C", "4", "10", "11"]),
    ],
)  # fmt: skip
def test_keys_with_gaps_solutions_and_sections(key: str, answers: list[str]) -> None:
    exam = split_exam(f"{EXAM}\n\n{key}")
    assert [p.answer for p in exam.problems] == answers
    assert "key-refused" not in kinds(exam)
    assert all(p.question == f"Find {p.number}." for p in exam.problems)


def test_a_worked_solution_stays_beside_its_problem() -> None:
    exam = split_exam(
        f"{EXAM}\n\n## Solutions\n\n1. Since $x$, it is B.\n\n3. First\n\n(1) a\n\n(2) b"
    )
    assert [p.solution for p in exam.problems][0::2] == [
        "Since $x$, it is B.",
        "First\n\n(1) a\n\n(2) b",
        "",
    ]
    assert not any(p.answer for p in exam.problems)


def test_a_partial_key_names_what_it_leaves_out() -> None:
    exam = split_exam(EXAM, "1. B\n3. 7")
    [issue] = exam.issues
    assert (issue.kind, issue.detail) == ("key-partial", "no entry for 2, 4, 5")


def test_a_key_behind_every_chapter() -> None:
    chapter = "# Chapter {}\n1. a{}\n2. b{}\n## Answers\n1. x{}\n2. y{}\n"
    exam = split_exam(chapter.format(*"11111") + chapter.format(*"22222"))
    assert [(p.raw_id, p.answer) for p in exam.problems] == [
        ("1.1", "x1"), ("1.2", "y1"), ("2.1", "x2"), ("2.2", "y2"),
    ]  # fmt: skip


def test_lists_inside_a_key_are_no_numbers_where_it_has_those_of_the_exam() -> None:
    titles = ["1.1 Add", "1.2 Subtract", "2.1 Multiply"]
    exam = "".join(f"### {title}\n\nWhat is 2 and 3?\n\n" for title in titles)
    lists = "".join(
        f"### {title}\n\n1. first\n2. second\n3. third\n\n" for title in titles
    )
    problems = split_exam(exam, lists).problems
    assert [p.number for p in problems] == [1, 2, 1]
    assert all("2. second" in p.solution or "2. second" in p.answer for p in problems)


@pytest.mark.parametrize(
    "below",
    [
        "答案：D\n解析：因为 $x$",
        "**Answer:** D\n\nExplanation: because $x$",
        "【答案】D【解析】因为 $x$",
    ],
)
def test_answers_below_the_problem(below: str) -> None:
    exam = split_exam(
        f"1. Find it.\n{CHOICES}\n\n{below}\n\n2. What is two?\n\n3. And three?"
    )
    first = exam.problems[0]
    assert (first.question, first.answer, len(first.options)) == ("Find it.", "D", 4)
    assert "$x$" in first.solution


def test_a_figure_that_is_spoken_of_and_not_there() -> None:
    exam = split_exam(
        "1. The following graph shows $f$. Find it.\n\n2. 如图，求 $x$。\n\n3. What?"
    )
    assert flags(exam) == {"1": ["figure-missing"], "2": ["figure-missing"]}


def test_a_remark_headed_note_swallows_no_problem() -> None:
    """Notes to the candidates end where another style of numbers goes on."""
    exam = (
        "**Problem 1.** What is $1+1$?\n\n**Solution.** Count.\n\nNote\nIt is easy to be wrong.\n\n"
        "One more line.\n\n**Answer:** 2\n\n**Problem 2.** What is $2+2$?\n\n**Answer:** 4\n"
    )
    problems = split_exam(exam).problems
    assert [(p.number, p.answer) for p in problems] == [(1, "2"), (2, "4")]
