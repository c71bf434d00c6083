"""How a problem asks, how numbers are measured and shared: words that both languages have."""

from __future__ import annotations

import re
from collections import Counter

from .quantities import quantities
from .senses import named, senses

_CLOCK = "seconds?|minutes?|hours?|days?|weeks?|months?|years?"
_HAN_CLOCK = "秒|分钟|小时|天|周|个?月|年"
_KINDS = {
    "duration": re.compile(
        r"(?i)\bhow long(?= (?:did|does|do|will|would|is the (?:trip|journey)))"
        rf"|\bhow many (?:more )?(?:{_CLOCK})\b"
        rf"|(?:几|多少)(?:{_HAN_CLOCK})|多长时间|多久"
    ),
    "distance": re.compile(
        r"(?i)\bhow far\b|\bhow many (?:more )?(?:kilo|centi)?met(?:er|re)s\b"
        r"|(?:几|多少)(?:千米|公里|米)|多远"
    ),
    "age": re.compile(r"(?i)\bhow old\b|(?:几|多少|多大)岁|多大年龄"),
    "count": re.compile(r"(?i)\bhow many of the following\b|(?<=[的中])有?[（(]\s*[）)]个|有几个"),
    "choice": re.compile(
        r"(?i)\bwhich (?:one )?of the following\b"
        r"|下列[^。？?]{0,20}的(?:一个)?是[（(]|下列[^。？?]{0,20}的是\s*$"
    ),
}


def asked_otherwise(before: str, after: str) -> str:
    """A time is asked for instead of a distance, a count instead of a choice.

    >>> asked_otherwise("How far is it?", "How long does it take?")
    'question: it asks for a duration instead of a distance'
    """
    old, new = (
        {kind for kind, pattern in _KINDS.items() if pattern.search(t)} for t in (before, after)
    )
    if len(old) == len(new) == 1 and old != new:
        return f"question: it asks for a {min(new)} instead of a {min(old)}"
    return ""


_MEASURES = frozenset(
    "mm cm dm km kg mg ml tonne gram litre hectare metre mile yuan dollar degree".split()
) | {"per cent"}


def other_unit(before: str, after: str) -> str:
    """A number, said once, in another unit than before.

    >>> other_unit("a profit of 20% on 80 yuan", "a profit of 20 yuan on 80%")
    "unit: '20' has 'yuan' instead of 'per cent'"
    """
    old, new = _units(before), _units(after)
    for number in [n for n in old if n in new and new[n] != old[n]]:
        return f"unit: {number!r} has {new[number]!r} instead of {old[number]!r}"
    return ""


def _units(text: str) -> dict[str, str]:
    """The unit that stands right behind each number that is said once."""
    units = named("clock") | named("feet") | _MEASURES
    starts = {s.start: s.name for s in senses(text) if s.name in units}
    numbers = quantities(text)
    said = Counter(q.value for q in numbers)
    return {
        str(q.value): unit
        for q in numbers
        if q.digits and said[q.value] == 1
        for unit in [starts.get(q.end) or starts.get(q.end + 1, "")]
        if unit
    }


_EACH = re.compile(r"(?i)\b(?:each|every|per|apiece)\b|每|各")
_TOTAL = re.compile(r"(?i)\b(?:in total|in all|altogether|total)\b|[总一合]?共(?![同线点边角])|总")


def shared_otherwise(before: str, after: str) -> str:
    """What held for each holds for all together, or the other way round.

    >>> shared_otherwise("40 in each box", "40 in total")
    "quantity: 'each' became 'in total'"
    """
    old, new = ((bool(_EACH.search(t)), bool(_TOTAL.search(t))) for t in (before, after))
    if old == (True, False) and new == (False, True):
        return "quantity: 'each' became 'in total'"
    if old == (False, True) and new == (True, False):
        return "quantity: 'in total' became 'each'"
    return ""
