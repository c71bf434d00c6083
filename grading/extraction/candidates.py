"""The order of candidates: every place of a reply that may be its answer, and what it weighs.

A candidate is a value (`values`), an option's letter or text (`letters`), what a box holds, or a
refusal. Its features are of the kind "behind the word for answer", "in a reason", "ends its
sentence"; `weights.toml` says what each counts, how that was fitted, and what the evidence says
that a candidate was found by.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import fsum, log2
from pathlib import Path
from typing import Any, NamedTuple

from ...words import Word, spoken
from .marked import marked
from .page import WORD, Page
from .sentences import Sentence, sentence_of

TABLE = Path(__file__).with_name("weights.toml")
# What weighs more stands never further up: of all, and of what is declared.
STATED = 8.4
DECLARED = 10.0
SENTENCES = 400  # at the end of a reply that are read
FARTHEST = 7  # sentences that are told apart
MOST_OVERTAKEN = 3
REFUSED = 3  # statements behind a refusal that make it none
EXPLICIT = frozenset(["boxed", "tag", "field", "answer", "hash", "correction"])
# in such a place something is mentioned, not stated: what stands before it stays the last statement
MENTIONED = frozenset(
    [
        "supposed",
        "asked",
        "compared",
        "in brackets",
        "in a list",
        "several",
        "goes on",
        "denied",
        "restated",
        "refuses",
        "used, behind a preposition",
    ]
)
TAKEN_BACK = frozenset(["denied", "goes on"])
_BREAKS_OFF = re.compile(r"(?:[=+×÷(（<≤≥]|(?<=\s)>)\s*(?:\$|\\[)\]])?\s*\Z")
_CLAUSE_ENDS = frozenset(",，:：;；")
# Behind what is marked at the end: marks of layout alone.
_CLOSES = re.compile(r"(?:</[A-Za-z_-]{1,30}>|\\end\{[a-z]{1,20}\*?\}|\W)*+")
_WORDY = re.compile(r"\w")
# A refusal is a row of such words, each near the one before.
REFUSALS = [
    row.split()
    for row in (
        "refuses",
        "writer unable finds",
        "unable determined",
        "impossible finds",
        "impossible determined",
        "unable finds material",
        "lacks material",
        "lacks given",
        "denies enough material",
        "material denies given",
        "task denies given",
        "material short",
        "writer denies material",
        "denies determined",
        "asks sends",
    )
]
REFUSING = frozenset(role for row in REFUSALS for role in row)
NEAR = 5  # words


class Candidate(NamedTuple):
    """text[start:end] may be the `answer`; `features` say why."""

    start: int
    end: int
    answer: str
    features: frozenset[str]
    later: int = 0  # sentences that state something behind it
    overtaken: int = 0  # declarations behind it

    @property
    def rule(self) -> str:
        """What names it in evidence."""
        rules: dict[str, str] = _table()["rules"]
        return next(
            (rule for name, rule in rules.items() if name in self.features), "stated"
        )

    @property
    def measured(self) -> dict[str, float]:
        """Its features, and how much of each it has.

        >>> Candidate(0, 1, "5", frozenset(["answer"]), later=1, overtaken=9).measured
        {'answer': 1.0, 'later, declared': 1.0, 'overtaken, declared': 3.0}
        """
        declared = "" if self.features.isdisjoint(EXPLICIT) else ", declared"
        behind = {
            f"later{declared}": log2(1 + min(self.later, FARTHEST)),
            f"overtaken{declared}": float(min(self.overtaken, MOST_OVERTAKEN)),
        }
        amounts = {name: amount for name, amount in behind.items() if amount}
        return dict.fromkeys(self.features, 1.0) | amounts

    @property
    def weight(self) -> float:
        return _weight(
            self.features,
            min(self.later, FARTHEST),
            min(self.overtaken, MOST_OVERTAKEN),
        )


@lru_cache(maxsize=4096)  # few kinds of places make most of all candidates
def _weight(features: frozenset[str], later: int, overtaken: int) -> float:
    """The sum, whatever the order in which a set names its features."""
    table = weights()
    measured = Candidate(0, 0, "", features, later, overtaken).measured
    parts = [table.get(name, 0.0) * amount for name, amount in measured.items()]
    return fsum([table["any"], *parts])


@lru_cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def weights() -> dict[str, float]:
    """What each feature counts."""
    return _table()["weights"]


def scanned(
    page: Page,
    find: Callable[[Sentence], Iterable[Candidate]],
    marked: list[Candidate],
    whole: bool = False,
) -> list[Candidate]:
    """What `find` finds in the sentences of a page, and what is marked, from the last one on.

    As far as something may weigh more than what stands behind it; all of it where `whole`.
    """
    of_page = _features_of(page)
    candidates: list[Candidate] = []
    stated = declared = 0
    best = 0.0
    number = len(page.sentences) - 1
    last = 0 if whole else max(0, number + 1 - SENTENCES)
    while number >= last:
        if page.begin and not number:  # what stands above might be of it
            page.is_enough = False
            break
        sentence = sentence_of(page, number)
        here = [c for c in find(sentence) if not _overlaps(c, marked)]
        if here or stated < REFUSED:
            here = _refused(sentence, here)
        here += [box for box in marked if page.sentence_at(box.end - 1) == number]
        declarations = sorted(c.start for c in here if _declares(c))
        for c in here:
            features = c.features | of_page
            if c.features & EXPLICIT:
                features = features - {"breaks off"}
            behind = len(declarations) - bisect_right(declarations, c.start)
            candidate = c._replace(
                features=features, later=stated, overtaken=declared + behind
            )
            candidates.append(candidate)
            best = max(best, candidate.weight)
        declared += len(declarations)
        stated += any(not c.features & MENTIONED for c in here)
        if whole:
            number -= 1
        else:
            number = _next(best, page, number, marked, stated, declared)
    return sorted(candidates)


def closing(text: str, marked: list[Candidate]) -> Candidate | None:
    """What is marked at the end of a reply: all before it is overtaken, and nothing is behind."""
    last = max(marked, key=lambda c: c.end, default=None)
    if last is None or not _CLOSES.fullmatch(text, last.end):
        return None
    heaviest_before = DECLARED + weights()["overtaken, declared"]
    return last if last.weight >= heaviest_before else None


def _features_of(page: Page) -> set[str]:
    """What holds of every candidate: there are no words beside it, or the reply breaks off."""
    features = set()
    if not WORD.search(page.masked):
        features.add("whole")
    if _BREAKS_OFF.search(page.text[-20:]):
        features.add("breaks off")
    return features


def _overlaps(candidate: Candidate, marked: Iterable[Candidate]) -> bool:
    start, end = candidate[:2]
    return any(start < box.end and box.start < end for box in marked)


def _declares(candidate: Candidate) -> bool:
    features = candidate.features
    return not features.isdisjoint(EXPLICIT) and features.isdisjoint(TAKEN_BACK)


def _next(
    best: float,
    page: Page,
    number: int,
    marked: Iterable[Candidate],
    stated: int,
    declared: int,
) -> int:
    """The next sentence in which something may weigh more, behind so much; -1: there is none."""
    table = weights()
    overtaken = min(declared, MOST_OVERTAKEN)
    behind = log2(1 + min(stated, FARTHEST))
    over_declared = DECLARED + table["overtaken, declared"] * overtaken
    over_stated = STATED + table["later"] * behind + table["overtaken"] * overtaken
    if best < min(over_stated, over_declared):  # whatever stands there
        return number - 1
    if best >= max(over_stated, over_declared):
        return -1
    if over_declared < over_stated:
        return number - 1
    place, _ = page.sentences[number]
    boxes = [box.start for box in marked if box.end <= place]
    declaration = max([page.declaration_before(place), *boxes])
    if declaration < 0:
        return -1
    # a line that declares reaches into the next
    return min(number - 1, page.sentence_at(declaration) + 1)


def refusals(words: Iterable[Word]) -> list[int]:
    """The ends of what says that the writer, the task or the information allows no answer."""
    ends: list[int] = []
    # rows that have begun: where their last word stands, and the words that are to come
    begun: list[tuple[int, list[str]]] = []
    for place, word in enumerate(words):
        if "pause" in word.roles:
            begun = []
        elif not word.roles.isdisjoint(REFUSING):
            begun = [(last, row) for last, row in begun if place - last <= NEAR]
            rows = [*(row for _, row in begun), *REFUSALS]
            for awaited, *further in rows:
                if awaited in word.roles and further:
                    begun.append((place, further))
                elif awaited in word.roles:
                    ends.append(word.end)
    return ends


@lru_cache(maxsize=256)  # options are asked about with every reply
def declines(text: str) -> bool:
    """Does a short text say that there is no answer?

    >>> declines("It cannot be determined."), declines("He would need to buy 5.")
    (True, False)
    """
    return bool(refusals(spoken(text)))


def _refused(sentence: Sentence, candidates: list[Candidate]) -> list[Candidate]:
    """With a sentence that refuses; one that states something behind its clause does not."""
    ends = refusals(sentence.words)
    if not ends:
        return candidates
    end = ends[-1]
    for c in candidates:
        in_further_clause = not _CLAUSE_ENDS.isdisjoint(
            sentence.page.masked[end : c.start]
        )
        if in_further_clause or (c.start > end and "behind is" in c.features):
            return candidates
    refusal = Candidate(end, sentence.end, "", frozenset(["refuses"]))
    in_refusal = [
        c._replace(features=c.features | {"in a refusal"}) for c in candidates
    ]
    return [*in_refusal, refusal]


def declared(
    page: Page, read: Callable[[str], str], several: bool = False
) -> Iterator[Candidate]:
    """What is marked, as `read` reads it; what holds nothing is a refusal."""
    for feature, content, start, end in marked(page.text, several):
        answer = read(content) if _WORDY.search(content) else ""
        features = [feature] if answer else [feature, "refuses"]
        yield Candidate(start, end, answer, frozenset(features))
