"""A problem in another language: its numbers stand there in their order, about as far apart.

Figures and numbers in words are read alike (`marks`). A translation in UTF-8 is about as long as
the problem, each number stands where it stands in the problem, signs of mathematics are as many,
and where the problem asks at its end the passage does. Numbers that are equal by chance are none of
this. A language is another where few of its words are words of the problems.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...latex import UNSPACED
from ..formula_tokens import language_of
from ..signatures import Ints
from .marks import Marks, Vocabulary, marks_of

FEWEST = 3  # numbers that a problem must have to be known by them
# Share of its numbers and of the passage's that are equal, in their order.
ENOUGH = 0.75
TELLING = 4.0  # what the equal ones must tell, by their rarity among the problems
# What they tell, without what a lack and a drift take from it, where names or symbols are kept ...
EVIDENCE = 1.0
ALONE = 3.2  # ... and where the problem has neither
LACK, APART = 8.0, 20.0  # what all of either would take
OURS = 0.6  # share of a passage's words that are the problems': it is no other language
FEWEST_KNOWN = 500  # words of the problems from which that can be told
# Times the bytes between a problem's first and last number.
SHORTEST, LONGEST = 0.45, 2.2
DRIFT = 0.2  # by which numbers may stand elsewhere, on average, in parts of the passage
MARGIN = 1.2  # bytes around the numbers found, in those of the problem
# Share of the signs of mathematics by which a passage may have more, or fewer.
SIGNS = 0.3
FEWEST_PROSE = 5  # words in a passage, each once, that stand as they do in sentences
WORDS = 0.3  # times the words between a problem's numbers, that stand between those of a passage
MOST = 60  # numbers around that are looked at
# A word as it stands in a sentence, or a letter of a script without spaces.
_prose = re.compile(
    rf"(?<![^\s(«“\"'¿¡])[^\W\d_]{{2,}}(?![^\s.,;:!?)»”\"'])|[{UNSPACED}]"
)
_signs = re.compile(r"[=^_{}\\<>+*/|&\[\]#@;:~\"]")


# What stands as it is in every language: letters of figures and formulas, ...
_command = re.compile(r"\\[A-Za-z]+")
_symbol = re.compile(r"(?<![^\W\d_])(?<!['’])(?:[A-Z]{2,4}|[B-HJ-Z]|[b-z])(?![^\W\d_])")
FEWEST_SYMBOLS = 3  # so many must be in a problem, ...
SYMBOLS_KEPT = 0.5  # ... and such a share of them in a passage
# ... and names, in scripts of which they have letters: words that are hardly ever small.
_within = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}")
_capital = re.compile(r"(?<![^\W\d_])[A-Z][a-z]{2,}")
_small = re.compile(r"(?<![^\W\d_])[a-z]{3,}")
_latin = re.compile(r"[A-Za-z]{3,}")
WORDS_TOO = 0.1  # times that a name may be small, of those that it is not
MOST_NAMES = 0.1  # share of the words of a language, of which more would be no names


class Kept:
    """The names and symbols of all problems, which a translation keeps."""

    def __init__(self, questions: Sequence[str]) -> None:
        self.symbols = [symbols_of(text) for text in questions]
        small = [_small.findall(text) for text in questions]
        as_word = Counter(word for words in small for word in words)
        find = _capital.findall if len(as_word) >= FEWEST_KNOWN else _within.findall
        capital = [set(find(text)) for text in questions]
        as_name = Counter(name for names in capital for name in names)
        self.names = [
            {
                name
                for name in names
                if as_word[name.lower()] <= WORDS_TOO * as_name[name]
            }
            for names in capital
        ]
        if sum(map(len, self.names)) > MOST_NAMES * sum(map(len, small)):
            self.names = [set() for _ in questions]

    def bar(self, problem: int, passage: str, around: str) -> float:
        """What numbers must tell where names and symbols are kept; infinity where they are not."""
        symbols, names = self.symbols[problem], self.names[problem]
        bar = ALONE
        if len(symbols) >= FEWEST_SYMBOLS:
            shared = symbols & symbols_of(around)
            if len(shared) < SYMBOLS_KEPT * len(symbols):
                return float("inf")
            bar = EVIDENCE
        if names and len(_latin.findall(passage)) >= FEWEST_PROSE:
            if not any(name in around for name in names):
                return float("inf")
            bar = EVIDENCE
        return bar


def symbols_of(text: str) -> set[str]:
    r"""Letters that stand alone, as those of figures and formulas do.

    >>> sorted(symbols_of(r"Let $\alpha x = 3y_1$ and AB a side"))
    ['AB', 'x', 'y']
    """
    return set(_symbol.findall(_command.sub(" ", text)))


class Translated(NamedTuple):
    """How much of a problem's numbers a passage has in their order, and where it stands."""

    score: float
    evidence: float
    start: int
    end: int


class Languages:
    """The words of the problems of each language: where few of them stand another is spoken."""

    def __init__(self, questions: Sequence[Marks], languages: Sequence[str]) -> None:
        self.words: dict[str, Any] = {}
        for language in set(languages):
            codes = [
                marks.codes[marks.are_words]
                for marks, name in zip(questions, languages, strict=True)
                if name == language
            ]
            known = np.unique(np.concatenate(codes))
            if len(known) >= FEWEST_KNOWN:
                self.words[language] = Vocabulary(known)

    def tell(self, language: str) -> bool:
        """Whether the problems of a language have words enough to tell it from others."""
        return language in self.words

    def says_otherwise(self, language: str, passage: str, fewest: float) -> bool:
        """Whether a passage is prose of so many words, and in another language."""
        prose = _prose.findall(passage)
        few = len({word.lower() for word in prose}) < FEWEST_PROSE
        if few or len(prose) < fewest:
            return False
        if not self.tell(language):
            return language_of(passage) != language
        marks = marks_of(" ".join(prose).encode("utf-8", "replace"))
        ours = self.words[language].has(marks.codes[marks.are_words])
        return bool(ours.sum() <= OURS * len(ours))

    def others(
        self, marks: Marks, language: str, first: Ints, last: Ints, fewest: Ints
    ) -> Any:
        """Between which of these bytes so many words stand, and few are of this language."""
        low, high = (np.searchsorted(marks.starts, places) for places in (first, last))
        are_words = marks.are_words

        def between(chosen: Any) -> Ints:
            sums = np.zeros(len(chosen) + 1, np.int64)
            np.cumsum(chosen, out=sums[1:])
            return sums[high] - sums[low]

        there = between(are_words)
        enough = there >= fewest
        if not self.tell(language):
            return enough
        ours = between(self.words[language].has(marks.codes) & are_words)
        return enough & (ours <= OURS * there)


class Translation:
    """The numbers of all problems in their order, and how rare each is among them."""

    def __init__(self, questions: Sequence[Marks], sizes: Sequence[int]) -> None:
        self.sizes = sizes
        self.numbers = [marks.numbers for marks in questions]
        self.values = [numbers.codes.tolist() for numbers in self.numbers]
        self.places = [numbers.starts.tolist() for numbers in self.numbers]
        words = [marks.some(marks.are_words).starts for marks in questions]
        self.fewest_words = np.array(
            [
                WORDS * int(((n.starts[0] < w) & (w < n.starts[-1])).sum())
                if len(n.starts)
                else 0
                for n, w in zip(self.numbers, words, strict=True)
            ]
        )
        count = Counter(value for values in self.values for value in set(values))
        total = len(questions) + 1
        self.rarity = {value: float(np.log(total / n)) for value, n in count.items()}

    def parted(self, problem: int, question: str) -> tuple[str, str, str]:
        """The question before its first number, until its last, and what stands behind."""
        data, numbers = question.encode(), self.numbers[problem]
        first, last = int(numbers.starts[0]), int(numbers.ends[-1])
        head, inner, tail = (
            part.decode("utf-8", "ignore")
            for part in (data[:first], data[first:last], data[last:])
        )
        return head, inner, tail

    def passage(
        self, problem: int, there: Marks, first: int, last: int
    ) -> Translated | None:
        """The passage around these bytes that has the problem's numbers in their order."""
        if len(self.values[problem]) < FEWEST:
            return None
        margin = int(MARGIN * self.sizes[problem])
        low, high = np.searchsorted(
            there.starts, (first - margin, last + margin)
        ).tolist()
        part = there.some(slice(low, min(high, low + MOST)))
        values, starts = part.codes.tolist(), part.starts.tolist()
        best: tuple[float, float, int, int] | None = None
        for begin, end in self._runs(problem, values, starts):
            score, evidence = self._compared(
                problem, values[begin : end + 1], starts[begin:]
            )
            if score and (best is None or evidence > best[1]):
                best = score, evidence, begin, end
        if best is None:
            return None
        score, evidence, begin, end = best
        return Translated(score, evidence, starts[begin], int(part.ends[end]))

    def _runs(
        self, problem: int, values: list[int], starts: list[int]
    ) -> Iterator[tuple[int, int]]:
        """First and last of numbers in a row, about as many and as far apart as the problem's."""
        from rapidfuzz.distance import LCSseq

        sought, places = self.values[problem], self.places[problem]
        length = places[-1] - places[0]
        ours = set(sought)
        shared = [k for k, value in enumerate(values) if value in ours]
        count_until = {k: count for count, k in enumerate(shared)}
        for size in range(max(FEWEST, len(sought) - 2), len(sought) + 3):
            least = max(FEWEST, ENOUGH * (len(sought) + size) / 2)
            for count, begin in enumerate(shared, 1):
                end = begin + size - 1
                if count_until.get(end, 0) + 2 - count < least:
                    continue
                apart = starts[end] - starts[begin]
                if not SHORTEST * length <= apart <= LONGEST * length:
                    continue
                run = values[begin : end + 1]
                if LCSseq.similarity(sought, run) >= least:
                    yield begin, end

    def _compared(
        self, problem: int, values: list[int], starts: list[int]
    ) -> tuple[float, float]:
        """The share of numbers that are equal in their order, and what they tell; or nothing."""
        from rapidfuzz.distance import LCSseq

        sought, mine = self.values[problem], self.places[problem]
        equal = [
            (code.src_start + k, code.dest_start + k)
            for code in LCSseq.opcodes(sought, values)
            if code.tag == "equal"
            for k in range(code.src_end - code.src_start)
        ]
        tells = sum(self.rarity[sought[k]] for k, _ in equal)
        (first, begin), (last, end) = equal[0], equal[-1]
        ours = max(mine[last] - mine[first], 1)
        theirs = max(starts[end] - starts[begin], 1)
        if tells < TELLING or not SHORTEST <= theirs / ours <= LONGEST:
            return 0.0, 0.0
        apart = sum(
            abs((mine[k] - mine[first]) / ours - (starts[m] - starts[begin]) / theirs)
            for k, m in equal
        )
        drift = apart / len(equal)
        score = 2 * len(equal) / (len(sought) + len(values))
        evidence = tells - LACK * (1 - score) - APART * drift
        if drift > DRIFT or evidence < EVIDENCE:
            return 0.0, 0.0
        return score, evidence


def says_as_much(problem: str, passage: str, behind: str) -> bool:
    """Whether a passage has about as many signs of mathematics, and asks where the problem does.

    >>> says_as_much("Ann has 3 of 5 eggs. How many?", "Ann a 3 de 5 œufs", ". Combien ?")
    True
    >>> says_as_much("Ann has 3 of 5 eggs. How many?", "$a_{3}=5", "$.")
    False
    """
    if "\n\n" in passage:
        return False
    ours, theirs = (len(_signs.findall(text)) for text in (problem, passage))
    if abs(ours - theirs) > 1 + SIGNS * max(ours, theirs):
        return False
    return "?" not in problem or any(mark in behind for mark in "?？")
