"""The prose of a problem, without its formulas, and equations that another text says in words."""

from __future__ import annotations

import re
from collections import Counter

from ...latex import CJK, FOLD, HAN, maths_spans
from .formulas import formulas, one_spelling, prose_form

IMAGE = re.compile(r"<image\d+>")
WIDE = re.compile(rf"[{CJK}]")
_HAN = re.compile(rf"[{HAN}]")
# angle 1 is a name; an angle of 1 radian, 1° or 10 is a size
_NUMBERED_ANGLE = re.compile(
    r"(?:∠\s?|\b[Aa]ngle |角)(\d)(?![\d°.]|\s?(?:radian|degree|rad\b|弧度|度))"
)
_SPACES = re.compile(" {2,}")
_DIGITS = {code: folded for code, folded in FOLD.items() if chr(folded).isalnum()}
# what is said to be equal to something, or to belong to it
_EQUATION = re.compile(r"([^=]+?)(?:=|\\in(?![A-Za-z]))([^=]+)")
_VARIABLE = re.compile("[a-z]")


def prose(text: str) -> str:
    """The text without pictures and formulas; one that is a number or a name stays."""
    pieces: list[str] = []
    position = 0
    for span in maths_spans(text):
        pieces += [text[position : span.start], f" {prose_form(span.tex)} "]
        position = span.end
    words = "".join([*pieces, text[position:]])
    words = IMAGE.sub(" ", words).translate(_DIGITS)
    return _NUMBERED_ANGLE.sub(r"∠\1", _SPACES.sub(" ", words))


def in_words(text: str, other: str) -> str:
    """The text with its equations taken apart where the other text says them in words.

    >>> in_words("Let $AB=10$ and $x=2$.", "Let $AB$ be $10$ and $x=2$.")
    'Let $AB$ $10$ and $x=2$.'
    """
    here = formulas(text), prose(text)
    there = formulas(other), prose(other)
    pieces: list[str] = []
    position = 0
    for span in maths_spans(text):
        equation = _EQUATION.fullmatch(span.tex)
        if not equation or there[0][one_spelling(span.tex)]:
            continue
        name, value = map(str.strip, equation.groups())
        is_named = _VARIABLE.fullmatch(name) or _times_said(name, *there)
        if is_named and _times_said(value, *there) > _times_said(value, *here):
            pieces += [text[position : span.start], f"${name}$ ${value}$"]
            position = span.end
    return "".join([*pieces, text[position:]])


def _times_said(side: str, formulas: Counter[str], prose: str) -> int:
    """How often a side of an equation stands in a text by itself."""
    words = prose_form(side)
    if not words:
        return formulas[one_spelling(side)]
    by_itself = rf"(?<![\w.]){re.escape(words)}(?![\w.]*\d|[A-Za-z])"
    return len(re.findall(by_itself, prose))


def is_in_chinese(text: str) -> bool:
    return bool(_HAN.search(prose(text)))
