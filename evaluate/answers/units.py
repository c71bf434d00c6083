"""Units that answers carry, and what they are worth in a common one."""

from __future__ import annotations

import re
from fractions import Fraction

# unit -> (dimension, size in the dimension's common unit)
_SIZES: dict[str, tuple[str, Fraction]] = {}
for _dimension, _names in {
    "length": {
        "mm": "0.001",
        "cm": "0.01",
        "dm": "0.1",
        "m": "1",
        "km": "1000",
        "in": "0.0254",
        "ft": "0.3048",
        "yd": "0.9144",
        "mi": "1609.344",
    },
    "mass": {
        "mg": "0.001",
        "g": "1",
        "kg": "1000",
        "t": "1000000",
        "lb": "453.59237",
        "oz": "28.349523125",
    },
    "volume": {"ml": "0.001", "cl": "0.01", "dl": "0.1", "l": "1"},
    "time": {
        "s": "1",
        "min": "60",
        "h": "3600",
        "day": "86400",
        "week": "604800",
        "year": "31536000",
    },
    "money": {"$": "1", "cent": "0.01"},
    "celsius": {"celsius": "1"},
    "fahrenheit": {"fahrenheit": "1"},
}.items():
    for _name, _size in _names.items():
        _SIZES[_name] = (_dimension, Fraction(_size))
_ALIASES = {
    "millimeter": "mm", "millimetre": "mm", "centimeter": "cm", "centimetre": "cm", "meter": "m",
    "metre": "m", "kilometer": "km", "kilometre": "km", "inch": "in", "inche": "in", "foot": "ft",
    "feet": "ft", "yard": "yd", "mile": "mi", "gram": "g", "kilogram": "kg", "pound": "lb",
    "ounce": "oz", "liter": "l", "litre": "l", "second": "s", "sec": "s", "minute": "min",
    "hour": "h", "hr": "h", "dollar": "$", "厘米": "cm", "毫米": "mm", "分米": "dm", "米": "m",
    "千米": "km", "公里": "km", "克": "g", "千克": "kg", "升": "l", "毫升": "ml", "秒": "s",
    "分钟": "min", "小时": "h", "天": "day", "平方厘米": "cm^2", "平方米": "m^2",
    "mph": "mi/h", "kmh": "km/h", "kph": "km/h", "立方厘米": "cm^3", "立方米": "m^3",
}  # fmt: skip
_POWERS = {"square": "2", "sq": "2", "squared": "2", "cubic": "3", "cu": "3", "cubed": "3"}
SYMBOLS = frozenset("m s g h l L t N J W V A K C".split())  # one letter: read as a symbol


def measure(phrase: str) -> tuple[str, Fraction] | None:
    """Dimension and size of a unit, or None where the words are no known unit.

    >>> measure("square feet") == measure("ft^2")
    True
    >>> measure("apples") is None
    True
    """
    if "/" in phrase or " per " in phrase:
        parts = [measure(part) for part in re.split(r"/|\bper\b", phrase)]
        if len(parts) != 2 or parts[0] is None or parts[1] is None:
            return None
        return f"{parts[0][0]}/{parts[1][0]}", parts[0][1] / parts[1][1]
    if "/" in _ALIASES.get(phrase, ""):
        return measure(_ALIASES[phrase])
    power = "1"
    size = None
    for word in re.findall(r"[^\s^]+|\^\s*\d", phrase.lower()):
        if word.startswith("^"):
            power = word[-1]
        elif word in _POWERS:
            power = _POWERS[word]
        else:
            name = _ALIASES.get(word) or _ALIASES.get(word.rstrip("s")) or word
            name = name if name in _SIZES or "^" in name else word.rstrip("s")
            if "^" in name:
                name, power = name.split("^")
            if name not in _SIZES or size:
                return None
            size = _SIZES[name]
    if size is None:
        return None
    return size[0] + power, size[1] ** int(power)


def factor(gold: str, prediction: str) -> Fraction | None:
    """What a value in `prediction` is multiplied by to be in `gold`; None: the units contradict.

    >>> factor("m", "cm")
    Fraction(1, 100)
    """
    a, b = measure(gold), measure(prediction)
    if a is None or b is None:
        return Fraction(1)
    return b[1] / a[1] if a[0] == b[0] else None
