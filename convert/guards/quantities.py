"""Quantities of a text, in digits or in words, in English or in Chinese, as exact numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import msgspec

from ...words import NUMERAL, Numeral, number, number_at

ROMAN = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8}
_ROMAN = "|".join(sorted(ROMAN, key=len, reverse=True))
# Words that say how many without being numbers, some of them how many times.
FOLDS = dict.fromkeys(
    "double doubled doubles doubling both pair couple either".split(), 2
)
FOLDS |= dict.fromkeys("triple tripled tripling".split(), 3) | {"single": 1}
_FOLD = "|".join(FOLDS)
# Words with a numeral in them that count nothing.
HAN_NAMES = "|".join(
    [
        # kinds of equations, functions and polynomials
        r"[一二三四五六七八九十n]+[元次]+(?=[一二三四]*[元次]?(?:方程|函数|不等|多项|项|根))",
        r"[二三]元一次|一元[一二三]次|二项式|二次",
        # figures, solids, angles
        r"三角|[四五六七八九十]+[边角]形|[四五六七八九十]+面体|[三四五六]棱[柱锥台]",
        r"二面角|三视图|三等分|三段",
        # days, months, units, rounds and games
        r"星期[一二三四五六]|周[一二三四五六]|[一二三四五六七八九十]+月|第二[次天]",
        r"千米|千克|毫克|百分[比率]|[平负胜]一[场局]|[三四]轮",
        # places of digits, numbers left open, zero in other words
        r"十[分字](?!之)|[十百千万]位(?=数|上|与|和|的|是|比|、)|(?:多少|几)[百千万亿]",
        r"零[件钱售食头]|零点(?![零〇一二三四五六七八九])",
        # one in other words
        r"万一|一[些定样起共般直旦致切]|统一|唯一|两两|一一|同一|任一|进一步|第一",
    ]
)

# "20% off" and 八折 both leave 80 per cent
_OFF = r"""
    (?<![\d.]) (?P<off_en>\d+) \\?(?:%|[ -]per[ ]?cent)
        [ ](?: off\b | discounts?\b | reduction[ ]in[ ]price )
    | \b[Dd]iscount(?:ed)?[ ](?:of[ ]|by[ ]) (?P<discount>\d+) (?=\\?%|[ -]per[ ]?cent)
    | (?:优惠|降价|便宜)了? (?P<off_zh>\d+) (?=%)
"""
_TOKEN = re.compile(
    rf"""
    # with figures or numerals in them, and no numbers
    (?P<image> <image\d+> )
    | (?P<root> \b[Zz]ero(?:s|es)? (?=[ ]of\b) )
    | (?P<angle> ∠\s?\d(?!\d) | \b[Ii]n[ ]half\b | (?:\b|(?<=[cdk]))m[23]\b )
    | (?P<shaped> \b(?i:three|four|five|six|[3-6])-(?:sided|wheel(?:ed|er))\b )
    # parts of an hour
    | (?P<half_hour> (?<=[点时])半 | \b[Hh]alf(?=[ ]past\b) )
    | (?P<quarter> (?<=[点时])一刻 | \b[Qq]uarter(?=[ ]past\b) )
    # discounts; 折 is also a fold
    | (?P<off> {_OFF} )
    | (?P<fold_price> [一二三四五六七八九]{{1,2}} | \d(?:\.\d)? ) 折(?![叠线痕纸断返])
    | 第(?!二[次天]) (?P<han_nth> [二三四五六七八九十]+ )
    | (?P<name> {HAN_NAMES} )
    # numbers; `2:00` is two o'clock, `2nd` a second one
    | (?P<fraction> (?<![\d./]) \d+/\d+ (?![\d/]) )
    | (?P<numeral> {NUMERAL} )
    | (?P<digits> \d+(?:,\d{{3}})*(?![\d,]*\d,\d{{3}})(?:\.\d+)? | \d+ )
        (?: :00(?![\d:]) | (?:st|nd|rd|th)\b )?
    | (?P<roman> \b(?:{_ROMAN})\b )
    | (?i: \b (?P<fold> {_FOLD} ) \b )
    """,
    re.VERBOSE,
)
_FIGURES = ("off", "fold_price", "half_hour", "quarter")  # groups that are digits
# what makes the number behind it negative: a sign with nothing to subtract from, or a word
_MINUS = re.compile(
    r"""
    (?: (?<![A-Za-z\d)\]}$%]) \s* [-−－﹣–]
      | (?i: (?: ^ | [,(]\s? | \b(?:is|was|be|to|of|by|equals?|than|at|from)\s ) minus
           | \bnegative )
      | 零下 | 负
    ) \s* \$? \s* $
    """,
    re.VERBOSE,
)
_GAMES = re.compile(r"\s*+\$?\s*+[场局盘]")  # 负2场: two games lost
_BELOW = re.compile(r"(?i)\s*+(?:°|degrees?)?\s*+(?:celsius|c\b)?\s*+below (?:zero|0)")
_DUAL = re.compile(r"(?i)two|both|pair|couple|either|两")
_PAIR = re.compile("二[人者队]")
_TIMES = re.compile(r"(?i)\s*(?:times|-?fold|倍)")
# "a sixth number" comes after five; "a sixth of it", "a sixth more" are parts
_NTH_THING = re.compile(
    r"(?i)an? [a-z-]+(?:rd|th) "
    r"(?!(?:of|as|more|less|fewer|the|that|its|their|his|her|is|are|was|were|and|or|to|in|on|at|from|by"
    r"|for|than|full|remain\w*|left)\b)[a-z]"
)
_EACH = re.compile(r"(?i)(?:per|each|every) $")
_AGAIN = re.compile(r"(?i)second (?:time|day)\b")


class Quantity(msgspec.Struct, frozen=True):
    """A number that stands at text[start:end]; `digits` says how it is written."""

    value: Fraction
    start: int
    end: int
    digits: bool
    dual: bool = False  # "two", "both", 两: what is a pair anyway may go without it


@lru_cache(maxsize=64)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers of a text in order, with their signs.

    >>> [str(q.value) for q in quantities("三分之二的人走了-5米, twenty-five of two-thirds")]
    ['2/3', '-5', '25', '2/3']
    >>> [str(q.value) for q in quantities("负2场, 负2度, a sixth number, a sixth of them")]
    ['2', '-2', '6', '1/6']
    """
    return tuple(_quantities(text))


def _quantities(text: str) -> Iterator[Quantity]:
    position = 0
    while match := _TOKEN.search(text, position):
        start, position = match.span()
        numeral = number_at(text, start) if match["numeral"] else None
        if numeral:
            position = numeral.end
            value = _value_in_words(text, numeral)
        else:
            value = _value(match)
        if value is None:
            continue
        if _is_negative(text, start, position):
            value = -value
        token = text[start:position].lower()
        digits = token[0].isdigit() or any(match[group] for group in _FIGURES)
        is_pair = _DUAL.fullmatch(token) or _PAIR.match(text, start)
        dual = bool(is_pair) and not _TIMES.match(text, position)
        yield Quantity(value, start, position, digits, dual)


def _is_negative(text: str, start: int, end: int) -> bool:
    minus = _MINUS.search(text, max(0, start - 12), start) or _BELOW.match(text, end)
    return bool(minus) and not _GAMES.match(text, end)


def _value_in_words(text: str, numeral: Numeral) -> Fraction | None:
    """The value of a number in words; None where an ordinal says which or how often."""
    if numeral.form == "percent":
        return numeral.value * 100
    if numeral.form == "part" and _NTH_THING.match(text, numeral.start):
        return 1 / numeral.value
    if numeral.form == "ordinal":
        which = _EACH.search(text, max(0, numeral.start - 6), numeral.start)
        if numeral.value == 1 or which or _AGAIN.match(text, numeral.start):
            return None
    return numeral.value


def _value(match: re.Match[str]) -> Fraction | None:
    """The value of a number that is not in words; None of what is no number."""
    if match["digits"]:
        return Fraction(match["digits"].replace(",", ""))
    if match["half_hour"]:
        return Fraction(30)
    if match["quarter"]:
        return Fraction(15)
    if match["off"]:
        return 100 - Fraction(match["off_en"] or match["discount"] or match["off_zh"])
    if tenths := match["fold_price"]:
        value = Fraction(tenths) if tenths.isascii() else _in_words(tenths)
        return 10 * value if value < 10 else value
    if match["roman"]:
        return Fraction(ROMAN[match["roman"]])
    if match["fraction"]:
        above, below = map(int, match["fraction"].split("/"))
        return Fraction(above, below) if below else Fraction(above)
    if match["han_nth"]:
        return _in_words(match["han_nth"])
    return Fraction(FOLDS[match["fold"].lower()]) if match["fold"] else None


def _in_words(numeral: str) -> Fraction:
    reading = number(numeral)
    return reading.value if reading else Fraction(0)
