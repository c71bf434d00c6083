"""Answers and solutions that stand below their problem, or behind their number in a key."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ...options import best_run, covered
from ...words import (
    CIRCLED,
    OPTION,
    OPTION_IN_EITHER_CASE,
    SCHOOL,
    WORDS,
    layered,
    own_marks,
    own_word,
    own_words,
    words,
)

MARKED = ("answer", "solution", "hint")  # what a mark of the source's own may be


def _elsewhere() -> str:
    """Words of other languages than those of the exams that are read first."""
    languages = {*WORDS["answer"], *WORDS["result"]} - {*SCHOOL}
    return words("answer", "result", languages=languages)


@layered
def _part() -> re.Pattern[str]:
    """What stands in front of an answer or a solution: 【答案】, `**Answer:**`, a mark."""
    parts = words(
        "answer", "solution", languages=SCHOOL
    )  # 解答 means an answer elsewhere
    bracketed = rf"【[ \t]*(?P<bracketed>{parts}|hint|考点|专题|答|解|证明)[ \t]*】"
    dressed = rf"(?:correct[ \t]+|final[ \t]+|参考|标准|正确)?{parts}"
    own = [word for role in MARKED for word in own_words(role)]  # `Hint 2:`, too
    counted = rf"(?:{'|'.join(own)})(?:[ \t]*\d{{1,2}})?" if own else "(?!)"
    names = rf"(?:{counted}|{dressed}\.?|解|证明|{_elsewhere()})"
    signs = "|".join(sign for role in MARKED for sign in own_marks(role)) or "(?!)"
    return re.compile(
        rf"{bracketed}|^[ \t]*(?P<sign>{signs})[ \t]*"
        rf"|(?mi:^)[ \t]*(?:#{{1,6}}[ \t]*|\*\*|\\textbf\{{)?(?P<named>(?i:{names}))"
        r"[ \t]*(?:[:：.][ \t]*(?:\*\*|\})?|(?:\*\*|\})[ \t]*[:：.]?|(?m:$))[ \t]*",
        re.M,
    )


@layered
def _answer() -> re.Pattern[str]:
    solution = words("solution", languages=SCHOOL)
    return re.compile(
        rf"\A答|(?i:{words('answer', languages=SCHOOL)})"
        rf"|\A(?!{solution})(?i:{_elsewhere()})"
    )


_LETTER = re.compile(
    rf"^[(（\[*]*\s*([{OPTION_IN_EITHER_CASE}{CIRCLED}])\s*[)）\]*.．。]*$"
)
_LONE_LETTER = re.compile(rf"(?<![^\W_])[{OPTION}](?![^\W_])")


class Answered(NamedTuple):
    """A problem's text before any mark, and what the marks say."""

    text: str
    answer: str = ""
    solution: str = ""
    hint: str = ""
    parts: tuple[str, ...] = ()  # the answers of its parts, in order

    @property
    def of_parts(self) -> str:
        """The answers of the parts as one text: `(1) 5 (2) 7`."""
        return " ".join(f"({k}) {one}" for k, one in enumerate(self.parts, 1))


def inline_answer(text: str) -> Answered:
    """Text before any mark, answer and solution, parted by marks such as 【答案】 or `Answer:`.

    Where parts are answered one by one, the text is that of all of them.

    >>> inline_answer("求值 【答案】C【解析】因为…")[:3]
    ('求值', 'C', '因为…')
    >>> inline_answer("Find:\\n(a) 1+1\\nAnswer: 2\\n(b) 2+2\\nAnswer: 4")[::4]
    ('Find:\\n(a) 1+1\\n(b) 2+2', ('2', '4'))
    """
    marks = _marks(text)
    if any(mark["bracketed"] for mark in marks):
        marks = [mark for mark in marks if mark["bracketed"]]
    if not marks and (judged := _judged(text)):
        return judged
    return _by_parts(text, marks) or _by_marks(text, marks)


@layered
def _judgement() -> re.Pattern[str]:
    """Whether a statement holds, in brackets at its end."""
    right = rf"√|✓|✔|T|{words('correct', 'yes')}|đúng|vrai|verdadero"
    wrong = rf"×|✗|✘|F|{words('wrong', 'no')}|sai|faux|falso"
    return re.compile(
        rf"[(（\[【]\s*(?i:(?P<right>{right})|(?P<wrong>{wrong}))\s*[)）\]】]\s*[.。;；]?\s*\Z"
    )


def _judged(text: str) -> Answered | None:
    """Statements that are marked as right or wrong one by one; None of any other text."""
    if text[-3:].strip()[-1:] not in tuple(")）]】.。;；"):
        return None
    run = best_run(covered(text))
    if len(run) < 2 or any(label.sign.isupper() for label in run):
        return None
    ends = [*(label.start for label in run[1:]), len(text)]
    pieces = [text[label.start : end] for label, end in zip(run, ends, strict=True)]
    found = [_judgement().search(piece) for piece in pieces]
    if not all(found):
        return None
    kept = [
        piece[: m.start()].rstrip() for piece, m in zip(pieces, found, strict=True) if m
    ]
    judged = (m["right"] or m["wrong"] for m in found if m)
    is_right = (m["right"] is not None for m in found if m)
    said = tuple(
        word if len(word) > 1 and word.isalpha() else str(right).lower()
        for word, right in zip(judged, is_right, strict=True)
    )
    apart = "\n" if "\n" in text[run[0].start :].strip() else " "
    front = text[: run[0].start].rstrip()
    between = apart if front and "\n" not in text[len(front) : run[0].start] else "\n\n"
    return Answered(f"{front}{between if front else ''}{apart.join(kept)}", parts=said)


def _by_marks(text: str, marks: list[re.Match[str]]) -> Answered:
    answer = ""
    said: dict[str, list[str]] = {"solution": [], "hint": []}
    for role, body in _said(text, marks):
        if role == "answer" and not answer:
            answer, _, rest = body.partition("\n\n")
            answer = bare(answer.strip())
            body = rest.strip()
        if body:
            said["hint" if role == "hint" else "solution"].append(body)
    before = text[: marks[0].start()] if marks else text
    solution, hint = ("\n".join(one) for one in said.values())
    return Answered(before.strip(), answer, solution, hint)


def _by_parts(text: str, marks: list[re.Match[str]]) -> Answered | None:
    """The parts of a problem, where marks stand in several of them; None where they do not.

    A part begins at a line with its label, and all labels are of one run: a) b), (i) (ii).
    """
    if len(marks) < 2:
        return None
    run = best_run(covered(text))
    starts = [label.start for label in run]
    behind = {bisect_right(starts, mark.start()) for mark in marks}
    if len(behind - {0}) < 2 or not {label.between for label in run} <= {"^", "\n"}:
        return None
    said: list[Answered] = []
    ends = [*starts[1:], len(text)]
    for start, end in zip(starts, ends, strict=True):
        inner = [mark for mark in marks if start <= mark.start() < end]
        said.append(
            _by_marks(text[start:end], _marks(text[start:end]) if inner else [])
        )
    front = text[: starts[0]].strip()
    apart = "\n\n" if "\n\n" in text[starts[0] :] else "\n"
    return Answered(
        apart.join(filter(None, [front, *(one.text for one in said)])),
        "",
        "\n".join(filter(None, (one.solution for one in said))),
        "\n".join(filter(None, (one.hint for one in said))),
        tuple(one.answer for one in said),
    )


def _said(text: str, marks: list[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """The role that each mark says, and what stands behind it."""
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=False):
        yield _role(mark), text[mark.end() : end].strip()


def _role(mark: re.Match[str]) -> str:
    """What a mark says, as the source has it, else as its language has."""
    name = str(next(filter(None, mark.groups())))
    if own := own_word(re.sub(r"[ \t]*\d*\.?$", "", name)):
        return own
    if name == "hint":  # of a class of HTML
        return name
    return "answer" if _answer().search(name.lower()) else "solution"


_TO_FILL = re.compile(r"(?=.*?_{3})[_\\.…\s*-]+")


def _marks(text: str) -> list[re.Match[str]]:
    """The marks of answers and solutions, without those before a blank to write in."""
    marks = [*_part().finditer(text)]
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
        for role, body in _said(text, _marks(text))
        if role == "answer"
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
    return _part().sub(" ", text)
