"""The words of numerals, by language: what `numbers` reads with. They stand in `numerals.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

Form = Literal["cardinal", "ordinal", "part", "percent", "fold"]


class Word(NamedTuple):
    """A word of a numeral: an addend, behind which only smaller ones than `room` are added, or one
    that multiplies the smaller addends before it."""

    value: int | Fraction
    room: int
    multiplies: bool = False


@dataclass(
    frozen=True, eq=False
)  # told apart as objects: readings in it are remembered
class Language:
    """Words of numbers that are written apart, or joined by hyphens, or (`glued`) not at all."""

    cardinals: Mapping[str, Word]
    alone: Mapping[str, tuple[Fraction, Form]]  # a number each: third, half, twice
    ordinals: Mapping[str, int]
    parts: Mapping[str, int]  # what follows a count of them: thirds, quarters
    joins: Mapping[str, int]  # "and", and the least room behind which it joins
    articles: frozenset[str]
    point: str
    glued: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """All of them."""
        numerals = {*self.cardinals, *self.alone, *self.parts}
        return frozenset({*numerals, *self.joins, *self.articles, self.point})


def _language(table: Mapping[str, Any]) -> Language:
    cardinals = _multiples(table["units"], 1, first=0)
    cardinals |= _multiples(table["tens"], 10, first=2)
    cardinals |= _multiples(table.get("hundreds", ""), 100, first=1)
    cardinals |= {word: Word(n, n, True) for word, n in table["scales"].items()}
    cardinals |= {word: Word(*addend) for word, addend in table.get("wide", {}).items()}
    ordinals = _ordinals(cardinals, table["ordinals"]) if "ordinals" in table else {}
    cardinals |= {word: Word(n, 1, True) for word, n in table.get("packs", {}).items()}
    bare: dict[str, int] = table.get("bare", {})
    folds: dict[str, int] = table.get("folds", {})
    alone: dict[str, tuple[Fraction, Form]] = {}
    alone |= {word: (Fraction(1, n), "part") for word, n in bare.items()}
    alone |= {word: (Fraction(n), "ordinal") for word, n in ordinals.items()}
    alone |= {word: (Fraction(n), "fold") for word, n in folds.items()}
    parts = {word: n for word, n in ordinals.items() if n > 2} | bare
    plurals = {word.replace("half", "halve") + "s": n for word, n in parts.items()}
    return Language(
        cardinals,
        alone,
        ordinals,
        parts | plurals,
        table.get("joins", {}),
        frozenset(table.get("articles", ())),
        table.get("point", ""),
        table.get("glued", False),
    )


def _multiples(words: str, step: int, first: int) -> dict[str, Word]:
    """Words that count on from `first` times `step`; `/` parts spellings of one."""
    return {
        spelling: Word(step * n, step)
        for n, word in enumerate(words.split(), first)
        for spelling in word.split("/")
    }


def _ordinals(
    cardinals: Mapping[str, Word], irregular: Mapping[str, str]
) -> dict[str, int]:
    ordinals = {}
    for word, (value, _, _) in cardinals.items():
        if value and word[-1] != "s":
            regular = word[:-1] + "ieth" if word[-1] == "y" else word + "th"
            ordinals[irregular.get(word) or regular] = int(value)
    return ordinals


_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_HAN = _TABLES.pop("zh")
ENGLISH = _language(_TABLES.pop("en"))
OTHERS = {code: _language(table) for code, table in _TABLES.items()}

HAN_DIGITS: dict[str, int] = {
    digit: n for digits in _HAN["digits"] for n, digit in enumerate(digits)
}
HAN_DIGITS |= dict.fromkeys(_HAN["pair"], 2)
HAN_TENS: dict[str, int] = {char: 10 * n for n, char in enumerate(_HAN["tens"], 2)}
HAN_SCALES: dict[str, int] = _HAN["scales"]
HAN_NUMERALS = (*HAN_DIGITS, *HAN_TENS, *HAN_SCALES)
HAN_NOT_HALF: str = _HAN["not_half"]
HAN_ORDER: str = _HAN["digits"][0][1:] + "十"  # of headings and grades
CARDINALS = {  # words and characters that are a number by themselves
    **{word: int(value) for word, (value, _, _) in ENGLISH.cardinals.items()},
    **HAN_DIGITS,
    **HAN_TENS,
    "十": 10,
}
SPOKEN_NUMBERS = (
    [  # of all languages but Chinese: the words that are a whole number by themselves
        (word, int(value))
        for language in (ENGLISH, *OTHERS.values())
        for word, (value, _, multiplies) in language.cardinals.items()
        if not multiplies
    ]
    + [
        (word, int(value))
        for language in (ENGLISH, *OTHERS.values())
        for word, (value, form) in language.alone.items()
        if form == "fold"
    ]
)
