"""A problem in other words: its rarer words stand together in any order, with its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .marks import Marks, marks_of, marks_of_each

# Share of what a problem's words tell, that a passage must have where no numbers are equal, and by
# how much less it is for each number that no other problem has (others tell less) ...
ENOUGH, PER_NUMBER = 0.7, 0.2
LEAST_SHARE = 0.42  # ... but at least such a share, ...
LACKING = (
    0.5  # ... or this one where up to a third of three numbers or more is not there
)
IN_ORDER = 0.6  # share of the numbers that must stand in their order
# Share from which both are taken for one problem, where its numbers tell nearly as much as one that
# no other has, or do not: problems of a school have words and small numbers in common.
LINKED, WITHOUT_NUMBERS = 0.6, 0.85
TOLD = 0.75
TELLING = 36.0  # what the words must tell at least, by their rarity among the problems
FEWEST_WORDS = 8
LONGER = 1.8  # a passage has at most so many times a problem's words ...
MORE = 5  # ... and so many more


class Gist(NamedTuple):
    """What of a problem's words, by rarity, a passage has in any order, and where it stands."""

    score: float
    numbers: str
    linked: bool
    start: int
    end: int


class Wording:
    """The words and numbers of all problems, and how rare each is among them."""

    def __init__(self, questions: Sequence[str]) -> None:
        self.marks = marks_of_each(
            [text.encode("utf-8", "replace") for text in questions]
        )
        self.counts = [
            Counter(marks.codes[marks.codes > 0xFF].tolist()) for marks in self.marks
        ]
        of_all = Counter(code for counts in self.counts for code in counts)
        total = len(questions) + 1
        self.rarity = {
            code: float(np.log(total / n)) + 0.1 for code, n in of_all.items()
        }
        self.weight = [
            sum(self.rarity[code] * n for code, n in counts.items())
            for counts in self.counts
        ]
        self._weights = [
            (
                codes := np.array(sorted(counts), np.uint64),
                np.array([self.rarity[c] for c in codes.tolist()]),
            )
            for counts in self.counts
        ]
        self.numbers = [
            Counter(marks.codes[marks.are_numbers].tolist()) for marks in self.marks
        ]
        of_all = Counter(code for counts in self.numbers for code in counts)
        self.told = {
            code: float(np.log(total / n) / np.log(total)) for code, n in of_all.items()
        }

    def may_stand(self, problem: int, there: Any) -> bool:
        """Whether so many words in a row may say the problem, by an upper bound."""
        known, weight = self._weights[problem]
        at = np.minimum(np.searchsorted(known, there), len(known) - 1)
        values = np.where(known[at] == there, weight[at], 0.0)
        width = self._width(problem)
        sums = np.concatenate([[0.0], np.cumsum(values)])
        most = (sums[width:] - sums[:-width]).max() if len(there) > width else sums[-1]
        return bool(most >= LEAST_SHARE * self.weight[problem])

    def _width(self, problem: int) -> int:
        return int(LONGER * len(self.marks[problem].codes)) + MORE

    def gist(self, problem: int, text: str) -> Gist | None:
        """The passage of a text that says the problem in any order of its words."""
        counts, numbers = self.counts[problem], self.numbers[problem]
        if counts.total() < FEWEST_WORDS:
            return None
        data = text.encode("utf-8", "replace")
        marks = self._densest(problem, marks_of(data))
        there = Counter(marks.codes.tolist())
        shared = counts & there
        score = sum(self.rarity[code] * n for code, n in shared.items())
        if score < min(TELLING, 0.9 * self.weight[problem]):
            return None
        score /= self.weight[problem]
        total, lacking = numbers.total(), (numbers - there).total()
        told = sum(self.told[code] for code in numbers & there)
        enough = max(ENOUGH - PER_NUMBER * told, LACKING if lacking else LEAST_SHARE)
        if score < enough or lacking > total // 3 or not self._in_order(problem, marks):
            return None
        ours = np.flatnonzero([code in counts for code in marks.codes.tolist()])
        start, end = int(marks.starts[ours[0]]), int(marks.ends[ours[-1]])
        if not text.isascii():
            start, end = (
                len(data[:at].decode("utf-8", "ignore")) for at in (start, end)
            )
        said = "none" if not numbers else "differ" if lacking else "same"
        return Gist(
            score,
            said,
            not lacking and score >= (LINKED if told >= TOLD else WITHOUT_NUMBERS),
            start,
            end,
        )

    def _in_order(self, problem: int, there: Marks) -> bool:
        from rapidfuzz.distance import LCSseq

        sought = self.marks[problem].numbers.codes.tolist()
        same = LCSseq.similarity(sought, there.numbers.codes.tolist())
        return same >= IN_ORDER * len(sought)

    def _densest(self, problem: int, there: Marks) -> Marks:
        """As many marks in a row as the problem may have, those that tell most of it."""
        width = self._width(problem)
        if len(there.codes) <= width:
            return there
        counts = self.counts[problem]
        values = [self.rarity[c] if c in counts else 0.0 for c in there.codes.tolist()]
        sums: Any = np.cumsum([0.0, *values])
        first = int(np.argmax(sums[width:] - sums[:-width]))
        return there.some(slice(first, first + width))
