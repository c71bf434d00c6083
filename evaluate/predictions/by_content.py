"""Which samples the rows of a file are about, where no name says it: by questions, golds, places.

Harnesses number the rows of their own tables, or number nothing. What a row holds tells its sample:
its question, whole, in whatever prompt; or its place, by a number of any name or by the order of
the rows, where nine rows in ten hold the gold or the question of the sample there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...problem import Sample

FEWEST = 10  # rows by which places are told: golds are letters, and few agree by chance
AGREEING = (
    0.9  # share of rows that hold the gold or the question of the sample at their place
)
NUMBERED = 100  # characters of a cell that may be a number, or end with one
TELLING = 20  # characters of a question that nothing else says
SHINGLE = 5  # words by which a question is looked for in a prompt
LOOKED = 4000  # words of a prompt that are looked through
ORDER = ""  # the path of a place that is the row's own
_IMAGE = re.compile(r"<image_?\d*>")
_NUMBER = re.compile(r"(?:^|\D)(\d{1,9})$")  # a number, or one that a name ends with
Leaves = Mapping[str, Any]  # the texts and numbers of a row by their paths


class Content:
    """What samples of a split are known by."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        self.golds = [plain(sample.answer or "") for sample in samples]
        self.questions = [plain(sample.question) for sample in samples]

    @cached_property
    def _starts(self) -> dict[tuple[str, ...], list[int]]:
        """Places of samples by the words that their questions begin with."""
        starts: dict[tuple[str, ...], list[int]] = {}
        for place, question in enumerate(self.questions):
            words = tuple(question.split()[:SHINGLE])
            if len(words) == SHINGLE:
                starts.setdefault(words, []).append(place)
        return starts

    def holds(self, place: int, text: str) -> bool:
        """Whether a text is the gold of the sample at a place, or holds its question."""
        if not 0 <= place < len(self.golds):
            return False
        if text and text == self.golds[place]:
            return True
        return self.is_telling(place) and self.questions[place] in text

    def is_telling(self, place: int) -> bool:
        """Whether a question is long enough to be told in a prompt."""
        return len(self.questions[place]) > TELLING

    def asked_in(self, text: str) -> list[int]:
        """The places of samples whose question stands in a text: of several the longest one."""
        words = text.split()[:LOOKED]
        found: dict[str, list[int]] = {}
        for at in range(len(words) - SHINGLE + 1):
            for place in self._starts.get(tuple(words[at : at + SHINGLE]), ()):
                if self.questions[place] in text:
                    found.setdefault(self.questions[place], []).append(place)
        return sorted(set(found[max(found, key=len)])) if found else []


class Naming(NamedTuple):
    """How rows say their sample: by the number at `path`, or by the question there.

    `first` is the number of the split's first sample, None where the question says it; `evidence`
    are the paths that bear it out.
    """

    path: str
    first: int | None
    evidence: tuple[str, ...]

    def place(self, content: Content, leaves: Leaves, order: int) -> int | None:
        """The place of a row's sample; None where what the row holds does not bear it out."""
        told = [plain(leaves.get(path)) for path in self.evidence]
        if self.first is None:
            places = content.asked_in(plain(leaves.get(self.path)))
            if len(places) > 1:
                places = [place for place in places if content.golds[place] in told]
            return places[0] if len(places) == 1 else None
        number = order if self.path == ORDER else _number(leaves.get(self.path))
        if number is None or not 0 <= number - self.first < len(content.samples):
            return None
        place = number - self.first
        if any(content.holds(place, text) for text in told):
            return place
        return None if content.is_telling(place) else place

    def words(self) -> str:
        if self.first is None:
            return f"samples are told by the question in {self.path}"
        by = f"by {self.path}" if self.path else "by the order of the rows"
        return f"samples are told {by}, from {self.first} on, as {self.evidence[0]} bears out"


def naming_of(rows: Sequence[Leaves], content: Content) -> Naming | None:
    """How rows in a file's order say their samples; None where nothing does."""
    if len(rows) < FEWEST:
        return None
    paths = list(dict.fromkeys(path for row in rows for path in row))
    texts = {path: [plain(row.get(path)) for row in rows] for path in paths}
    return _by_place(texts, content, len(rows)) or _by_question(texts, content)


def is_borne_out(
    rows: Sequence[Leaves], names: Sequence[str | None], content: Content
) -> bool:
    """Whether nine rows in ten hold something of the samples of these ids."""
    place = {sample.id: k for k, sample in enumerate(content.samples)}
    places = [place.get(name or "") for name in names]
    paths = dict.fromkeys(path for row in rows for path in row)
    return any(
        _agreeing([plain(row.get(path)) for row in rows], places, content) >= AGREEING
        for path in paths
    )


def _by_place(
    texts: Mapping[str, list[str]], content: Content, rows: int
) -> Naming | None:
    numbered = {path: list(map(_number, column)) for path, column in texts.items()}
    candidates = {
        path: numbers
        for path, numbers in numbered.items()
        if None not in numbers and len({*numbers}) == rows
    }
    candidates[ORDER] = list(range(rows))
    for path, numbers in candidates.items():
        for first in (0, 1) if path else (0,):
            places = [None if n is None else n - first for n in numbers]
            shares = {
                other: _agreeing(column, places, content)
                for other, column in texts.items()
                if other != path
            }
            evidence = sorted(shares, key=lambda other: -shares[other])
            if enough := [other for other in evidence if shares[other] >= AGREEING]:
                return Naming(path, first, tuple(enough))
    return None


def _agreeing(
    column: Sequence[str], places: Sequence[int | None], content: Content
) -> float:
    held = sum(
        place is not None and content.holds(place, text)
        for place, text in zip(places, column, strict=True)
    )
    return held / len(column)


def _by_question(texts: Mapping[str, list[str]], content: Content) -> Naming | None:
    for path, column in texts.items():
        asked = [content.asked_in(text) for text in column]
        if sum(map(bool, asked)) < AGREEING * len(asked):
            continue
        golds = {
            other: sum(
                any(text and text == content.golds[place] for place in places)
                for text, places in zip(values, asked, strict=True)
            )
            for other, values in texts.items()
        }
        return Naming(path, None, (max(golds, key=lambda other: golds[other]),))
    return None


def plain(value: Any) -> str:
    """A text without marks of pictures, line ends and capitals.

    >>> plain("Find  <image1>\\nX"), plain(["60"]), plain(2.0)
    ('find x', '60', '2')
    """
    while isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if value is None else str(value)
    return " ".join(_IMAGE.sub(" ", text).casefold().split())


def _number(value: Any) -> int | None:
    text = plain(value)
    match = _NUMBER.search(text) if len(text) <= NUMBERED else None
    return int(match[1]) if match else None
