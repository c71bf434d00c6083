"""Numbers in words: one reader for all that meet them, in answers, replies, questions and keys.

English and other languages that part their words, and Chinese:

    number   = "half" "a" scale | mixed | ordinal | fold | chinese
    mixed    = whole "and" part [scale] | part | whole ["point" digit {digit}]
    part     = (whole | "a") ("third" | "quarters" | "twenty" "fifths" | ...)
    whole    = (word | figures scale) {["and"] word}         each smaller than the room before it
    chinese  = [cardinal "又"] cardinal "分之" decimal | decimal | "一半" | "半"
    decimal  = cardinal ["点" digit {digit}]

A whole number is read as its addends come: a word that multiplies takes up the smaller addends
before it, any other must be smaller than the room that the last one leaves. So "twenty-five" is
one number, and "five twenty" two. The words themselves are data: `numerals`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from string import ascii_letters
from typing import NamedTuple

from .numerals import (
    ENGLISH,
    HAN_DIGITS,
    HAN_NOT_HALF,
    HAN_SCALES,
    HAN_TENS,
    OTHERS,
    Form,
    Language,
    Word,
)

LONGEST = 120  # characters of a number in words
MOST = 24  # words of a number


class Numeral(NamedTuple):
    """A number in words, and where it stands: text[start:end]."""

    value: Fraction
    form: Form
    start: int
    end: int

    @property
    def counts(self) -> bool:
        """Whether it says how much: "third" says which, "twice" how often."""
        return self.form not in ("ordinal", "fold")


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_SCALES = [word for word, (_, _, multiplies) in ENGLISH.cardinals.items() if multiplies]
_ALONE = {*ENGLISH.cardinals, *ENGLISH.alone} - {*_SCALES}
_PARTS = ENGLISH.parts
_COUNTED = _any([*_SCALES, *_PARTS])
_PATTERNS = {
    word.encode(): re.compile(word.encode()) for word in (*_ALONE, *_SCALES, *_PARTS)
}
_COUNTS = {
    word.encode() for word in (*_SCALES, *_PARTS)
}  # figures or an article stand before it
_LETTERS = bytes(c if c in ascii_letters.encode() else 32 for c in range(256)).lower()
_DIGIT = "".join(HAN_DIGITS)
_TENS = "".join(HAN_TENS)
_SCALE = "".join(HAN_SCALES)
_FIGURES = r"\d{1,18}(?:,\d{3}){0,5}(?:\.\d{1,18})?"
_AMOUNT = r"\d{1,18}(?:\.\d{1,18})?"
_HAN = rf"[{_DIGIT}{_SCALE}\d]"
_HAN_SCALE = rf"[{_SCALE}](?![米克瓦伏])"  # 5千米 are 5 km
_CARDINAL = (
    rf"(?:[{_DIGIT}{_TENS}十拾]|(?<=[{_DIGIT}{_SCALE}\d\s])[{_SCALE}]|[{_SCALE}](?=分之)"
    rf"|(?:(?<=[{_SCALE}])\s)?(?<![\d.]){_AMOUNT}\s?(?={_HAN_SCALE})){{1,40}}"
)
_CHINESE = re.compile(
    rf"(?:(?:(?P<mixed>{_CARDINAL}|\d{{1,18}})又)?(?P<below>{_CARDINAL}|\d{{1,18}})分之(?={_HAN}))?"
    rf"(?P<top>(?:{_CARDINAL}|(?<=分之){_AMOUNT})"
    rf"(?:点(?P<behind>[{_DIGIT}]{{1,40}})(?![{_SCALE}分刻]))?)"
)
_HALF = re.compile(rf"一半|半(?![{HAN_NOT_HALF}])")
# A word with which a number may begin, a character of one, or figures that words go on.
NUMERAL = (
    rf"(?i:(?=[a-z])(?<![A-Za-z\\])(?:an?\s+(?=(?:{_COUNTED})(?![A-Za-z]))|(?:{_any(_ALONE)})"
    rf"(?![A-Za-z])))|[{_DIGIT}{_TENS}十拾半]|[{_SCALE}](?=分之)"
    rf"|(?<![\d.,]){_FIGURES}(?=[\s-]?(?:(?i:{_any(_SCALES)}|and\s+an?\s+(?:{_any(_PARTS)}))"
    rf"(?![A-Za-z])|{_HAN_SCALE}|(?:又{_HAN}{{1,40}})?分之{_HAN}))"
)
_NUMERAL = re.compile(NUMERAL)
_SCALED = re.compile(rf"\s?(?P<word>(?i:{_any(_SCALES)})(?![A-Za-z])|{_HAN_SCALE})")
_HAN_FIRST = re.compile(f"[{_DIGIT}{_TENS}{_SCALE}半]")
_COUNT_FIRST = re.compile(
    r"[\daA](?:(?<=\d)(?<![\d.,].)|(?<=[aA])(?<![A-Za-z\\].)n?(?![A-Za-z]))"
)
_WORD = re.compile(rf"[^\W\d_]+|{_FIGURES}")
_NEXT = re.compile(rf"(?:\s*[-‐‑]\s*|\s+)({_WORD.pattern})")
_GLUED = re.compile(_any([*OTHERS["de"].cardinals, *OTHERS["de"].joins]))


def number(text: str) -> Numeral | None:
    """What the whole text says, in any of the languages; None where it is no number in words.

    >>> [str(number(t).value) for t in ("two thousand and five", "half a million", "廿三", "3万")]
    ['2005', '500000', '23', '30000']
    >>> [str(number(t).value) for t in ("vierundzwanzig", "quatre-vingt-dix", "四分之三")]
    ['24', '90', '3/4']
    >>> number("five apples") is number("12") is None
    True
    """
    text = text.strip()
    if not text or len(text) > LONGEST:
        return None
    others = (_spaced(text, 0, language) for language in OTHERS.values())
    numerals = chain([number_at(text, 0)], others)
    return next((n for n in numerals if n and n.end == len(text)), None)


def numbers(text: str) -> Iterator[Numeral]:
    """The numbers in English and Chinese words of a text, in order; figures only with a scale.

    >>> [(str(n.value), n.form) for n in numbers("Two thirds of the twenty-five, 第三, 百分之五")]
    [('2/3', 'part'), ('25', 'cardinal'), ('3', 'cardinal'), ('1/20', 'percent')]
    """
    end = 0
    for place in _places(text):
        if place < end or not _NUMERAL.match(text, place):
            continue
        if numeral := number_at(text, place):
            end = numeral.end
            yield numeral


def _places(text: str) -> list[int]:
    """Where numbers may begin: at the words and characters that do, and at figures beside them.

    The words of a text are looked up at once, which costs less than a pattern at each letter.
    """
    letters = text.encode("latin-1", "replace").translate(
        _LETTERS
    )  # a byte a character
    words = _PATTERNS.keys() & letters.split()
    matches = [] if text.isascii() else [*_HAN_FIRST.finditer(text)]
    if matches or not words.isdisjoint(_COUNTS):
        matches += _COUNT_FIRST.finditer(text)
    places = [match.start() for match in matches]
    for word in words:
        places += [match.start() for match in _PATTERNS[word].finditer(letters)]
    return sorted(places)


def numbers_in(text: str, language: str) -> Iterator[Numeral]:
    """The same in any of the languages, by its code; English and Chinese for those not known.

    >>> [str(n.value) for n in numbers_in("la mitad de veinte, el doble", "es")]
    ['1/2', '20', '2']
    """
    if language not in OTHERS:
        yield from numbers(text)
        return
    end = 0
    for word in _WORD.finditer(text):
        if word.start() < end or word[0][0].isdecimal():
            continue
        if numeral := _spaced(text, word.start(), OTHERS[language]):
            end = numeral.end
            yield numeral


def number_at(text: str, start: int) -> Numeral | None:
    """The number in English or Chinese words that begins at this place.

    >>> number_at("the answer is one hundred and two hundred", 14)[:2]
    (Fraction(100, 1), 'cardinal')
    """
    return _chinese(text, start) or _spaced(text, start, ENGLISH)


def scale_at(text: str, start: int = 0) -> tuple[int, int]:
    """What figures before this place are multiplied by, 1 or more, and where that word ends.

    >>> scale_at("5 million people", 1), scale_at("3万元", 1), scale_at("5千米", 1)
    ((1000000, 9), (10000, 2), (1, 1))
    """
    match = _SCALED.match(text, start)
    if match is None:
        return 1, start
    word = match["word"].lower()
    return HAN_SCALES.get(word) or int(ENGLISH.cardinals[word].value), match.end()


def in_figures(text: str) -> str:
    """The text with figures for words; "one" and 一 stay: they are articles more often.

    >>> in_figures("Twenty-three apples, two thirds of one box, 一共二十四个, 百分之五")
    '23 apples, 2/3 of one box, 一共24个, 5%'
    """
    pieces, position = [], 0
    for numeral in numbers(text):
        if numeral.value != 1:
            pieces += [text[position : numeral.start], figures(numeral)]
            position = numeral.end
    return "".join([*pieces, text[position:]])


def figures(numeral: Numeral) -> str:
    """A number as figures: 23, 3/4, 5%."""
    value = numeral.value
    return f"{value * 100}%" if numeral.form == "percent" else str(value)


# Chinese ----------------------------------------------------------------------------------------


def _chinese(text: str, start: int) -> Numeral | None:
    if half := _HALF.match(text, start):
        return Numeral(Fraction(1, 2), "part", start, half.end())
    match = _CHINESE.match(text, start)
    if match is None:
        return None
    top, _, _ = match["top"].partition("点")
    value = _han(top)
    if behind := match["behind"]:
        value += Fraction(int(_positional(behind)), 10 ** len(behind))
    if not match["below"]:
        return Numeral(value, "cardinal", start, match.end())
    below = _han(match["below"])
    if not below:
        return None
    value /= below
    if match["mixed"]:
        value += _han(match["mixed"])
    form: Form = "percent" if match["below"] == "百" else "part"
    return Numeral(value, form, start, match.end())


def _positional(digits: str) -> str:
    return "".join(str(HAN_DIGITS[digit]) for digit in digits)


def _han(text: str) -> Fraction:
    """`一百零五`, 二〇二四, 三万五 (35,000), 3万5千."""
    if all(char in HAN_DIGITS for char in text):
        return Fraction(_positional(text))
    addends: list[Fraction] = []
    parts = re.findall(r"\d+(?:\.\d+)?|\S", text)
    for part in parts:
        if scale := HAN_SCALES.get(part):
            below = Fraction(0)
            while addends and (addends[-1] < scale or len(parts) == 2):
                below += addends.pop()
            addends.append((below or Fraction(1)) * scale)
        else:
            addends.append(Fraction(HAN_DIGITS.get(part, HAN_TENS.get(part, part))))
    before = HAN_SCALES.get(parts[-2], 0) if parts[-1] in HAN_DIGITS else 0
    if before > 10:  # 三万五: the last digit counts the scale below
        addends[-1] *= before // 10
    return sum(addends, Fraction(0))


# English and others -----------------------------------------------------------------------------


def _spaced(text: str, start: int, language: Language) -> Numeral | None:
    words = _words(text, start, language)
    if not words:
        return None
    reading = _read((*(word for word, _ in words), "", "", ""), language)
    if reading is None:
        return None
    value, form, count = reading
    return Numeral(value, form, start, words[count - 1][1])


def _words(text: str, start: int, language: Language) -> list[tuple[str, int]]:
    """The words from this place on that the language's numbers are made of, and their ends."""
    words: list[tuple[str, int]] = []
    match = _WORD.match(text, start)
    while match and len(words) < MOST:
        word = match[match.lastindex or 0].lower()
        end = match.end()
        if language.glued:
            parts = _GLUED.findall(word)
            if "".join(parts) != word:
                break
        else:
            opens = word[0].isdecimal() and not words
            parts = [word] if opens or word in language.words else []
        if not parts:
            break
        words += [(part, end) for part in parts]
        match = _NEXT.match(text, end)
    return words


@lru_cache(maxsize=4096)
def _read(
    words: tuple[str, ...], language: Language
) -> tuple[Fraction, Form, int] | None:
    """Value, form and how many of the words make the number at their beginning."""
    first, second, third = words[:3]
    if first in language.alone:
        value, form = language.alone[first]
        may_scale = form == "part" and second in language.articles  # half a million
        scale = _scale(third, language) if may_scale else 0
        return (value * scale, "cardinal", 3) if scale else (value, form, 1)
    value, at, room = _whole(words, language)
    following = words[at]
    if 0 < language.ordinals.get(following, 0) < room:
        return value + language.ordinals[following], "ordinal", at + 1
    if at and (part := _part(words, at, language)):
        return value / part[0], "part", part[1]
    rest = _read(words[at + 1 :], language) if following in language.joins else None
    if at and rest and rest[1] == "part" and rest[0] < 1:
        value = value + rest[0]
        at = at + 1 + rest[2]
        scale = _scale(words[at], language)
        return value * (scale or 1), "cardinal", at + (scale > 0)
    if at == 1 and (first in language.articles or first[0].isdecimal()):
        return None
    if at and following == language.point:  # two point five
        digits = _digits(words[at + 1 :], language)
        value += Fraction(int(digits or 0), 10 ** len(digits))
        at += len(digits) + bool(digits)
    return (value, "cardinal", at) if at else None


def _digits(words: tuple[str, ...], language: Language) -> str:
    """The digits that words begin with, one a word."""
    digits = ""
    for word in words:
        digit = language.cardinals.get(word)
        if digit is None or digit.value >= 10:
            break
        digits += str(digit.value)
    return digits


def _scale(word: str, language: Language) -> int:
    cardinal = language.cardinals.get(word)
    return int(cardinal.value) if cardinal and cardinal.multiplies else 0


class _Addend(NamedTuple):
    value: Fraction
    room: int  # for what is added behind it
    before: int  # words before it


def _whole(words: tuple[str, ...], language: Language) -> tuple[Fraction, int, int]:
    """The whole number at the beginning of the words, how many make it, and its room."""
    stack: list[_Addend] = []
    end = 0
    while words[end]:
        least = language.joins.get(words[end], 0) if stack else 0
        joined = least and (language.glued or stack[-1].room >= least)
        word = _addend(words[end + bool(joined)], language, first=not stack)
        if word is None:
            break
        cut = len(stack)
        value = Fraction(word.value)
        room = word.room
        if word.multiplies:
            figures = len(stack) == 1 and words[0][0].isdecimal()  # 1,500 thousand
            while cut and (figures or stack[cut - 1].value < value):
                cut -= 1
            if cut < len(stack):
                value *= sum(addend.value for addend in stack[cut:])
        elif joined and language.glued and word.room == 10 and stack[-1].value < 10:
            cut -= 1  # dreiundzwanzig
            value = value + stack[cut].value
            room = 1
        before = stack[cut].before if cut < len(stack) else end
        if cut and not 0 < value < stack[cut - 1].room:
            stack = stack[:cut]
            end = before
            break
        stack[cut:] = [_Addend(value, room, before)]
        end += 1 + bool(joined)
    total = sum((addend.value for addend in stack), Fraction(0))
    return total, end, stack[-1].room if stack else 0


def _addend(word: str, language: Language, first: bool) -> Word | None:
    if first and word in language.articles:
        return Word(1, 1)
    if first and word[0].isdecimal():
        return Word(Fraction(word.replace(",", "")), 1)
    return language.cardinals.get(word)


def _part(
    words: tuple[str, ...], at: int, language: Language
) -> tuple[int, int] | None:
    """What a count before it is divided by, and how many words there are then: "twenty-fifths"."""
    tens, end, room = _whole(words[at:], language)
    below = language.parts.get(words[at + end], 0)
    if 0 < below < room:
        return int(tens) + below, at + end + 1
    below = language.parts.get(words[at], 0)
    return (below, at + 1) if below else None
