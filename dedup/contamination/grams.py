"""Which problems have which gram of a text, how rare each is, and where some of one meet.

A gram is whatever is sought by its hash: 16 letters in a row, two words near each other, three
numbers in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..signatures import Ints
from .folding import BETWEEN
from .marks import Near, starts_of

GRAM = 16
STEP = 4  # letters between two looks into a text: a passage of 24 letters is met twice
HALF = 8  # a gram of letters is hashed as two words of 64 bits
# Documents added to the sample: a small one does not make all grams common.
VIRTUAL = 1_000
# A gram in more documents of the sample than both, so many and one in so many, tells nothing.
# Rarity alone weighs the others: a problem that a corpus has many times over must not be lost.
COMMON_AT_LEAST = 50
COMMON_SHARE = 20
MOST = 3_000_000  # places of problems, of texts that are looked at together
CELLS = 1 << 16  # in which what grams tell is added up, ...
FAR = 7_919  # ... those of one problem so far from those of the next
EMPTY = 16  # bits of the filter for a gram of ours: most grams of a text meet none
_first = np.uint64(0x9E3779B97F4A7C15)
_second = np.uint64(0xC2B2AE3D27D4EB4F)
_shift = np.uint64(31)
_three = np.uint64(3)
_seven = np.uint64(7)


def hashes(folded: bytes, offset: int) -> Any:
    """Hashes of the grams that begin at offset, offset + 8, offset + 16, ..."""
    count = (len(folded) - offset) // HALF
    if count < 2:
        return np.empty(0, np.uint64)
    halves = np.frombuffer(folded, "<u8", count, offset)
    mixed = halves[:-1] * _first
    mixed ^= halves[1:] * _second
    mixed ^= mixed >> _shift
    mixed *= _first
    return mixed


def documents_at(places: Ints, starts: Ints) -> Ints:
    """The documents that places are in, of texts that begin at `starts` one behind the other."""
    return np.searchsorted(starts, places, side="right") - 1


class Found(NamedTuple):
    """Grams of ours in a text: their numbers, and where each begins and ends."""

    numbers: Ints
    starts: Ints
    ends: Ints


class Stretches(NamedTuple):
    """Grams of one problem near each other: where they begin and end, by document and problem."""

    documents: Ints
    problems: Ints
    first: Ints
    last: Ints

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Document, problem, first and last of each."""
        return zip(*(column.tolist() for column in self), strict=True)

    def some(self, chosen: Any) -> Stretches:
        """Those of a mask."""
        return Stretches(*(column[chosen] for column in self))


class Grams:
    """Which problems have which gram, and how rare each is in a sample of a corpus."""

    def __init__(self, grams: Any, problems: Ints, sizes: Sequence[int]) -> None:
        order = np.lexsort((problems, grams))
        grams, problems = grams[order], problems[order]
        is_new = np.ones(len(grams), bool)
        is_new[1:] = (np.diff(grams) != 0) | (np.diff(problems) != 0)
        self.problems = problems[is_new]
        self.grams, self.first, self.count = np.unique(
            grams[is_new], return_index=True, return_counts=True
        )
        self.reach = 3 * np.array(sizes, np.int64) + 150
        self.forget()

    @classmethod
    def of_letters(cls, folded: Sequence[bytes]) -> Grams:
        """Of all grams of 16 letters of some texts."""
        joined, starts = BETWEEN.join(folded), starts_of(folded)
        found, places = list[Any](), list[Ints]()
        for offset in range(HALF):
            found.append(hashes(joined, offset))
            places.append(np.arange(len(found[-1])) * HALF + offset)
        grams, at = np.concatenate(found), np.concatenate(places)
        problem = documents_at(at, starts)
        inside = at + GRAM <= starts[problem + 1] - len(BETWEEN)
        return cls(grams[inside], problem[inside], list(map(len, folded)))

    @classmethod
    def of_marks(cls, near: Near, starts: Ints, sizes: Sequence[int]) -> Grams:
        """Of marks near each other, of texts that begin at `starts`."""
        first, last = near.bounds(np.flatnonzero(near.grams))
        problem = documents_at(first, starts)
        inside = last < starts[problem + 1]
        return cls(near.grams[near.grams != 0][inside], problem[inside], sizes)

    def forget(self) -> None:
        """All grams are equally rare, as long as no sample tells more."""
        self.weigh(np.zeros(len(self.grams), np.int64), 0)

    def weigh(
        self,
        found_in: Any,
        documents: int,
        *,
        common: int = COMMON_AT_LEAST,
        share: int = COMMON_SHARE,
        owners: int = 1 << 30,
    ) -> None:
        """Sets the weight of each gram, `found_in` so many of a sample of `documents`.

        It is 0 in more than `common` of them, if these are one in `share`, and where more than so
        many problems have it.
        """
        rarity = np.log((documents + VIRTUAL) / (found_in + 0.5))
        rarity[found_in > max(common, documents // share)] = 0
        rarity[self.count > owners] = 0
        shared = np.maximum(1, np.log2(1 + self.count))  # by problems of one template
        self.weight = rarity / shared
        # Nearly all grams of a text are no gram of ours: a bit says so without a search.
        telling = np.flatnonzero(self.weight)
        self._sought, self._number = self.grams[telling], telling
        width = max(int(EMPTY * len(telling)).bit_length(), 10)
        self._above = np.uint64(64 - width)
        self.bits = np.zeros(1 << (width - 3), np.uint8)
        places, bits = self._places(self._sought)
        np.bitwise_or.at(self.bits, places, bits)

    def look(self, folded: bytes) -> Found:
        """The grams of 16 letters in a text that are ours."""
        numbers, places = list[Ints](), list[Ints]()
        for offset in range(0, HALF, STEP):
            rows, grams = self.ours(hashes(folded, offset))
            places.append(rows * HALF + offset)
            numbers.append(grams)
        starts = np.concatenate(places)
        return Found(np.concatenate(numbers), starts, starts + GRAM)

    def ours(self, grams: Any) -> tuple[Ints, Ints]:
        """Which of some grams are ours and tell something, and their numbers."""
        if not len(self._sought):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        places, bits = self._places(grams)
        candidates = np.flatnonzero(self.bits[places] & bits)
        some = grams[candidates]
        at = np.searchsorted(self._sought, some)
        at = np.minimum(at, len(self._sought) - 1)
        equal = self._sought[at] == some
        return candidates[equal], self._number[at[equal]]

    def among(self, near: Near) -> Found:
        """Those of some marks near each other that are ours."""
        rows, numbers = self.ours(near.grams)
        return Found(numbers, *near.bounds(rows))

    def documents(self, numbers: Ints, documents: Ints) -> Ints:
        """In how many documents each gram is, that were found with these numbers in these."""
        count = max(len(self.grams), 1)
        distinct = np.unique(documents * count + numbers)
        return np.bincount(distinct % count, minlength=len(self.grams))

    def stretches(self, found: Found, starts: Ints, least: Any) -> Stretches:
        """Where grams of one problem stand near each other, and tell at least so much of each.

        The text is documents one behind the other, which begin at `starts`.
        """
        telling = np.flatnonzero(self._bounded(found.numbers))
        owners = self.count[found.numbers[telling]]
        row = np.repeat(telling, owners)
        within = np.arange(len(row)) - np.repeat(np.cumsum(owners) - owners, owners)
        number, place = found.numbers[row], found.starts[row]
        problem = self.problems[self.first[number] + within]
        dense = np.flatnonzero(self._is_dense(number, place, problem, least))
        dense = dense[np.lexsort((place[dense], problem[dense]))]
        number, place, problem = number[dense], place[dense], problem[dense]
        document = documents_at(place, starts)
        begins = np.ones(len(dense), bool)
        begins[1:] = (
            (np.diff(document) != 0)
            | (np.diff(problem) != 0)
            | (np.diff(place) > self.reach[problem[1:]])
        )
        heads = np.flatnonzero(begins)
        if not len(heads):
            return Stretches(document, problem, place, place)
        weight = self._weights(np.cumsum(begins) - 1, number)
        last = np.maximum.reduceat(found.ends[row[dense]], heads)
        sure = weight >= least[problem[heads]]
        heads, last = heads[sure], last[sure]
        begin = starts[document[heads]]
        some = Stretches(
            document[heads], problem[heads], place[heads] - begin, last - begin
        )
        return some.some(np.lexsort((some.problems, some.documents)))

    def _is_dense(self, number: Ints, place: Ints, problem: Ints, least: Any) -> Any:
        """Which grams stand where those of their problem may tell enough together.

        Places are counted in cells as long as a problem may reach; two of them that collide only
        let more pass.
        """
        cell = place // self.reach[problem] + problem * FAR
        cell &= CELLS - 1
        mass = np.bincount(cell, self.weight[number], CELLS)
        beside = np.maximum(np.roll(mass, 1), np.roll(mass, -1))
        return (mass + beside)[cell] >= least[problem]

    def _bounded(self, numbers: Ints) -> Any:
        """Which of the grams found are looked at: all, or the cheapest where they are very many.

        A text that says one thing again and again must not cost more than others.
        """
        if self.count[numbers].sum() <= MOST:
            return np.ones(len(numbers), bool)
        hits = np.bincount(numbers, minlength=len(self.grams))
        cost = hits * self.count
        order = np.argsort(cost, kind="stable")
        hits[order[np.cumsum(cost[order]) > MOST]] = 0
        return hits[numbers] > 0

    def least(self, weight: float, share: float = 0.0) -> Any:
        """What grams of each problem must tell: so much, and such a share of all that it has."""
        owned = np.repeat(self.weight, self.count)
        total = np.bincount(self.problems, owned, minlength=len(self.reach))
        return np.maximum(weight, share * total)

    def _weights(self, stretch: Ints, number: Ints) -> Any:
        """What the grams of each stretch tell; one that occurs twice in it counts once."""
        codes = stretch * len(self.grams) + number
        _, firsts = np.unique(codes, return_index=True)
        return np.bincount(stretch[firsts], self.weight[number[firsts]])

    def _places(self, grams: Any) -> tuple[Any, Any]:
        """Of each gram the byte and the bit that stand for it."""
        bits = grams >> self._above
        return (
            (bits >> _three).astype(np.int64),
            np.left_shift(np.uint8(1), (bits & _seven).astype(np.uint8)),
        )
