"""Where the problems of a document stand in it: the raw text of each, up to the next one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

LEAST = 8  # characters by which the beginning of a question is found


class Stretch(NamedTuple):
    """A part of a document's text, and its first line."""

    line: int
    text: str


def stretches(
    text: str, questions: Sequence[str]
) -> tuple[Stretch, list[Stretch | None]]:
    """What stands before the first problem, and the stretch of each; None where it is not found.

    A question is found by its beginning, behind those before it; its stretch starts with the line.

    >>> stretches("# Test\\n1. Add 2 and 3.\\n2. Halve nine.", ["Add 2 and 3.", "Halve nine."])[1]
    [Stretch(line=2, text='1. Add 2 and 3.\\n'), Stretch(line=3, text='2. Halve nine.')]
    """
    starts: list[int | None] = []
    at = 0
    for question in questions:
        found = _found(text, question, at)
        start = None if found < 0 else max(at, text.rfind("\n", 0, found) + 1)
        starts.append(start)
        at = at if found < 0 else found + 1
    known = [start for start in starts if start is not None]
    ends = dict(
        zip(known, [*known[1:], len(text)], strict=False)
    )  # of none there is none
    before = Stretch(1, text[: known[0]] if known else text)
    return before, [None if s is None else _stretch(text, s, ends[s]) for s in starts]


def _stretch(text: str, start: int, end: int) -> Stretch:
    return Stretch(text.count("\n", 0, start) + 1, text[start:end])


def _found(text: str, question: str, at: int) -> int:
    """Where the longest beginning of a question stands that does stand there."""
    words = re.sub(r"<image\d+>", "", question).strip()
    length = len(words)
    while length >= min(LEAST, len(words)) > 0:
        place = text.find(words[:length], at)
        if place >= 0:
            return place
        length = length * 2 // 3
    return -1
