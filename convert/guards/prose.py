"""The prose of a problem: without its formulas, or with each formula as one character."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from ...latex import CJK, FOLD, HAN, maths_spans
from .formulas import formulas, one_spelling, said

IMAGE = re.compile(r"<image\d+>")
WIDE = re.compile(rf"[{CJK}]")
_HAN = re.compile(rf"[{HAN}]")
_NUMBERED_ANGLE = re.compile(
    r"(?:∠\s?|\b[Aa]ngle |角)(\d)(?![\d°.]|\s?(?:radian|degree|rad\b|弧度|度))"
)
_SPACES = re.compile(" {2,}")
_DIGITS = {code: folded for code, folded in FOLD.items() if chr(folded).isalnum()}
_EQUATION = re.compile(r"([^=]+?)(?:=|\\in(?![A-Za-z]))([^=]+)")
_VARIABLE = re.compile("[a-z]")


def prose(text: str) -> str:
    """The text without pictures and formulas; one that is a number or a name stays."""
    return _replacing(text, lambda tex: f" {said(tex)} ")


def _replacing(text: str, word: Callable[[str], str]) -> str:
    """The text without pictures, each formula replaced by a word."""
    out, position = [], 0
    for span in maths_spans(text):
        out += [text[position : span.start], word(span.tex)]
        position = span.end
    prose = IMAGE.sub(" ", "".join([*out, text[position:]])).translate(_DIGITS)
    return _NUMBERED_ANGLE.sub(r"∠\1", _SPACES.sub(" ", prose))


def in_words(text: str, other: str) -> str:
    """The text with its equations taken apart where the other text says them in words.

    >>> in_words("Let $AB=10$ and $x=2$.", "Let $AB$ be $10$ and $x=2$.")
    'Let $AB$ $10$ and $x=2$.'
    """
    here, there = ((formulas(t), prose(t)) for t in (text, other))
    out, position = [], 0
    for span in maths_spans(text):
        sides = _EQUATION.fullmatch(span.tex)
        if sides and not there[0][one_spelling(span.tex)]:
            name, value = map(str.strip, sides.groups())
            known = _VARIABLE.fullmatch(name) or _times_said(name, *there)
            if known and _times_said(value, *there) > _times_said(value, *here):
                out += [text[position : span.start], f"${name}$ ${value}$"]
                position = span.end
    return "".join([*out, text[position:]])


def _times_said(side: str, formulas: Counter[str], prose: str) -> int:
    """How often a side of an equation stands in a text by itself."""
    if word := said(side):
        return len(
            re.findall(rf"(?<![\w.]){re.escape(word)}(?![\w.]*\d|[A-Za-z])", prose)
        )
    return formulas[one_spelling(side)]


def is_in_chinese(text: str) -> bool:
    return bool(_HAN.search(prose(text)))
