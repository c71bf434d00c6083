"""How a text falls into sentences, clauses and parts, and which known words stand where."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from .quantities import Quantity
from .words import Known

Things = dict[str, set[str]]  # kind -> names

_SENTENCE = re.compile(r"[.?!;](?!\d)|[。；？！\n]")
_CLAUSE = re.compile(r"[,:()](?!\d)|[，：（）]|(?<=\D),(?=\d)")
_LIST = re.compile("、")
_SOFT = re.compile(r"、|[和与及而]|\b(?:and|while|but|whereas|or|then)\b")
_SHORT_LEAD = 24  # columns of "On Monday," and "第一天，"


class Part(msgspec.Struct, frozen=True):
    """text[start:end], a part of a sentence."""

    start: int
    end: int


class Phrases(msgspec.Struct, frozen=True):
    """Where sentences and clauses end, the parts of sentences, and the numbers of a text."""

    text: str
    sentences: tuple[int, ...]
    clauses: tuple[int, ...]
    items: tuple[int, ...]  # ends of clauses, and of items of a list
    parts: tuple[Part, ...]
    numbers: tuple[Quantity, ...]

    def part(self, place: int) -> int:
        """The number of the part at a place."""
        return max(0, bisect_right(self.parts, place, key=lambda part: part.start) - 1)

    def bounds(self, start: int, end: int) -> tuple[int, int]:
        """The clause around text[start:end]."""
        before, after = bisect_left(self.clauses, start), bisect_left(self.clauses, end)
        low = self.clauses[before - 1] + 1 if before else 0
        return low, self.clauses[after] if after < len(self.clauses) else len(self.text)

    def within(self, part: Part) -> Sequence[Quantity]:
        """The numbers of a part."""
        return self.numbers_between(part.start, part.end)

    def numbers_between(self, start: int, end: int) -> Sequence[Quantity]:
        """The numbers that start inside text[start:end]."""
        low, high = (
            bisect_left(self.numbers, place, key=lambda q: q.start) for place in (start, end)
        )
        return self.numbers[low:high]


def phrases(text: str, numbers: tuple[Quantity, ...]) -> Phrases:
    """Take a text apart; "3 red and 5 white balls" are two parts, "A and B run" is one.

    >>> from .quantities import quantities
    >>> text = "On Monday, A and B run 3 laps and 5 laps."
    >>> [text[p.start : p.end] for p in phrases(text, quantities(text)).parts]
    ['On Monday, A and B run 3 laps ', ' 5 laps', '']
    """
    ends = {p: tuple(m.start() for m in p.finditer(text)) for p in (_SENTENCE, _CLAUSE, _LIST)}
    clauses = tuple(sorted(ends[_SENTENCE] + ends[_CLAUSE]))
    whole = [Part(low, high) for low, high in pairwise((0, *clauses, len(text)))]
    starts = [q.start for q in numbers]
    merged: list[Part] = []
    for clause in whole:
        last = merged[-1] if merged else None
        if last and text[last.end] in ",，" and _leads(text, last, starts):
            merged[-1] = Part(last.start, clause.end)
        else:
            merged.append(Part(clause.start + bool(merged), clause.end))
    found = Phrases(text, ends[_SENTENCE], clauses, (), tuple(merged), numbers)
    parts = tuple(part for clause in merged for part in _split(text, clause, found.within(clause)))
    return Phrases(
        text, ends[_SENTENCE], clauses, tuple(sorted(clauses + ends[_LIST])), parts, numbers
    )


def _leads(text: str, part: Part, starts: Sequence[int]) -> bool:
    """Is it a few words without a number that lead in what follows, as "On Monday, ..."?"""
    columns = len(text[part.start : part.end][:_SHORT_LEAD].encode("gbk", "replace"))
    short = part.end - part.start <= _SHORT_LEAD and columns <= _SHORT_LEAD
    return short and bisect_left(starts, part.start) == bisect_left(starts, part.end)


def _split(text: str, clause: Part, numbers: Sequence[Quantity]) -> Iterator[Part]:
    start = clause.start
    for one, two in pairwise(numbers):
        if cut := _SOFT.search(text, one.end, two.start):
            yield Part(start, cut.start())
            start = cut.end()
    yield Part(start, clause.end)


def inside(words: Sequence[Known], start: int, end: int) -> list[Known]:
    """Of words in order, those that stand wholly inside text[start:end]."""
    low, high = (bisect_left(words, place, key=lambda word: word.start) for place in (start, end))
    return [word for word in words[low:high] if word.end <= end]


def by_kind(words: Iterable[Known]) -> Things:
    """The names of each kind."""
    things: Things = {}
    for word in words:
        things.setdefault(word.kind, set()).add(word.name)
    return things
