"""Nothing of an exam vanishes: every word and picture comes out, every number is used or listed."""

from __future__ import annotations

import re

import pytest
from benchwright.convert.exam import Exam, split_exam
from hypothesis import given, settings
from hypothesis import strategies as st

FRAMES = [  # {} is a word that stands nowhere else
    "{}. {}", "1. {}", "2. {}", "3. {}", "7. {}", "12. {}", "1001. {}", "(1) {}", "(2) {}",
    "4) {}", "Problem 2. {}", "第3题 {}", "# {}", "# 2. {}", "**{}**", "**4.** {}", "## Part {}",
    "一、{}", "（二）选考题：{}", "## Answers\n1. {}\n2. {}", "## Solutions\n1. {}\n\n2. {}",
    "参考答案\n1-2 AB\n{}", "注意事项：\n1. {}\n2. {}", "INSTRUCTIONS\n{}",
    "For the following exercises, {}.", "Find {}.", "Questions 2-3 refer to {}.", "Page {} of 9",
    "第 2 页（共 4 页）{}", "{} page 3", "{}", "${}$", "(A) {} (B) {} (C) {} (D) {}", "A. {}",
    "B. {}", "C. {}", "Ａ．{}　Ｂ．{}　Ｃ．{}", "a) {} b) {} c) {}", "【答案】{}", "【解析】{}",
    "答案：{}", "Answer: {}", "Explanation: {}", "![{}](http://h/{}.jpg)",
    "| {} | {} |\n|---|---|\n| 1 | {} |",
    r"\begin{{tabular}}{{ll}}A & {} \\ B & {} \\ C & {}\end{{tabular}}",
    r"\begin{{enumerate}}\item {}\item {}\end{{enumerate}}", r"\begin{{enumerate}}", r"\item {}",
    r"\end{{enumerate}}", r"\setcounter{{enumi}}{{4}}", "{} $",
    r"$\textbf{{(A)}} {} \qquad \textbf{{(B)}} {}$",
]  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    """An exam of lines in any order; every word in it is another one."""
    lines = draw(st.lists(st.sampled_from(FRAMES), min_size=1, max_size=25))
    glue = draw(
        st.lists(
            st.sampled_from(["\n", "\n\n"]), min_size=len(lines), max_size=len(lines)
        )
    )
    count = 0
    parts: list[str] = []
    for line, behind in zip(lines, glue, strict=True):
        words = [
            f"z{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}q"
            for n in range(count, count + 9)
        ]
        count += 9
        parts += [line.format(*words), behind]
    return "".join(parts)


def shown(exam: Exam) -> str:
    """Everything that comes out of an exam."""
    parts = [f"{issue.kind} {issue.detail}" for issue in exam.issues]
    parts += [block.text for block in exam.outside]
    for p in exam.problems:
        parts += [
            str(p.number),
            p.section,
            p.question,
            p.answer,
            p.solution,
            p.instruction,
        ]
        parts += [f"{option.label} {option.text}" for option in p.options]
        parts += [f"{picture.alt} {picture.url}" for picture in p.figures]
    return "\n".join(parts)


@given(texts())
@settings(max_examples=600, deadline=None)
def test_every_word_and_picture_comes_out(text: str) -> None:
    out = shown(split_exam(text))
    lost = [word for word in re.findall(r"z[a-z]{2}q", text) if word not in out]
    assert not lost


@given(st.lists(st.integers(1, 12), min_size=1, max_size=14))
@settings(max_examples=300, deadline=None)
def test_every_numbered_line_is_a_problem_or_listed_or_in_a_list(
    numbers: list[int],
) -> None:
    """Lines `7. w3` in any order: each starts a problem, or an issue names it, or it counts on
    inside a problem from 1 (a list there)."""
    text = "\n\n".join(f"{number}. w{k}" for k, number in enumerate(numbers))
    exam = split_exam(text)
    starts = {p.question.split()[0] for p in exam.problems}
    doubted = {issue.problem for issue in exam.issues}
    details = " ".join(issue.detail for issue in exam.issues)
    for k, number in enumerate(numbers):
        holders = [p for p in exam.problems if re.search(rf"\bw{k}\b", p.question)]
        lists = [
            int(n) for p in holders for n in re.findall(r"(?m)^(\d+)\. ", p.question)
        ]
        counted = number in lists and set(range(1, number + 1)) <= set(lists)
        listed = any(p.raw_id in doubted for p in holders) or f"w{k}" in details
        assert (
            f"w{k}" in starts
            or listed
            or counted
            or "text-before-first" in details
            or not holders
        )
        assert holders or f"w{k}" in shown(exam)


CASES = {  # each would take minutes in quadratic time
    "labels": "1. " + "(A) x " * 15_000,
    "bare letters": "1. " + "A  b  B  " * 10_000,
    "spaces": "1. a" + " " * 50_000 + "b",
    "quads": "1. (A) a" + "\\quad " * 15_000 + "x (B) b (C) c",
    "ones": "1. a\n" * 10_000,
    "numbers": "".join(f"{k}. a\n" for k in range(1, 2_500)) * 2,
    "headings": "1. a\n# B\n" * 5_000,
    "notes": "INSTRUCTIONS\n1. a\n" * 2_500,
    "keys": "1. a\n2. b\n## Answers\n1. A\n2. B\n" * 1_000,
    "a long key": "1. a\n2. b\n## Answers\n"
    + " ".join(f"{k}. A" for k in range(1, 5_000)),
    "open lists": "\\begin{enumerate}\n\\item a\n" * 2_500,
    "open tables": "1. a" + "\\begin{tabular}{l}" * 2_500,
    "formulas": "1. " + "$x$ and " * 15_000,
    "pictures": "1. " + "".join(f"![](a{k}.png) " for k in range(5_000)),
    "paragraphs": "1. a\n\n" + "the following\n\n" * 7_500,
}


@pytest.mark.cpu(15)
@pytest.mark.parametrize("name", CASES)
def test_exams_take_linear_time(name: str) -> None:
    assert split_exam(CASES[name]).problems
