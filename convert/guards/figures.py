"""What the numbers of a problem are numbers of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import msgspec

from ...latex import is_chinese
from .phrases import Part, Phrases, Things, by_kind, inside
from .quantities import Quantity
from .words import Known

UNITS = frozenset({"unit", "unit of length", "clock"})


class Number(msgspec.Struct, frozen=True):
    """A number at text[start:] with what stands around it."""

    value: Fraction
    start: int
    dual: bool  # "two", "both"
    denied: bool  # does a negation stand with it?
    marks: frozenset[str]  # its unit, "times", "per cent", "occasions"; "to", "by", "per"
    company: Things  # what stands with it, where it is alone in its part of the sentence
    around: Things  # of each kind, what stands with it or in the parts before
    counted: Things  # 48 boys
    operand: Things  # what it is 3 times, or a third, of


class Ratio(msgspec.Struct, frozen=True):
    """Numbers in a ratio, and as many things of a kind that were named before, in order."""

    numbers: tuple[Fraction, ...]
    things: tuple[str, ...]


def figures(found: Phrases, words: Sequence[Known], anchors: Sequence[Known]) -> Iterator[Number]:
    """The numbers of a text, in order."""
    for q in found.numbers:
        at = found.part(q.start)
        part = found.parts[at]
        counted = _counted(found.text, q, anchors) | _drawn(
            q, inside(anchors, part.start, part.end)
        )
        yield Number(
            q.value,
            q.start,
            q.dual,
            denied(words, part.start, part.end),
            _marks(found.text, q, words),
            _company(found, part, anchors),
            _around(found, q, at, anchors),
            counted,
            _operand(found.text, q, anchors),
        )


def denied(words: Sequence[Known], start: int, end: int) -> bool:
    """Does a negation stand inside text[start:end]?"""
    return any(word.kind == "negation" for word in inside(words, start, end))


def _company(found: Phrases, part: Part, anchors: Sequence[Known]) -> Things:
    if sum(n.value != 1 for n in found.within(part)) > 1:
        return {}
    return by_kind(inside(anchors, part.start, part.end))


_REACH = 3  # parts before


def _around(found: Phrases, q: Quantity, at: int, anchors: Sequence[Known]) -> Things:
    things: Things = {}
    first = bisect_left(found.sentences, q.start)
    for k in range(at, max(-1, at - _REACH - 1), -1):
        part = found.parts[k]
        if bisect_left(found.sentences, part.end) < first:
            break
        here = inside(anchors, part.start, part.end)
        if k == at:
            rivals = [n for n in found.within(part) if n.value != 1]
            here = [a for a in here if _closest(a, rivals) in (q, None)]
        for kind, names in by_kind(here).items():
            things.setdefault(kind, names)
    return things


def _closest(anchor: Known, numbers: Sequence[Quantity]) -> Quantity | None:
    """The number that stands nearest to a word; of many, only the two next to it are compared."""
    at = bisect_left(numbers, anchor.start, key=lambda n: n.start)
    return min(
        numbers[max(0, at - 1) : at + 1],
        key=lambda n: min(abs(n.end - anchor.start), abs(anchor.end - n.start)),
        default=None,
    )


_DRAWN = frozenset({"draw", "choose", "throw", "roll"})


def _drawn(q: Quantity, here: Sequence[Known]) -> Things:
    """Is it so many that are drawn?"""
    near = any(
        a.name in _DRAWN and (0 <= q.start - a.end <= 2 or 0 <= a.start - q.end <= 24) for a in here
    )
    return {"drawn": {"draw"}} if near else {}


_BREAKS = frozenset("的、，,;；.。")


def _counted(text: str, q: Quantity, anchors: Sequence[Known]) -> Things:
    """What stands right beside a number: 48 boys, 48名男生, 男生48人, 20 cups of sugar."""

    def next_to(place: int, reach: int) -> list[Known]:
        after = inside(anchors, place, place + reach + 20)[:1]
        return [
            a for a in after
            if a.start <= place + reach and _BREAKS.isdisjoint(text[place : a.start])
        ]  # fmt: skip

    found = next_to(q.end, 2)
    if not found and is_chinese(text):
        found = [a for a in inside(anchors, q.start - 8, q.start) if a.end == q.start]
    if found and found[0].kind in ("container", "unit"):
        found += [a for a in next_to(found[0].end, 4) if a.kind == "thing"]
    return by_kind(found)


_TIMES = re.compile(r"\s*(?:times|-?fold|倍)")
_OCCASIONS = re.compile(
    r"\s*(?:times?\b(?! (?:as|the|that|its|their|his|her|more|larger|longer|greater|of)\b)"
    r"|[次遍回])"
)
_TO = re.compile(
    r"(?:\b(?:increase[sd]?|rose|rises?|grew|grows?|fell|falls?|drop(?:s|ped)?|reduced?"
    r"|lower(?:s|ed)?|raised?|decrease[sd]?|risen|fallen)(?: from [^,;]{1,24})? to"
    r"(?: an? (?:level|height|total|value) of)?"
    r"|[升降增减涨跌][高低到至加少]?[到至为])\s*$"
)
_BY = re.compile(r"\bby \$?$|了\$?$")
_PER = re.compile(
    r"\s?[A-Za-z]+(?: per\b| an? (?:second|minute|hour|day|week|month|year)|/| each\b| every\b)"
)
_PER_HAN = re.compile(r"[每时][^，。；\d]{0,3}$")
_OFF = re.compile(r"\boff\b|discount|优惠|降价|便宜|折")


def is_factor(text: str, q: Quantity) -> bool:
    """Is it so many times something?"""
    return bool(q.fold or _TIMES.match(text, q.end))


def _marks(text: str, q: Quantity, words: Sequence[Known]) -> frozenset[str]:
    def before(reach: int) -> str:
        return text[max(0, q.start - reach) : q.start]

    said = {
        "occasions": _OCCASIONS.match(text, q.end),
        "times": _TIMES.match(text, q.end) or (q.fold and q.value > 1),
        "to": _TO.search(before(48)),
        "by": _BY.search(before(6)),
        "per cent": _OFF.search(text, q.start, q.end),
        "per": _PER_HAN.search(before(5)) or _PER.match(text, q.end),
    }
    units = {w.name for w in inside(words, q.end, q.end + 24) if w.start <= q.end + 1}
    known = {w.name for w in inside(words, q.end, q.end + 24) if w.kind in UNITS}
    return frozenset({mark for mark, there in said.items() if there} | (units & known))


_STOP_HAN = re.compile(r"[是为比有占等于即，。；：]|相当于")
_SHARE = re.compile(r"\s*(?:times|倍|\\?%|per ?cent|-?fold)")
_OF = re.compile(
    r"\s*(?:times|-?fold|%|\\%|per ?cent)?\s*(?:as [^,.;]{1,40}? as|of|the|that of|those of|its|his"
    r"|her|larger than|(?=[A-Z]))(?P<y>[^,.;?!]{1,48}?)"
    r"(?=[,.;?!]|$|\b(?:is|are|was|were|and|than|equals|more|less|minus|plus)\b)"
)


def _operand(text: str, q: Quantity, anchors: Sequence[Known]) -> Things:
    """What stands behind "3 times", "half of", "20% of", before 的3倍, 的一半, 的20%."""
    if q.value.denominator == 1 and not (q.fold or _SHARE.match(text, q.end)):
        return {}
    end = q.start - (text[q.start - 1 : q.start] == " ")
    if text[end - 1 : end] == "的":
        low = max(0, end - 24)
        stops = [m.end() for m in _STOP_HAN.finditer(text, low, end - 1)]
        return by_kind(inside(anchors, max([*stops, low]), end - 1))
    match = _OF.match(text, q.end)
    return by_kind(inside(anchors, *match.span("y"))) if match else {}


_TO_ONE = re.compile(r"[\s$]*(?:[:：∶]|比|\bto\b)[\s$]*")


_RATIO = frozenset({"ratio", "weight"})  # "in the mass ratio 1:4" names no two things


def ratios(found: Phrases, anchors: Sequence[Known]) -> Iterator[Ratio]:
    """Every ratio, with the things of each kind that it may be of."""
    run: list[Quantity] = []
    for q, after in pairwise([*found.numbers, None]):
        run.append(q)  # type: ignore[arg-type]
        if after and _TO_ONE.fullmatch(found.text, run[-1].end, after.start):
            continue
        if len(run) > 1:
            before = [
                a for a in inside(anchors, run[0].start - 90, run[0].start) if a.name not in _RATIO
            ]
            for kind in sorted({a.kind for a in before}):
                names = list(dict.fromkeys(a.name for a in reversed(before) if a.kind == kind))
                if len(names) >= len(run):
                    things = tuple(reversed(names[: len(run)]))
                    yield Ratio(tuple(n.value for n in run), things)
        run = []


def two_by_two(found: Phrases) -> Iterator[frozenset[Fraction]]:
    """Numbers that are alone with one another in a part of a sentence."""
    for part in found.parts:
        values = {q.value for q in found.within(part) if q.value != 1}
        if len(values) == 2:
            yield frozenset(values)
