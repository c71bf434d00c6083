"""Where in prose values stand: stretches of figures, signs and formulas, with their units.

Formulas are single signs, as a page of a reply has them. A stretch is a place that may be a value;
how far one goes that is called the answer says `whole_end`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...words import HAN_NAMES, NAMES, said, scale_at, unit, words
from .spelling import EXACT, clean
from .tokens import UNREADABLE, Token, tokens

_SIGNS = r"\-−+*/×÷·⋅=≈≃≅<>≤≥≠±∓^_∪∩∈∉⊂⊆∶→⇒⁄"
_MARKS = r"!°′″%‰√∛π∞∠△∅½⅓⅔¼¾⅛²³¹⁰⁴-⁹⁺⁻ⁿ₀-₉…"
_PRICE = r"(?<![\d,.])\d+(?:\.\d{3})*,\d\d?(?![\d,])"  # 6,50 € and 1.250,75
_GROUPED = r"(?<![\d,.])\d{1,3}(?:\.\d{3}){2,5}(?!\d)"  # 1.250.000
_NUMBER = (
    rf"{_PRICE}|{_GROUPED}|(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+)(?:\.\d+(?:\.{{3}})?)?"
    r"|(?<![\w.])\.\d+"
)
_COMMAND = (
    r"\\(?:text|textbf|mathrm|mathbf|mbox|operatorname|rm)\s{0,2}\{[^{}\n]{0,60}\}"
    r"|\\[A-Za-z]+|\\[,;!%$:{}| ]"
)
# Functions, and letters that are no words: not the article a, nor the I of a writer.
_NAME = (
    r"(?<![A-Za-z'’])(?:sin|cos|tan|log|ln|sqrt|[b-zB-HJ-Z]|[aAI](?!\s[A-Za-z]))(?![A-Za-z'’])"
    r"|(?<=\d)[A-Za-z]{1,2}(?![A-Za-z])|[α-ωΑ-Ω]"
)
_TOKEN = (
    rf"\ue000+|\ue001+|[$¥€£]\s?(?=[\d.])|{_COMMAND}|{_NUMBER}|{_NAME}|[{_SIGNS}{_MARKS}]"
    r"|[()\[\]{}（）|]|(?<=\d):(?=\d)"
)
# White space within a value: before a sign, behind one, around x and :, and around a unit before
# a sign (4 m + 1 m).
_SPACE = (
    rf"[ \t]{{1,4}}(?=[{_SIGNS}{_MARKS})\]}}])|(?<=[{_SIGNS}(\[{{√])[ \t]{{1,4}}(?=\S)"
    r"|(?<=\d)[ \t][x:][ \t](?=[\d(])"
    r"|(?<=[\d\ue000\ue001%])[ \t][A-Za-z]{1,12}[ \t](?=[-−+×*/÷=≈][ \t])"
)
# Figures, signs and formulas; not the figures of a name (AB12).
_RUN = re.compile(
    rf"(?!(?<=[A-Za-z]{{2}})(?<!\b[A-Z]{{3}})\d|(?<=\d,)\d{{3}})(?:{_TOKEN})(?:{_TOKEN}|{_SPACE})*+"
)
_BETWEEN = re.compile(  # in brackets: a list, quoted or not
    r"[ \t]{0,3}[,，;；][ \t]{0,3}|['\"]|(?:[ \t]?[A-Za-z]{1,12})?['\"][,，][ \t]{0,3}['\"]"
    r"|[ \t]?[A-Za-z]{1,12}['\"]"
)
_VALUED = re.compile(
    r"[\d\ue000\ue001√π∞∅½⅓⅔¼¾⅛]|\\[A-Za-z]{3,}|\w\s*[=<>≤≥∈]|\[\]|\{\}|\(\)"
)
_LEADS = re.compile(
    r"=>|[ \t=≈:*/×·|!,)\]}→⇒^_]+|[-−+](?=[ \t])|(?:[+]|[<>≤≥])(?![ \t]?[\d\ue000\ue001])"
)
_TRAILS = frozenset(" \t=≈:*/×÷·|,([{<>^_+→⇒−$-\\")
_OPEN = "([{（"
_CLOSE = ")]}）"
_BRACKETS = re.compile(r"[()\[\]{}（）]")
# A unit behind a value: a sign, a symbol or a name, with its power and what it is divided by;
# 3/4 of an hour.
_UNIT = re.compile(
    r"(?:[ \t]of[ \t](?:an?|one)(?=[ \t]))?[^\S\n]?"
    r"(?P<unit>%|°[CF]?|[ap]\.m\b\.?|(?!in\b|a\b|as\b|at\b|am\b)"
    r"(?:(?:[mgshlLtNJWVAKCF]|[a-zA-Zµμ]{2,3})(?:[²³]|\^\{?\d\}?|(?:/|\sper\s)[a-z]{1,6}[²³]?)?"
    r"(?![A-Za-z\d=(])"
    rf"|{NAMES}\b(?:\s(?:squared|cubed)|(?:/| per )[a-z]{{1,8}})?"
    r"|\$?\\(?:mathrm|text|rm)\s?\{~?\s?[^{}$]{1,20}\}(?:\^\{?\d\}?)?\$?"
    rf"|{HAN_NAMES}))"
)
_JOINT = re.compile(
    rf"\s{{0,9}}(?:,\s{{0,9}}(?:and|or)\b|[,，、;；&]|{words('joins', 'either')})\s{{0,9}}"
    r"(?=[-−+$\\(\d])",
    re.IGNORECASE,
)
# What makes a text a collection, and what may stand around the one figure of a plain number.
_COLLECTS = frozenset(", ; < > <= >= != in cup cap pm infty or and".split())
_COLLECTING = said("joins", "either")
_FIGURES = re.compile(r"-?\d{1,40}(?:\.\d{1,40})?")
_AROUND = frozenset("- + , % degree ( ) { } ^".split())


def stretches(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of figures, signs and formulas between two places: where values stand.

    >>> said = "so x = 5, and 3 of (1, 2)"
    >>> [said[a:b] for a, b in stretches(said, 0, len(said))]
    ['x = 5', '3', '(1, 2)']
    """
    opened: tuple[int, int] | None = None  # a stretch whose bracket is still open
    for match in _RUN.finditer(masked, start, end):
        a, b = match.span()
        if opened and _BETWEEN.fullmatch(masked, opened[1], a):
            a = opened[0]
        elif opened:
            yield from _trimmed(masked, *opened)
        opened = (a, b)
        if _depth(masked, a, b) <= 0:
            yield from _trimmed(masked, a, b)
            opened = None
    if opened:
        yield from _trimmed(masked, *opened)


def _trimmed(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Without the signs before it that belong to the sentence; nothing where no value is."""
    while lead := _LEADS.match(masked, start, end):
        start = lead.end()
    while start < end and masked[end - 1] in _TRAILS:
        end -= 1
    depth = _depth(masked, start, end)
    start += depth > 0 and masked[start] in _OPEN
    end -= depth < 0 and masked[end - 1] in _CLOSE
    if _VALUED.search(masked, start, end):
        yield start, end


def _depth(text: str, start: int, end: int) -> int:
    """How many brackets stay open."""
    signs = _BRACKETS.findall(text, start, end)
    return sum(1 if sign in _OPEN else -1 for sign in signs)


def with_unit(text: str, end: int, bound: int) -> int:
    """The end of a value with its scale and unit, and with the exact one: 5 million km."""
    scaled = scale_at(text, end)[1] if end < bound else end
    found = _UNIT.match(text, scaled, bound)
    name = found["unit"].strip() if found else ""
    is_measure = not name.isalpha() or unit(name) is not None
    if found and is_measure:
        scaled = found.end()
    exact = EXACT.match(text, scaled, bound)
    return exact.end() if exact else scaled


def joint(text: str, start: int, end: int) -> bool:
    """Does what stands between two values join them to a list?"""
    found = _JOINT.match(text, start, end + 1)
    return found is not None and found.end() == end


def has_joint(text: str) -> bool:
    """Are values of a text joined to a list?"""
    return _JOINT.search(text) is not None


def is_collection(text: str) -> bool:
    r"""Does a text hold a sign of several values, or of an interval?

    >>> is_collection(r"x \le 3"), is_collection("1 or 2"), is_collection("2000")
    (True, True, False)
    """
    return any(
        token.text in _COLLECTS or token.word in _COLLECTING for token in _tokens(text)
    )


def is_plain_number(text: str) -> bool:
    """Is a text figures, with no more than a sign, a currency, percent or degrees?

    >>> is_plain_number("$-2,000"), is_plain_number("5%"), is_plain_number("5 x")
    (True, True, False)
    """
    if _FIGURES.fullmatch(text):
        return True
    found = _tokens(text)
    return any(token.kind == "number" for token in found) and all(
        token.kind == "number" or token.text in _AROUND for token in found
    )


@lru_cache(maxsize=256)  # a value is asked about several times
def _tokens(text: str) -> tuple[Token, ...]:
    try:
        return tuple(tokens(clean(text)))
    except UNREADABLE:
        return ()
