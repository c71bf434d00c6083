"""Sub-answers: `(1) 5; (2) 7`, `① 5 ② 7`, `(a) ... (b) ...`, in golds and in replies."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...latex import PART_STYLES, last_run
from ...problem import AnswerKind
from .final_answer import FinalAnswer, final_answer
from .page import SCANNED
from .visible import visible

_EDGES = " \t\n;；,，.。*:：、"


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
            found = final_answer(
                text[start : end + offset].rstrip(" \t\n;；,，"), kind_of[label]
            )
            if found.answer is not None:
                best[label] = msgspec.structs.replace(
                    found, start=found.start + start, end=found.end + start
                )
    return best
