"""Sub-answers: `(1) 5; (2) 7`, `① 5 ② 7`, `(a) ... (b) ...`, in golds and in replies."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...latex import PART_STYLES, last_run
from ...problem import AnswerKind
from .final_answer import FinalAnswer, final_answer
from .page import SCANNED
from .visible import visible

_TRAILS = " \t\n;；,，"
_LEADS = f"{_TRAILS}.。*:：、"


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
        sections = [
            section
            for section in last_run(text[offset:], style)
            if str(section.number) in kind_of
        ]
        if len(sections) <= len(best):
            continue
        best = {}
        for number, _, start, end in sections:
            label = str(number)
            section = text[start + offset : end + offset]
            content = section.lstrip(_LEADS)
            place = end + offset - len(content)
            final = final_answer(content.rstrip(_TRAILS), kind_of[label])
            if final.answer is not None:
                best[label] = msgspec.structs.replace(
                    final, start=final.start + place, end=final.end + place
                )
    return best
