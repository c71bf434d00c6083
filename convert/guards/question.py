"""What a problem asks for: found in the clauses that ask, in English and in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...latex import is_chinese
from .phrases import inside
from .words import Known

_ASKS = re.compile(
    r"(?i)\b(?:find(?! out)|determine|estimate|calculate|compute|evaluate|work out|what(?:'s)?"
    r"|which|how|solve|state|write down|give)\b"
)
_ASKED = re.compile(
    r"[.?!](?!\d)|$|, (?:if|when|given|where|so that|assuming)\b|\bif\b|\bgiven that\b"
)
_BLANK = re.compile(r"\b(?:is|are|equals?)(?: equal to)?\s*(?:\(\s*\)|_+|\.?$)")
_ASKS_HAN = re.compile(
    r"求|多少|几(?!何)|什么|哪|何时|[（(]\s*[）)]|_{2,}|(?:[是为]|等于)\s*[。.]?$"
)
_HOW_MANY = re.compile(
    r"(?i)\b(?:how many|number of) (?:more |fewer |the )?|多少|几(?!何|分之|种|倍)"
)


def asking(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that ask.

    >>> text = "A is 3. Find B if C is 4."
    >>> [text[start:end] for start, end in asking(text)]
    ['Find B ']
    """
    return _chinese(text) if is_chinese(text) else _english(text)


def _chinese(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for m in re.finditer(r"[，,。；;？?！]|$", text):
        clause = text[start : m.start()]
        if _ASKS_HAN.search(clause):
            yield start + clause.rfind("求") + 1, m.start()
        start = m.end()


def _english(text: str) -> Iterator[tuple[int, int]]:
    end = -1
    for m in _ASKS.finditer(text):
        if m.start() >= end:
            stop = _ASKED.search(text, m.end())
            end = stop.start() if stop else len(text)
            yield m.start(), end
    if blank := _BLANK.search(text):
        starts = [m.end() for m in re.finditer(r"^|[,.;:]\s|\bthen\b", text[: blank.start()])]
        yield max(starts), blank.start()


_NOUNS = frozenset({"thing", "person", "container", "contest", "place", "team"})


def sought(text: str, anchors: Sequence[Known]) -> frozenset[str]:
    """What is counted in the question: how many games, number of games, 多少张票, 票有多少张."""
    nouns = [a for a in anchors if a.kind in _NOUNS]
    found = (_counted(text, m, nouns) for m in _HOW_MANY.finditer(text))
    return frozenset(noun.name for noun in found if noun)


_REACH = 40
_THINGS = frozenset({"thing", "container", "contest"})


def _counted(text: str, match: re.Match[str], nouns: Sequence[Known]) -> Known | None:
    chinese = is_chinese(match[0])
    behind = inside(nouns, match.end(), match.end() + _REACH)[:1]
    if behind and behind[0].start <= match.end() + (2 if chinese else 0):
        return behind[0]
    if not chinese:
        return None
    low = max(0, match.start() - 2 * _REACH)
    clause = max(low - 1, *(text.rfind(mark, low, match.start()) for mark in "，。；？,;?！!"))
    before = [noun for noun in inside(nouns, clause + 1, match.start()) if noun.kind in _THINGS]
    return before[-1] if before else None
