"""Rules about words: what one telling says and the other does not, or says otherwise."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

from .alike import Rule, begins, once, pairs
from .phrases import by_kind
from .reading import Reading
from .words import is_kept, of_a_section

# Kinds whose words each side may say or leave out, and say in its own way.
LOOSE = frozenset(
    {"negation", "strict", "generic", "quantifier", "make and break", "move", "place",
     "quality", "possibility", "contest", "shape", "line", "point", "price", "angle", "exchange"}
)  # fmt: skip


_STRICT = frozenset({"strict"})
_BOUNDS = frozenset({"at least", "at most"})  # of numbers, which `_bounded` compares


def _properties(old: Reading, new: Reading) -> str:
    one, two = ({w.name for w in r.words if w.kind in _STRICT} for r in (old, new))
    if old.bounds.keys() == new.bounds.keys():
        one, two = one - _BOUNDS, two - _BOUNDS
    if any(w.name in ("height", "vertical") for r in (old, new) for w in r.words):
        one, two = one - {"right"}, two - {"right"}  # an altitude is perpendicular
    return f"sense: {min(one ^ two)!r} stands on one side only" if one != two else ""


def _terms(old: Reading, new: Reading) -> str:
    """A term of mathematics that is lost or new."""
    one, two = ({w.name for w in r.words if is_kept(w)} for r in (old, new))
    for term in sorted(one ^ two):
        others = {w.name for r in (old, new) for w in r.words} - {term}
        if not any(term.endswith(" " + x) or x.endswith(" " + term) for x in others & (one | two)):
            return f"term: {term!r} stands on one side only"
    return ""


def _negations(old: Reading, new: Reading) -> str:
    one, two = (
        sum(w.kind == "negation" or w.name == "none" for w in r.words)
        + sum(n.value == 0 for n in r.numbers)
        for r in (old, new)
    )
    return "sense: a negation stands on one side only" if one != two else ""


def _denied(old: Reading, new: Reading) -> str:
    """A negation that moved from one number, or the question, to another."""
    one, two = once(old.numbers), once(new.numbers)
    moved = [v for v in one if v in two and one[v].denied != two[v].denied]
    crossed = {one[v].denied for v in moved} | ({old.denied} if old.denied != new.denied else set())
    if len(crossed) > 1:
        return f"sense: a negation moved from or to '{moved[0]}'"
    return ""


PLAIN = frozenset(
    {"length", "side", "speed", "average", "distance", "sum", "root", "solution", "probability",
     "expression", "equation", "general term", "average speed", "average score", "quadratic",
     "real number", "function"}
)  # fmt: skip
_NOUNS = frozenset({"thing", "container", "person", "shape", "team"})


def _replaced(old: Reading, new: Reading) -> str:
    """A word that is lost where another of its kind is new."""
    one, two = by_kind(old.words), by_kind(new.words)
    for kind in sorted((one.keys() & two.keys()) - LOOSE):
        lost, extra = one[kind] - two[kind], two[kind] - one[kind]
        for x, y in product(sorted(lost), sorted(extra)):
            if kind in _NOUNS and not _same_place(old, new, x, y):
                continue
            if not {x, y} <= PLAIN and not begins(x, y) and not x.endswith(" " + y):
                return f"sense: {x!r} became {y!r}"
    quantified = [{w.name for w in r.words if w.kind == "quantifier"} for r in (old, new)]
    if {"some"} in quantified and {"all"} in quantified:
        return "sense: 'some' and 'all' were exchanged"
    return ""


_OPPOSED = frozenset({"change", "flow", "win and lose", "how much more", "side", "compass"})


def _opposites(old: Reading, new: Reading) -> str:
    """A word said less often where its opposite is said more: rose and fell, rose and rose."""
    one, two = (
        Counter((w.kind, w.name) for w in r.words if w.kind in _OPPOSED) for r in (old, new)
    )
    for kind, name in sorted(one - two):
        if more := [n for k, n in two - one if k == kind]:
            return f"sense: {name!r} became {min(more)!r}"
    return ""


def _same_place(old: Reading, new: Reading, one: str, two: str) -> bool:
    """Could a noun stand for the other: apples and pears; 96 stamps and 96 coins; both asked?"""
    if one.endswith(" " + two) or two.endswith(" " + one):
        return False  # an apple tree is a tree
    if of_a_section(one, two):
        return True
    numbers = pairs(old.numbers, new.numbers)
    return (one in old.sought and two in new.sought) or any(
        one in a.counted.get(kind, set()) and two in b.counted.get(kind, set())
        for a, b in numbers for kind in _NOUNS
    )  # fmt: skip


_EQUAL = re.compile(r"(?i)equal|\bsame\b|as (?:many|much) as|相等|等于|一样|相同")
_UNEQUAL = re.compile(
    r"(?i)\b(?:more|less|fewer|greater|than)\b|exceed|[多少大小高低][于出]|超过|比[^，。；例]{1,12}[多少大小高低]"
)


def _compared(old: Reading, new: Reading) -> str:
    """Two things are equal on one side, and one is more than the other on the other side."""
    equal = [bool(_EQUAL.search(r.text)) for r in (old, new)]
    more = [bool(_UNEQUAL.search(r.text)) for r in (old, new)]
    if equal[0] != equal[1] and more[0] != more[1]:
        return "sense: 'equal' and 'more' were exchanged"
    return ""


_ONLY = re.compile(
    r"(?i)\d[^,.;，。；]{0,24}?(?:(?<!differ )(?<!differing )\bonly"
    r"(?! (?:one|two|three|once|if|when|\d))|[只仅](?=[参学会买做选喜]))"
)


def _only(old: Reading, new: Reading) -> str:
    """So many do only this: of one side alone."""
    one, two = (bool(_ONLY.search(r.text)) for r in (old, new))
    return "sense: 'only' stands on one side only" if one != two else ""


RULES: tuple[Rule, ...] = (
    _properties, _terms, _negations, _denied, _replaced, _opposites, _compared, _only,
)  # fmt: skip
