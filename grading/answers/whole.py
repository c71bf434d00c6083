"""Where in a text an answer ends: the longest stretch that the grammar reads as one value.

The scanner of replies proposes where an answer may begin and asks here how far it goes, so that a
reply is read as `grade` reads the answer alone: a mixed number, a sign in words, spaced signs.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from ...words import (
    HAN_NAMES,
    in_figures,
    number,
    number_at,
    quantity,
    said,
    unit,
    words,
)
from .parser import read
from .spelling import clean
from .tokens import FUNCTIONS, GREEK, UNREADABLE
from .tree import Node, walk

LONGEST = 200  # characters of an answer that is measured
SYMBOLS = 2  # letters that may be a product, a segment or a name: xy, AB
_REMARK = r"(?<=\d)\s?\([A-Za-z][A-Za-z.' /-]{1,25}\)"  # 17 (years old)
_REMARK_BEHIND = re.compile(rf"{_REMARK}$")
_LIST_SIGNS = frozenset(",;，；、")
# What joins values; a comma within a number is none: 6,50 and 1,000.
_JOINT = r"(?!(?<=\d),\d\d?(?![\d,]))[,，、;；](?!\d{3}(?!\d))"
# One piece of a text: a formula, a command, a word, or any other sign.
_PIECE = re.compile(
    r"(?P<base>[ \t]\(?(?:in[ \t])?base[ \t-]?\w{1,9}\)?|0[xX][\da-fA-F]+)"
    rf"|(?P<remark>{_REMARK})"
    r"|(?P<space>\s+)|(?P<formula>[\ue000\ue001]+)|(?P<command>\\(?:[A-Za-z]+|.))"
    r"|(?P<word>[A-Za-zÀ-ɏ]+|[^\W\d_A-Za-zÀ-ɏ]+)|"
    rf"(?P<joint>{_JOINT})"
    r"|(?P<end>\*\*|(?<=[ \t])\((?=[≈~\d.]+\))|[\"“”|#✓✔✅\n।])|.",
    re.DOTALL,
)
_BRACES = {"{": 1, "}": -1}  # e^{it} is no word
_JOINTS = said("joins", "either")
_PREPOSITIONS = frozenset(["in", "at", "as"])  # and units of the same spelling
_PAIRS = frozenset(["to", "past", "and", "or", "per", "am", "pm"])  # within one value
_STOPS = " \t.,;:，。；"
_TOGETHER = ("and", "且")  # what joins the parts of one measure
_JOINING = frozenset(["and", "or", "to", "per"])  # no end of a value
# What is one value although a word stands in it: 5 ft 9 in, 3 out of 8, between 4 and 5.
_FIGURES = r"\$?[-−]?\d[\d,]{0,15}(?:\.\d{1,15})?\$?"
_FEET = rf"{_FIGURES}\s?(?:ft|feet|foot)\.?\s?(?:and\s)?{_FIGURES}\s?in(?:ch|ches)?(?![A-Za-z])"
_SHARE = rf"{_FIGURES}\s+(?:in|out\s+of)\s+{_FIGURES}(?=\$?\.?\s*(?:\Z|[\n,;]))"
_SPAN = rf"{words('span')}\s*{_FIGURES}\s*(?:{words('to', 'joins')}|[-–~])\s*{_FIGURES}"
_HAN = rf"(?:(?:[零一二三四五六七八九十百千两半]{{1,9}}|\d[\d.]{0, 15})\s?{HAN_NAMES}){{2,4}}"
_TOGETHER_SAID = re.compile(rf"{_FEET}|{_SHARE}|{_SPAN}|{_HAN}")
_MEASURES = re.compile(rf"{_FEET}|{_HAN}")
_SIGN = re.compile(rf"{words('minus')}\s*", re.IGNORECASE)


def measures(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where values in several units stand, which no other rule reads: 5 ft 9 in, 三小时二十分钟.

    >>> measures("He is 5 ft 9 in tall", 0, 20)
    [(6, 15)]
    """
    stretch = text[start:end]
    if stretch.isascii() and not any(
        foot in stretch for foot in ("ft", "feet", "foot")
    ):
        return []
    return [match.span() for match in _MEASURES.finditer(text, start, end)]


def whole_end(
    text: str,
    masked: str,
    start: int,
    bound: int,
    listed: bool = True,
    known: Collection[tuple[int, int]] = (),
) -> int:
    r"""The end of the longest answer that begins at a place; the place itself where none does.

    In `masked` formulas are single signs, as a page has them. Unless `listed`, it is one value.
    Stretches that are `known` to be values are not read again.

    >>> said = "2 1/2 of the cake"
    >>> said[: whole_end(said, said, 0, len(said))]
    '2 1/2'
    """
    bound = min(bound, start + LONGEST)
    if said_together := _TOGETHER_SAID.match(text, start, bound):
        return said_together.end()
    sign = _SIGN.match(text, start, bound)
    begin = sign.end() if sign else start
    end = _last_place(masked, begin, bound, listed)
    if not listed and text.startswith(_TOGETHER, end):  # 3 hours and 20 minutes
        longer = _last_place(masked, begin, bound, True)
        if longer > end and _is_one_measure(_trimmed(text[begin:longer])):
            end = longer
    answer = text[begin:end]
    trimmed = _trimmed(answer)
    if _LIST_SIGNS.isdisjoint(trimmed):  # of a single value the remark is none
        trimmed = _REMARK_BEHIND.sub("", trimmed)
    end -= len(answer) - len(trimmed)
    if (start, end) in known:
        return end
    calculated = "<<" in trimmed  # its result stands behind it, too
    return end if trimmed and not calculated and is_value(trimmed) else start


def _trimmed(text: str) -> str:
    """Without stops and joining words at its end."""
    while True:
        text = text.rstrip(_STOPS)
        head, _, last = text.rpartition(" ")
        if not head or last not in _JOINING:
            return text
        text = head


def _is_one_measure(text: str) -> bool:
    try:
        return read(clean(in_figures(text))).kind == "unit"
    except UNREADABLE:
        return False


def _last_place(masked: str, start: int, bound: int, listed: bool) -> int:
    """Where the first word stands that is no part of a value; a list ends before its last joint."""
    joint = depth = 0
    position = start
    while position < bound and (piece := _PIECE.match(masked, position, bound)):
        if piece["end"]:
            return position
        depth += _BRACES.get(piece[0], 0)
        if piece["word"] and _counts(piece["word"].lower()):
            numeral = number_at(masked, position)
            if numeral and numeral.end > piece.end():  # two thirds
                position = numeral.end
                continue
        if piece["word"] and not depth and not _belongs(piece["word"]):
            is_ending = not (piece["word"].isascii() or masked[position - 1].isspace())
            return position if is_ending else joint or position
        if (piece["joint"] or (piece["word"] or "").lower() in _JOINTS) and not joint:
            joint = position
            if not listed:
                return joint
        position = piece.end()
    return bound


@lru_cache(maxsize=4096)
def _counts(word: str) -> bool:
    """May a number in words begin with it?"""
    return number(word) is not None


@lru_cache(maxsize=4096)
def _belongs(word: str) -> bool:
    """May a word be part of a value? Letters, functions, units and numerals may."""
    if word in FUNCTIONS or word in GREEK or (len(word) == 1 and word < "\u0400"):
        return True
    if word.lower() in _PAIRS or word.lower() == "infinity":
        return True
    if unit(word) is not None and word not in _PREPOSITIONS:
        return True
    return (word.isupper() and len(word) <= SYMBOLS) or bool(number(word.lower()))


def is_value(text: str) -> bool:
    """Does the grammar read a text whole, without a word that it only passes over?

    >>> is_value("2 kg 300 g"), is_value("5 of them"), is_value("f is even")
    (True, False, False)
    >>> is_value("17 (years old); 12 (years old)")
    True
    """
    text = re.sub(_REMARK, "", text)
    try:
        node = read(clean(text))
    except UNREADABLE:
        measured = quantity(clean(text))  # 3 1/2 cm
        return measured is not None and measured.sure and is_value(measured.value)
    return not any(map(_is_wordy, walk(node)))


def _is_wordy(node: Node) -> bool:
    if node.kind in ("text", "phrase"):
        return True
    return node.kind == "unit" and unit(str(node.value)) is None
