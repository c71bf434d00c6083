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
    searched = 0
    for question in questions:
        place = _find_beginning(text, question, searched)
        if place is None:
            starts.append(None)
            continue
        line_start = text.rfind("\n", 0, place) + 1
        starts.append(max(searched, line_start))
        searched = place + 1
    places = [start for start in starts if start is not None]
    ends = dict(zip(places, [*places[1:], len(text)], strict=False))
    before = Stretch(1, text[: places[0]] if places else text)
    of_questions = [
        None if start is None else _stretch(text, start, ends[start])
        for start in starts
    ]
    return before, of_questions


def _stretch(text: str, start: int, end: int) -> Stretch:
    return Stretch(text.count("\n", 0, start) + 1, text[start:end])


def _find_beginning(text: str, question: str, start: int) -> int | None:
    """Where the longest beginning of a question stands, behind `start`; None: nowhere."""
    words = re.sub(r"<image\d+>", "", question).strip()
    length = len(words)
    while length >= min(LEAST, len(words)) > 0:
        place = text.find(words[:length], start)
        if place >= 0:
            return place
        length = length * 2 // 3
    return None
