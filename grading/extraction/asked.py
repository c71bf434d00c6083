"""What a question says to whoever looks for its answer: its numbers, and what it counts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...words import in_figures, words

LONGEST = 4_000  # characters of a question that are read, from its end
NEAR = 30  # characters behind a number in which what it counts is named
_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FORMULA = re.compile(r"\\[A-Za-z]|[√^_/±]")  # in which numbers are no answers
_COUNTED = re.compile(
    rf"{words('count')}\s{{1,4}}((?:[^\W\d_]{{3,}}\s{{0,4}}){{1,3}})", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_ENDING = re.compile(r"(?<=\w\w\w)(?:es|s)$")  # of a plural


class Asked(NamedTuple):
    """The numbers of a question in figures, and the nouns behind "how many"."""

    numbers: frozenset[str]
    counted: frozenset[str]

    def features(self, said: str, behind: str) -> set[str]:
        """What the question says of a value, and of the text behind it."""
        figures = _FIGURES.findall(said.rpartition("=")[2])
        if len(figures) != 1 or _FORMULA.search(said):
            return set()
        features = {"a new number"}
        if _plain(figures[0]) in self.numbers:
            features = {"a number of the question"}
        if not self.counted.isdisjoint(_nouns(said + behind[:NEAR])):
            features.add("counts what is asked")
        return features


@lru_cache(maxsize=256)
def asked(question: str) -> Asked:
    """Read a question.

    >>> found = asked("A box holds twelve pens. How many pens do 3 boxes hold?")
    >>> sorted(found.numbers), sorted(found.counted), sorted(found.features("36", " pens."))
    (['12', '3'], ['pen'], ['a new number', 'counts what is asked'])
    """
    text = question[-LONGEST:]
    numbers = frozenset(map(_plain, _FIGURES.findall(in_figures(text))))
    nouns = [match[1].split()[0] for match in _COUNTED.finditer(text)]
    return Asked(numbers, _nouns(" ".join(nouns)))


def _plain(figures: str) -> str:
    """Figures without marks of thousands and idle zeros."""
    text = figures.replace(",", "")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _nouns(text: str) -> frozenset[str]:
    return frozenset(_ENDING.sub("", word) for word in _WORD.findall(text.lower()))
