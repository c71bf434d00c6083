"""What a problem says, as far as two tellings of it can be compared."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction

import msgspec

from .bounds import Bounds, bounds
from .figures import UNITS, Number, Ratio, denied, figures, ratios, two_by_two
from .phrases import Phrases, Things, by_kind, inside, phrases
from .quantities import quantities
from .question import asking, sought
from .relations import Relation, compared, differences, relations, taken
from .words import Known, settled

_LETTERS = re.compile(
    r"(?P<formula>[\ue000-\uf8ff])|∠\d"  # a formula is one character of the private area
    r"|(?<![A-Za-z])(?!I(?![A-Za-z]))[A-Z]{1,4}(?:'+|_?\d)?(?![A-Za-z'])"
)
_ARTICLE = re.compile(r"(?:^|[.?!:;]\s+|\n\s*|[\"“]\s*)(?P<article>A) (?!and\b|to\b|or\b)[a-z]")
_FINITE = re.compile(r" (?:must|may|can|will|does|did|has|was|is|[a-z]*[^su\W]s)\b")
_WEAK = frozenset({"generic", "strict", "negation", "quantifier", "possibility", "truth"})


class Reading(msgspec.Struct, frozen=True):
    """The words of a text, its numbers and relations, and what it asks for.

    `anchors` are words, letters and formulas that others can stand with; `pairs` numbers that are
    alone with one another in a part of a sentence; `sought` is what the question counts.
    """

    text: str
    words: tuple[Known, ...]
    anchors: tuple[Known, ...]
    numbers: tuple[Number, ...]
    relations: tuple[Relation, ...]
    ratios: tuple[Ratio, ...]
    pairs: frozenset[frozenset[Fraction]]
    bounds: Bounds
    differences: frozenset[Fraction]
    taken: frozenset[Fraction]
    question: str
    wanted: Things
    sought: frozenset[str]
    denied: bool  # does a negation stand in the question?
    items: tuple[int, ...]  # where clauses, and items of lists, end

    def clause(self, place: int) -> int:
        """The number of the clause at a place."""
        return bisect_right(self.items, place)


def read(text: str, other: str) -> Reading:
    """What `text` says; words of several meanings are taken as `other` takes them.

    >>> reading = read("红球有3个，白球有5个，红球的2倍是多少？", "")
    >>> [(str(n.value), sorted(n.company["colour"])) for n in reading.numbers]
    [('3', ['red']), ('5', ['white']), ('2', ['red'])]
    >>> sorted(reading.numbers[2].operand["colour"]), reading.wanted["colour"]
    (['red'], {'red'})
    """
    comparing = compared(text)
    words = [w for w in settled(text, other) if w.kind != "size" or w.start not in comparing]
    anchors = sorted([*(w for w in words if w.kind not in _WEAK), *_names(text)], key=_start)
    found = phrases(text, quantities(text))
    spans = list(asking(text))
    related = tuple(relations(found, anchors))
    return Reading(
        text,
        tuple(words),
        tuple(anchors),
        tuple(figures(found, words, anchors)),
        related,
        tuple(ratios(found, anchors)),
        frozenset(two_by_two(found)),
        bounds(found),
        differences(found, related),
        taken(found, related),
        " ".join(text[start:end] for start, end in spans),
        by_kind(a for span in spans for a in inside(anchors, *span) if not _measures(a, found)),
        sought(text, anchors),
        any(denied(words, *span) for span in spans),
        found.items,
    )


def _start(word: Known) -> int:
    return word.start


def _measures(word: Known, found: Phrases) -> bool:
    """Is it the unit of a number, and not what is asked for?"""
    return word.kind in UNITS and any(
        q.end <= word.start <= q.end + 1 for q in found.numbers_between(word.start - 24, word.start)
    )


def _names(text: str) -> Iterator[Known]:
    """Names of points and formulas; "A" is an article where it starts a sentence."""
    named = bool(re.search(r"\bB\b", text))
    articles = {
        m.start("article")
        for m in _ARTICLE.finditer(text)
        if not (named and _FINITE.match(text, m.end("article")))
    }
    for m in _LETTERS.finditer(text):
        if m.start() not in articles:
            yield Known("formula" if m["formula"] else "letter", m[0], m.start(), m.end())
