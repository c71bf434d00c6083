"""What a sentence says of a place in it: what declares it, denies, gives reasons, compares.

A sentence is cut once into words with roles, and read once: behind each word it is known what
reaches a place there. A heading, or "the answer is:", reaches into the next line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import islice
from operator import attrgetter, itemgetter
from typing import NamedTuple

from ...words import Word, spoken, words
from .page import FORMULA, LONGEST, WORD, Page

ASIDES = frozenset(["reason", "condition", "relative"])
MARKS = frozenset(["answer", "hash", "result", "so", "choose", "option"])
CLOSES = frozenset(["pause", "clause"])
NO_FEATURES = frozenset[str]()
HEADING = 80  # characters of the line above that may declare what stands below
COUNTED = 4  # words in front of what is counted, of which one is "there"
NEARLY = 3  # words behind a place that nearly ends its sentence
_SIGNS = "\\+-−"
_SPACED_SIGNS = f"{_SIGNS} \t"
_VERBS = frozenset(["is", "equates", "pause"])
_LEADS = frozenset("is equates right leads so option answer correct pause".split())


class Feature(NamedTuple):
    """The roles of the words that make a feature of a place behind them, and that it reaches over.

    Any other word with a role, and a word without one, ends it.
    """

    makers: frozenset[str]
    bridges: frozenset[str]


def _feature(makers: str, bridges: str) -> Feature:
    return Feature(frozenset(makers.split()), frozenset(bridges.split()))


BEFORE = {
    "behind is": _feature("is gives equates", "leads pause"),
    "denied": _feature("denies", "is leads answer pause"),
    "compared": _feature("compared", "pause"),
    "behind a preposition": _feature("preposition", "pause"),
    **{mark: Feature(frozenset([mark]), _LEADS) for mark in MARKS},
    "answer": Feature(frozenset(["answer", "declares"]), _LEADS),
}
# Behind a value: "5 m is the answer", or a sign with which the computation goes on.
_CALLED = r"\b(?:is|are)\s+(?:(?:the|our|my)\s+(?:\w+\s+){0,2}answer|the\s+one(?=\s+who\b|\W*$))"
CALLED = re.compile(_CALLED)
_BEHIND = re.compile(
    rf"(?P<is_answer>\W*(?:\w+\W+){{0,3}}?{_CALLED})|(?P<goes_on>[\s*]*(?:=|≈|\\approx))"
)
_DISPLACED = re.compile(rf"[^\s\d=]{{0,4}}\s?{words('displaced')}")  # 8 ではなく 9
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
    makes = frozenset(name for name, f in BEFORE.items() if roles & f.makers)
    bridges = frozenset(name for name, f in BEFORE.items() if roles & f.bridges)
    return makes, bridges, makes & MARKS, roles & ASIDES, roles & CLOSES


def reaches(words: Iterable[Word], first: Reach = _NOTHING) -> list[tuple[int, Reach]]:
    """From which place on what reaches, in one way over the words."""
    live, once, twice, asides, since = first
    steps = [(-1, first)]
    for word in words:
        if word.roles:
            place = word.end
            makes, bridges, marks, opens, closes = _effects(word.roles)
            live = makes | (live & bridges)
            twice = twice | (once & marks)
            once = once | marks
            if closes:
                asides = opens
            elif opens:
                asides = asides | opens
            if opens:
                since = word.start
        elif live:  # nothing reaches over it, or into it
            place = word.start + 1
            live = NO_FEATURES
        else:
            continue
        steps.append((place, Reach(live, once, twice, asides, since)))
    return steps


class Sentence:
    """page.masked[start:end]."""

    def __init__(self, page: Page, number: int) -> None:
        self.page = page
        self.number = number
        self.start, self.end = page.sentences[number]
        self.line_start = page.masked.rfind("\n", 0, self.start) + 1
        line_end = page.masked.find("\n", self.end)
        self.line_end = line_end if line_end >= 0 else len(page.masked)

    @cached_property
    def words(self) -> list[Word]:
        end = min(self.end, self.start + LONGEST)
        return spoken(self.page.masked, self.start, end)

    @cached_property
    def reached(self) -> list[tuple[int, Reach]]:
        """From which place on what reaches."""
        marks = self._marks_above()
        return reaches(self.words, Reach(live=marks, once=marks))

    def _marks_above(self) -> frozenset[str]:
        """What the end of the line above declares: a heading, or "The answer is:"."""
        if not self.number:
            return NO_FEATURES
        masked = self.page.masked
        start, end = self.page.sentences[self.number - 1]
        if masked[self.start - 1] != "\n" or masked[end] != "\n":
            return NO_FEATURES
        above = spoken(masked, max(start, end - HEADING), end)
        _, last = reaches(above)[-1]
        return last.live & MARKS

    def reach(self, place: int) -> Reach:
        """What reaches a place, or the formula in which it is."""
        sign = self.page.masked[place : place + 1]
        if sign in FORMULA:
            place = len(self.page.masked[:place].rstrip(sign))
        step = bisect_right(self.reached, place, key=itemgetter(0)) - 1
        return self.reached[step][1]

    @property
    def marks(self) -> frozenset[str]:
        """What is declared somewhere in the sentence, or above it."""
        return self.reached[-1][1].once

    def marked(self, *names: str) -> list[int]:
        """The places behind the words that declare so, and the start where the line above does."""
        return [
            place for place, marks in self._declaring if not marks.isdisjoint(names)
        ]

    @cached_property
    def _declaring(self) -> list[tuple[int, frozenset[str]]]:
        """The places behind words that declare, with how they do."""
        _, first = self.reached[0]
        places = [(self.start, first.live)] if first.live else []
        for word in self.words:
            if word.roles:
                _, _, marks, _, _ = _effects(word.roles)
                if marks:
                    places.append((word.end, marks))
        return places

    def opens(self, role: str) -> bool:
        return bool(self.words) and role in self.words[0].roles

    @cached_property
    def roles(self) -> frozenset[str]:
        """Of all its words."""
        return NO_FEATURES.union(*{word.roles for word in self.words})

    def in_brackets(self, place: int) -> bool:
        before = self.page.masked[self.start : place]
        return before.rfind("(") > before.rfind(")")

    def around(self, start: int, end: int, first_end: int) -> set[str]:
        """What is said of a place, where the first place of the sentence ends at `first_end`."""
        return self._before(start, first_end) | self._behind(start, end)

    def _before(self, place: int, first_end: int) -> set[str]:
        """What the words before a place say of it."""
        live, once, twice, asides, since = self.reach(place)
        features = {*live, *asides}
        features |= {f"{mark}, further" for mark in twice | (once - live)}
        if self.opens("supposes"):
            features.add("supposed")
        if "exists" in self.roles and self._is_counted(place):
            features.discard("behind is")
            features.add("counted")
        if place < first_end and "behind is" in features and self.opens("corrects"):
            features.add("correction")
        if asides and since >= first_end:
            features.add("aside")
        return features

    def _is_counted(self, place: int) -> bool:
        """There are at most 5."""
        behind = bisect_right(self.words, place, key=attrgetter("end"))
        near = self.words[max(0, behind - COUNTED) : behind]
        return any("exists" in word.roles for word in near)

    def _behind(self, start: int, end: int) -> set[str]:
        """What stands behind a place, and on its line."""
        features = set[str]()
        masked = self.page.masked
        if masked[self.end : self.end + 1] in ("?", "？"):
            features.add("asked")
        rest = masked[end : self.end]
        if not rest.strip(_NO_WORDS):
            features.add("ends the sentence")
        elif not WORD.search(rest) or len(rest.split()) <= NEARLY:
            features.add("nearly ends the sentence")
        beside = masked[self.line_start : start] + masked[end : self.line_end]
        if not beside.strip(_NO_WORDS):
            features.add("alone on its line")
        if behind := _BEHIND.match(rest):
            features.add("is the answer" if behind["is_answer"] else "goes on")
        if _DISPLACED.match(rest):
            features.add("denied")
        return features

    def _is_verb(self, place: int) -> bool:
        """Does a verb, a colon or a mark end here? A dash behind anything else is a dash."""
        behind = bisect_right(self.words, place, key=attrgetter("end")) - 1
        if behind < 0 or self.words[behind].end != place:
            return place == self.start
        return not self.words[behind].roles.isdisjoint(_VERBS | {"hash", "gives"})

    def leads_from(self, place: int) -> int:
        r"""Behind the words that only lead to a value; signs in front (`-\pi`) are its own."""
        verb = place
        behind = bisect_left(self.words, place, key=attrgetter("start"))
        for word in islice(self.words, behind, None):
            if word.roles.isdisjoint(_LEADS):
                between = self.page.masked[place : word.start]
                signs = _SPACED_SIGNS if self._is_verb(place) else _SIGNS
                return place + len(between.rstrip(signs))
            place = word.end
            if word.roles & _VERBS:
                verb = word.end
        # "The answer is: True": a word that leads to nothing is the value
        return place if self.page.masked[place : self.end].strip(_NO_WORDS) else verb


def sentence_of(page: Page, number: int) -> Sentence:
    """The sentence, cut once."""
    if number not in page.cut:
        page.cut[number] = Sentence(page, number)
    sentence: Sentence = page.cut[number]
    return sentence
