"""Which problems have which gram of a text, how rare each is, and where some of one meet.

A gram is whatever is sought by its hash: 16 letters in a row, two words near each other, three
numbers in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..signatures import Ints

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


class Found(NamedTuple):
    """Grams of ours in a text: their numbers, and where each begins and ends."""

    numbers: Ints
    starts: Ints
    ends: Ints


class Stretch(NamedTuple):
    """Grams of one problem near each other: where they begin and end, and what they tell."""

    document: int
    problem: int
    first: int
    last: int
    weight: float


class Grams:
    """Which problems have which gram, and how rare each is in a sample of a corpus."""

    def __init__(self, of_each: Sequence[Any], sizes: Sequence[int]) -> None:
        distinct = [np.unique(grams) for grams in of_each]
        counts = [len(grams) for grams in distinct]
        every = np.concatenate([np.empty(0, np.uint64), *distinct])
        order = np.argsort(every, kind="stable")
        self.problems = np.repeat(np.arange(len(distinct)), counts)[order]
        self.grams, self.first, self.count = np.unique(
            every[order], return_index=True, return_counts=True
        )
        # Nearly all grams of a text are no gram of ours: a bit says so without a search.
        width = max(int(EMPTY * len(self.grams)).bit_length(), 10)
        self._above = np.uint64(64 - width)
        self.bits = np.zeros(1 << (width - 3), np.uint8)
        places, bits = self._places(self.grams)
        np.bitwise_or.at(self.bits, places, bits)
        self.reach = 3 * np.array(sizes, np.int64) + 150
        self.weigh(np.zeros(len(self.grams), np.int64), 0)

    @classmethod
    def of_letters(cls, folded: Sequence[bytes]) -> Grams:
        """Of all grams of 16 letters of some texts."""
        of_each = [
            np.concatenate([hashes(text, k) for k in range(HALF)]) for text in folded
        ]
        return cls(of_each, list(map(len, folded)))

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
        """Which of some grams are ours, and their numbers."""
        if not len(self.grams):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        places, bits = self._places(grams)
        candidates = np.flatnonzero(self.bits[places] & bits)
        some = grams[candidates]
        at = np.minimum(np.searchsorted(self.grams, some), len(self.grams) - 1)
        equal = self.grams[at] == some
        return candidates[equal], at[equal]

    def among(self, grams: Any, starts: Ints, ends: Ints) -> Found:
        """Those of some grams that are ours."""
        rows, numbers = self.ours(grams)
        return Found(numbers, starts[rows], ends[rows])

    def stretches(self, found: Found, starts: Ints, least: Any) -> list[Stretch]:
        """Where grams of one problem stand near each other, and tell at least so much of each.

        The text is documents one behind the other, which begin at `starts`.
        """
        telling = self._bounded(found.numbers)
        numbers = found.numbers[telling]
        if not len(numbers):
            return []
        owners = self.count[numbers]
        rows = np.repeat(np.arange(len(numbers)), owners)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(owners) - owners, owners)
        problem = self.problems[self.first[numbers[rows]] + within]
        place, number = found.starts[telling][rows], numbers[rows]
        end = found.ends[telling][rows]
        document = np.searchsorted(starts, place, side="right") - 1
        order = np.lexsort((place, problem, document))
        document, problem = document[order], problem[order]
        place, number, end = place[order], number[order], end[order]
        begins = np.ones(len(place), bool)
        begins[1:] = (
            (np.diff(document) > 0)
            | (np.diff(problem) != 0)
            | (np.diff(place) > self.reach[problem[1:]])
        )
        weight = self._weights(np.cumsum(begins) - 1, number)
        heads = np.flatnonzero(begins)
        last = np.maximum.reduceat(end, heads)
        sure = np.flatnonzero(weight >= least[problem[heads]])
        heads = heads[sure]
        begin = starts[document[heads]]
        columns = (
            document[heads],
            problem[heads],
            place[heads] - begin,
            last[sure] - begin,
            weight[sure],
        )
        return list(map(Stretch, *(column.tolist() for column in columns)))

    def _bounded(self, numbers: Ints) -> Any:
        """Which of the grams found are looked at: those that tell something, the dearest last.

        A text that says one thing again and again must not cost more than others.
        """
        hits = np.bincount(numbers, minlength=len(self.grams))
        hits[self.weight == 0] = 0
        cost = hits * self.count
        if cost.sum() > MOST:
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
