"""Answers that a reply marks: boxes, tags and JSON fields."""

from __future__ import annotations

import re

from ...latex import Box, boxes, maths_spans, replace_maths
from ...words import WORDS

_TAG = re.compile(
    r"<{1,2}answer>{1,2}[\s*`]{0,9}[:：]?[\s*`]{0,9}"
    r"(?:<<(?P<quoted>.*?)>>|<(?P<angled>[^<>/][^<>]*)>"
    r"|(?:<(?!/))*(?P<bare>.*?)(?:</|<[A-Za-z ]{3,}>|$))"
    r"|<\|begin_of_box\|>\s*(?P<box>.*?)(?:<\|end_of_box\|>|$)",
    re.DOTALL | re.IGNORECASE,
)
_FIELD = re.compile(
    rf"[\"'](?:final_?|correct_?)?(?:{WORDS['answer']['en']}|{WORDS['answer']['zh']})[\"']\s*:\s*"
    r'(?:"(?P<text>(?:[^"\\\n]|\\.)*)"|\[(?P<list>[^\]\n]*)\]|(?P<bare>[^",}\n]+))',
    re.IGNORECASE,
)
_JOINS = re.compile(  # what may stand between two boxes of one answer: "1 and 2"
    r"[\s$\\()\[\]]*|[^.=\n]{0,40}(?:[,;、]|\band\b|\bor\b|和|或|与)[\s$\\()\[\]{}]*"
    r"(?:[A-Za-z](?:_\{?\w\}?)?\s*=\s*)?"
)
_SKIPS = re.compile(r"\\(?:quad|qquad|text|mathrm|[,;])(?![A-Za-z])")


def fields(text: str) -> list[tuple[str, int, int]]:
    """What JSON fields named answer hold, and where.

    >>> fields('{"answer": "\\\\\\\\pi"}')[0][0]
    '\\\\pi'
    """
    found = []
    for field in _FIELD.finditer(text):
        group = field.lastgroup or 0
        content = field[group].strip().replace('"', "").replace("\\\\", "\\")
        found.append((content, *field.span(group)))
    return found


def tags(text: str) -> list[tuple[str, int, int]]:
    """What answer tags hold, and where.

    >>> tags("<answer>7</answer>"), tags("<Thought process>: <<...>> <Answer>: <<C>>")[0][0]
    ([('7', 8, 9)], 'C')
    """
    found = [(tag[tag.lastgroup or 0].strip(), *tag.span(tag.lastgroup or 0))
             for tag in _TAG.finditer(text)]  # fmt: skip
    return found


def answer_boxes(text: str) -> list[Box]:
    """The boxes of a reply; of one that was cut off, what is there counts."""
    return [box for box in boxes(text) if box.closed or box.content.strip()]


def joined_boxes(text: str, boxed: list[Box]) -> str:
    """The last box, with those before it in the same sentence ("1 and 2")."""
    answers = [boxed[-1].content.strip()]
    for before, after in zip(boxed[-2::-1], boxed[:0:-1], strict=False):
        between = text[before.end : after.start]
        if not _JOINS.fullmatch(_SKIPS.sub(" ", between)):
            break
        answers.insert(0, before.content.strip())
    return ", ".join(dict.fromkeys(answers))


def inline_answer(text: str) -> str:
    """The answer in a short text: its boxes, or its last formula when prose surrounds it."""
    if "boxed" in text or "fbox" in text:
        boxed = answer_boxes(text)
        if boxed:
            return joined_boxes(text, boxed)
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return text
    formulas = [span.tex for span in maths_spans(text) if span.tex]
    prose = replace_maths(text, lambda _: " ")
    spoken = re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+", " ", prose))
    if not formulas or len(spoken) < 2 or all(w.lower() in ("and", "or") for w in spoken):
        return text
    lead = re.search(r"(?:\bis|\bare|:|=)\s*$", prose.rstrip(" ."))
    return formulas[-1] if lead or len(spoken) > 6 else text
