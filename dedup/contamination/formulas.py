"""Short problems: a formula and an instruction, or a line that is known by all its signs.

Too few letters tell them by grams. Six letters and figures of the longest formula are sought at
every place, and the formula that stands there is compared as a formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...latex import maths_spans
from ..formula_tokens import formula_key, formulas_of
from .folding import fold, spellings

FEWEST_WORDS = 8  # a problem with fewer outside its formulas is made of them
SEED = 6  # letters and figures by which a formula is sought
SIGNS = 9  # signs that a formula must have to be told from others
AROUND = 160  # characters beside a place in which the formula begins and ends
BEFORE = 120  # characters before a formula in which its instruction stands
HALF = 0.5  # share of the instruction's words there, from which it is the same problem
_mask = np.uint64((1 << 8 * SEED) - 1)
_mixer = np.uint64(0x9E3779B97F4A7C15)
_above = np.uint64(64 - 18)  # bits of the filter


class Short(NamedTuple):
    """A problem that is sought by its longest formula."""

    problem: int
    folded: bytes
    key: str
    words: frozenset[str]


class Equal(NamedTuple):
    """A formula that is equal, whether its instruction is, and where both stand."""

    problem: int
    asked: bool
    start: int
    end: int


class Formulas:
    """The formulas by which short problems are sought, by their first letters."""

    def __init__(self, questions: Sequence[str]) -> None:
        self.short = [
            short for k, text in enumerate(questions) if (short := _short(k, text))
        ]
        self.problems = {short.problem for short in self.short}
        seeds = [int.from_bytes(short.folded[:SEED], "little") for short in self.short]
        order = np.argsort(np.array(seeds, np.uint64), kind="stable")
        self._order = order
        self._seeds = np.array(seeds, np.uint64)[order]
        self._filter = np.zeros(1 << 18, bool)
        self._filter[self._cells(self._seeds)] = True

    @staticmethod
    def _cells(seeds: Any) -> Any:
        return ((seeds * _mixer) >> _above).astype(np.int64)

    def places(self, folded: bytes) -> Iterator[tuple[int, Short]]:
        """Where in folded text the letters and figures of a formula stand, and whose they are."""
        if not self.short:
            return
        for offset in range(8):
            count = (len(folded) - offset) // 8
            seeds = np.frombuffer(
                folded, "<u8", max(count, 0), min(offset, len(folded))
            )
            seeds = seeds & _mask
            some = np.flatnonzero(self._filter[self._cells(seeds)])
            first = np.searchsorted(self._seeds, seeds[some], "left")
            last = np.searchsorted(self._seeds, seeds[some], "right")
            for row, low, high in zip(
                some.tolist(), first.tolist(), last.tolist(), strict=True
            ):
                place = row * 8 + offset
                for short in map(
                    self.short.__getitem__, self._order[low:high].tolist()
                ):
                    if folded.startswith(short.folded, place):
                        yield place, short


def equal_formula(short: Short, text: str, low: int, high: int) -> Equal | None:
    """The formula near these characters that is the problem's, as formulas are compared."""
    low = text.rfind("\n", max(low - AROUND, 0), low) + 1 or max(low - AROUND, 0)
    end = text.find("\n", high, high + AROUND)
    around = text[low : end if end >= 0 else high + AROUND]
    for start, end, tex in _formulas(around):
        if formula_key(tex) == short.key:
            begin = low + start
            before = set(spellings(text[max(begin - BEFORE, 0) : begin]))
            asked = len(before & short.words) >= HALF * len(short.words)
            return Equal(short.problem, asked, begin, low + end)
    return None


def _formulas(text: str) -> Iterator[tuple[int, int, str]]:
    spans = maths_spans(text)
    for span in spans:
        yield span.start, span.end, span.tex
    if not spans:  # plain text: a formula stands alone, or behind a colon
        at = 0
        for line in text.split("\n"):
            start = at + line.rfind(": ") + 2 if ": " in line else at
            yield start, at + len(line), text[start : at + len(line)]
            at += len(line) + 1


def _short(problem: int, question: str) -> Short | None:
    spans = maths_spans(question)
    outside, at = list[str](), 0
    for span in spans:
        outside.append(question[at : span.start])
        at = span.end
    said = spellings(" ".join([*outside, question[at:]]))
    if not spans or len(said) >= FEWEST_WORDS or not formulas_of(question):
        return None
    longest = max(spans, key=lambda span: len(span.tex)).tex
    key, folded = formula_key(longest), fold(longest)
    signs = [sign for sign in key.split() if sign not in "{}"]
    if len(folded) < SEED or len(signs) < SIGNS:
        return None
    return Short(problem, folded, key, frozenset(said))
