"""Instructions: what many questions of a set begin or end with says nothing of any of them.

"Solve the problem step by step. Put your answer in a box." before eighty problems makes no two of
them alike. A stem that a few questions share is none: they are relatives.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

FEWEST = (
    20  # different questions with one beginning, from which it is an instruction ...
)
SHARE = 0.1  # ... where they are so many of those that are looked at
LOOKED = 2_000  # questions of a set, spread over it
WORDS = 8  # of an instruction; a shorter one makes no two questions near
SIGNS = 16  # the same where words are not parted
SENTENCES = 12  # from each end of a question
REACH = 4_000  # characters from each end

_END = re.compile(r"(?<=[.!?:])\s+|(?<=[。！？：])\s*|\n+")
_NUMBER = re.compile(r"\d+")


class Instructions(NamedTuple):
    """How many questions of a set begin and end."""

    beginnings: frozenset[str]
    endings: frozenset[str]


def instructions_of(questions: Sequence[str]) -> Instructions:
    """The beginnings and endings of a set, of which `questions` are some.

    >>> asked = "Solve this problem and show your work in full."
    >>> topics = [chr(97 + k) * 3 for k in range(26)]
    >>> instructions_of([f"{asked} What is {topic}?" for topic in topics]).beginnings
    frozenset({'Solve this problem and show your work in full. '})
    """
    least = max(FEWEST, round(SHARE * len(questions)))
    before: dict[str, set[str]] = defaultdict(set)
    behind: dict[str, set[str]] = defaultdict(set)
    for question in questions:
        for text in _beginnings(question):
            before[text].add(_varied(question[len(text) :]))
        for text in _endings(question):
            behind[text].add(_varied(question[: -len(text)]))
    return Instructions(*(frozenset(_common(one, least)) for one in (before, behind)))


def common_ends(question: str, known: Instructions) -> tuple[int, int]:
    """How many characters before and behind are an instruction; none where nothing else is left.

    >>> common_ends("Look. What is it?", Instructions(frozenset(["Look. "]), frozenset()))
    (6, 0)
    """
    front = max(_lengths(_beginnings(question), known.beginnings), default=0)
    back = max(_lengths(_endings(question), known.endings), default=0)
    left = question[front : len(question) - back]
    return (front, back) if left.strip() else (0, 0)


def _lengths(texts: Iterable[str], known: frozenset[str]) -> Iterator[int]:
    return (len(text) for text in texts if text in known)


def _common(texts: dict[str, set[str]], least: int) -> Iterator[str]:
    for text, others in texts.items():
        long = len(text.split()) >= WORDS or (not text.isascii() and len(text) >= SIGNS)
        if len(others) >= least and long:
            yield text


def _varied(rest: str) -> str:
    """What stands beside, so that a template with other numbers is one."""
    return _NUMBER.sub("#", rest[:REACH]).strip()


def _beginnings(question: str) -> Iterator[str]:
    """Up to each end of a sentence, of the first ones, but the last of all."""
    for number, match in enumerate(_END.finditer(question, 0, REACH)):
        if number == SENTENCES or match.end() == len(question):
            return
        if match.end():
            yield question[: match.end()]


def _endings(question: str) -> Iterator[str]:
    """From each end of a sentence on, of the last ones."""
    start = max(0, len(question) - REACH)
    ends = [match.end() for match in _END.finditer(question, start)]
    for end in ends[-SENTENCES:]:
        if 0 < end < len(question):
            yield question[end:]
