"""The answer in a short text: what its boxes hold, or the formula that its words lead to."""

from __future__ import annotations

import re
from itertools import pairwise

from ...latex import boxes, maths_spans, replace_maths
from ...words import words

PROSE = 6  # words around a formula

_COMMA_OR_WORD = rf"(?:[,;、，；]|{words('joins', 'either')})"
# What may stand between two boxes of one answer: "1 and 2", "x = 1 or y = 2".
_JOINS = re.compile(
    rf"[\s$\\()\[\]]*|[^.=\n]{{0,40}}{_COMMA_OR_WORD}"
    r"(?:\\q?quad|[\s$\\()\[\]{}])*(?:[A-Za-z](?:_\{?\w\}?)?\s*=\s*)?"
)
# And clauses: "of children is \boxed{50}, and the number of adults is \boxed{175}".
_CLAUSES = re.compile(rf"{_JOINS.pattern}|[^.\n]{{0,60}}{_COMMA_OR_WORD}[^.\n]{{0,60}}")
# And lines, of which each has its own box.
_LINES = re.compile(r"[^\n=?]{0,40}(?:\n[^\n=?]{0,60}){1,5}")
# What stands before a rounded value: the exact one counts.
_ROUNDS = re.compile(
    r"\s?(?:≈|\\approx)\s?"
    rf"|\s{{0,4}}[^.=\n]{{0,24}}{words('rounds')}[\s:$*]{{0,6}}",
    re.IGNORECASE,
)
_CORRECTS = re.compile(words("corrects"), re.IGNORECASE)
_OPENS_FORMULA = re.compile(r"\$|\\[(\[]")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"[A-Za-z]{2,}")
_LEADS = re.compile(r"(?:\bis|\bare|:|=)\s*$")


def boxed(text: str, several: bool = False) -> tuple[str, int, int] | None:
    """The last box, with those before it in the same sentence ("1 and 2"), and where it is.

    Where `several` values are asked for, clauses may stand between them. Of a box that was cut off,
    what is there counts.
    """
    filled = [box for box in boxes(text) if box.closed or box.content.strip()]
    if not filled:
        return None
    *_, opened = boxes(text)
    last = filled[-1]
    if opened is not last and _CORRECTS.search(text, last.end, opened.start):
        return "", opened.start, opened.end  # taken back, and broken off
    one_each = several and not any("," in box.content for box in filled)
    joins = _CLAUSES if one_each else _JOINS
    answers = [last.content.strip()]
    for before, after in reversed(list(pairwise(filled))):
        if _ROUNDS.fullmatch(text, before.end, after.start):
            answers[0] = before.content.strip()
        elif joins.fullmatch(text, before.end, after.start):
            one_each = "\n" in text[before.end : after.start]
            answers.insert(0, before.content.strip())
        elif one_each and _LINES.fullmatch(text, before.end, after.start):
            answers.insert(0, before.content.strip())
        else:
            break
    return ", ".join(dict.fromkeys(answers)), last.start, last.end


def inline_answer(text: str) -> str:
    """The answer in a short text: its boxes, or its last formula when prose surrounds it."""
    if box := boxed(text) if "box" in text else None:
        return box[0]
    if not _OPENS_FORMULA.search(text):
        return text
    formulas = [span.tex for span in maths_spans(text) if span.tex]
    if not formulas:
        return text
    prose = replace_maths(text, lambda _: " ")
    prose_words = _WORD.findall(_COMMAND.sub(" ", prose))
    if len(prose_words) < 2 or {w.lower() for w in prose_words} <= {"and", "or"}:
        return text
    leads = _LEADS.search(prose.rstrip(" ."))
    return formulas[-1] if leads or len(prose_words) > PROSE else text
