"""Quantities of a text, in digits or in words, in English or in Chinese, as exact numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import msgspec

from ...words import NUMERAL, Numeral, number, number_at

ROMAN = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8}
# Words that say how many without being numbers, some of them how many times.
FOLDS = dict.fromkeys(
    "double doubled doubles doubling both pair couple either".split(), 2
)
FOLDS |= dict.fromkeys("triple tripled tripling".split(), 3) | {"single": 1}
# Words with a numeral in them that count nothing.
HAN_NAMES = (
    r"[一二三四五六七八九十n]+[元次]+(?=[一二三四]*[元次]?(?:方程|函数|不等|多项|项|根))|[二三]元一次|一元[一二三]次"
    r"|三角|[四五六七八九十]+[边角]形|[四五六七八九十]+面体|[三四五六]棱[柱锥台]|二项式|二面角|三视图|三等分"
    r"|星期[一二三四五六]|周[一二三四五六]"
    r"|[一二三四五六七八九十]+月|千米|千克|毫克|百分[比率]|[平负胜]一[场局]|万一|一[些定样起共般直旦致切]|统一|唯一|两两|一一|[三四]轮|同一|任一|进一步|三段|二次"
    r"|十[分字](?!之)|[十百千万]位(?=数|上|与|和|的|是|比|、)|(?:多少|几)[百千万亿]|第二[次天]|零[件钱售食头]|零点(?![零〇一二三四五六七八九])|第一"
)

# "20% off" and 八折 both leave 80 per cent
_OFF = (
    r"(?<![\d.])(?P<off_en>\d+)\\?(?:%|[ -]per ?cent) (?:off\b|discounts?\b|reduction in price)"
    r"|\b[Dd]iscount(?:ed)? (?:of |by )(?P<discount>\d+)(?=\\?%|[ -]per ?cent)"
    r"|(?:优惠|降价|便宜)了?(?P<off_zh>\d+)(?=%)"
)
# "a sixth number" comes after five; "a sixth of it", "a sixth more" are parts
_NTH_THING = re.compile(
    r"(?i)an? [a-z-]+(?:rd|th) "
    r"(?!(?:of|as|more|less|fewer|the|that|its|their|his|her|is|are|was|were|and|or|to|in|on|at|from|by"
    r"|for|than|full|remain\w*|left)\b)[a-z]"
)
_TOKEN = re.compile(
    r"(?P<image><image\d+>)|(?P<root>\b[Zz]ero(?:s|es)?(?= of\b))"
    r"|(?P<angle>∠\s?\d(?!\d)|\b[Ii]n half\b|(?:\b|(?<=[cdk]))m[23]\b)"
    r"|(?P<shaped>\b(?i:three|four|five|six|[3-6])-(?:sided|wheel(?:ed|er))\b)"
    r"|(?P<half_hour>(?<=[点时])半|\b[Hh]alf(?= past\b))"
    r"|(?P<quarter>(?<=[点时])一刻|\b[Qq]uarter(?= past\b))"
    rf"|(?P<off>{_OFF})"
    rf"|(?P<fold_price>[一二三四五六七八九]{{1,2}}|\d(?:\.\d)?)折(?![叠线痕纸断返])"
    r"|第(?!二[次天])(?P<han_nth>[二三四五六七八九十]+)"
    rf"|(?P<name>{HAN_NAMES})"
    r"|(?P<fraction>(?<![\d./])\d+/\d+(?![\d/]))"
    rf"|(?P<numeral>{NUMERAL})"
    r"|(?P<digits>\d+(?:,\d{3})*(?![\d,]*\d,\d{3})(?:\.\d+)?|\d+)"
    r"(?::00(?![\d:])|(?:st|nd|rd|th)\b)?"
    rf"|(?P<roman>\b(?:{'|'.join(sorted(ROMAN, key=len, reverse=True))})\b)"
    rf"|(?i:\b(?P<fold>{'|'.join(FOLDS)})\b)"
)
_MINUS = re.compile(
    r"(?:(?<![A-Za-z\d)\]}$%])\s*[-−－﹣–]|(?i:(?:^|[,(]\s?|\b(?:is|was|be|to|of|by|equals?|than|at|from)\s)minus|\bnegative)|零下|负)\s*\$?\s*$"
)
_GAMES = re.compile(r"\s*+\$?\s*+[场局盘]")  # 负2场: two games lost
_BELOW = re.compile(r"(?i)\s*+(?:°|degrees?)?\s*+(?:celsius|c\b)?\s*+below (?:zero|0)")
_DUAL = re.compile(r"(?i)two|both|pair|couple|either|两")
_PAIR = re.compile("二[人者队]")
_TIMES = re.compile(r"(?i)\s*(?:times|-?fold|倍)")


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
        worded = number_at(text, start) if match["numeral"] else None
        if worded:
            position = worded.end
        value = _worded(text, worded) if worded else _value(match)
        if value is None:
            continue
        said = text[start:position].lower()
        minus = _MINUS.search(text, max(0, start - 12), start) or _BELOW.match(
            text, position
        )
        if minus and not _GAMES.match(text, position):
            value = -value
        digits = said[0].isdigit() or any(match[group] for group in _FIGURES)
        pair = _DUAL.fullmatch(said) or _PAIR.match(text, start)
        dual = pair is not None and not _TIMES.match(text, position)
        yield Quantity(value, start, position, digits, dual)


_FIGURES = ("off", "fold_price", "half_hour", "quarter")
_EACH = re.compile(r"(?i)(?:per|each|every) $")
_AGAIN = re.compile(r"(?i)second (?:time|day)\b")


def _worded(text: str, found: Numeral) -> Fraction | None:
    """The value of a number in words; None where an ordinal says which or how often."""
    if found.form == "percent":
        return found.value * 100
    if found.form == "part" and _NTH_THING.match(text, found.start):
        return 1 / found.value
    which = _EACH.search(text, max(0, found.start - 6), found.start)
    if found.form == "ordinal" and (
        found.value == 1 or which or _AGAIN.match(text, found.start)
    ):
        return None
    return found.value


def _value(match: re.Match[str]) -> Fraction | None:
    if match["digits"]:
        return Fraction(match["digits"].replace(",", ""))
    if match["half_hour"] or match["quarter"]:
        return Fraction(30 if match["half_hour"] else 15)
    if match["off"]:
        return 100 - Fraction(match["off_en"] or match["discount"] or match["off_zh"])
    if tenths := match["fold_price"]:
        value = Fraction(tenths) if tenths.isascii() else _of_words(tenths)
        return 10 * value if value < 10 else value
    if match["roman"]:
        return Fraction(ROMAN[match["roman"]])
    if match["fraction"]:
        above, below = match["fraction"].split("/")
        return Fraction(int(above), int(below)) if int(below) else Fraction(int(above))
    if match["han_nth"]:
        return _of_words(match["han_nth"])
    return Fraction(FOLDS[match["fold"].lower()]) if match["fold"] else None


def _of_words(text: str) -> Fraction:
    found = number(text)
    return found.value if found else Fraction(0)
