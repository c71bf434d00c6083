"""What a question says about its answer: percent, the unit it names, the options inside it."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from ...options import options_in_question
from ...problem import Option
from ...words import HAN_NAMES, NAMES, in_figures, measure

LONGEST = 20_000  # characters of a question that are read, from its end
FEWEST = 3  # options of a question
_STOP = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])|\n+")
_ASKS = re.compile(r"[?？]|__|[（(]\s{1,9}[)）]")  # a question mark, or a blank
_PERCENT = re.compile(
    r"(?<![\d}])(?<![\d}][\s\\])(?i:per\s?cent(?:age)?\b)|(?:百|100)分之几|百分[比数率]"
)
_SYMBOL = r"[a-zA-Zµ]{2,4}(?:/[a-z]{1,3})?(?![A-Za-z])"
_UNIT = re.compile(
    r"(?:(?i:\bhow many|\bin|\bnumber of|\bnearest)\s{1,4}|多少|几|__[\s$}]{0,4}|[(（](?:in\s)?"
    r"|单位[:：是为]?)"
    rf"(?P<unit>{NAMES}(?:\s?(?:/|per)\s?{NAMES})?(?![A-Za-z])|{HAN_NAMES}|{_SYMBOL})"
)


class Asked(msgspec.Struct, frozen=True):
    """What is said; nothing where it could be read in two ways."""

    percent: bool = False
    unit: str | None = None
    options: tuple[Option, ...] = ()


@lru_cache(maxsize=4096)
def asked(question: str) -> Asked:
    """Read a question.

    >>> asked("A rope is 3 m long. How many centimetres is half of it?").unit
    'centimetres'
    >>> asked("Of 20 pupils 5 walk. What percent is that?").percent
    True
    >>> [o.text for o in asked("How many? (A) 3 (B) 4 (C) 5").options]
    ['3', '4', '5']
    """
    text, options = _options(question[-LONGEST:])
    sentences = [
        sentence for sentence in _STOP.split(text) if sentence and sentence.strip()
    ]
    asking = [in_figures(s) for s in sentences if _ASKS.search(s)] or sentences[-1:]
    units = (match["unit"] for sentence in asking for match in _UNIT.finditer(sentence))
    known = {measured: unit for unit in units if (measured := measure(unit))}
    unit = known.popitem()[1] if len(known) == 1 else None
    return Asked(any(map(_PERCENT.search, asking)), unit, options)


def _options(text: str) -> tuple[str, tuple[Option, ...]]:
    """The text before the options in it, and these; two letters may be points."""
    stem, choices = options_in_question(text)
    options = tuple(choices.options)
    pictures = (
        len({not option.text for option in options}) > 1
    )  # all are pictures, or none
    return (text, ()) if len(options) < FEWEST or pictures else (stem, options)
