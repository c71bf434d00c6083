"""Sub-questions and sub-answers of what is read: text behind marks as parts."""

from __future__ import annotations

import re

from ...latex import first_run, parts_of
from ...problem import Part
from .base import guess_kind

_ENDS = ";；,，.。、 \t\n"


def cut_at_marks(text: str, style: str) -> tuple[str, dict[int, str]]:
    """The text before the marks, and what stands behind each of a run in steps of one.

    >>> cut_at_marks("AB = 3. (Ⅰ) Find x. (Ⅱ) Find y.", "(Ⅰ)")
    ('AB = 3.', {1: 'Find x.', 2: 'Find y.'})
    """
    run = first_run(text, style)
    parts = {
        section.number: text[section.start : section.end].strip() for section in run
    }
    return text[: run[0].mark].strip() if run else text, parts


def read_parts(text: str) -> list[Part]:
    """The sub-answers of a gold text, or [] where it is one answer.

    >>> [(p.label, p.answer) for p in read_parts("①30°；②5")]
    [('1', '30°'), ('2', '5')]
    >>> read_parts("①②④")
    []
    """
    return [part(label, bare(answer)) for label, answer in parts_of(text)]


def part(label: str, answer: str) -> Part:
    return Part(label=label, answer=answer, answer_kind=guess_kind(answer, []))


def bare(answer: str) -> str:
    """Without what closes it in a list, and without dollars around a whole formula."""
    answer = answer.strip().rstrip(_ENDS).strip()
    return answer[1:-1].strip() if re.fullmatch(r"\$[^$]+\$", answer) else answer
