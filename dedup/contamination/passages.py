"""Is a problem in this passage, and how like: words in order, numbers, answer and options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import repeat
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ..items import Item
from ..keys import PICTURE
from .folding import spellings, words
from .formulas import Formulas, Short, equal_formula
from .rewording import Wording
from .translation import Kept, Languages, Translated, Translation, says_as_much

LISTED = (
    0.6  # share of a problem's words, by rarity, that a passage has in their order ...
)
LISTED_WORDS = 0.75  # ... or of its words without numbers, ...
FEWEST_WORDS = 8  # ... where it has so many
TELLING = (
    20.0  # what these words must tell by their rarity, where some are not there, ...
)
ALMOST = 0.9  # ... or such a share of the problem's
SAME = 0.96  # share from which nothing was reworded
ONE_SIDE = 0.8  # share of what is lost that is lost at one end: then a part is there
LONGER = 1.25  # a passage has at most so many times a problem's words, ...
MORE = 3  # ... and so many more
ASIDE = 40  # characters beside a translation that are of its language
BEHIND = 800  # characters behind a passage in which its answer and options are sought
BETWEEN = 6  # words and numbers between "answer" and the answer
_answer_says = re.compile(r"(?:answer|ans|solution|boxed|答案|####)\W{0,12}")


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
    language: str = "en"

    @classmethod
    def of(cls, item: Item) -> Problem:
        stem, options = item.parted
        stem = PICTURE.sub(" ", stem)
        return cls(
            item.id,
            stem,
            item.value or item.answer,
            [text for _, text in options],
            item.spoken,
        )


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
        self.words = [spellings(p.question) for p in problems]
        self.sizes = [len(problem.question) for problem in problems]
        questions = [problem.question for problem in problems]
        self.wording = Wording(questions)
        self.formulas = Formulas(questions)
        self.languages = Languages(self.wording.marks, [p.language for p in problems])
        self.kept = Kept(questions)
        self.translation = Translation(
            self.wording.marks, [len(text.encode()) for text in questions]
        )
        count = Counter(word for each in self.words for word in set(each))
        total = len(problems) + 1
        self.rarity = {
            word: float(np.log(total / n)) + 0.1 for word, n in count.items()
        }

    def copy(self, problem: int, text: str, first: int, last: int) -> Passage | None:
        """The passage around these characters that has the problem's words in their order."""
        low, high = self._window(problem, text, first, last)
        match = self._match(self.words[problem], text[low:high])
        if match is None:
            return None
        if problem in self.formulas.problems and match.kind != "part":
            match = match._replace(kind="numbers-differ")  # signs may: `formula` tells
        linked = match.kind in ("same", "reworded")
        return self._passage(problem, text, low, match, linked=linked)

    def reworded(
        self, problem: int, text: str, first: int, last: int
    ) -> Passage | None:
        """The passage around these characters that says the problem in other words."""
        low, high = self._window(problem, text, first, last)
        gist = self.wording.gist(problem, text[low:high])
        if gist is None:
            return None
        match = _Match(gist.score, "reworded", gist.numbers, gist.start, gist.end)
        return self._passage(problem, text, low, match, linked=gist.linked)

    def translated(
        self, problem: int, text: str, found: Translated, start: int, end: int
    ) -> Passage | None:
        """The passage between these characters, where it is in another language."""
        sought, fewest = self.problems[problem], self.translation.fewest_words[problem]
        passage = text[start:end]
        head, inner, tail = self.translation.parted(problem, sought.question)
        behind = text[end : end + 2 * len(tail) + ASIDE]
        before = text[max(start - 2 * len(head) - ASIDE, 0) : start]
        around = before + passage + behind
        if found.evidence < self.kept.bar(problem, passage, around):
            return None
        asks = inner + ("?" if "?" in tail else "")
        if not says_as_much(asks, passage, behind):
            return None
        if not self.languages.says_otherwise(sought.language, passage, fewest):
            return None
        match = _Match(found.score, "translated", "same", start, end)
        return self._passage(problem, text, 0, match, linked=False)

    def formula(self, short: Short, text: str, first: int, last: int) -> Passage | None:
        """The passage around these characters that has the formula of a short problem."""
        equal = equal_formula(short, text, first, last)
        if equal is None:
            return None
        kind = "same" if equal.asked else "formula"
        match = _Match(1.0, kind, "same", equal.start, equal.end)
        return self._passage(short.problem, text, 0, match, linked=equal.asked)

    def _window(
        self, problem: int, text: str, first: int, last: int
    ) -> tuple[int, int]:
        margin = int(1.2 * self.sizes[problem]) + 100
        return max(first - margin, 0), min(last + margin, len(text))

    def _passage(
        self, problem: int, text: str, low: int, match: _Match, *, linked: bool
    ) -> Passage:
        sought = self.problems[problem]
        start, end = low + match.start, low + match.end
        behind = text[end : end + BEHIND]
        return Passage(
            a=sought.id,
            b="",
            kind=match.kind,
            score=round(match.score, 3),
            linked=linked,
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

    def _match(self, sought: list[str], text: str) -> _Match | None:
        from rapidfuzz.distance import LCSseq

        there = spellings(text)
        low, high = self._densest(sought, there)
        codes = LCSseq.opcodes(sought, there[low:high])
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
        told = weight[kept].sum()
        if max(score, wording) < SAME and told < min(TELLING, ALMOST * weight.sum()):
            return None
        numbers = "none"
        if number.any():
            numbers = "same" if kept[number].all() else "differ"
        kind = _kind(weight, kept, numbers, wording)
        places = words(text)
        return _Match(
            score=score,
            kind=kind,
            numbers=numbers,
            start=places[low + equal[0].dest_start].start,
            end=places[low + equal[-1].dest_end - 1].end,
        )

    def _densest(self, sought: list[str], there: list[str]) -> tuple[int, int]:
        """As many words in a row as the problem may have, those with most of its own."""
        width = int(LONGER * len(sought)) + MORE
        if len(there) <= width:
            return 0, len(there)
        ours = {word: self.rarity[word] for word in sought}
        sums = np.cumsum([0.0, *map(ours.get, there, repeat(0.0))])
        first = int(np.argmax(sums[width:] - sums[:-width]))
        return first, first + width


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
    sought = spellings(answer)
    if not sought:
        return False
    if len(sought) >= FEWEST_WORDS // 2:
        return _has(text, answer)
    text = text.lower()
    return any(
        _begins(text[match.end() :], sought) for match in _answer_says.finditer(text)
    )


def _begins(text: str, sought: list[str]) -> bool:
    """Whether a text says these words, behind a few others, and no part of a longer one."""
    there = words(text[: 2 * sum(map(len, sought)) + BEHIND // 4])
    for first in range(BETWEEN + 1):
        some = there[first : first + len(sought)]
        if [word.text for word in some] == sought:
            end = some[-1].end
            if not re.match(r"\w", text[end : end + 1]):
                return True
    return False


def _has(text: str, sought: str) -> bool:
    part, whole = (" ".join(["", *spellings(t), ""]) for t in (sought, text))
    return bool(part.strip()) and part in whole
