"""What a sentence says of a place in it: what declares it, denies, gives reasons, compares.

A sentence is cut once into words with roles. What stands right before a place is found on one walk
back over them; clauses are told apart on one way forward.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache

from ...words import Word, plain, spoken
from .page import Page

LEAD = 120  # characters before a place in which words belong to it
ASIDES = ("reason", "condition", "relative")
MARKS = frozenset(["answer", "hash", "result", "so", "choose", "option"])
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
_LABEL = re.compile(r"\W*[^\W\d][^\n:：=.,。，]{0,40}[:：]\W*$")
_WORD = re.compile(r"[A-Za-z]{2,}|[一-鿿]")
_HINDERS = plain("hinders")
_NO_WORDS = ' *_.,$\t|#:)"”’，、✓✔✅'


@lru_cache(maxsize=512)
def _effects(roles: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The features that a word makes, and those that reach over it."""
    made = frozenset(name for name, (makes, _) in BEFORE.items() if roles & {*makes.split()})
    kept = frozenset(name for name, (_, keeps) in BEFORE.items() if roles & {*keeps.split()})
    return made, kept


def _walk(
    words: list[Word], place: int, pending: frozenset[str]
) -> tuple[set[str], frozenset[str]]:
    """What words make of a place behind them, and what may be made further up."""
    found: set[str] = set()
    for word in reversed(words):
        if place - word.start > LEAD:
            return found, frozenset()
        made, kept = _effects(word.roles)
        found |= pending & made
        pending &= kept
        if not pending:
            break
    return found, pending


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
    def opened(self) -> set[str]:
        """What the sentence before declares of this one: a heading, "the answer is:"."""
        masked = self.page.masked
        if not self.number or masked[self.start - 1] != "\n":
            return set()
        before = sentence_of(self.page, self.number - 1)
        if masked[before.end] != "\n":
            return set()
        return _walk(before.words, before.end, MARKS)[0]

    @cached_property
    def marks(self) -> list[tuple[int, str]]:
        """What is declared from where on."""
        own = [(w.end, name) for w in self.words for name in _effects(w.roles)[0] & MARKS]
        return [(self.start, name) for name in self.opened] + own

    @cached_property
    def shared(self) -> set[str]:
        """What holds of every place: supposed, asked."""
        asked = self.page.masked[self.end : self.end + 1] in ("?", "？")
        held = {"supposed": self.opens("supposes"), "asked": asked}
        return {name for name, holds in held.items() if holds}

    def opens(self, role: str) -> bool:
        return bool(self.words) and role in self.words[0].roles

    @property
    def hinders(self) -> bool:
        """Does a word stand here without which nothing is refused?"""
        lower = self.page.masked[self.start : self.end].lower()
        return any(map(lower.__contains__, _HINDERS)) and any(
            "hinders" in word.roles for word in self.words
        )

    @cached_property
    def clauses(self) -> list[tuple[int, str]]:
        """Where clauses open, and of what kind."""
        return [
            (word.start, kind)
            for word in self.words
            for kind in ("pause", "clause", *ASIDES)
            if kind in word.roles
        ]

    def labels(self, place: int) -> bool:
        """Does the line label what stands here?"""
        return bool(_LABEL.match(self.page.masked, self.line_start, place))

    def in_brackets(self, place: int) -> bool:
        before = self.page.masked[self.start : place]
        return before.rfind("(") > before.rfind(")")

    def around(self, a: int, b: int, first_end: int) -> set[str]:
        """What is said of the place from a to b, where the first one of the sentence ends."""
        return self.before(a, first_end) | self.behind(a, b)

    def before(self, place: int, first_end: int) -> set[str]:
        k = bisect_right(self.words, place, key=lambda word: word.end)
        if k < len(self.words) and self.words[k].start < place and not self.words[k].roles:
            k += 1  # the 1,5 of a list 1,5,9 stands between, too
        found, pending = _walk(self.words[:k], place, frozenset(BEFORE))
        found |= self.shared | (self.opened & pending)
        said = [mark for end, mark in self.marks if end <= place]
        found |= {f"{mark}, further" for mark in said if mark not in found or said.count(mark) > 1}
        if any("exists" in word.roles for word in self.words[max(0, k - 4) : k]):
            found.add("counted")
            found.discard("behind is")
        for start, kind in self.clauses:
            if start >= place:
                break
            if kind in ("pause", "clause"):
                found -= {*ASIDES, "aside"}
            else:
                found |= {kind, "aside"} if start >= first_end else {kind}
        return found

    def behind(self, a: int, b: int) -> set[str]:
        masked = self.page.masked
        rest, found = masked[b : self.end], set()
        if not rest.strip(_NO_WORDS):
            found.add("ends the sentence")
        elif not _WORD.search(rest) or len(rest.split()) <= 3:
            found.add("nearly ends the sentence")
        if not (masked[self.line_start : a] + masked[b : self.line_end]).strip(_NO_WORDS):
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


def said_before(names: frozenset[str], text: str, place: int) -> set[str]:
    """Which of these features a place in a text has."""
    start = max(0, place - LEAD)
    return _walk(spoken(text, start, place), place, names)[0]
