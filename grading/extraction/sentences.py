"""What a sentence says of a place in it: what declares it, denies, gives reasons, compares.

A sentence is cut once into words with roles, and read once: behind each word it is known what
reaches a place there. A heading, or "the answer is:", reaches into the next line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property, lru_cache
from operator import attrgetter, itemgetter
from typing import NamedTuple

from ...words import Word, spoken
from .page import FORMULA, WORD, Page

ASIDES = frozenset(["reason", "condition", "relative"])
MARKS = frozenset(["answer", "hash", "result", "so", "choose", "option"])
CLOSES = frozenset(["pause", "clause"])
NO_FEATURES = frozenset[str]()
HEADING = 80  # characters of the line above that may declare what stands below
COUNTED = 4  # words in front of what is counted, of which one is "there"
_LEADS = "is equates right leads so option answer correct pause"
BEFORE = {  # the words that make a feature of a place behind them, and those it reaches over
    "behind is": ("is gives equates", "leads pause"),
    "denied": ("denies", "is leads answer pause"),
    "compared": ("compared", "pause"),
    "behind a preposition": ("preposition", "pause"),
    "answer": ("answer declares", _LEADS),
    **{mark: (mark, _LEADS) for mark in MARKS if mark != "answer"},
}
_BEHIND = re.compile(
    r"(?P<said>\W*(?:\w+\W+){0,3}?(?:is|are)\s+(?:the|our|my)\s+(?:\w+\s+){0,2}answer)"
    r"|(?P<goes_on>[\s*]*(?:=|≈|\\approx))"
)
_NO_WORDS = ' *_.,$\t|#:)"”’，、✓✔✅'


class Reach(NamedTuple):
    """What reaches a place: features; marks said so far, once and more than once; asides."""

    live: frozenset[str] = NO_FEATURES
    once: frozenset[str] = NO_FEATURES
    twice: frozenset[str] = NO_FEATURES
    asides: frozenset[str] = NO_FEATURES
    since: int = -1  # where the last aside opened


_NOTHING = Reach()


@lru_cache(maxsize=512)
def _effects(roles: frozenset[str]) -> tuple[frozenset[str], ...]:
    """The features that a word makes, those that reach over it, marks; asides it opens, closes."""
    made = frozenset(
        name for name, (makes, _) in BEFORE.items() if roles & {*makes.split()}
    )
    kept = frozenset(
        name for name, (_, keeps) in BEFORE.items() if roles & {*keeps.split()}
    )
    return made, kept, made & MARKS, roles & ASIDES, roles & CLOSES


def read(words: Iterable[Word], now: Reach = _NOTHING) -> list[tuple[int, Reach]]:
    """From which place on what reaches, in one way over the words."""
    live, once, twice, asides, since = now
    found = [(-1, now)]
    for word in words:
        place = word.end
        if word.roles:
            made, kept, marks, opened, closed = _effects(word.roles)
            live, once, twice = made | live & kept, once | marks, twice | once & marks
            if opened or closed:
                asides = opened if closed else asides | opened
                since = word.start if opened else since
        elif live:  # nothing reaches over it, or into it
            live, place = NO_FEATURES, word.start + 1
        else:
            continue
        found.append((place, Reach(live, once, twice, asides, since)))
    return found


class Sentence:
    """page.masked[start:end]."""

    def __init__(self, page: Page, number: int) -> None:
        self.page, self.number = page, number
        self.start, self.end = page.sentences[number]
        self.line_start = page.masked.rfind("\n", 0, self.start) + 1
        self.line_end = page.masked.find("\n", self.end)
        self.line_end = len(page.masked) if self.line_end < 0 else self.line_end

    @cached_property
    def words(self) -> list[Word]:
        return spoken(self.page.masked, self.start, self.end)

    @cached_property
    def reached(self) -> list[tuple[int, Reach]]:
        """From which place on what reaches."""
        opened, masked = NO_FEATURES, self.page.masked
        start, end = self.page.sentences[max(0, self.number - 1)]
        if self.number and masked[self.start - 1] == masked[end] == "\n":
            above = spoken(masked, max(start, end - HEADING), end)
            opened = read(above)[-1][1].live & MARKS
        return read(self.words, Reach(opened, opened))

    def reach(self, place: int) -> Reach:
        """What reaches a place, or the formula in which it is."""
        sign = self.page.masked[place : place + 1]
        if sign in FORMULA:
            place = len(self.page.masked[:place].rstrip(sign))
        return self.reached[bisect_right(self.reached, place, key=itemgetter(0)) - 1][1]

    @property
    def marks(self) -> frozenset[str]:
        """What is declared somewhere in the sentence, or above it."""
        return self.reached[-1][1].once

    def marked(self, *names: str) -> list[int]:
        """The places behind the words that declare so, and the start where the line above does."""
        above = [] if self.reached[0][1].live.isdisjoint(names) else [self.start]
        return above + [
            w.end for w in self.words if not _effects(w.roles)[2].isdisjoint(names)
        ]

    def opens(self, role: str) -> bool:
        return bool(self.words) and role in self.words[0].roles

    @cached_property
    def roles(self) -> frozenset[str]:
        """Of all its words."""
        return NO_FEATURES.union(*{word.roles for word in self.words})

    def in_brackets(self, place: int) -> bool:
        before = self.page.masked[self.start : place]
        return before.rfind("(") > before.rfind(")")

    def around(self, a: int, b: int, first_end: int) -> set[str]:
        """What is said of the place from a to b, where the first one of the sentence ends."""
        live, once, twice, asides, since = self.reach(a)
        found = {*live, *asides}
        if self.opens("supposes"):
            found.add("supposed")
        if self.page.masked[self.end : self.end + 1] in ("?", "？"):
            found.add("asked")
        found |= {
            f"{mark}, further" for mark in once if mark not in live or mark in twice
        }
        if "exists" in self.roles:  # there are at most 5
            k = bisect_right(self.words, a, key=attrgetter("end"))
            if any(
                "exists" in word.roles for word in self.words[max(0, k - COUNTED) : k]
            ):
                found = found - {"behind is"} | {"counted"}
        if a < first_end and "behind is" in found and self.opens("corrects"):
            found.add("correction")
        if asides and since >= first_end:
            found.add("aside")
        masked = self.page.masked
        rest = masked[b : self.end]
        if not rest.strip(_NO_WORDS):
            found.add("ends the sentence")
        elif not WORD.search(rest) or len(rest.split()) <= 3:
            found.add("nearly ends the sentence")
        if not (masked[self.line_start : a] + masked[b : self.line_end]).strip(
            _NO_WORDS
        ):
            found.add("alone on its line")
        if behind := _BEHIND.match(rest):
            found.add("is the answer" if behind["said"] else "goes on")
        return found

    def leads_from(self, place: int) -> int:
        r"""Behind the words that only lead to a value; signs in front (`-\pi`) are its own."""
        for word in self.words:
            if word.start >= place:
                if word.roles.isdisjoint(_LEADS.split()):
                    between = self.page.masked[place : word.start]
                    return word.start - len(between) + len(between.rstrip("\\+-−"))
                place = word.end
        return place


def sentence_of(page: Page, number: int) -> Sentence:
    """The sentence, cut once."""
    if number not in page.cut:
        page.cut[number] = Sentence(page, number)
    found: Sentence = page.cut[number]
    return found
