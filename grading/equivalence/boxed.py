"""The answer in a short text: what its boxes hold, or the formula that its words lead to."""

from __future__ import annotations

import re

from ...latex import boxes, maths_spans, replace_maths
from ...words import words

_JOINS = re.compile(  # what may stand between two boxes of one answer: "1 and 2"
    rf"[\s$\\()\[\]]*|[^.=\n]{{0,40}}(?:[,;、]|{words('joins', 'either')})"
    r"[\s$\\()\[\]{}]*(?:[A-Za-z](?:_\{?\w\}?)?\s*=\s*)?"
)
_CLAUSES = re.compile(  # "of children is \boxed{50}, and the number of adults is \boxed{175}"
    rf"{_JOINS.pattern}|[^.\n]{{0,60}}(?:[,;、]|{words('joins', 'either')})[^.\n]{{0,60}}"
)
PROSE = 6  # words around a formula


def boxed(text: str, several: bool = False) -> tuple[str, int, int] | None:
    """The last box, with those before it in the same sentence ("1 and 2"), and where it is.

    Where `several` values are asked for, clauses may stand between them. Of a box that was cut off,
    what is there counts.
    """
    found = [box for box in boxes(text) if box.closed or box.content.strip()]
    joins = _CLAUSES if several and found and "," not in found[-1].content else _JOINS
    answers = [box.content.strip() for box in found[-1:]]
    for before, after in zip(found[-2::-1], found[:0:-1], strict=False):
        if not joins.fullmatch(text, before.end, after.start):
            break
        answers.insert(0, before.content.strip())
    return (
        (", ".join(dict.fromkeys(answers)), found[-1].start, found[-1].end)
        if found
        else None
    )


def inline_answer(text: str) -> str:
    """The answer in a short text: its boxes, or its last formula when prose surrounds it."""
    if box := boxed(text) if "box" in text else None:
        return box[0]
    formulas = (
        [span.tex for span in maths_spans(text) if span.tex]
        if re.search(r"\$|\\[(\[]", text)
        else []
    )
    if not formulas:
        return text
    prose = replace_maths(text, lambda _: " ")
    spoken = re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+", " ", prose))
    if len(spoken) < 2 or {w.lower() for w in spoken} <= {"and", "or"}:
        return text
    lead = re.search(r"(?:\bis|\bare|:|=)\s*$", prose.rstrip(" ."))
    return formulas[-1] if lead or len(spoken) > PROSE else text
