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
STATED, DECLARED = 8.4, 10.0  # what weighs more stands never further up
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


class Candidate(NamedTuple):
    """text[start:end] may be the answer `said`; `features` say why."""

    start: int
    end: int
    said: str
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
        return dict.fromkeys(self.features, 1.0) | {
            name: n for name, n in behind.items() if n
        }

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
    table, measured = (
        weights(),
        Candidate(0, 0, "", features, later, overtaken).measured,
    )
    return fsum(
        [table["any"], *(table.get(name, 0.0) * n for name, n in measured.items())]
    )


@lru_cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def weights() -> dict[str, float]:
    """What each feature counts."""
    return _table()["weights"]


def scanned(
    page: Page,
    find: Callable[[Sentence], Iterable[Candidate]],
    marked: Iterable[Candidate],
    whole: bool = False,
) -> list[Candidate]:
    """What `find` finds in the sentences of a page, and what is marked, from the last one on.

    As far as something may weigh more than what stands behind it; all of it where `whole`.
    """
    explicit = list(marked)
    broken = ["breaks off"] if _BREAKS_OFF.search(page.text[-20:]) else []
    alone = [] if WORD.search(page.masked) else ["whole"]
    found: list[Candidate] = []
    stated = declared = 0
    best = 0.0
    for number in range(len(page.sentences) - 1, -1, -1):
        sentence = sentence_of(page, number)
        here = [
            c
            for c in find(sentence)
            if not any(c.start < box.end and box.start < c.end for box in explicit)
        ]
        if here or stated < REFUSED:
            here = _refused(sentence, here)
        here += [box for box in explicit if page.sentence_at(box.end - 1) == number]
        says = sorted(
            c.start
            for c in here
            if c.features & EXPLICIT and not c.features & TAKEN_BACK
        )
        for c in here:
            features = c.features.union(alone, [] if c.features & EXPLICIT else broken)
            overtaken = declared + len(says) - bisect_right(says, c.start)
            found.append(Candidate(c.start, c.end, c.said, features, stated, overtaken))
            best = max(best, found[-1].weight)
        declared += len(says)
        stated += any(not c.features & MENTIONED for c in here)
        if not whole and _decided(
            best, page, sentence.start, explicit, stated, declared
        ):
            break
    return sorted(found)


_BREAKS_OFF = re.compile(r"(?:[=+×÷(（<≤≥]|(?<=\s)>)\s*(?:\$|\\[)\]])?\s*\Z")
_CLAUSE_ENDS = frozenset(",，:：;；")


def _decided(
    best: float,
    page: Page,
    place: int,
    marked: list[Candidate],
    stated: int,
    declared: int,
) -> bool:
    """May nothing in front of a place weigh more, behind which so much is stated and declared?"""
    table, declared = weights(), min(declared, MOST_OVERTAKEN)
    if page.first_declared < place or any(box.end <= place for box in marked):
        return best >= DECLARED + table["overtaken, declared"] * declared
    behind = log2(1 + min(stated, FARTHEST))
    return best >= STATED + table["later"] * behind + table["overtaken"] * declared


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


def refusals(words: Iterable[Word]) -> list[int]:
    """The ends of what says that the writer, the task or the information allows no answer."""
    found: list[int] = []
    open_rows: list[
        tuple[int, list[str]]
    ] = []  # where the last word stands, and what is to come
    for k, word in enumerate(words):
        if "pause" in word.roles:
            open_rows = []
        elif not word.roles.isdisjoint(REFUSING):
            open_rows = [(at, row) for at, row in open_rows if k - at <= NEAR]
            for row in [*(row for _, row in open_rows), *REFUSALS]:
                if row[0] in word.roles:
                    if row[1:]:
                        open_rows.append((k, row[1:]))
                    else:
                        found.append(word.end)
    return found


@lru_cache(maxsize=256)  # options are asked about with every reply
def declines(text: str) -> bool:
    """Does a short text say that there is no answer?

    >>> declines("It cannot be determined."), declines("He would need to buy 5.")
    (True, False)
    """
    return bool(refusals(spoken(text)))


def _refused(sentence: Sentence, found: list[Candidate]) -> list[Candidate]:
    """With a sentence that refuses; one that states something behind its clause does not."""
    ends = refusals(sentence.words)
    if not ends:
        return found
    masked = sentence.page.masked
    if any(
        not _CLAUSE_ENDS.isdisjoint(masked[ends[-1] : c.start])
        or (c.start > ends[-1] and "behind is" in c.features)
        for c in found
    ):
        return found
    return [
        *(c._replace(features=c.features | {"in a refusal"}) for c in found),
        Candidate(ends[-1], sentence.end, "", frozenset(["refuses"])),
    ]


def declared(
    page: Page, read: Callable[[str], str], several: bool = False
) -> Iterator[Candidate]:
    """What is marked, as `read` reads it; what holds nothing is a refusal."""
    for feature, content, start, end in marked(page.text, several):
        said = read(content) if re.search(r"\w", content) else ""
        yield Candidate(
            start, end, said, frozenset([feature] if said else [feature, "refuses"])
        )
