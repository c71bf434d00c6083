"""What a sentence says of a place in it: what declares it, denies, gives reasons, compares."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property, lru_cache
from typing import NamedTuple

from ...words import spoken, words
from .page import FORMULA, Page

MARKS = 24  # words that declare, from the end of a reply
NEAR, LEAD = 60, 120  # characters before a place in which words belong to it


class Mark(NamedTuple):
    """A word behind which something is declared: text[start:end]."""

    kind: str
    start: int
    end: int


@lru_cache(maxsize=4)  # a page is asked twice
def marks_of(text: str) -> tuple[Mark, ...]:
    """The last words that declare, those for answers apart; ####."""
    found = [
        Mark("answer" if role == "declares" else role, start, end)
        for role, start, end in spoken(
            text, "answer", "declares", "result", "so", "choose", "option"
        )
    ]
    if "####" in text:
        found += [Mark("hash", *m.span()) for m in re.finditer("####(?!#)", text)]
    answers = [mark for mark in found if mark.kind in ("answer", "hash")]
    others = [mark for mark in found if mark.kind not in ("answer", "hash")]
    return tuple(sorted(answers[-MARKS:] + others[-MARKS:], key=lambda mark: mark.start))


_LEAD = re.compile(
    rf"(?:[^\w{FORMULA}]|{words('is', 'right', 'leads', 'so', 'option', 'answer', 'correct')})*",
    re.IGNORECASE,
)
_BEFORE = {  # what stands right before a place, and how many characters are looked at
    name: (re.compile(pattern, re.IGNORECASE), length)
    for name, pattern, length in (
        ("counted", r"\bthere(?:'s|\s+(?:\w+\s+){1,3})(?:only|exactly|a total of|about)?\s*$", 40),
        ("behind is", rf"(?:{words('is', 'gives')}|[=≈:：])(?:\W|{words('leads')})*$", NEAR),
        ("compared", rf"{words('compared')}\W*$", 12),
        ("behind a preposition", rf"{words('preposition')}\W*$", 11),
        ("denied", rf"(?:n't|{words('denies')})\W*(?:{words('is', 'leads', 'answer')}\W*)*$", NEAR),
    )
}
_BEHIND = re.compile(
    r"(?P<said>\W*(?:\w+\W+){0,3}?(?:is|are)\s+(?:the|our|my)\s+(?:\w+\s+){0,2}answer)"
    r"|(?P<goes_on>[\s*]*(?:=|≈|\\approx))"
)
_CLAUSES = re.compile(
    rf"(?P<reason>{words('reason')})|(?P<condition>{words('condition')})"
    rf"|(?P<relative>{words('relative')})|(?P<clause>[,，;；:：](?!\d)|\b(?:then|we)\b|则|那么|得)",
    re.IGNORECASE,
)
_OPENS = re.compile(
    rf"\W*(?:(?P<supposed>{words('supposes')})|(?P<corrects>{words('corrects')})\b)", re.IGNORECASE
)
_LABEL = re.compile(r"\W*[^\W\d][^\n:：=.,。，]{0,40}[:：]\W*$")
_WORD = re.compile(r"[A-Za-z]{2,}|[一-鿿]")
_NO_WORDS = ' *_.,$\t|#:)"”’，、✓✔✅'


class Sentence:
    """page.masked[start:end], and the marks that reach into it."""

    def __init__(self, page: Page, number: int, marks: list[Mark]) -> None:
        self.page, self.marks = page, marks
        self.start, self.end = page.sentences[number]
        masked = page.masked
        opens = _OPENS.match(masked, self.start, self.end)
        self.shared = {"supposed"} if opens and opens["supposed"] else set()
        self.corrects = bool(opens and opens["corrects"])
        if masked[self.end : self.end + 1] in ("?", "？"):
            self.shared.add("asked")
        self.line_start = masked.rfind("\n", 0, self.start) + 1
        self.line_end = masked.find("\n", self.end)
        self.line_end = len(masked) if self.line_end < 0 else self.line_end

    @cached_property
    def clauses(self) -> list[tuple[int, str]]:
        found = _CLAUSES.finditer(self.page.masked, self.start, self.end)
        return [(m.start(), m.lastgroup or "") for m in found]

    def labels(self, place: int) -> bool:
        """Does the line label what stands here?"""
        return bool(_LABEL.match(self.page.masked, self.line_start, place))

    def in_brackets(self, place: int) -> bool:
        before = self.page.masked[self.start : place]
        return before.rfind("(") > before.rfind(")")

    def around(self, a: int, b: int, first_end: int) -> set[str]:
        """What is said of the place from a to b, where the first one of the sentence ends."""
        masked = self.page.masked
        rest = masked[b : self.end]
        found = set(self.shared)
        if not rest.strip(_NO_WORDS):
            found.add("ends the sentence")
        elif not _WORD.search(rest) or len(rest.split()) <= 3:
            found.add("nearly ends the sentence")
        if not (masked[self.line_start : a] + masked[b : self.line_end]).strip(_NO_WORDS):
            found.add("alone on its line")
        found |= {name for name in _BEFORE if said_before(name, masked, self.start, a)}
        if behind := _BEHIND.match(rest):
            found.add("is the answer" if behind["said"] else "goes on")
        if "counted" in found:
            found.discard("behind is")
        for start, clause in self.clauses[: bisect_left(self.clauses, (a,))]:
            if clause == "clause":
                found -= {"reason", "condition", "relative", "aside"}
            else:
                found |= {clause, "aside"} if start >= first_end else {clause}
        for mark in self.marks:
            if mark.end <= a:
                close = a - mark.end < LEAD and _LEAD.fullmatch(masked, mark.end, a)
                found.add(mark.kind if close else f"{mark.kind}, further")
        return found


def said_before(name: str, text: str, start: int, place: int) -> bool:
    """Does this stand right before a place in the sentence that starts there?"""
    pattern, length = _BEFORE[name]
    return bool(pattern.search(text, max(start, place - length), place))


def reaches_on(page: Page, mark: Mark, end: int) -> bool:
    """Does a mark declare what the next sentence says: a heading, "the answer is:"?"""
    return bool(_LEAD.fullmatch(page.masked, mark.end, max(end, mark.end)))


def lead_end(page: Page, place: int, end: int) -> int:
    """Behind the words that only lead to a value."""
    lead = _LEAD.match(page.masked, place, end)
    return lead.end() if lead else place
