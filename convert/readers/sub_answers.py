"""Sub-questions and sub-answers of what is read: text behind marks as parts."""

from __future__ import annotations

import re

from ...latex import first_run, parts_of
from ...options import best_run, covered
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


def asked_parts(question: str, answer: str) -> list[Part]:
    """The sub-answers of a gold whose labels are those of the question's parts; [] of any other.

    >>> [p.answer for p in asked_parts("Find\\ni) 1+1\\nii) 2+2", "i) 2\\nii) 4")]
    ['2', '4']
    >>> asked_parts("Which is 2? a) 1+1 b) 2+2", "a")
    []
    """
    given = best_run(covered(answer))
    if len(given) < 2 or answer[: given[0].start].strip(_ENDS):
        return []
    signs = [label.sign.casefold() for label in given]
    asked = [label.sign.casefold() for label in best_run(covered(question))]
    if signs != asked or any(map(str.isupper, (label.sign for label in given))):
        return []
    ends = [*(label.start for label in given[1:]), len(answer)]
    pairs = zip(given, ends, strict=True)
    texts = [answer[label.end : end].lstrip(" :：") for label, end in pairs]
    if not all(map(str.strip, texts)):
        return []
    return [part(str(k), bare(text)) for k, text in enumerate(texts, 1)]


def part(label: str, answer: str) -> Part:
    return Part(label=label, answer=answer, answer_kind=guess_kind(answer, []))


def bare(answer: str) -> str:
    """Without what closes it in a list, and without dollars around a whole formula."""
    answer = answer.strip().rstrip(_ENDS).strip()
    return answer[1:-1].strip() if re.fullmatch(r"\$[^$]+\$", answer) else answer
