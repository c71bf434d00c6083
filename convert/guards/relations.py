"""Relations between two things, with their ends in order: more than, from ... to, divided by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files

import msgspec
import yaml

from .figures import is_factor
from .phrases import Phrases, inside
from .words import Known, Meaning

End = frozenset[Meaning]


class Relation(msgspec.Struct, frozen=True):
    """`first` is more than, before, divided by ... `second`, by one of `amounts`."""

    axis: str
    first: End
    second: End
    amounts: frozenset[Fraction]


_MORE = (
    "more|greater|larger|bigger|longer|taller|higher|older|heavier|wider|faster|farther|further"
    "|later|thicker|deeper|dearer"
)
_LESS = (
    "less|fewer|smaller|shorter|lower|younger|lighter|slower|narrower|cheaper|nearer|earlier"
    "|thinner"
)
_MORE_HAN = "多|大|高|长|重|贵|快|宽|深|厚|远|老|增加了?|增长了?|提高了?|上涨了?|迟|晚"
_LESS_HAN = "少|小|低|短|轻|慢|窄|浅|矮|便宜了?|近|年轻|减少了?|降低了?|下降了?|早|薄"
_COMPARED = (
    re.compile(
        rf"(?i)(?<!no )(?<!not )\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b"
        r"(?P<x>(?: (?!than\b)[^\s,.;?!]+){0,6}) than\b(?! or equal)(?P<y>[^,.;?!]*)"
    ),
    re.compile(
        r"\b(?:(?P<more>exceed(?:s|ed|ing)?|outnumber(?:s|ed)?"
        r"|(?:over|above|beyond)(?= (?:the )?\$?-?\d))"
        r"|(?P<less>(?:below|under)(?= \$?-?\d)))\b(?P<limit>[^,.;?!]*)"
    ),
    re.compile(
        r"(?<![之相对])比(?!例|赛|[为是较如分，。；])(?P<y>[^，。；？！,;?!]{1,24}?)"
        rf"(?:(?P<more>{_MORE_HAN})|(?P<less>{_LESS_HAN}))"
        r"(?=[\d一二两三四五六七八九十百千万半几了出得些点，。；？?！（(]|多少|将近|$|[\ue000-\uf8ff]"
        r"|\s|的[是部数]|[做买卖看写用花走跑种运付][\d多几])"
    ),
    re.compile(
        r"(?<!不)(?:(?P<more>大于|多于|高于|超过|长于|超出)|(?P<less>小于|少于|低于|短于))(?!等于|或)"
        r"(?P<limit>[^，。；？！]*)"
    ),
)
_END = re.compile(r"\b(?:and|by|if|while|but|which|who|is|are|was|were|that (?!of)|in)\b")
_BEFORE = 50  # characters before a relation
_NEAR = 24  # characters between a comparison and its amount
_KINDS = frozenset(
    "side person letter formula thing container colour shape weekday team place measure month gain"
    " algebra line angle point".split()
) | {"then and now", "part of day"}
_WITH_NUMBERS = frozenset({"minus", "division", "difference"})
_WIDE = frozenset({"ratio", "difference", "above"})  # all that stands at an end, not the nearest


@cache
def _frames() -> tuple[tuple[str, re.Pattern[str], bool], ...]:
    table = yaml.safe_load(files(__package__).joinpath("relations.yaml").read_text("utf-8"))
    return tuple(
        (axis, re.compile(row["pattern"]), row.get("turned", False))
        for axis, rows in table.items() for row in rows
    )  # fmt: skip


_BARE = re.compile(
    r"\s?[a-z%/°]*(?: (?:years?|per|an?|hour|minute|second|day|meters?|met(?:er|re)s?|yuan))*"
    r" (?:older|younger|faster|slower|taller|heavier|lighter|longer|shorter|higher|lower|cheaper"
    r"|dearer|wider|farther)\b(?! than or)"
)


def differences(found: Phrases, known: Sequence[Relation]) -> frozenset[Fraction]:
    """The numbers that tell by how much one thing is more than another.

    >>> from .phrases import phrases
    >>> from .quantities import quantities
    >>> text = "Car B is 50 km per hour faster."
    >>> [str(n) for n in differences(phrases(text, quantities(text)), ())]
    ['50']
    """
    more = {n for r in known if r.axis == "more" for n in r.amounts}
    return frozenset(more | {q.value for q in found.numbers if _BARE.match(found.text, q.end)})


_BY = re.compile(
    r"(?:\b(?:by|subtract(?:ing)?|minus)(?: another| a further| an additional)? ?"
    r"|[减加比降涨]去?|[大小多少][^\d，。；]{0,3})$"
)


def taken(found: Phrases, known: Sequence[Relation]) -> frozenset[Fraction]:
    """The numbers that are taken away or added: 减去5, lowered by another 20."""
    away = {Fraction(n) for r in known if r.axis == "minus" for k, n in r.second if k == "number"}
    return frozenset(
        away
        | {q.value for q in found.numbers if _BY.search(found.text[max(0, q.start - 20) : q.start])}
    )


def compared(text: str) -> set[int]:
    """The places in a text that belong to a comparison."""
    return {
        k
        for pattern in _COMPARED
        for m in pattern.finditer(text)
        for k in range(m.start(), m.end())
    }


def relations(found: Phrases, anchors: Sequence[Known]) -> Iterator[Relation]:
    """Every relation of a text."""
    ends = [a for a in anchors if a.kind in _KINDS]
    numbers = [Known("number", str(q.value), q.start, q.end) for q in found.numbers]
    yield from _comparisons(found, ends)
    both = sorted([*ends, *numbers], key=lambda word: word.start)
    letters = [a for a in ends if a.kind == "letter"]
    for axis, pattern, turned in _frames():
        among = both if axis in _WITH_NUMBERS else ends
        if axis == "way" and letters:
            among = letters
        for m in pattern.finditer(found.text):
            y_name = "y" if "z" not in pattern.groupindex or m["y"] is not None else "z"
            before = max(found.bounds(m.start(), m.start())[0], m.start() - _BEFORE), m.start()
            x = inside(among, *(m.span("x") if "x" in pattern.groupindex else before))
            y = inside(among, *m.span(y_name))
            if axis not in _WIDE:
                x, y = x[-1:], y[:1]
            first, second = (y, x) if turned else (x, y)
            yield Relation(axis, _end(first), _end(second), frozenset())


def _end(words: Sequence[Known]) -> End:
    return frozenset((word.kind, word.name) for word in words)


def _comparisons(found: Phrases, ends: Sequence[Known]) -> Iterator[Relation]:
    for pattern in _COMPARED:
        for m in pattern.finditer(found.text):
            group = "limit" if "limit" in pattern.groupindex else "y"
            start, end = m.span(group)
            if stop := _END.search(found.text, start, end):
                end = stop.start()
            low, high = found.bounds(m.start(), m.end())
            x = _end(inside(ends, low, m.start()))
            if "x" in pattern.groupindex:
                x |= _end(inside(ends, *m.span("x")))
            y = _end(inside(ends, start, end))
            if group == "limit":
                limits = inside(_figures(found, start, start + _NEAR), start, start + _NEAR)[:1]
                y |= _end([word for word in limits if word.start <= start + 4])
            word = m.span("more" if m["more"] else "less")
            than = start if pattern is _COMPARED[0] else word[1]
            amounts = _amounts(found, low, high, word[0], than)
            first, second = (x, y) if m["more"] else (y, x)
            yield Relation("more", first, second, amounts)


def _figures(found: Phrases, start: int, end: int) -> list[Known]:
    return [
        Known("number", str(q.value), q.start, q.end)
        for q in found.numbers_between(start, end)
    ]  # fmt: skip


def _amounts(found: Phrases, low: int, high: int, start: int, end: int) -> frozenset[Fraction]:
    """The number nearest to a comparison, in its clause: 5 more than, 比乙多5."""
    near = {
        q: min(abs(q.end - start), abs(q.start - end))
        for q in found.numbers_between(max(low, start - 4 * _NEAR), min(high, end + 4 * _NEAR))
        if not is_factor(found.text, q)
    }
    return frozenset(q.value for q in near if near[q] == min(near.values()) <= _NEAR)
