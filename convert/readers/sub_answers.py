"""Sub-questions and sub-answers behind marks: (1) (2), (Ⅰ) (Ⅱ), Question 1:, ① ②."""

from __future__ import annotations

import re

from ...problem import Part
from .base import guess_kind

_BEFORE = r"(?:^|(?<=[\s.。;；,，:：?？!！$°)）]))"
_ROMAN = {"Ⅰ": 1, "Ⅱ": 2, "Ⅲ": 3, "Ⅳ": 4, "Ⅴ": 5, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5}
_CIRCLED = {chr(0x2460 + k): k + 1 for k in range(20)}
STYLES = {
    "(1)": re.compile(r"(?:^|(?<=[\s.。;；,，:：?？!！$]))[(（]\s*(\d)\s*[)）]\s*"),
    "(Ⅰ)": re.compile(_BEFORE + r"[(（]\s*([Ⅰ-Ⅴ]|I{1,3}|IV|V)\s*[)）]\s*"),
    "Question 1:": re.compile(
        _BEFORE + r"(?:(?i:question|problem)|问题|第)\s*(\d)\s*(?:小题|[问题])?\s*[:：]\s*"
    ),
    "①": re.compile(r"([①-⑳])\s*"),
}
_ENDS = ";；,，.。、 \t\n"


def cut_at_marks(text: str, style: str) -> tuple[str, dict[int, str]]:
    """The text before the marks, and what stands behind each of a run in steps of one.

    >>> cut_at_marks("AB = 3. (Ⅰ) Find x. (Ⅱ) Find y.", "(Ⅰ)")
    ('AB = 3.', {1: 'Find x.', 2: 'Find y.'})
    """
    run: list[tuple[int, re.Match[str]]] = []
    for mark in STYLES[style].finditer(text):
        number = _number(mark[1])
        if not run or number == run[-1][0] + 1:
            run.append((number, mark))
    ends = [*(mark.start() for _, mark in run[1:]), len(text)]
    parts = {n: text[m.end() : end].strip() for (n, m), end in zip(run, ends, strict=False)}
    return text[: run[0][1].start()].strip() if run else text, parts


def _number(mark: str) -> int:
    return _ROMAN.get(mark) or _CIRCLED.get(mark) or int(mark)


def read_parts(text: str) -> list[Part]:
    """The sub-answers of a gold text, or [] where it is one answer.

    `①②④` names statements; sub-answers have something behind every mark and nothing before them.

    >>> [(p.label, p.answer) for p in read_parts("①30°；②5")]
    [('1', '30°'), ('2', '5')]
    >>> read_parts("①②④")
    []
    """
    for style in STYLES:
        before, cut = cut_at_marks(text, style)
        answers = {number: _bare(answer) for number, answer in cut.items()}
        if len(answers) > 1 and 1 in answers and not before and all(answers.values()):
            return [part(str(number), answer) for number, answer in answers.items()]
    return []


def part(label: str, answer: str) -> Part:
    return Part(label=label, answer=answer, answer_kind=guess_kind(answer, []))


def _bare(answer: str) -> str:
    """Without what closes it in a list, and without dollars around a whole formula."""
    answer = answer.strip().rstrip(_ENDS).strip()
    return answer[1:-1].strip() if re.fullmatch(r"\$[^$]+\$", answer) else answer
