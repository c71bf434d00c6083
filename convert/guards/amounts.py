"""Rules about numbers: their units, bounds, and what they are numbers of."""

from __future__ import annotations

import re
from itertools import combinations

from .alike import TELLING, Rule, apart, least, once, pairs
from .bounds import agree
from .phrases import by_kind
from .reading import Reading

_COUNTED = ("thing", "container", "person", "contest", "measure", "point", "drawn")
_CHANGES = frozenset({"to", "by", "per"})


def _marks(old: Reading, new: Reading) -> str:
    """A number in another unit, or that is no longer so many times, so much per cent."""
    for one, two in pairs(old.numbers, new.numbers):
        units = one.marks - _CHANGES, two.marks - _CHANGES
        if units[0] and units[1] and not units[0] & units[1]:
            return f"unit: '{one.value}' has {min(units[1])!r} instead of {min(units[0])!r}"
        if "occasions" in one.marks | two.marks:
            continue
        for mark in sorted((one.marks ^ two.marks) & {"times", "per cent"}):
            return f"number: '{one.value}' is {mark!r} on one side only"
        if {"to", "by"} <= one.marks ^ two.marks:
            return f"number: '{one.value}': 'to' and 'by' were exchanged"
    return ""


def _paired(old: Reading, new: Reading) -> str:
    """Two pairs of numbers that exchanged one: 3 left of 5 and 2 of 7, 2 left of 5 and 3 of 7."""
    single = once(old.numbers).keys() & once(new.numbers).keys()
    for one, two in combinations(old.pairs - new.pairs, 2):
        if not one & two and (one | two) <= single:
            crossed = [p for p in new.pairs if p <= one | two and p not in (one, two)]
            if len(crossed) == 2:
                return f"roles: '{min(one)}' is with '{min(crossed[0] - one)}'"
    return ""


def _rearranged(old: Reading, new: Reading) -> str:
    """The same ratio of things that are named in another order."""
    for one in old.ratios:
        for two in new.ratios:
            same = one.numbers == two.numbers and set(one.things) == set(two.things)
            if same and one.things != two.things:
                return f"ratio: it is of {two.things[0]!r} to {two.things[1]!r}"
    return ""


_NAMED = ("person", "letter", "team", "weekday", "colour")


def _company(old: Reading, new: Reading) -> str:
    """A number that stands with another person, thing, colour... than before."""
    there = by_kind(new.anchors)
    known = {kind: names & there.get(kind, set()) for kind, names in by_kind(old.anchors).items()}
    for one, two in pairs(old.numbers, new.numbers):
        if one.value != 1 and (kind := apart(one.company, two.company, TELLING)):
            first, second = one.company[kind], two.company[kind]
            if first | second <= known.get(kind, set()):
                return f"roles: '{one.value}' is of {least(second)}, not {least(first)}"
        for kind in _NAMED:
            first, second = one.company.get(kind, set()), two.company.get(kind, set())
            if len(first) == len(second) and first != second:
                return f"roles: '{one.value}' is of {least(second - first)} now"
        if kind := apart(one.counted, two.counted, _COUNTED):
            first, second = one.counted[kind], two.counted[kind]
            if (first | second) & known.get(kind, set()):
                return f"roles: '{one.value}' counts {least(second)}, not {least(first)}"
    return ""


def _swapped(old: Reading, new: Reading) -> str:
    """Two numbers that exchanged the things they stand with."""
    counted = [pair for pair in pairs(old.numbers, new.numbers) if pair[0].value != 1]
    for (a1, a2), (b1, b2) in combinations(counted, 2):
        for kind in (*TELLING, "measure", "move", "exchange"):
            one, two = a1.around.get(kind, set()), b1.around.get(kind, set())
            three, four = a2.around.get(kind, set()), b2.around.get(kind, set())
            if one & four and two & three and not one & three and not two & four:
                return f"roles: '{a1.value}' and '{b1.value}' have changed places"
    return ""


def _each_for_two(old: Reading, new: Reading) -> str:
    """Each, or both, of something became two of it, or the second; or the other way round."""
    return _one_for_two(old, new) or _one_for_two(new, old)


_EVERY = re.compile(r"(?i)\b(?:each(?! other| side)|every)\b|每|各")
_BOTH = re.compile(r"(?i)\bboth\b|都")


def _one_for_two(old: Reading, new: Reading) -> str:
    two = [any(n.value == 2 for n in r.numbers) for r in (old, new)]
    if two == [False, True] and _EVERY.search(old.text) and not _EVERY.search(new.text):
        return "number: 'each' and '2' were exchanged"
    both = [bool(_BOTH.search(r.text)) for r in (old, new)]
    rows = [{w.name for w in r.words if w.kind == "place in a row"} for r in (old, new)]
    if both == [True, False] and (rows[1] - rows[0]) & {"second", "third"}:
        return "number: 'both' and 'one' were exchanged"
    return ""


def _operands(old: Reading, new: Reading) -> str:
    """Three times, or a third, of another thing than before."""
    for one, two in pairs(old.numbers, new.numbers):
        if kind := apart(one.operand, two.operand, TELLING):
            names = least(two.operand[kind]), least(one.operand[kind])
            return f"roles: '{one.value}' times {names[0]}, not {names[1]}"
    return ""


def _bounded(old: Reading, new: Reading) -> str:
    """A number that is to be exceeded on one side, and not to be exceeded on the other."""
    for value in sorted(old.bounds.keys() & new.bounds.keys()):
        one, two = old.bounds[value], new.bounds[value]
        if not agree(one, two):
            return f"bound: '{value}' is {'/'.join(sorted(two))}, not {'/'.join(sorted(one))}"
    return ""


def _more_by(old: Reading, new: Reading) -> str:
    """A number that tells how much more something is than another, on one side only."""
    if old.differences and new.differences:
        return ""
    excused = old.bounds.keys() | new.bounds.keys() | (old.taken | new.taken)
    for value in sorted(
        {
            n.value
            for n, _ in pairs(old.numbers, new.numbers)
            if n.value > 1 and "per cent" not in n.marks
        }
    ):
        if value in old.differences | new.differences and value not in excused:
            return f"quantity: '{value}' is by how much more on one side only"
    return ""


_NEXT = 24  # characters
_FOR_ALL = re.compile(r"(?i)^.{0,3}共|\b(?:in total|in all|altogether|together)\b")


def _for_each(old: Reading, new: Reading) -> str:
    """A number for each of something that became the number of all together."""
    for one, two in pairs(old.numbers, new.numbers):
        for each, other, reading in ((one, two, new), (two, one, old)):
            if each.value == 1 or "per" not in each.marks or "per" in other.marks:
                continue
            if _FOR_ALL.search(reading.text[max(0, other.start - 4) : other.start + _NEXT]):
                return f"quantity: '{one.value}' is for each or for all"
    return ""


RULES: tuple[Rule, ...] = (
    _marks, _each_for_two, _paired, _rearranged, _swapped, _company, _operands, _bounded,
    _more_by, _for_each,
)  # fmt: skip
