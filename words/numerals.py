"""The words of numerals, by language: what `numbers` reads them with.

Every list here is closed because a language has no more such words: all other numbers are made of
them. A language is added by adding its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple


class Word(NamedTuple):
    """A word of a numeral: an addend, behind which only smaller ones than `room` are added, or one
    that multiplies the smaller addends before it."""

    value: int | Fraction
    room: int
    multiplies: bool = False


_NONE: Mapping[str, int] = {}


class Language(NamedTuple):
    """Words of numbers that are written apart, or joined by hyphens, or (`glued`) not at all."""

    cardinals: dict[str, Word]
    ordinals: Mapping[str, int] = _NONE
    parts: Mapping[str, int] = _NONE  # what follows a count of them: thirds, quarters
    bare: Mapping[str, int] = _NONE  # those that are a number alone: half, quarter
    folds: Mapping[str, int] = _NONE  # how many times
    joins: Mapping[str, int] = _NONE  # "and", and the least room behind which it joins
    articles: frozenset[str] = frozenset()
    point: str = ""
    glued: bool = False  # dreiundzwanzig: no blanks, units before tens


def _cardinals(
    units: str, tens: str, scales: dict[str, int], wide: dict[str, tuple[int, int]] | None = None
) -> dict[str, Word]:
    """`units` count up from zero, `tens` from twenty; `/` parts two spellings of one word.

    `wide` are further addends with their room: 70 is soixante-dix, 200 is doscientos.
    """
    words = {w: Word(n, 1) for n, ws in enumerate(units.split()) for w in ws.split("/")}
    words |= {w: Word(10 * n, 10) for n, ws in enumerate(tens.split(), 2) for w in ws.split("/")}
    words |= {w: Word(n, n, True) for w, n in scales.items()}
    return words | {word: Word(*value) for word, value in (wide or {}).items()}


_UNITS = (
    "zero one two three/threes four/fours five/fives six/sixes seven/sevens eight/eights "
    "nine/nines ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty/fourty fifty sixty seventy eighty ninety"
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9,
           "trillion": 10**12}  # fmt: skip
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth",
              "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}  # fmt: skip


def _english() -> Language:
    cardinals = _cardinals(_UNITS, _TENS, _SCALES)
    ordinals = {
        _IRREGULAR.get(word) or (word[:-1] + "ieth" if word[-1] == "y" else word + "th"): value
        for word, (value, _, _) in cardinals.items()
        if value and word[-1] != "s"
    }
    halves = {"half": 2, "quarter": 4}
    parts = {word: value for word, value in ordinals.items() if value > 2} | halves
    plurals = {word + "s": value for word, value in parts.items()} | {"halves": 2}
    return Language(
        cardinals | {"dozen": Word(12, 1, True)},
        ordinals,
        parts | plurals,
        halves,
        {"once": 1, "twice": 2, "thrice": 3},
        {"and": 100},
        frozenset(["a", "an"]),
        "point",
    )


ENGLISH = _english()
OTHERS = {
    "es": Language(
        _cardinals(
            "cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece "
            "catorce quince dieciséis diecisiete dieciocho diecinueve",
            "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
            {"mil": 10**3, "millón": 10**6, "millones": 10**6},
            {word: (20 + n, 1) for n, word in enumerate(
                "veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
                "veintiocho veintinueve".split(), 1)}
            | {word: (100 * n, 100) for n, word in enumerate(
                "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos "
                "ochocientos novecientos".split(), 1)} | {"cien": (100, 1)},
        ),
        joins={"y": 10},
    ),
    "fr": Language(
        _cardinals(
            "zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
            "quinze seize",
            "_ trente quarante cinquante",
            {"cent": 100, "cents": 100, "mille": 10**3, "million": 10**6, "millions": 10**6},
            {"dix": (10, 10), "soixante": (60, 20)},
        )
        | {word: Word(20, 20, True) for word in ("vingt", "vingts")},
        joins={"et": 10},
    ),
    "de": Language(
        _cardinals(
            "null ein/eins/eine zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf "
            "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
            "zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
            {"hundert": 100, "tausend": 10**3, "million": 10**6, "millionen": 10**6},
        ),
        joins={"und": 100},
        glued=True,
    ),
    "ru": Language(
        _cardinals(
            "ноль один/одна/одно два/две три четыре пять шесть семь восемь девять десять "
            "одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать "
            "восемнадцать девятнадцать",
            "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
            {f"тысяч{end}": 10**3 for end in ("", "а", "и")}
            | {f"миллион{end}": 10**6 for end in ("", "а", "ов")},
            {word: (100 * n, 100) for n, word in enumerate(
                "сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот".split(),
                1)},
        ),
    ),
}  # fmt: skip

# Chinese: digits and powers of ten, in daily use, in banks, in traditional writing.
HAN_DIGITS = {
    digit: n
    for digits in ("零一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖", "〇壹貳參肆伍陸柒捌玖")
    for n, digit in enumerate(digits)
} | {"两": 2, "兩": 2}
HAN_TENS = {"廿": 20, "卅": 30, "卌": 40}
HAN_SCALES = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 10**3, "仟": 10**3, "万": 10**4,
              "萬": 10**4, "亿": 10**8, "億": 10**8}  # fmt: skip
HAN_NOT_HALF = "径圆轴平数"  # the words of mathematics that begin with 半: 半径, 半圆, ...
CARDINALS = {  # words and characters that are a number by themselves
    **{word: value for word, (value, _, _) in ENGLISH.cardinals.items()},
    **HAN_DIGITS, **HAN_TENS, "十": 10,
}  # fmt: skip
HAN_ORDER = "一二三四五六七八九十"  # of headings and grades
