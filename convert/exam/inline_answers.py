"""Answers and solutions that stand below their problem, or behind their number in a key."""

from __future__ import annotations

import re

from ...words import SCHOOL, words
from .labels import CIRCLED

_ANSWER = words("answer", languages=SCHOOL)
_PARTS = words("answer", "solution", languages=SCHOOL)
_BRACKETED = rf"【[ \t]*(?P<bracketed>{_PARTS}|考点|专题|答|解|证明)[ \t]*】"
_NAMES = rf"(?:correct[ \t]+|final[ \t]+|参考|标准|正确)?{_PARTS}\.?|解|证明"
_PART = re.compile(
    rf"{_BRACKETED}"
    rf"|(?mi:^)[ \t]*(?:#{{1,6}}[ \t]*|\*\*|\\textbf\{{)?(?P<named>(?i:{_NAMES}))"
    r"[ \t]*(?:[:：.][ \t]*(?:\*\*|\})?|(?:\*\*|\})[ \t]*[:：.]?|(?m:$))[ \t]*",
    re.M,
)
_LETTER = re.compile(rf"^[(（\[*]*\s*([A-Ha-h{CIRCLED}])\s*[)）\]*.．。]*$")


def inline_answer(text: str) -> tuple[str, str, str]:
    """Text before any mark, answer and solution, parted by marks such as 【答案】 or `Answer:`.

    >>> inline_answer("求值 【答案】C【解析】因为…")
    ('求值', 'C', '因为…')
    """
    marks = list(_PART.finditer(text))
    if any(mark["bracketed"] for mark in marks):
        marks = [mark for mark in marks if mark["bracketed"]]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    answer, solution = "", list[str]()
    for mark, end in zip(marks, ends, strict=False):
        name, body = (mark["bracketed"] or mark["named"]).lower(), text[mark.end() : end].strip()
        if not answer and (name == "答" or re.search(_ANSWER, name)):
            answer, _, rest = body.partition("\n\n")
            answer, body = bare(answer.strip()), rest.strip()
        if body:
            solution.append(body)
    before = text[: marks[0].start()] if marks else text
    return before.strip(), answer, "\n".join(solution)


def is_answered(text: str) -> bool:
    """Whether a mark of an answer or a solution stands in a text."""
    return bool(_PART.search(text))


def bare(answer: str) -> str:
    """A letter without its brackets; any other answer as it stands.

    >>> bare("(C)."), bare("$x=1$")
    ('C', '$x=1$')
    """
    answer = re.sub(r"[。．]+$|(?<=[^\s\d.])\.$", "", answer.strip())
    letter = _LETTER.match(answer.strip("$"))
    return letter[1] if letter else answer


def without_marks(text: str) -> str:
    """The text without the marks themselves."""
    return _PART.sub(" ", text)
