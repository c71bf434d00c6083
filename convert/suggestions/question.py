"""What a problem asks for: found in the clauses that ask, in English and in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...latex import is_chinese
from .phrases import inside
from .words import Known

_ASKS = re.compile(
    r"(?i)\b(?:find|determine|calculate|compute|evaluate|work out|what(?:'s)?|which|how|solve|state"
    r"|write down|give)\b"
)
_ASKED = re.compile(
    r"[.?!](?!\d)|$|, (?:if|when|given|where|so that|assuming)\b|\bif\b|\bgiven that\b"
)
_BLANK = re.compile(r"\b(?:is|are|equals?)(?: equal to)?\s*(?:\(\s*\)|_+|\.?$)")
_ASKS_HAN = re.compile(
    r"求|多少|几(?!何)|什么|哪|何时|[（(]\s*[）)]|_{2,}|(?:[是为]|等于)\s*[。.]?$"
)
_HOW_MANY = re.compile(r"(?i)\bhow many (?:more |fewer )?|多少|几(?!何|分之|种|倍)")


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


def sought(text: str, anchors: Sequence[Known]) -> frozenset[str]:
    """What is counted in the question: how many games, 多少张."""
    return frozenset(
        a.name
        for m in _HOW_MANY.finditer(text)
        for a in inside(anchors, m.end(), m.end() + 40)[:1]
        if a.start <= m.end() + 2
    )
