"""Golds, parts and options that the grammar of answers does not read whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..grading.answers import UNREADABLE, Symbolic, clean, read
from ..grading.equivalence import inline_answer
from ..latex import maths_spans
from ..words import quantity
from .reading import faults
from .rules import Asked, Flagged, validator

# Kinds that the grammar compares; of words and of letters nothing is read.
_KINDS = frozenset("number expression set tuple interval equation matrix".split())
_VALUES = _KINDS - {"expression"}  # where every sign has a value
_PROSE = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{3,}\s+[A-Za-z]{2,}|[\u4e00-\u9fff]{2}")
_FORMULA = re.compile(r"\\[A-Za-z]|[\^_]")


@validator("gold-unread", "warning", "respell it, or declare the kind text")
def gold_unread(asked: Asked) -> Iterator[Flagged]:
    r"""A right reply cannot be compared with it: `\\frac{1}{2`, `\\mauvaise{oh}`."""
    parts = [(f"part {p.label}", p.answer, str(p.answer_kind)) for p in asked.parts]
    whole = [] if parts else [("answer", asked.answer, str(asked.kind))]
    for field, text, kind in [*whole, *parts]:
        if reason := _unread(text, kind):
            yield field, f"{text[:80]}: {reason}"
    for option in asked.options:
        spans = maths_spans(option.text)
        is_formula = len(spans) == 1 and spans[0].end - spans[0].start == len(
            option.text
        )
        if is_formula and (reason := _unread(option.text, "expression")):
            yield "options", f"{option.label}: {option.text[:80]}: {reason}"


@lru_cache(maxsize=4096)  # values come again and again
def _unread(text: str, kind: str) -> str:
    """What keeps a value from being read; "" where nothing does, or where it is none."""
    if any(sign in text for sign in "\\^_{}") and (reasons := faults(text)):
        return reasons[0]
    is_value = kind in _KINDS or (kind == "text" and _FORMULA.search(text))
    if not is_value or not text.strip() or _PROSE.search(text):
        return ""
    answer = inline_answer(text)
    try:
        read(answer)
    except Symbolic:
        return ""
    except UNREADABLE as reason:
        is_drawn = kind not in _VALUES and str(reason).startswith(
            "\\"
        )  # an arrow, a square
        return "" if is_drawn or quantity(clean(answer)) else f"not read: {reason}"
    return ""
