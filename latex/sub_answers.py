"""Marks of sub-questions and sub-answers: (1) (2), ① ②, (Ⅰ) (Ⅱ), (a) (b), (i) (ii), Question 1:.

Exams, golds and replies number alike, so all are cut here. A mark is what stands before a part,
not what speaks of one: `f(1)` and `由(1)知` are none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..words import part_roman, sign_number

# Where a mark may stand. `(2)` behind a bracket is a factor, `(Ⅱ)` is none.
_STOPS = r"\s.。;；,，:：?？!！】$|°"
_AFTER_STOP = rf"(?:^|(?<=[{_STOPS}])|(?<=\*\*))"
_AFTER_BRACKET = rf"(?:^|(?<=[{_STOPS})）])|(?<=\*\*))"
_LINE = r"(?:(?<=\n)|^)\W{0,4}"
SHORTEST = 4  # characters of two parts: ①5②7
PART_STYLES = {
    "①": re.compile(r"(?P<label>[①-⑳])[.、:：)]?\s*"),
    "(1)": re.compile(_AFTER_STOP + r"[(（]\s*(?P<label>\d{1,2})\s*[)）]\s*"),
    "(a)": re.compile(_AFTER_STOP + r"[(（]\s*(?P<label>[a-h])\s*[)）]\s*"),
    "(i)": re.compile(_AFTER_STOP + r"[(（]\s*(?P<label>[ivx]{1,4})\s*[)）]\s*"),
    "(Ⅰ)": re.compile(
        _AFTER_BRACKET + r"[(（]\s*(?P<label>[Ⅰ-Ⅹ]|[IVX]{1,4})\s*[)）]\s*"
    ),
    "Question 1:": re.compile(
        _AFTER_BRACKET
        + r"(?:(?i:question|problem)|问题|第)\s*(?P<label>\d)\s*(?:小题|[问题])?\s*[:：]\s*"
    ),
    "Part 1": re.compile(
        _LINE + r"(?:part|question|第)\s*[(（]?(?P<label>\d{1,2}|[a-h])(?![a-z])[)）]?"
        r"(?:问|题|小题)?\s*[:：.、]?\s*",
        re.IGNORECASE,
    ),
}
_ENDS = " \t\n;；,，.。*:：、"
# In each mark: a sign, a bracket, a colon, or the word that a line opens with.
_OPENS = re.compile(r"[①-⑳(（:：第]|part|question", re.IGNORECASE)


class Section(NamedTuple):
    """A part and the mark before it: `text[mark:start]` is the mark, `text[start:end]` the part."""

    number: int
    mark: int
    start: int
    end: int


def parts_of(text: str) -> list[tuple[str, str]]:
    """Label and content of the parts of an answer; none where it is one answer.

    `①②④` names statements: sub-answers have something behind every mark and nothing before them.

    >>> parts_of(r"(1) 5; (2) $\\sqrt{3}$"), parts_of("(1) .5; (2) 7")
    ([('1', '5'), ('2', '$\\\\sqrt{3}$')], [('1', '.5'), ('2', '7')])
    >>> parts_of("①③"), parts_of("(1, 2)"), parts_of("(2) and (3)")
    ([], [], [])
    """
    if len(text) < SHORTEST or not _OPENS.search(text):
        return []
    for style in PART_STYLES:
        run = first_run(text, style)
        if len(run) < 2 or run[0].number != 1 or text[: run[0].mark].strip(_ENDS):
            continue
        parts = [
            (str(part.number), _content(text[part.start : part.end])) for part in run
        ]
        if all(content for _, content in parts):
            return parts
    return []


def _content(part: str) -> str:
    return part.lstrip(" \t\n*:：、").rstrip(_ENDS)


def first_run(text: str, style: str) -> list[Section]:
    """The parts of a text that somebody set: from its first mark on, numbered in steps of one.

    A bracket of two digits opens none: it is a factor.

    >>> text = "AB = 3. (Ⅰ) Find x. (Ⅱ) Find y."
    >>> [text[s.start : s.end].strip() for s in first_run(text, "(Ⅰ)")]
    ['Find x.', 'Find y.']
    """
    run: list[tuple[int, re.Match[str]]] = []
    for number, mark in _marks(text, style):
        goes_on = number == run[-1][0] + 1 if run else number < 10
        if goes_on:
            run.append((number, mark))
    return _sections(text, run)


def last_run(text: str, style: str) -> list[Section]:
    """The parts of a reply, which may number more than once: the last of its longest runs from 1.

    One mark alone is no run.

    >>> [s.number for s in last_run("(1) and (2) are asked. (1) 5 (2) 7", "(1)")]
    [1, 2]
    """
    runs: list[list[tuple[int, re.Match[str]]]] = []
    for number, mark in _marks(text, style):
        if number == 1:
            runs.append([(number, mark)])
        elif runs and number == len(runs[-1]) + 1:
            runs[-1].append((number, mark))
    longest = max(map(len, runs), default=0)
    if longest < 2:
        return []
    return _sections(text, [run for run in runs if len(run) == longest][-1])


def _marks(text: str, style: str) -> list[tuple[int, re.Match[str]]]:
    """The marks of a style with the numbers that they say."""
    numbered = (
        (_number(mark["label"].lower(), style), mark)
        for mark in PART_STYLES[style].finditer(text)
    )
    return [(number, mark) for number, mark in numbered if number]


def _number(label: str, style: str) -> int:
    """The place of a part: 2 for ②, 2, b, ii and Ⅱ; 0 for what is none, as iiii."""
    if label.isdecimal():
        return int(label)
    if style in ("(a)", "Part 1"):
        return ord(label) - ord("a") + 1
    return sign_number(label) or part_roman(label)


def _sections(text: str, run: list[tuple[int, re.Match[str]]]) -> list[Section]:
    ends = [*(mark.start() for _, mark in run[1:]), len(text)]
    return [
        Section(number, mark.start(), mark.end(), end)
        for (number, mark), end in zip(run, ends, strict=False)
    ]
