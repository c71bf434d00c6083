"""Sub-answers: `(1) 5; (2) 7`, `① 5 ② 7`, `(a) ... (b) ...`, in golds and in replies."""

from __future__ import annotations

from collections.abc import Sequence

from ...latex import PART_STYLES, last_run
from ...problem import AnswerKind
from .final_answer import FinalAnswer, final_answer
from .page import SCANNED
from .visible import visible

SHORTEST = 4  # characters of two parts: ①5②7
_EDGES = " \t\n;；,，.。*"


def parts_of(text: str) -> list[tuple[str, str]]:
    """Label and content of the parts of an answer; none where it is one answer.

    >>> parts_of(r"(1) 5; (2) $\\sqrt{3}$")
    [('1', '5'), ('2', '$\\\\sqrt{3}$')]
    >>> parts_of("①③"), parts_of("(1, 2)"), parts_of("(2) and (3)")
    ([], [], [])
    """
    for style in PART_STYLES if len(text) >= SHORTEST else ():
        sections = last_run(text, style)
        if sections and not text[: sections[0].mark].strip(_EDGES + ":："):
            contents = [(str(s.number), text[s.start : s.end].strip(_EDGES)) for s in sections]
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
    for style in PART_STYLES:
        sections = last_run(text, style)
        if len([s for s in sections if str(s.number) in kind_of]) <= len(found):
            continue
        found = {}
        for number, _, start, end in sections:
            if (label := str(number)) in kind_of:
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
