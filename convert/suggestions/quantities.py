"""Quantities of a text, in digits or in words, in English or in Chinese, as exact numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import msgspec

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_UNITS += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh"
_ORDINALS += " twelfth"
_ENGLISH = {word: n for n, word in enumerate(_UNITS.split())}
_ENGLISH |= {word: 20 + 10 * n for n, word in enumerate(_TENS.split())}
_ENGLISH |= {f"{w}{'es' if w == 'six' else 's'}": n for w, n in _ENGLISH.items() if 2 < n < 10}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 10**9}
_ROMAN = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8}
_NTH = {word: n for n, word in enumerate(_ORDINALS.split())}
_PARTS = {word + s: n for word, n in _NTH.items() if n > 2 for s in ("", "s")}
_PARTS |= {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
_FOLDS = {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "both": 2, "pair": 2, "couple": 2,
    "either": 2, "thrice": 3, "triple": 3, "tripled": 3, "dozen": 12, "single": 1, "once": 1,
}  # fmt: skip
_FOLD = frozenset("twice double doubled doubles thrice triple tripled half".split())
_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}

_CARDINAL = rf"(?:{'|'.join(sorted(_ENGLISH, key=len, reverse=True))})"
_WORDS = rf"{_CARDINAL}(?:(?:[ -](?:and )?)(?:{_CARDINAL}|hundred|thousand|million|billion)\b)*"
_UNDER = "|".join(sorted(_PARTS, key=len, reverse=True))
# "20% off" and 八折 both leave 80 per cent
_OFF = (
    r"(?<![\d.])(?P<off_en>\d+)\\?(?:%|[ -]per ?cent) (?:off\b|discounts?\b|reduction in price)"
    r"|\b[Dd]iscount(?:ed)? (?:of |by )(?P<discount>\d+)(?=\\?%|[ -]per ?cent)"
    r"|(?:优惠|降价|便宜)了?(?P<off_zh>\d+)(?=%)"
)
_HAN_NUMBER = "[零〇一二两三四五六七八九十百千万亿]+"
# Words with a numeral in them that count nothing.
_HAN_NAMES = (
    r"[一二三四五六七八九十n]+[元次]+(?=[一二三四]*[元次]?(?:方程|函数|不等|多项|项|根))|[二三]元一次|一元[一二三]次"
    r"|三角|[四五六七八九十]+[边角]形|[四五六七八九十]+面体|[三四五六]棱[柱锥台]|二项式|二面角|三视图|三等分"
    r"|星期[一二三四五六]|周[一二三四五六]"
    r"|[一二三四五六七八九十]+月|千米|千克|毫克|百分[之比率]|[平负胜]一[场局]|万一|一[些定样起共般直旦致切]|统一|唯一|两两|一一|[三四]轮|同一|任一|进一步|三段|二次"
    r"|十[分字](?!之)|[十百千万]位(?=数|上|与|和|的|是|比|、)|(?:多少|几)[百千万亿]|第二[次天]|零[件钱售食头]|第一|一半|半"
)
_TOKEN = re.compile(
    r"(?P<image><image\d+>)|(?P<angle>∠\s?\d(?!\d)|\b[Ii]n half\b|(?:\b|(?<=[cdk]))m[23]\b)"
    r"|(?P<shaped>\b(?i:three|four|five|six|[3-6])-(?:sided|wheel(?:ed|er))\b)"
    rf"|(?P<han_part>(?P<below>{_HAN_NUMBER})分之(?P<above>{_HAN_NUMBER}))"
    rf"|百分之(?P<han_cent>{_HAN_NUMBER})"
    r"|(?P<half_hour>(?<=[点时])半|\b[Hh]alf(?= past\b))"
    r"|(?P<quarter>(?<=[点时])一刻|\b[Qq]uarter(?= past\b))"
    rf"|(?P<off>{_OFF})"
    rf"|(?P<fold_price>[一二三四五六七八九]{{1,2}}|\d(?:\.\d)?)折(?![叠线痕纸断返])"
    r"|(?P<han_half>一半|半(?![径圆轴平数]))"
    r"|第(?!二[次天])(?P<han_nth>[二三四五六七八九十]+)"
    rf"|(?P<name>{_HAN_NAMES})"
    rf"|(?P<han>{_HAN_NUMBER})"
    r"|(?P<fraction>(?<![\d./])\d+/\d+(?![\d/]))"
    r"|(?P<digits>\d+(?:,\d{3})*(?![\d,]*\d,\d{3})(?:\.\d+)?|\d+)"
    r"(?::00(?![\d:])|(?:st|nd|rd|th)\b|(?P<scale>\s?(?:[Hh]undred|[Tt]housand|[mb]illion)\b|[百千万亿](?![米克瓦伏])))?"
    rf"|(?P<roman>\b(?:{'|'.join(sorted(_ROMAN, key=len, reverse=True))})\b)"
    rf"|(?i:\b(?P<words_part>(?P<over>an?|{_WORDS})[ -](?P<under>{_UNDER}))\b)"
    rf"|(?i:\b(?P<words>{_WORDS})\b)"
    r"|(?i:(?<!per )(?<!each )(?<!every )(?!second (?:time|day)\b)"
    rf"\b(?P<nth>{'|'.join(list(_NTH)[2:])})\b)"
    rf"|(?i:\b(?P<fold>half|quarter|{'|'.join(_FOLDS)})\b)"
)
_MINUS = re.compile(
    r"(?:(?<![A-Za-z\d)\]}$%])\s*[-−－﹣–]|(?i:(?:^|[,(]\s?|\b(?:is|was|be|to|of|by|equals?|than|at|from)\s)minus|\bnegative)|零下|负)\s*\$?\s*$"
)
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
    """
    return tuple(_quantities(text))


def _quantities(text: str) -> Iterator[Quantity]:
    for match in _TOKEN.finditer(text):
        value = _value(match)
        if value is None:
            continue
        start = match.start()
        if _MINUS.search(text, max(0, start - 12), start) or _BELOW.match(text, match.end()):
            value = -value
        digits = any(match[group] for group in _FIGURES)
        dual = bool(_DUAL.fullmatch(match[0]) or _PAIR.match(text, start)) and not _TIMES.match(
            text, match.end()
        )
        fold = bool(match["fold"]) and match["fold"].lower() in _FOLD
        yield Quantity(value, start, match.end(), digits, dual, fold)


_FIGURES = ("digits", "fraction", "off", "fold_price", "half_hour", "quarter")
_HAN_SCALES = {"百": 100, "千": 1000, "万": 10_000, "亿": 10**8}


def _value(match: re.Match[str]) -> Fraction | None:
    if match["digits"]:
        scale = (match["scale"] or "").strip().lower()
        factor = _HAN_SCALES.get(scale) or _SCALES.get(scale, 1)
        return Fraction(match["digits"].replace(",", "")) * factor
    if match["half_hour"] or match["quarter"]:
        return Fraction(30 if match["half_hour"] else 15)
    if match["off"]:
        return 100 - Fraction(match["off_en"] or match["discount"] or match["off_zh"])
    if tenths := match["fold_price"]:
        if tenths in _DIGITS or tenths.isascii():
            return 10 * Fraction(_DIGITS.get(tenths, 0) or Fraction(tenths))
        return Fraction(_han(tenths))
    if match["roman"]:
        return Fraction(_ROMAN[match["roman"]])
    if match["fraction"]:
        above, below = match["fraction"].split("/")
        return Fraction(int(above), int(below)) if int(below) else Fraction(int(above))
    if match["han_part"]:
        below_value = _han(match["below"])
        return Fraction(_han(match["above"]), below_value) if below_value else None
    if match["han_half"]:
        return Fraction(1, 2)
    for group in ("han_cent", "han_nth", "han"):
        if match[group]:
            return Fraction(_han(match[group]))
    if match["words_part"]:
        return Fraction(_english(match["over"]), _PARTS[match["under"].lower()])
    if match["words"]:
        return Fraction(_english(match["words"]))
    if match["nth"]:
        return Fraction(_NTH[match["nth"].lower()])
    if match["fold"]:
        word = match["fold"].lower()
        return Fraction(1, _PARTS[word]) if word in _PARTS else Fraction(_FOLDS[word])
    return None


def _english(words: str) -> int:
    total = current = 0
    for word in re.split(r"[ -]+", words.lower()):
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if word != "hundred":
                total, current = total + current, 0
        else:
            current += _ENGLISH.get(word, 1 if word in ("a", "an") else 0)
    return total + current


def _han(characters: str) -> int:
    if not any(c in _POWERS for c in characters):
        return int("".join(str(_DIGITS[c]) for c in characters))
    total = section = digit = 0
    for character in characters:
        if character in _DIGITS:
            digit = _DIGITS[character]
            continue
        power = _POWERS[character]
        if power >= 10_000:
            total += max(section + digit, 1) * power
            section = 0
        else:
            section += (digit or 1) * power
        digit = 0
    return total + section + digit


def changed_quantity(before: str, after: str) -> str:
    """The first number that is lost or new, however it is written; empty when there is none.

    Words may be said again or left out where the number still stands somewhere: "these two
    numbers". One, as a word, counts nothing: "a", "一个".

    >>> changed_quantity("三个数的和是-5", "The sum of 3 numbers is -5")
    ''
    >>> changed_quantity("三个数的和是-5", "The sum of five numbers is 5")
    "number: '-5' is lost"
    """
    old, new = _counts(before), _counts(after)
    less: list[Fraction] = []
    more: list[Fraction] = []
    for value in sorted(old.keys() | new.keys()):
        old_digits, old_words = old.get(value, (0, 0))
        new_digits, new_words = new.get(value, (0, 0))
        if value == 1:
            # `1` may become "a" or "each", and the other way round
            if not old_digits + old_words and new_digits and not _one(before):
                return "number: '1' is new"
            if not new_digits + new_words and old_digits and not _one(after):
                return "number: '1' is lost"
            continue
        if value == 0 and any(_NONE.search(text) for text in (before, after)):
            continue
        if value == 2 and _only_dual(before) and _only_dual(after):
            less += [value] * (old_words > new_words)
            continue
        if not new_digits + new_words:
            if _taken_off(value, new, before, after):
                continue
            return f"number: '{value}' is lost"
        if not old_digits + old_words:
            if _taken_off(value, old, after, before):
                continue
            return f"number: '{value}' is new"
        less += [value] * (old_digits + old_words > new_digits + new_words)
        more += [value] * (old_digits + old_words < new_digits + new_words)
    return f"number: '{less[0]}' became '{more[0]}'" if less and more else ""


def _taken_off(value: Fraction, there: dict[Fraction, tuple[int, int]], *texts: str) -> bool:
    """Is it a percentage that stays, of which the other side tells what is taken off, or back?"""
    return 100 - value in there and any(
        re.search(rf"{_OFF_BY}(?<![\d.]){part}\s?\\?(?:%|折|per ?cent)", text)
        for text in texts
        for part in (value, 100 - value)
    )


_OFF_BY = (
    r"(?i:off|discount|reduc|lower|decreas|get|receive|优惠|降|减|便宜|打)"
    r"(?:(?!\bto\b)[^.,;，。；]){0,24}"
)
_NONE = re.compile(r"(?i)\b(?:no|none|nothing)\b|不|没|无")


def _only_dual(text: str) -> bool:
    return all(quantity.dual for quantity in quantities(text) if quantity.value == 2)


def _counts(text: str) -> dict[Fraction, tuple[int, int]]:
    digits, words = Counter[Fraction](), Counter[Fraction]()
    for quantity in quantities(text):
        (digits if quantity.digits else words)[quantity.value] += 1
    return {v: (digits[v], words[v]) for v in digits.keys() | words.keys()}


def _one(text: str) -> bool:
    return bool(re.search(r"(?i)\b(?:an?|one|first|each|every|per|single)\b|[一每单首]", text))


_RATIO = re.compile(r"[\s$]*(?:[:：∶~～]|比|到|至|\bto\b|-)[\s$]*")


def turned_ratio(before: str, after: str) -> str:
    """A ratio or range whose two numbers have changed places.

    >>> turned_ratio("in the ratio 3:4", "as 4 to 3")
    "ratio: '3:4' is turned round"
    """
    old, new = _ratios(before), _ratios(after)
    for first, second in sorted(old):
        if first != second and (second, first) in new and (first, second) not in new:
            return f"ratio: '{first}:{second}' is turned round"
    return ""


def _ratios(text: str) -> set[tuple[Fraction, Fraction]]:
    found = quantities(text)
    return {
        (one.value, two.value)
        for one, two in pairwise(found)
        if _RATIO.fullmatch(text, one.end, two.start)
    }


def changed_list(before: str, after: str) -> str:
    """A list of data, four numbers or more, of which one is lost, new or another.

    >>> changed_list("数据2，4，4，5，7的众数", "The mode of 2, 4, 5, 7")
    "list: '2, 4, 4, 5, 7' became '2, 4, 5, 7'"
    """
    old, new = _lists(before), _lists(after)
    if old and new and sorted(map(sorted, old)) != sorted(map(sorted, new)):
        one, two = (", ".join(map(str, found[0])) for found in (old, new))
        return f"list: '{one}' became '{two}'"
    return ""


_NEXT_ITEM = re.compile(r"[\s$]*(?:[,，、]|(?:, )?and|和|与)[\s$]*")


def _lists(text: str) -> list[list[Fraction]]:
    lists: list[list[Fraction]] = [[]]
    found = [q for q in quantities(text) if q.digits]
    for k, q in enumerate(found):
        if k and not _NEXT_ITEM.fullmatch(text, found[k - 1].end, q.start):
            lists.append([])
        lists[-1].append(q.value)
    return [values for values in lists if len(values) > 3]
