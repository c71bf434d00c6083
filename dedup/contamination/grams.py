"""An index of the grams of 16 letters of a benchmark, sought at every fourth letter of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..signatures import Ints

GRAM = 16
STEP = 4  # letters between two looks into a text: a passage of 24 letters is met twice
HALF = 8  # a gram is hashed as two words of 64 bits
# Documents added to the sample: a small one does not make all grams common.
VIRTUAL = 1_000
# A gram in more documents of the sample than both, so many and one in so many, tells nothing.
# Rarity alone weighs the others: a problem that a corpus has many times over must not be lost.
COMMON_AT_LEAST = 50
COMMON_SHARE = 20
_first = np.uint64(0x9E3779B97F4A7C15)
_second = np.uint64(0xC2B2AE3D27D4EB4F)
_shift = np.uint64(31)
_byte_of = np.uint64(40)
_bit_of = np.uint64(32)
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


class Stretch(NamedTuple):
    """Grams of one problem near each other: where they begin and end, and what they tell."""

    document: int
    problem: int
    first: int
    last: int
    weight: float


class Grams:
    """Which problems have which gram, and how rare each is in a sample of a corpus."""

    def __init__(self, folded: Sequence[bytes]) -> None:
        of_each = [
            np.unique(np.concatenate([hashes(text, k) for k in range(HALF)]))
            for text in folded
        ]
        sizes = [len(grams) for grams in of_each]
        every = np.concatenate([np.empty(0, np.uint64), *of_each])
        order = np.argsort(every, kind="stable")
        self.problems = np.repeat(np.arange(len(folded)), sizes)[order]
        self.grams, self.first, self.count = np.unique(
            every[order], return_index=True, return_counts=True
        )
        # Nearly all grams of a text are no gram of ours: a bit says so without a search.
        self.bits = np.zeros(1 << 24, np.uint8)
        places, bits = _places(self.grams)
        np.bitwise_or.at(self.bits, places, bits)
        self.reach = 3 * np.array([len(text) for text in folded], np.int64) + 150
        self.weigh(np.zeros(len(self.grams), np.int64), 0)

    def weigh(self, found_in: Any, documents: int) -> None:
        """Sets the weight of each gram, `found_in` so many of a sample of `documents`."""
        rarity = np.log((documents + VIRTUAL) / (found_in + 0.5))
        rarity[found_in > max(COMMON_AT_LEAST, documents // COMMON_SHARE)] = 0
        shared = np.maximum(1, np.log2(1 + self.count))  # by problems of one template
        self.weight = rarity / shared

    def look(self, folded: bytes) -> tuple[Ints, Ints]:
        """Places of a text where one of our grams begins, and the numbers of these grams."""
        places, numbers = list[Ints](), list[Ints]()
        for offset in range(0, HALF, STEP):
            rows, grams = self._ours(hashes(folded, offset))
            places.append(rows * HALF + offset)
            numbers.append(grams)
        return np.concatenate(places), np.concatenate(numbers)

    def _ours(self, grams: Any) -> tuple[Ints, Ints]:
        candidates = np.flatnonzero(self.bits[(grams >> _byte_of).astype(np.int64)])
        some = grams[candidates]
        places, bits = _places(some)
        kept = (self.bits[places] & bits) > 0
        candidates, some = candidates[kept], some[kept]
        at = np.minimum(np.searchsorted(self.grams, some), len(self.grams) - 1)
        equal = self.grams[at] == some
        return candidates[equal], at[equal]

    def stretches(self, folded: bytes, starts: Ints, least: float) -> list[Stretch]:
        """Where grams of one problem stand near each other, and tell at least so much.

        `folded` are documents one behind the other, which begin at `starts`.
        """
        places, numbers = self.look(folded)
        telling = self.weight[numbers] > 0
        places, numbers = places[telling], numbers[telling]
        if not len(places):
            return []
        owners = self.count[numbers]
        rows = np.repeat(np.arange(len(numbers)), owners)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(owners) - owners, owners)
        problem = self.problems[self.first[numbers[rows]] + within]
        place, number = places[rows], numbers[rows]
        document = np.searchsorted(starts, place, side="right") - 1
        order = np.lexsort((place, problem, document))
        document, problem = document[order], problem[order]
        place, number = place[order], number[order]
        begins = np.ones(len(place), bool)
        begins[1:] = (
            (np.diff(document) > 0)
            | (np.diff(problem) != 0)
            | (np.diff(place) > self.reach[problem[1:]])
        )
        weight = self._weights(np.cumsum(begins) - 1, number)
        heads = np.flatnonzero(begins)
        tails = np.append(heads[1:], len(place)) - 1
        sure = np.flatnonzero(weight >= least)
        heads, tails = heads[sure], tails[sure]
        begin = starts[document[heads]]
        columns = (
            document[heads],
            problem[heads],
            place[heads] - begin,
            place[tails] - begin + GRAM,
            weight[sure],
        )
        return list(map(Stretch, *(column.tolist() for column in columns)))

    def _weights(self, stretch: Ints, number: Ints) -> Any:
        """What the grams of each stretch tell; one that occurs twice in it counts once."""
        codes = stretch * len(self.grams) + number
        _, firsts = np.unique(codes, return_index=True)
        return np.bincount(stretch[firsts], self.weight[number[firsts]])


def _places(grams: Any) -> tuple[Ints, Any]:
    """Of each gram the byte and the bit that stand for it."""
    bits = ((grams >> _bit_of) & _seven).astype(np.uint8)
    return (grams >> _byte_of).astype(np.int64), np.left_shift(np.uint8(1), bits)
