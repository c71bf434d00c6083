"""What makes a cut doubtful when an exam's problems are compared with each other.

An exam is regular: its numbers go up by one, its problems have equally many options, and no line
but a running head is printed again and again. What breaks the rule is flagged for a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from statistics import mode

from ...options import Stem, option_runs
from ...words import mention
from ..documents import PAGE_LINE, blind, masked
from .answer_keys import placed
from .inline_answers import is_answered, two_answers
from .spans import ExamProblem

_DRAWN = re.compile(r"<image\d|\\begin\{(?:tab|array|picture|tikz)|<table|\||\$\$")
_BULLETS = re.compile(  # three or more bullets end a problem, behind a question
    r"[.?!。？][)）$\s]*\n(?:[ \t]*[-*•+][ \t]+[^\n?？]+(?:\n[ \t]+[^-*•+\s][^\n]*)*\s*){3,}\Z"
)
# A word with a colon that opens a line in most problems might be the mark of an answer.
_MARK = re.compile(r"(?m)^[ \t]*(?:\*\*)?([^\W\d_]{2,20})[ \t]*(?:\*\*)?[:：]")
_PART = re.compile(
    r"(?:[A-Za-z]|[ivx]{1,4})(?:[)\].:]|[ \t])|\[[a-z]\]"
)  # `a 12`, `b) 13`
_IN_LINE = re.compile(  # a number behind a sentence, a formula or a wide space
    r"(?:(?<=[.?!。？；;)）\ufdd3][ \t　])|(?<=[ \t　]{2})|(?<=\t))"
    r"[(（]?(\d{1,4})[ \t]?(?:[.)）](?!\d)|[．、])[ \t]?[^ \t]"
)


def doubts(
    problems: list[ExamProblem], printed: list[str], stems: list[Stem]
) -> list[list[str]]:
    """Per problem, what is unusual in this exam.

    `printed` is each problem's text with its answer and its solution.
    """
    flags: list[list[str]] = [[] for _ in problems]
    _missing_numbers(problems, flags)
    answered = [is_answered(text) for text in printed]
    if len(answered) > 1 and answered[-1] and not any(answered[:-1]):
        flags[-1].append("key-unnumbered: answers of all problems, or of this one?")
    usual = _usual([len(stem.options) for stem in stems if stem.options])
    ends = [[*_last_paragraphs(stem.text)] for stem in stems]
    times = Counter(line for lines in ends for line in {*map(masked, lines)})
    marks = [{*_MARK.findall(stem.text.partition("\n")[2])} for stem in stems]
    marked = Counter(mark for words in marks for mark in words)
    every = zip(problems, printed, stems, ends, marks, flags, strict=True)
    for problem, whole, stem, lines, words, doubted in every:
        doubted += _of_problem(problem, whole, stem, usual)
        for line in lines:
            if times[masked(line)] >= 3:
                doubted.append(f"repeated-line: {line}")
        for mark in sorted(words):
            if marked[mark] >= 3 and 3 * marked[mark] >= 2 * len(problems):
                doubted.append(f"mark-unknown: {mark}:")
    return flags


def _usual(counts: list[int]) -> int:
    """How many options four problems in five have; 0 where there are no five, or none is usual."""
    usual = mode(counts) if len(counts) >= 5 else 0
    return usual if counts.count(usual) >= 0.8 * len(counts) else 0


def _of_problem(
    problem: ExamProblem, whole: str, stem: Stem, usual: int
) -> Iterator[str]:
    """What is unusual in a problem by itself."""
    count = len(stem.options)
    if count and count != usual and (usual or count == 3):
        yield f"option-count: {count}, usually {usual or 'more'}"
    shown = "\n".join([problem.shared, problem.instruction, problem.question])
    if mention("figure", f"{problem.section}\n{shown}") and not _DRAWN.search(shown):
        yield "figure-missing"
    if not count and _BULLETS.search(stem.text):
        yield "options-or-bullets"
    if len(option_runs(blind(whole))) > 1:
        yield "two-option-sets"
    if not problem.parts and (contrary := two_answers(whole)):
        yield f"two-answers: {contrary}"
    page_lines = PAGE_LINE.finditer(problem.question)
    page_line = next((line for line in page_lines if line.start()), None)
    if page_line:
        yield f"page-line: {page_line[0].strip()}"


def _missing_numbers(problems: list[ExamProblem], flags: list[list[str]]) -> None:
    """Gaps in the numbers, which the problem before probably holds.

    So do lines in which the numbers go on where a run ends: of its last problem, or several, as
    where a second column stands beside the first.
    """
    inside: dict[tuple[int, int], int] = {}  # run, number -> the problem that holds it
    runs = [run for run, _ in placed(str(problem.number) for problem in problems)]
    for k, (run, problem) in enumerate(zip(runs, problems, strict=True)):
        before = problems[k - 1].number if k and runs[k - 1] == run else 0
        if problem.number > before + 1:
            flags[max(k - 1, 0)].append(f"number-missing: {before + 1}")
        for match in _IN_LINE.finditer(blind(problem.question)):
            inside.setdefault((run, int(match[1])), k)
    for run, last in {run: k for k, run in enumerate(runs)}.items():
        number = problems[last].number + 1
        several = (run, number + 1) in inside
        holder = inside.get((run, number))
        while holder is not None and (several or holder == last):
            flags[holder].append(f"number-missing: {number}")
            number += 1
            holder = inside.get((run, number))


def _last_paragraphs(text: str) -> Iterator[str]:
    """Short paragraphs of words behind the first one, which is the problem itself."""
    for paragraph in re.split(r"\n[ \t]*\n", text)[1:]:
        line = paragraph.strip()
        is_part = _PART.match(line)  # which stands in several exercises
        if (
            3 < len(line) <= 80
            and (line[0].isalpha() or line[0] == "[")
            and not is_part
        ):
            yield line
