"""Answers and solutions that stand below their problem, or behind their number in a key."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...words import CIRCLED, OPTION, OPTION_IN_EITHER_CASE, SCHOOL, WORDS, words

_SOLUTION = words("solution", languages=SCHOOL)  # 解答 means an answer elsewhere
_PARTS = words("answer", "solution", languages=SCHOOL)
_ELSEWHERE = words(
    "answer", "result", languages={*WORDS["answer"], *WORDS["result"]} - {*SCHOOL}
)
_BRACKETED = rf"【[ \t]*(?P<bracketed>{_PARTS}|考点|专题|答|解|证明)[ \t]*】"
_NAMES = (
    rf"(?:correct[ \t]+|final[ \t]+|参考|标准|正确)?{_PARTS}\.?|解|证明|{_ELSEWHERE}"
)
_PART = re.compile(
    rf"{_BRACKETED}"
    rf"|(?mi:^)[ \t]*(?:#{{1,6}}[ \t]*|\*\*|\\textbf\{{)?(?P<named>(?i:{_NAMES}))"
    r"[ \t]*(?:[:：.][ \t]*(?:\*\*|\})?|(?:\*\*|\})[ \t]*[:：.]?|(?m:$))[ \t]*",
    re.M,
)
_ANSWER = re.compile(
    rf"\A答|(?i:{words('answer', languages=SCHOOL)})|\A(?!{_SOLUTION})(?i:{_ELSEWHERE})"
)
_LETTER = re.compile(
    rf"^[(（\[*]*\s*([{OPTION_IN_EITHER_CASE}{CIRCLED}])\s*[)）\]*.．。]*$"
)
_LONE_LETTER = re.compile(rf"(?<![^\W_])[{OPTION}](?![^\W_])")


def inline_answer(text: str) -> tuple[str, str, str]:
    """Text before any mark, answer and solution, parted by marks such as 【答案】 or `Answer:`.

    >>> inline_answer("求值 【答案】C【解析】因为…")
    ('求值', 'C', '因为…')
    """
    marks = _marks(text)
    if any(mark["bracketed"] for mark in marks):
        marks = [mark for mark in marks if mark["bracketed"]]
    answer = ""
    solution = list[str]()
    for is_answer, body in _said(text, marks):
        if is_answer and not answer:
            answer, _, rest = body.partition("\n\n")
            answer = bare(answer.strip())
            body = rest.strip()
        if body:
            solution.append(body)
    before = text[: marks[0].start()] if marks else text
    return before.strip(), answer, "\n".join(solution)


def _said(text: str, marks: list[re.Match[str]]) -> Iterator[tuple[bool, str]]:
    """What stands behind each mark, and whether the mark says that it is an answer."""
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=False):
        name = (mark["bracketed"] or mark["named"]).lower()
        yield bool(_ANSWER.search(name)), text[mark.end() : end].strip()


_TO_FILL = re.compile(r"(?=.*?_{3})[_\\.…\s*-]+")


def _marks(text: str) -> list[re.Match[str]]:
    """The marks of answers and solutions, without those before a blank to write in."""
    marks = [*_PART.finditer(text)]
    said = zip(marks, _said(text, marks), strict=True)
    return [
        mark
        for mark, (_, body) in said
        if not _TO_FILL.fullmatch(body.partition("\n")[0])
    ]


def two_answers(text: str) -> str:
    """The first answer of a text and another that contradicts it; empty where none does.

    >>> two_answers("Answer: C\\nAnswer: Option C"), two_answers("Answer: C\\nAnswer: D")
    ('', 'C, D')
    """
    answers = [
        bare(body.partition("\n")[0])
        for is_one, body in _said(text, _marks(text))
        if is_one
    ]
    other = next((x for x in answers if x and not same(answers[0], x)), "")
    return f"{answers[0][:40]}, {other[:40]}" if other else ""


def same(answer: str, other: str) -> bool:
    """Whether two answers are the same, as `C` and `Option C` are."""
    letters = _LONE_LETTER.findall(other)
    return answer.casefold() == other.casefold() or (
        len(answer) == 1 and letters == [answer]
    )


def is_answered(text: str) -> bool:
    """Whether a mark of an answer or a solution stands in a text."""
    return bool(_marks(text))


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
