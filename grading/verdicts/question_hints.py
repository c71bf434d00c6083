"""What a question says about its answer: percent, the unit it names, the options inside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec

from ...options import options_in_question
from ...problem import Option
from ...words import HAN_NAMES, NAMES, in_figures, measure

LONGEST = 20_000  # characters of a question that are read, from its end
FEWEST = 3  # options of a question
_STOP = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])|\n+")
_ASKS = re.compile(r"[?？]|__|[（(]\s{1,9}[)）]")  # a question mark, or a blank
# "what percent"; not behind a figure, where it is a value's sign.
_PERCENT = re.compile(
    r"(?<![\d}])(?<![\d}][\s\\])(?i:per\s?cent(?:age)?\b)|(?:百|100)分之几|百分[比数率]"
)
_SYMBOL = r"[a-zA-Zµ]{2,4}(?:/[a-z]{1,3})?(?![A-Za-z])"
_UNIT = re.compile(
    r"(?:(?i:\bhow many|\bin|\bnumber of|\bnearest)\s{1,4}|多少|几|__[\s$}]{0,4}|[(（](?:in\s)?"
    r"|单位[:：是为]?)"
    rf"(?P<unit>{NAMES}(?:\s?(?:/|per)\s?{NAMES})?(?![A-Za-z])|{HAN_NAMES}|{_SYMBOL})"
)


class QuestionHints(msgspec.Struct, frozen=True):
    """What a question says; nothing where it could be read in two ways."""

    percent: bool = False
    unit: str | None = None
    options: tuple[Option, ...] = ()


@lru_cache(maxsize=4096)
def question_hints(question: str) -> QuestionHints:
    """Read a question.

    >>> question_hints("A rope is 3 m long. How many centimetres is half of it?").unit
    'centimetres'
    >>> question_hints("Of 20 pupils 5 walk. What percent is that?").percent
    True
    >>> [o.text for o in question_hints("How many? (A) 3 (B) 4 (C) 5").options]
    ['3', '4', '5']
    """
    text, options = _options(question[-LONGEST:])
    sentences = [sentence for sentence in _STOP.split(text) if sentence.strip()]
    asking = [in_figures(s) for s in sentences if _ASKS.search(s)] or sentences[-1:]
    percent = any(map(_PERCENT.search, asking))
    return QuestionHints(percent, _unit(asking), options)


def _unit(sentences: Sequence[str]) -> str | None:
    """The one unit that sentences ask for, as the last of them writes it."""
    units: dict[tuple[str, Fraction], str] = {}
    for sentence in sentences:
        for match in _UNIT.finditer(sentence):
            if measured := measure(match["unit"]):
                units[measured] = match["unit"]
    return units.popitem()[1] if len(units) == 1 else None


def _options(text: str) -> tuple[str, tuple[Option, ...]]:
    """The text before the options in it, and these; two letters may be points."""
    stem, choices = options_in_question(text)
    options = tuple(choices.options)
    some_are_pictures = len({option.text == "" for option in options}) > 1
    if len(options) < FEWEST or some_are_pictures:
        return text, ()
    return stem, options
