"""Numbers that two texts do not share."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from .quantities import quantities

_OFF_BY = (
    r"(?i:off|discount|reduc|lower|decreas|get|receive|优惠|降|减|便宜|打)"
    r"(?:(?!\bto\b)[^.,;，。；]){0,24}"
)
_AFTERNOON = re.compile(
    r"(?i)\bp\.?m\b|\b(?:afternoon|evening|night)\b|下午|晚上|傍晚|夜"
)
_NONE = re.compile(r"(?i)\b(?:no|none|nothing)\b|\bnon-?[a-z]|[不没无非]")


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
            if _said_otherwise(value, new, before, after):
                continue
            return f"number: '{value}' is lost"
        if not old_digits + old_words:
            if _said_otherwise(value, old, after, before):
                continue
            return f"number: '{value}' is new"
        less += [value] * (old_digits + old_words > new_digits + new_words)
        more += [value] * (old_digits + old_words < new_digits + new_words)
    return f"number: '{less[0]}' became '{more[0]}'" if less and more else ""


def _said_otherwise(
    value: Fraction, there: dict[Fraction, tuple[int, int]], *texts: str
) -> bool:
    """Is it a percentage that stays, of which the other side tells what is taken off, or back?
    Or an hour of the afternoon: 2 p.m. is 14:00."""
    if {value - 12, value + 12} & there.keys() and any(
        _AFTERNOON.search(text) for text in texts
    ):
        return True
    return 100 - value in there and any(
        re.search(rf"{_OFF_BY}(?<![\d.]){part}\s?\\?(?:%|折|per ?cent)", text)
        for text in texts
        for part in (value, 100 - value)
    )


def _only_dual(text: str) -> bool:
    return all(quantity.dual for quantity in quantities(text) if quantity.value == 2)


def _counts(text: str) -> dict[Fraction, tuple[int, int]]:
    digits, words = Counter[Fraction](), Counter[Fraction]()
    for quantity in quantities(text):
        (digits if quantity.digits else words)[quantity.value] += 1
    return {v: (digits[v], words[v]) for v in digits.keys() | words.keys()}


def _one(text: str) -> bool:
    return bool(
        re.search(r"(?i)\b(?:an?|one|first|each|every|per|single)\b|[一每单首]", text)
    )
