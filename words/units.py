r"""Units that answers carry: a grammar of products and powers of units with prefixes.

    unit   = power {[" " | "*"] power | ("/" | "per") power}
    power  = ["square" | "cubic"] name ["^" integer | "squared" | "cubed"] | "(" unit ")"
    name   = [prefix] symbol | word ["s"]

What is worth what follows the International System of Units (BIPM, 9th edition) and the
international yard and pound.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

LONGEST = 120  # characters of a unit
POWER = 12


class Unit(NamedTuple):
    """Exponents of the base units by name, sorted, and the size in them."""

    dimension: tuple[tuple[str, int], ...]
    size: Fraction


class Quantity(NamedTuple):
    """A value and the unit behind it; `sure`: the unit can be nothing else."""

    value: str
    unit: Unit
    sure: bool
    written: str = ""  # the unit, without the commands around it


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_PREFIXED: dict[str, list[str]] = _TABLE["prefixed"]
_PLAIN: dict[str, list[str]] = _TABLE["plain"]
_PREFIXES: dict[str, int] = _TABLE["prefixes"]
_PREFIX_WORDS: dict[str, str] = _TABLE["prefix_words"]


def _called(units: dict[str, list[str]]) -> dict[str, str]:
    return {
        word: symbol
        for symbol, (_, _, words) in units.items()
        for word in words.split()
    }


_BASES = _called(_PREFIXED) | _called(_PLAIN)
_WITH_PREFIX = {
    before + word: prefix + symbol
    for before, prefix in _PREFIX_WORDS.items()
    for word, symbol in _called(_PREFIXED).items()
    if before.isascii() == word.isascii()
}
_WORDS = _BASES | _TABLE["names"] | _WITH_PREFIX
# Units of two and three letters, which letters in a formula are rather than a product of symbols.
SHORT = frozenset(
    "mm cm dm km nm ft yd mi in kg mg lb lbs oz ml cl dl kl min hr hrs sec sq cu mph kmh kph deg "
    "rad day pct th st nd rd mL dL Kg Km Hz kHz kPa Pa kJ kW eV mol".split()
)


def _any(words: Iterable[str], latin: bool) -> str:
    chosen = {
        word
        for word in words
        if word.isascii() == latin and (len(word) > 2 or not latin)
    }
    return "|".join(sorted(chosen, key=lambda word: (-len(word), word)))


# The names of units, for patterns: "square centimetres", "cubic feet", 平方厘米.
_LATIN = _any([*_BASES, *_PLAIN, "month", "degree", "percent", "unit"], latin=True)
NAMES = (
    rf"(?:(?:square|cubic) )?(?:{_any(_PREFIX_WORDS, latin=True)})?(?:{_LATIN})(?:e?s)?"
)
HAN_NAMES = (
    rf"(?:(?:平方|立方)?(?:{_any(_PREFIX_WORDS, latin=False)})?(?:{_any(_BASES, latin=False)})"
    r"|公里|公斤|[度元])"
)
# ㎝, ㎡: one character each, and what it stands for.
SQUARED = {
    char: plain
    for char in map(chr, range(0x3380, 0x33E0))
    if (plain := unicodedata.normalize("NFKC", char)).isascii()
    and plain.rstrip("23") in SHORT | {"m"}
}
_BEFORE = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "平方": 2, "立方": 3}
_BEHIND = {"squared": 2, "cubed": 3}
SYMBOLS = frozenset(
    "m s g h l L t N J W V A K C".split()
)  # one letter: read as a symbol
# Spelled without care for capitals: KG, ml, khz; where it can mean one thing only.
_FOLDED = {
    (prefix + symbol).lower(): prefix + symbol
    for prefix in "cdkmn"
    for symbol in "m g L Hz Pa J W V mol eV cal bar N A".split()
    if prefix != "m" or symbol in ("m", "g", "L", "mol")
} | {"pa": "Pa", "hz": "Hz", "ev": "eV", "ml": "mL", "kwh": "kWh", "wh": "Wh"}

# What TeX sets upright, and its spaces.
_UPRIGHT = re.compile(
    r"\\(?:mathrm|textrm|text|rm|mathsf|operatorname|mbox|mathit|,|;|!|:| )(?![A-Za-z])|~"
)
_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-zΩµÅ]+|[$]|[\u4e00-\u9fff]+)"
    r"|\^\s*\{?\s*(?P<power>[-+]?\s*\d{1,2})\s*\}?|(?P<sign>[*/().·⋅-]))"
)
# The value of a quantity: what stands before its unit.
_HEAD = re.compile(
    r"\d+[eE][+-]?\d{1,3}|[-+\d.,(){}^/*\s|]|\\(?:times|cdot|frac|dfrac|tfrac|sqrt|pm|pi|approx|d)"
    r"(?![A-Za-z])"
)
_NAME = re.compile(r"(?:^|[^\\A-Za-z])[^\W\d_]|\\(?:text|mathrm|rm|Omega|mu)|Ω")
_LABEL = re.compile(  # `v =`
    r"\s*(?:[A-Za-z](?:_\{?\w{1,9}\}?)?\s*(?:=|\\approx)\s*)?"
)


@lru_cache(maxsize=4096)
def unit(text: str) -> Unit | None:
    r"""What a unit measures and is worth, or None where the text is no known unit.

    >>> unit("kJ/mol") == unit(r"\mathrm{kJ}\,\mathrm{mol}^{-1}")
    True
    >>> unit("apples") is None
    True
    """
    if len(text) > LONGEST:
        return None
    tokens = _tokens(_without_tex(text))
    if not tokens:
        return None
    product = _product(tokens)
    return product if product and not tokens else None


def _without_tex(text: str) -> str:
    """A unit in plain characters: signs for commands, no braces and no fonts."""
    text = re.sub(r"\\Omega(?![A-Za-z])|Ω|\\ohm", "Ω", text)
    text = re.sub(r"\\(?:cdot|times)(?![A-Za-z])", "*", text)
    text = re.sub(r"\\mu(?![A-Za-z])\s*|μ", "µ", text)
    text = _UPRIGHT.sub(" ", text)
    text = re.sub(r"\^\s*\{\s*([-+]?\d{1,2})\s*\}", r"^\1", text)
    # a prefix in a group of its own
    text = re.sub(
        r"(?<![\w])([kMGmµ])[\s}]+(?=Ω)|(µ)[\s{}]+(?=[A-Za-z])", r"\1\2", text
    )
    return re.sub(r"[{}]", " ", text).replace(" per ", "/").replace("每", "/").strip()


def _tokens(text: str) -> list[str]:
    """Names, signs and powers as `^2`; none where something else stands there."""
    tokens: list[str] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return []
        position = match.end()
        if power := match["power"]:
            tokens.append("^" + power.replace(" ", ""))
        else:
            tokens.append(match["name"] or match["sign"])
    return tokens


def _product(tokens: list[str]) -> Unit | None:
    """The product at the head of the tokens, which are used up; None: no unit."""
    total = Unit((), Fraction(1))
    sign = 1
    expected = True
    while tokens and tokens[0] != ")":
        if tokens[0] in ("*", "·", "⋅", "-", ".", "/"):
            if expected:
                return None
            sign = -1 if tokens.pop(0) == "/" else 1
            expected = True
            continue
        factor, power = _power(tokens)
        if factor is None:
            return None
        total = _times(total, factor, sign * power)
        sign, expected = 1, False
    return None if expected else total


def _power(tokens: list[str]) -> tuple[Unit | None, int]:
    name = tokens.pop(0)
    power = 1
    while name in _BEFORE and tokens:
        power = _BEFORE[name]
        name = tokens.pop(0)
    if name == "(":
        inner = _product(tokens)
        if inner is None or not tokens:
            return None, 1
        tokens.pop(0)
    elif not name.isascii() and name[:2] in _BEFORE and name[2:]:  # 平方厘米
        inner = _named(name[2:])
        power = _BEFORE[name[:2]]
    else:
        inner = _named(name)
    if tokens and tokens[0] in _BEHIND:
        power = _BEHIND[tokens.pop(0)]
    elif tokens and tokens[0][0] == "^":
        power *= int(tokens.pop(0)[1:])
    return (inner, power) if abs(power) <= POWER else (None, 1)


def _named(name: str) -> Unit | None:
    entry = _PREFIXED.get(name) or _PLAIN.get(name)
    if entry:
        return _sized(*entry[:2])
    word = name.lower()
    for spelling in (name, word, word.removesuffix("s")):
        if spelling in _WORDS:
            return _named(_WORDS[spelling])
        if spelling in _PLAIN and len(spelling) > 1:
            return _sized(*_PLAIN[spelling][:2])
    if name[0] in _PREFIXES and name[1:] in _PREFIXED:
        size, base, _ = _PREFIXED[name[1:]]
        unit = _sized(size, base)
        return Unit(unit.dimension, unit.size * Fraction(10) ** _PREFIXES[name[0]])
    if len(name) > 1 and word in _FOLDED:
        return _named(_FOLDED[word])
    return None


def _sized(size: str, base: str) -> Unit:
    exponents = []
    for part in base.split():
        match = re.fullmatch(r"(\D+?)(-?\d+)?", part)
        assert match is not None
        exponents.append((match[1], int(match[2] or 1)))
    top, _, bottom = size.partition("/")
    return Unit(tuple(sorted(exponents)), Fraction(top) / Fraction(bottom or 1))


def _times(left: Unit, right: Unit, power: int) -> Unit:
    exponents = dict(left.dimension)
    for name, exponent in right.dimension:
        exponents[name] = exponents.get(name, 0) + exponent * power
    dimension = tuple(sorted((n, e) for n, e in exponents.items() if e))
    return Unit(dimension, left.size * right.size**power)


@lru_cache(maxsize=4096)
def quantity(text: str) -> Quantity | None:
    r"""The value and the unit of a number with a known unit behind it.

    >>> speed = quantity(r"9.8\text{ m/s}^2")
    >>> speed.value, speed.unit.dimension
    ('9.8', (('m', 1), ('s', -2)))
    """
    if not _NAME.search(text):
        return None
    label = _LABEL.match(text)
    start = position = label.end() if label else 0
    while match := _HEAD.match(text, position):
        position = match.end()
    head = text[start:position]
    tail = text[position:]
    opened = head.count("{") - head.count("}")
    if opened == 1 and head.rstrip().endswith("{"):  # 5 {\rm m}
        head = head.rstrip()[:-1]
        tail = "{" + tail
        opened = 0
    value = head.strip().rstrip("*").rstrip()
    value = re.sub(r"\\(?:cdot|times)$", "", value).rstrip()
    if re.match(r"[^\W\d_]{2}", tail):  # 15-metre
        value = re.sub(r"(?<=\d)-$", "", value)
    if opened or not re.search(r"\d", value) or not tail or value[-1] in "+-/(^":
        return None
    measured = unit(tail)
    if measured is None:
        return None
    is_upright = _UPRIGHT.search(tail) is not None
    return Quantity(value, measured, is_upright or _has_words(tail), _plainly(tail))


def _has_words(tex: str) -> bool:
    """Whether a name in a unit is no product of symbols."""
    names = re.findall(r"[A-Za-zΩµ]+", re.sub(r"\\[A-Za-z]+", "", tex))
    return any(
        name in SHORT or name.lower().removesuffix("s") in _WORDS
        for name in names
        if len(name) > 1
    )


def _plainly(tex: str) -> str:
    """A unit as it is written, without the commands around it."""
    text = re.sub(r"\^\s*\{([^{}]*)\}", r"^\1", _UPRIGHT.sub(" ", tex))
    text = " ".join(re.sub(r"[{}]", "", text).split())
    return re.sub(r"\s*/\s*", "/", text)


def measure(phrase: str) -> tuple[str, Fraction] | None:
    """Dimension and size of a unit, or None where the words are no known unit.

    >>> measure("square feet") == measure("ft^2")
    True
    """
    measured = unit(phrase)
    if measured is None:
        return None
    dimension = " ".join(f"{name}{power}" for name, power in measured.dimension)
    return dimension, measured.size


def factor(gold: str, prediction: str) -> Fraction | None:
    """What a value in `prediction` is multiplied by to be in `gold`; None: the units contradict.

    >>> factor("m", "cm")
    Fraction(1, 100)
    """
    one = measure(gold)
    other = measure(prediction)
    if one is None or other is None:
        return Fraction(1)
    return other[1] / one[1] if one[0] == other[0] else None


# Codes of currencies (ISO 4217: those of the largest markets) in front of an amount or behind it.
CODES = (
    "USD|EUR|GBP|CNY|RMB|INR|CHF|CAD|AUD|NZD|JPY|KRW|HKD|SGD|TWD|SEK|NOK|DKK|PLN|CZK|RUB|TRY|BRL"
    "|MXN|ZAR|THB|IDR|MYR|PHP|VND|NGN|KES"
)
_CURRENCIES = {
    "dollar": re.compile(r"(?<!\\)\\\$|\bUSD\b|\bdollars?\b|US\$|美元", re.IGNORECASE),
    "euro": re.compile(r"€|\bEUR\b|\beuros?\b|\\euro|欧元", re.IGNORECASE),
    "pound": re.compile(r"£|\bGBP\b|\\pounds|英镑", re.IGNORECASE),
    "yuan or yen": re.compile(
        r"[¥￥]|\bCNY\b|\bRMB\b|\bJPY\b|\byuan\b|\byen\b|元(?!素)"
    ),
    "rupee": re.compile(r"₹|\bINR\b|\brupees?\b", re.IGNORECASE),
    "won": re.compile(r"₩|\bKRW\b"),
    "franc": re.compile(r"\bCHF|\bfrancs?\b", re.IGNORECASE),
}
_CURRENCY = re.compile("|".join(p.pattern for p in _CURRENCIES.values()), re.IGNORECASE)


def other_currency(one: str, other: str) -> bool:
    r"""Do both name a currency, and not the same?

    >>> other_currency("€5", r"\$5"), other_currency("€5", "5 euros"), other_currency("€5", "5")
    (True, False, False)
    """
    if len(one) > LONGEST or len(other) > LONGEST or not _CURRENCY.search(one):
        return False
    first = currencies(one)
    second = currencies(other)
    return bool(first and second) and first.isdisjoint(second)


def currencies(text: str) -> set[str]:
    """The currencies that a text names.

    >>> currencies("12元"), currencies("12 apples")
    ({'yuan or yen'}, set())
    """
    return {name for name, sign in _CURRENCIES.items() if sign.search(text)}
