"""What a label is: the signs that count options, parts and problems, and the orders they stand in.

A label is a sign in a slot: `(b)`, `③`, `Ⅱ.`, `一、`. Here are the signs; which slots count is said
where labels are looked for, by patterns that are made of these pieces.
"""

from __future__ import annotations

from functools import lru_cache
from string import ascii_uppercase
from unicodedata import numeric

from .numerals import HAN_ORDER

LETTERS = ascii_uppercase
CIRCLED = "①②③④⑤⑥⑦⑧"  # as many as OPTION has letters

# What stands between the brackets of a character class.
OPTION = "A-H"  # letters that name an option where nothing but the letter says so
OPTION_IN_EITHER_CASE = "A-Ha-h"
ENCLOSED = (
    "①-⓿❶-➓㈠-㊉⑴-⒛"  # one character each: a number or a letter in a circle or brackets
)
ROMAN_SIGN = "Ⅰ-ⅿ"  # one character each
OPENING, CLOSING = (
    r"(（\[［【「『〔《〈",
    r")）\]］】」』〕》〉",
)  # brackets around a sign

# Roman numerals from 1 to 399, capitals: no label counts further.
ROMAN = tuple(
    hundreds + tens + ones
    for hundreds in ("", "C", "CC", "CCC")
    for tens in ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    for ones in ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
)[1:]
_ROMAN_VALUES = {numeral: value for value, numeral in enumerate(ROMAN, 1)}

# Orders that are not those of the code points (closed: the alphabets that schools count with).
_ORDERS = (
    "甲乙丙丁戊己庚辛壬癸",
    HAN_ORDER,
    "가나다라마바사아자차",
    "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊ",
    "アイウエオカキクケコ",
    "あいうえおかきくけこ",
    "イロハニホヘト",
    "أبجدهوزحطي",
    "กขคงจฉชซฌญ",
)
# Where an order of code points begins, of as many signs as there are letters.
_FIRST = "AaΑαАаאअঅⒶⓐ⒜①⑴⒈㊀㈠❶➀⓵🄐🅐"
_MOST_PARTS = 10  # that Roman numerals count
# All signs but Latin letters, Roman numerals and digits; and those that need no mark around them.
OTHER_SIGNS = "".join(_ORDERS) + "".join(
    chr(ord(first) + k) for first in _FIRST[2:] for k in range(len(LETTERS))
)
ENCLOSED_SIGNS = frozenset(sign for sign in OTHER_SIGNS if not sign.isalpha())


def roman(numeral: str) -> int:
    """The value of a Roman numeral in letters, 0 for what is none.

    >>> roman("XIV"), roman("iv"), roman("IIII")
    (14, 4, 0)
    """
    return _ROMAN_VALUES.get(numeral.upper(), 0)


def part_roman(numeral: str) -> int:
    """The same of a numeral that counts options or parts, 0 for XI and beyond.

    >>> part_roman("X"), part_roman("XI")
    (10, 0)
    """
    value = roman(numeral)
    return value if value <= _MOST_PARTS else 0


def sign_number(sign: str) -> int:
    """The number that one character is: ③, ⒊, ㈢, Ⅲ, ⅲ; 0 for what is none.

    >>> [sign_number(sign) for sign in "③⒊㈢Ⅲⅲ½x"]
    [3, 3, 3, 3, 3, 0, 0]
    """
    value = numeric(sign, 0) if len(sign) == 1 else 0
    return int(value) if value == int(value) else 0


@lru_cache(maxsize=4096)
def ranks(sign: str) -> tuple[tuple[str, int], ...]:
    """The orders that a sign may belong to, each with its rank there from 0.

    >>> ranks("c"), ranks("③"), ranks("丙"), ranks("3")
    ((('a', 2),), (('①', 2),), (('甲', 2),), (('1', 2),))
    """
    if sign.isascii() and sign.isdecimal():
        return (("1", int(sign) - 1),)
    places: list[tuple[str, int]] = []
    if value := part_roman(sign):
        places.append(("I" if sign.isupper() else "i", value - 1))
    if len(sign) == 1:
        places += [(order[0], order.index(sign)) for order in _ORDERS if sign in order]
        steps = ((first, ord(sign) - ord(first)) for first in _FIRST)
        places += [(first, step) for first, step in steps if 0 <= step < len(LETTERS)]
    return tuple(places)


def in_order(signs: list[str]) -> bool:
    """Whether signs are the first ones of one order; numbers may start at 0.

    >>> in_order(["a", "b", "c"]), in_order(["0", "1"]), in_order(["x", "y"])
    (True, True, False)
    """
    for order, first in ranks(signs[0]) if signs else ():
        starts = first == 0 or (order, first) == ("1", -1)
        places = [dict(ranks(sign)).get(order) for sign in signs]
        if starts and places == list(range(first, first + len(signs))):
            return True
    return False
