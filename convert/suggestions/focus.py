"""What a problem asks for: found in the clause that asks, in English and in Chinese."""

from __future__ import annotations

import re

from ...latex import is_chinese
from .senses import Sense, senses

_NOUNS = frozenset(
    "measure motion shape line point functions thing person colour digit sides river".split()
) | {"then and now"}
_ENGLISH = re.compile(
    r"(?i)\b(?:find|determine|calculate|compute|evaluate|give|work out|what(?:'s)?|which|how)\b"
)
_BLANK = re.compile(r"\b(?:is|are|equals?)(?: equal to)?\s*(?:\(\s*\)|_+|\.?$)")
_ENGLISH_END = re.compile(r"[.?!](?!\d)|$|, (?:if|when|given|where)\b")
_CHINESE = re.compile(r"求|多少|几|什么|哪|[（(]\s*[）)]|(?:[是为]|等于)\s*$")
_HEAD = re.compile(r"[是为]|等于|多少|[（(]")


def another_question(before: str, after: str) -> str:
    """Something else is asked for: neither side's wanted thing stands in the other's question.

    >>> another_question("求切线方程", "What is the slope of the tangent line?")
    "question: it asks for 'slope' instead of 'equation'"
    >>> another_question("求女生人数", "How many girls are there?")
    ''
    """
    old, new = _asked(before), _asked(after)
    if not old or not new:
        return ""
    one, two = old[1], new[1]
    if old[0] == new[0] and (one & two) == {new[0]} and min(len(one), len(two)) > 1:
        one, two = one - {old[0]}, two - {new[0]}  # the speed of something else
        return f"question: it asks about {min(two)!r} instead of {min(one)!r}"
    if old[0] in two or new[0] in one:
        return ""
    return f"question: it asks for {new[0]!r} instead of {old[0]!r}"


def _asked(text: str) -> tuple[str, set[str]] | None:
    """The head of the last clause that asks, and everything known that this clause names."""
    if is_chinese(text):
        clauses = [c for c in re.split("[，,。；;？?]", text) if _CHINESE.search(c)]
        if not clauses:
            return None
        clause = clauses[-1].rsplit("求", 1)[-1]
        named = _nouns(clause)
        heads = [s for s in named if not _HEAD.search(clause[: s.start])] or named
        return (heads[-1].name, {s.name for s in named}) if named else None
    asking = [m.start() for m in _ENGLISH.finditer(text)]
    if blank := _BLANK.search(text):
        asking.append(
            max(m.end() for m in re.finditer(r"^|[,.;:]\s|\bthen\b", text[: blank.start()]))
        )
    if not asking:
        return None
    end = _ENGLISH_END.search(text, asking[-1])
    named = _nouns(text[asking[-1] : end.start() if end else len(text)])
    return (named[0].name, {s.name for s in named}) if named else None


def _nouns(clause: str) -> list[Sense]:
    return [s for s in senses(clause) if s.group in _NOUNS]
