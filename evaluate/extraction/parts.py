"""Sub-answers: `(1) 5; (2) 7`, `① 5 ② 7`, `(a) ... (b) ...`, in golds and in replies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...problem import AnswerKind
from .final_answer import SCANNED, FinalAnswer, final_answer
from .visible import visible

_CIRCLED = {chr(0x2460 + k): str(k + 1) for k in range(20)}
_ROMAN = {name: str(k) for k, name in enumerate("i ii iii iv v vi vii viii ix x".split(), 1)}
_MARKERS = (  # how the parts of one answer are numbered; the first marker opens its text or a line
    re.compile(r"(?P<label>[①-⑳])[.、:：)]?"),
    re.compile(r"[(（]\s*(?P<label>\d{1,2})\s*[)）]"),
    re.compile(r"[(（]\s*(?P<label>[a-h])\s*[)）]"),
    re.compile(r"[(（]\s*(?P<label>[ivx]{1,4})\s*[)）]"),
    re.compile(r"(?:(?<=\n)|^)\W{0,4}(?:part|question|第)\s*[(（]?(?P<label>\d{1,2}|[a-h])[)）]?"
               r"(?:问|题|小题)?\s*[:：.、]?", re.IGNORECASE),
)  # fmt: skip
_EDGES = " \t\n;；,，.。*"


def parts_of(text: str) -> list[tuple[str, str]]:
    """Label and content of the parts of an answer; none where it is one answer.

    >>> parts_of(r"(1) 5; (2) $\\sqrt{3}$")
    [('1', '5'), ('2', '$\\\\sqrt{3}$')]
    >>> parts_of("①③"), parts_of("(1, 2)"), parts_of("(2) and (3)")
    ([], [], [])
    """
    for pattern in _MARKERS:
        sections = _sections(text, pattern)
        if sections and not text[: sections[0][1]].strip(_EDGES + ":："):
            contents = [(label, text[start:end].strip(_EDGES)) for label, _, start, end in sections]
            if all(content for _, content in contents):
                return contents
    return []


def read_parts(
    reply: str, labels: Sequence[str], kinds: Sequence[AnswerKind | None] = ()
) -> dict[str, FinalAnswer]:
    """The answer that a reply gives for each part; parts that it does not answer are left out.

    The parts of the declared answer count, then the last run of numbered sections.

    >>> read_parts("① We get x = 5. ② So y is 7.", ["1", "2"])["2"].answer
    '7'
    """
    text = visible(reply).text.rstrip()
    offset = max(0, len(text) - 5 * SCANNED)
    text = text[offset:]
    kind_of = dict(zip(labels, kinds or [None] * len(labels), strict=True))
    found: dict[str, FinalAnswer] = {}
    for pattern in _MARKERS:
        sections = _sections(text, pattern)
        if len([s for s in sections if s[0] in kind_of]) <= len(found):
            continue
        found = {}
        for label, _, start, end in sections:
            if label in kind_of:
                answer = final_answer(_without_label(text[start:end]), kind_of[label])
                if answer.answer is not None:
                    moved = offset + start + (end - start - len(_without_label(text[start:end])))
                    found[label] = FinalAnswer(
                        answer.answer, answer.rule,
                        answer.start + moved if answer.start >= 0 else -1,
                        answer.end + moved if answer.start >= 0 else -1,
                    )  # fmt: skip
    return found


def _without_label(section: str) -> str:
    return section.lstrip(" \t\n:：.、").rstrip(" \t\n;；,，")


def _sections(text: str, pattern: re.Pattern[str]) -> list[tuple[str, int, int, int]]:
    """The last run 1, 2, 3, ... of markers: label, its start, start and end of its content."""
    marks = [(_number(m["label"]), m) for m in pattern.finditer(text)]
    runs: list[list[tuple[str, re.Match[str]]]] = []
    for label, mark in marks:
        if label == "1":
            runs.append([(label, mark)])
        elif runs and label == str(len(runs[-1]) + 1):
            runs[-1].append((label, mark))
    complete = [run for run in runs if len(run) > 1]
    if not complete:
        return []
    longest = max(len(run) for run in complete)
    run = [run for run in complete if len(run) == longest][-1]
    stops = [mark.start() for _, mark in run[1:]] + [len(text)]
    return [
        (label, mark.start(), mark.end(), stop)
        for (label, mark), stop in zip(run, stops, strict=True)
    ]


def _number(label: str) -> str:
    """The place of a part: 2 for ②, 2, b, ii."""
    label = label.lower()
    if label in _CIRCLED:
        return _CIRCLED[label]
    if label.isdecimal():
        return str(int(label))
    return _ROMAN[label] if label in _ROMAN and label != "i" else (
        "1" if label == "i" else str(ord(label[0]) - ord("a") + 1)
    )  # fmt: skip
