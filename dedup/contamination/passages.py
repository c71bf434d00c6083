"""Is a problem in this passage, and how like: words in order, numbers, answer and options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ..items import Item
from ..keys import PICTURE
from .folding import Word, fold, letters, words

LISTED = (
    0.6  # share of a problem's words, by rarity, that a passage has in their order ...
)
LISTED_WORDS = 0.75  # ... or of its words without numbers, ...
FEWEST_WORDS = 8  # ... where it has so many
SAME = 0.96  # share from which nothing was reworded
ONE_SIDE = 0.8  # share of what is lost that is lost at one end: then a part is there
LONGER = 1.25  # a passage has at most so many times a problem's words, ...
MORE = 3  # ... and so many more
STRIDE = 400  # characters between known places of a folded text
BEHIND = 800  # characters behind a passage in which its answer and options are sought
_answer_says = r"(?:answer|ans|solution|boxed|答案|####)\W{0,12}(?:\w+\W+){0,3}?"


class Passage(msgspec.Struct, kw_only=True, frozen=True):
    """A problem `a` in a document `b`: where, how like, and whether its answer stands beside it.

    `kind` is same, reworded, numbers-differ or part; `start` and `end` are characters of the
    document; `score` is the share of the problem's words there, by their rarity.
    """

    a: str
    b: str
    kind: str = msgspec.field(name="class")
    score: float
    linked: bool
    numbers: str
    answer: bool
    options: bool
    passage: str
    start: int
    end: int
    file: str
    line: int


class Problem(msgspec.Struct):
    """What is sought of a problem."""

    id: str
    question: str
    answer: str
    options: list[str]

    @classmethod
    def of(cls, item: Item) -> Problem:
        stem, options = item.parted
        stem = PICTURE.sub(" ", stem)
        return cls(
            item.id, stem, item.value or item.answer, [text for _, text in options]
        )


class Places:
    """Where in a text the letters of its folded form stand."""

    def __init__(self, text: str) -> None:
        folded = [fold(text[at : at + STRIDE]) for at in range(0, len(text), STRIDE)]
        self.all = np.cumsum([0, *map(len, folded)])
        self.letters = np.cumsum([0, *(len(letters(part)) for part in folded)])

    def around(self, first: int, last: int, *, numbers: bool) -> tuple[int, int]:
        """Characters between which the folded letters first to last stand, or a little more."""
        known = self.all if numbers else self.letters
        start = int(np.searchsorted(known, first, side="right")) - 2
        end = int(np.searchsorted(known, last)) + 1
        return max(start, 0) * STRIDE, end * STRIDE


class _Match(NamedTuple):
    """What of a problem's words, by rarity, a passage has, and between which characters."""

    score: float
    kind: str
    numbers: str
    start: int
    end: int


class Judge:
    """Compares problems with passages. What a word tells is its rarity among the problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems
        self.words = [[word.text for word in words(p.question)] for p in problems]
        self.sizes = [len(problem.question) for problem in problems]
        count = Counter(word for each in self.words for word in set(each))
        total = len(problems) + 1
        self.rarity = {
            word: float(np.log(total / n)) + 0.1 for word, n in count.items()
        }

    def passage(
        self, problem: int, text: str, around: tuple[int, int]
    ) -> Passage | None:
        """The passage of a text that has the problem, None where none has."""
        margin = int(1.3 * self.sizes[problem]) + 150
        low = max(around[0] - margin, 0)
        high = min(around[1] + margin, len(text))
        match = self._match(self.words[problem], words(text[low:high]))
        if match is None:
            return None
        sought = self.problems[problem]
        start, end = low + match.start, low + match.end
        behind = text[end : end + BEHIND]
        return Passage(
            a=sought.id,
            b="",
            kind=match.kind,
            score=round(match.score, 3),
            linked=match.kind in ("same", "reworded"),
            numbers=match.numbers,
            answer=_says(behind, sought.answer),
            options=len(sought.options) > 1
            and all(_has(behind, o) for o in sought.options),
            passage=text[start:end],
            start=start,
            end=end,
            file="",
            line=0,
        )

    def _match(self, sought: list[str], there: list[Word]) -> _Match | None:
        from rapidfuzz.distance import LCSseq

        there = self._densest(sought, there)
        codes = LCSseq.opcodes(sought, [word.text for word in there])
        equal = [code for code in codes if code.tag == "equal"]
        if not equal:
            return None
        kept = np.zeros(len(sought), bool)
        for code in equal:
            kept[code.src_start : code.src_end] = True
        weight = np.array([self.rarity[word] for word in sought])
        number = np.array([word.isdigit() for word in sought])
        score = _share(weight, kept)
        wording = _share(weight[~number], kept[~number])
        enough = (~number).sum() >= FEWEST_WORDS and wording >= LISTED_WORDS
        if score < LISTED and not enough:
            return None
        numbers = "none"
        if number.any():
            numbers = "same" if kept[number].all() else "differ"
        kind = _kind(weight, kept, numbers, wording)
        last = equal[-1]
        return _Match(
            score=score,
            kind=kind,
            numbers=numbers,
            start=there[equal[0].dest_start].start,
            end=there[last.dest_end - 1].end,
        )

    def _densest(self, sought: list[str], there: list[Word]) -> list[Word]:
        """As many words in a row as the problem may have, those with most of its own."""
        width = int(LONGER * len(sought)) + MORE
        if len(there) <= width:
            return there
        ours = {word: self.rarity[word] for word in sought}
        values = [ours.get(word.text, 0.0) for word in there]
        sums = np.cumsum([0.0, *values])
        first = int(np.argmax(sums[width:] - sums[:-width]))
        return there[first : first + width]


def _share(weight: Any, kept: Any) -> float:
    total = float(weight.sum())
    return float(weight[kept].sum()) / total if total else 0.0


def _kind(weight: Any, kept: Any, numbers: str, wording: float) -> str:
    lost = float(weight[~kept].sum())
    if lost <= (1 - SAME) * weight.sum() and numbers != "differ":
        return "same"
    before = int(np.argmax(kept))
    behind = int(np.argmax(kept[::-1]))
    end = len(kept) - behind
    at_ends = max(weight[:before].sum(), weight[end:].sum())
    if at_ends >= ONE_SIDE * lost and wording < SAME:
        return "part"
    return "numbers-differ" if numbers == "differ" else "reworded"


def _says(text: str, answer: str) -> bool:
    """Whether a text gives the answer: a long one by its words, a short one as an answer only."""
    sought = [word.text for word in words(answer)]
    if not sought:
        return False
    if len(sought) >= FEWEST_WORDS // 2:
        return _has(text, answer)
    pattern = _answer_says + r"\W*".join(map(re.escape, sought)) + r"(?!\w)"
    return re.search(pattern, text.lower()) is not None


def _has(text: str, sought: str) -> bool:
    part, whole = (
        " ".join(["", *(word.text for word in words(t)), ""]) for t in (sought, text)
    )
    return bool(part.strip()) and part in whole
