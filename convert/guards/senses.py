"""Negation, opposites and terms: what one telling says and the other does not, or says otherwise.

The sign is a word that stands on one side only though nothing else says it, a word that is lost
where another of its kind is new, or one negation more. Who does what to whom, and what is asked of
what, is for a reader who understands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from .lexicon import Known, is_kept, settled
from .quantities import quantities

Words = list[Known]


def changed_sense(before: str, after: str) -> str:
    """The first thing that `after` says otherwise than `before`; empty when there is none.

    >>> changed_sense("求面积的最大值", "Find the greatest area")
    ''
    >>> changed_sense("求面积", "Find the volume")
    "term: 'area' stands on one side only"
    >>> changed_sense("The price rose.", "The price fell.")
    "sense: 'increasing' became 'decreasing'"
    >>> changed_sense("It is not prime.", "It is prime.")
    "sense: 'not' became no negation"
    """
    old, new = settled(before, after), settled(after, before)
    if found := _properties(old, new) or _terms(old, new) or _replaced(old, new):
        return found
    one, two = _negations(before, old), _negations(after, new)
    if len(one) != len(two):
        return f"sense: {_listed(one)} became {_listed(two)}"
    return _compared(before, after)


def _properties(old: Words, new: Words) -> str:
    """A word of `strict` that is lost or new."""
    one, two = ({w.name for w in words if w.kind == "strict"} for words in (old, new))
    if any(w.name in ("height", "vertical") for w in (*old, *new)):
        one, two = one - {"right"}, two - {"right"}  # an altitude is perpendicular
    return f"sense: {min(one ^ two)!r} stands on one side only" if one != two else ""


def _terms(old: Words, new: Words) -> str:
    """A term of mathematics that is lost or new, though no other words say it."""
    one, two = ({w.name for w in words if is_kept(w)} for words in (old, new))
    return f"term: {min(one ^ two)!r} stands on one side only" if one != two else ""


def _replaced(old: Words, new: Words) -> str:
    """A word that is lost where another of its kind is new."""
    one, two = _by_kind(old), _by_kind(new)
    for kind in sorted((one.keys() & two.keys()) - _LOOSE):
        for x, y in product(
            sorted(one[kind] - two[kind]), sorted(two[kind] - one[kind])
        ):
            if not {x, y} <= _PLAIN and not _begins(x, y):
                return f"sense: {x!r} became {y!r}"
    quantified = [words.get("quantifier", set()) for words in (one, two)]
    if {"some"} in quantified and {"all"} in quantified:
        return "sense: 'some' and 'all' were exchanged"
    return ""


# Kinds whose words each side may say or leave out, and say in its own way.
_LOOSE = set(
    "negation strict plain quantifier possibility shape line point angle".split()
)
_PLAIN = frozenset(
    {
        "length",
        "side",
        "speed",
        "average",
        "distance",
        "sum",
        "root",
        "solution",
        "probability",
        "expression",
        "equation",
        "general term",
        "average speed",
        "average score",
        "quadratic",
        "real number",
        "function",
    }
)


def _by_kind(words: Iterable[Known]) -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = {}
    for word in words:
        kinds.setdefault(word.kind, set()).add(word.name)
    return kinds


def _begins(one: str, two: str) -> bool:
    """Is one the other and more? What is ridden on average is an average speed."""
    one, two = one.removeprefix("average "), two.removeprefix("average ")
    return one == two or one.startswith(two + " ") or two.startswith(one + " ")


def _negations(text: str, words: Words) -> list[str]:
    """What denies: negations, and numbers that are 0."""
    denials = [
        text[w.start : w.end] for w in words if w.kind == "negation" or w.name == "none"
    ]
    return denials + [text[q.start : q.end] for q in quantities(text) if q.value == 0]


def _listed(denials: list[str]) -> str:
    return " and ".join(map(repr, denials)) or "no negation"


def _compared(before: str, after: str) -> str:
    """Two things are equal on one side, and one is more than the other on the other side."""
    equal, more = (
        [bool(sign.search(text)) for text in (before, after)]
        for sign in (_EQUAL, _UNEQUAL)
    )
    if equal[0] != equal[1] and more[0] != more[1]:
        return "sense: 'equal' and 'more' were exchanged"
    return ""


_EQUAL = re.compile(r"(?i)equal|\bsame\b|as (?:many|much) as|相等|等于|一样|相同")
_UNEQUAL = re.compile(
    r"(?i)\b(?:more|less|fewer|greater|than)\b|exceed|[多少大小高低][于出]|超过|比[^，。；例]{1,12}[多少大小高低]"
)
