"""Numbers that two texts do not share."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from .quantities import Quantity, quantities

# what takes something off, and up to 24 characters of the same clause; "reduced to" leaves
_OFF_BY = (
    r"(?i:off|discount|reduc|lower|decreas|get|receive|优惠|降|减|便宜|打)"
    r"(?:(?!\bto\b)[^.,;，。；]){0,24}"
)
_PER_CENT = r"\s?\\?(?:%|折|per ?cent)"
_AFTERNOON = re.compile(
    r"(?i)\bp\.?m\b|\b(?:afternoon|evening|night)\b|下午|晚上|傍晚|夜"
)
# words that may stand for 0, and for 1
_NONE = re.compile(r"(?i)\b(?:no|none|nothing)\b|\bnon-?[a-z]|[不没无非]")
_ONE = re.compile(r"(?i)\b(?:an?|one|first|each|every|per|single)\b|[一每单首]")


def changed_quantity(before: str, after: str) -> str:
    """The first number that is lost or new, however it is written; empty when there is none.

    Words may be said again or left out where the number still stands somewhere: "these two
    numbers". One, as a word, counts nothing: "a", "一个".

    >>> changed_quantity("三个数的和是-5", "The sum of 3 numbers is -5")
    ''
    >>> changed_quantity("三个数的和是-5", "The sum of five numbers is 5")
    "number: '-5' is lost"
    """
    all_old = _by_value(before)
    all_new = _by_value(after)
    less: list[Fraction] = []
    more: list[Fraction] = []
    for value in sorted(all_old.keys() | all_new.keys()):
        old = all_old.get(value, [])
        new = all_new.get(value, [])
        if value == 1:
            if objection := _changed_one(old, new, before, after):
                return objection
        elif value == 0 and (_NONE.search(before) or _NONE.search(after)):
            continue
        elif value == 2 and all(quantity.dual for quantity in (*old, *new)):
            # a pair may be called two or not: that it is so more often changes nothing
            if len(old) > len(new):
                less.append(value)
        elif not new:
            if not _is_said_otherwise(value, all_new, before, after):
                return f"number: '{value}' is lost"
        elif not old:
            if not _is_said_otherwise(value, all_old, after, before):
                return f"number: '{value}' is new"
        elif len(old) > len(new):
            less.append(value)
        elif len(old) < len(new):
            more.append(value)
    return f"number: '{less[0]}' became '{more[0]}'" if less and more else ""


def _by_value(text: str) -> dict[Fraction, list[Quantity]]:
    values: dict[Fraction, list[Quantity]] = {}
    for quantity in quantities(text):
        values.setdefault(quantity.value, []).append(quantity)
    return values


def _changed_one(
    old: list[Quantity], new: list[Quantity], before: str, after: str
) -> str:
    """A `1` that is lost or new; it may become "a" or "each", and the other way round."""
    if not old and _in_digits(new) and not _ONE.search(before):
        return "number: '1' is new"
    if not new and _in_digits(old) and not _ONE.search(after):
        return "number: '1' is lost"
    return ""


def _in_digits(numbers: list[Quantity]) -> bool:
    return any(quantity.digits for quantity in numbers)


def _is_said_otherwise(
    value: Fraction, others: Collection[Fraction], *texts: str
) -> bool:
    """Is it a percentage that stays, of which the other side tells what is taken off, or back?
    Or an hour of the afternoon: 2 p.m. is 14:00."""
    is_other_hour = value - 12 in others or value + 12 in others
    if is_other_hour and any(_AFTERNOON.search(text) for text in texts):
        return True
    rest = 100 - value
    if rest not in others:
        return False
    taken_off = rf"{_OFF_BY}(?<![\d.])(?:{value}|{rest}){_PER_CENT}"
    return any(re.search(taken_off, text) for text in texts)
