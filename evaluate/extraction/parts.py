"""Sub-answers: `(1) 5; (2) 7`, `① 5 ② 7`, `(a) ... (b) ...`, in golds and in replies."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...latex import PART_STYLES, last_run
from ...problem import AnswerKind
from .final_answer import FinalAnswer, final_answer
from .page import SCANNED
from .visible import visible

SHORTEST = 4  # characters of two parts: ①5②7
_EDGES = " \t\n;；,，.。*:：、"


def parts_of(text: str) -> list[tuple[str, str]]:
    """Label and content of the parts of an answer; none where it is one answer.

    >>> parts_of(r"(1) 5; (2) $\\sqrt{3}$")
    [('1', '5'), ('2', '$\\\\sqrt{3}$')]
    >>> parts_of("①③"), parts_of("(1, 2)"), parts_of("(2) and (3)")
    ([], [], [])
    """
    for style in PART_STYLES if len(text) >= SHORTEST else ():
        sections = last_run(text, style)
        contents = [(str(s.number), text[s.start : s.end].strip(_EDGES)) for s in sections]
        if sections and not text[: sections[0].mark].strip(_EDGES) and all(c for _, c in contents):
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
    kind_of = dict(zip(labels, kinds or [None] * len(labels), strict=True))
    best: dict[str, FinalAnswer] = {}
    for style in PART_STYLES:
        sections = last_run(text[offset:], style)
        if len([s for s in sections if str(s.number) in kind_of]) <= len(best):
            continue
        best = {}
        for number, _, start, end in sections:
            start += offset
            start = end + offset - len(text[start : end + offset].lstrip(_EDGES))
            if (label := str(number)) not in kind_of:
                continue
            found = final_answer(text[start : end + offset].rstrip(" \t\n;；,，"), kind_of[label])
            if found.answer is not None:
                best[label] = msgspec.structs.replace(
                    found, start=found.start + start, end=found.end + start
                )
    return best
