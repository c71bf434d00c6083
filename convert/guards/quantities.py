"""Quantities of a text, in digits or in words, in English or in Chinese, as exact numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import msgspec

from .numerals import (
    DIGITS,
    FOLD,
    FOLDS,
    HAN_NAMES,
    HAN_NUMBER,
    HAN_SCALES,
    NTH,
    PARTS,
    ROMAN,
    SCALES,
    UNDER,
    WORDS,
    english,
    han,
)  # fmt: skip

# "20% off" and 八折 both leave 80 per cent
_OFF = (
    r"(?<![\d.])(?P<off_en>\d+)\\?(?:%|[ -]per ?cent) (?:off\b|discounts?\b|reduction in price)"
    r"|\b[Dd]iscount(?:ed)? (?:of |by )(?P<discount>\d+)(?=\\?%|[ -]per ?cent)"
    r"|(?:优惠|降价|便宜)了?(?P<off_zh>\d+)(?=%)"
)
# "a sixth number" comes after five; "a sixth of it", "a sixth more" are parts
_NTH_THING = (
    rf"an? (?:{'|'.join(list(NTH)[3:])}) "
    r"(?!(?:of|as|more|less|fewer|the|that|its|their|his|her|is|are|was|were|and|or|to|in|on|at|from|by"
    r"|for|than|full|remain\w*|left)\b)[a-z]"
)
_TOKEN = re.compile(
    r"(?P<image><image\d+>)|(?P<angle>∠\s?\d(?!\d)|\b[Ii]n half\b|(?:\b|(?<=[cdk]))m[23]\b)"
    r"|(?P<shaped>\b(?i:three|four|five|six|[3-6])-(?:sided|wheel(?:ed|er))\b)"
    rf"|(?P<han_part>(?P<below>{HAN_NUMBER})分之(?P<above>{HAN_NUMBER}))"
    rf"|百分之(?P<han_cent>{HAN_NUMBER})"
    r"|(?P<half_hour>(?<=[点时])半|\b[Hh]alf(?= past\b))"
    r"|(?P<quarter>(?<=[点时])一刻|\b[Qq]uarter(?= past\b))"
    rf"|(?P<off>{_OFF})"
    rf"|(?P<fold_price>[一二三四五六七八九]{{1,2}}|\d(?:\.\d)?)折(?![叠线痕纸断返])"
    r"|(?P<han_half>一半|半(?![径圆轴平数]))"
    r"|第(?!二[次天])(?P<han_nth>[二三四五六七八九十]+)"
    rf"|(?P<name>{HAN_NAMES})"
    rf"|(?P<han>{HAN_NUMBER})"
    r"|(?P<fraction>(?<![\d./])\d+/\d+(?![\d/]))"
    r"|(?P<digits>\d+(?:,\d{3})*(?![\d,]*\d,\d{3})(?:\.\d+)?|\d+)"
    r"(?::00(?![\d:])|(?:st|nd|rd|th)\b|(?P<scale>\s?(?:[Hh]undred|[Tt]housand|[mb]illion)\b|[百千万亿](?![米克瓦伏])))?"
    rf"|(?P<roman>\b(?:{'|'.join(sorted(ROMAN, key=len, reverse=True))})\b)"
    rf"|(?i:\b(?!{_NTH_THING})(?P<words_part>(?P<over>an?|{WORDS})[ -](?P<under>{UNDER}))\b)"
    rf"|(?i:\b(?P<words>{WORDS})\b)"
    r"|(?i:(?<!per )(?<!each )(?<!every )(?!second (?:time|day)\b)"
    rf"\b(?P<nth>{'|'.join(list(NTH)[2:])})\b)"
    rf"|(?i:\b(?P<fold>half|quarter|{'|'.join(FOLDS)})\b)"
)
_MINUS = re.compile(
    r"(?:(?<![A-Za-z\d)\]}$%])\s*[-−－﹣–]|(?i:(?:^|[,(]\s?|\b(?:is|was|be|to|of|by|equals?|than|at|from)\s)minus|\bnegative)|零下|负)\s*\$?\s*$"
)
_GAMES = re.compile(r"\s*\$?\s*[场局盘]")  # 负2场: two games lost
_BELOW = re.compile(r"(?i)\s*(?:°|degrees?)?\s*(?:celsius|c\b)?\s*below (?:zero|0)")


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
    fold: bool = False  # "twice", "half": how many times


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
    for match in _TOKEN.finditer(text):
        value = _value(match)
        if value is None:
            continue
        start = match.start()
        minus = _MINUS.search(text, max(0, start - 12), start) or _BELOW.match(text, match.end())
        if minus and not _GAMES.match(text, match.end()):
            value = -value
        digits = any(match[group] for group in _FIGURES)
        dual = bool(_DUAL.fullmatch(match[0]) or _PAIR.match(text, start)) and not _TIMES.match(
            text, match.end()
        )
        fold = bool(match["fold"]) and match["fold"].lower() in FOLD
        yield Quantity(value, start, match.end(), digits, dual, fold)


_FIGURES = ("digits", "fraction", "off", "fold_price", "half_hour", "quarter")


def _value(match: re.Match[str]) -> Fraction | None:
    if match["digits"]:
        scale = (match["scale"] or "").strip().lower()
        factor = HAN_SCALES.get(scale) or SCALES.get(scale, 1)
        return Fraction(match["digits"].replace(",", "")) * factor
    if match["half_hour"] or match["quarter"]:
        return Fraction(30 if match["half_hour"] else 15)
    if match["off"]:
        return 100 - Fraction(match["off_en"] or match["discount"] or match["off_zh"])
    if tenths := match["fold_price"]:
        if tenths in DIGITS or tenths.isascii():
            return 10 * Fraction(DIGITS.get(tenths, 0) or Fraction(tenths))
        return Fraction(han(tenths))
    if match["roman"]:
        return Fraction(ROMAN[match["roman"]])
    if match["fraction"]:
        above, below = match["fraction"].split("/")
        return Fraction(int(above), int(below)) if int(below) else Fraction(int(above))
    if match["han_part"]:
        below_value = han(match["below"])
        return Fraction(han(match["above"]), below_value) if below_value else None
    if match["han_half"]:
        return Fraction(1, 2)
    for group in ("han_cent", "han_nth", "han"):
        if match[group]:
            return Fraction(han(match[group]))
    if match["words_part"]:
        return Fraction(english(match["over"]), PARTS[match["under"].lower()])
    if match["words"]:
        return Fraction(english(match["words"]))
    if match["nth"]:
        return Fraction(NTH[match["nth"].lower()])
    if match["fold"]:
        word = match["fold"].lower()
        return Fraction(1, PARTS[word]) if word in PARTS else Fraction(FOLDS[word])
    return None
