"""Bounds of numbers: at least 5, more than 40, 不超过12吨, 3千米以内, in English and in Chinese."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from .phrases import Phrases

# What is above a bound, or below it; with the bound itself (>=, <=), or without it.
_BEFORE = {
    ">=": r"\b(?:at least|a minimum of|(?:greater|more|larger) than or equal to"
    r"|(?:no|not|never)(?: \w+)? (?:less|fewer|smaller|lower|shorter) than"
    r"|not (?:be |fall |drop )?below)|不[小少低短]于|大于或?等于|(?:至少|最少)[^，。；、\d]{0,6}?",
    "<=": r"\b(?:at most|a maximum of|up to|within|the first|not above"
    r"|(?:less|smaller|fewer) than or equal to"
    r"|(?:no|not|never)(?: \w+)? (?:more|greater|larger|higher|longer) than"
    r"|not (?:be )?exceed(?:ing)?)"
    r"|不[大多高长]于|不[能得应会]?超过|小于或?等于|(?:至多|最多)[^，。；、\d]{0,6}?",
    "=": r"\b(?:exactly|precisely)|恰好?有?|[正刚]好有?",
    ">": r"(?<!no )(?<!not )\b(?:(?:more|greater|larger|higher|longer|later|older|bigger|taller)"
    r" than|exceed(?:s|ed|ing)?|above|over|beyond)"
    r"|(?<![不能得应会])超[过出]|[大多高长]于(?!或?等于)",
    "<": r"(?<!no )(?<!not )\b(?:(?:less|fewer|smaller|lower|shorter|younger|earlier) than"
    r"|below|under)|(?<!不)[小少低短]于(?!或?等于)|不[到足满]",
}
_BEHIND = {
    ">": r"(?:or (?:more|above|over|greater|higher)\b|[^\s，。；、]{0,3}(?:或|及)?以上)",
    "<": r"(?:or (?:less|fewer|below|under|lower)\b|[^\s，。；、]{0,3}(?:或|及)?以[下内])",
}
_BOUND = [(way, re.compile(rf"(?i:{p})\s?(?:the )?\$?\s?$")) for way, p in _BEFORE.items()]
_BOUND_BEHIND = [(way, re.compile(rf"(?i)\s?{p}")) for way, p in _BEHIND.items()]
_REACH = 40

Bounds = dict[Fraction, Counter[str]]


def bounds(found: Phrases) -> Bounds:
    """How often each number is a bound, and of what.

    >>> from .phrases import phrases
    >>> from .quantities import quantities
    >>> text = "不超过12吨的部分, more than 40, 60 or more"
    >>> {str(n): sorted(ways) for n, ways in bounds(phrases(text, quantities(text))).items()}
    {'12': ['<='], '40': ['>'], '60': ['>?']}
    """
    found_bounds: Bounds = {}
    for q in found.numbers:
        before = found.text[max(0, q.start - _REACH) : q.start]
        ways = [way for way, pattern in _BOUND if pattern.search(before)]
        ways += [f"{way}?" for way, p in _BOUND_BEHIND if p.match(found.text, q.end)]
        if ways:
            found_bounds.setdefault(q.value, Counter())[ways[0]] += 1
    return found_bounds


def agree(one: Counter[str], two: Counter[str]) -> bool:
    """Can two tellings bound a number so? One may say less often what the other says."""
    if any(way.endswith("?") for way in (*one, *two)):
        one, two = (
            Counter({w[0]: sum(c[x] for x in c if x[0] == w[0]) for w in c}) for c in (one, two)
        )
    less, more = sorted((one, two), key=Counter.total)
    return less <= more
