"""Sentences read with places: who, which relation, which value; each is held to the figure.

What a reader has decided is covered by its stretch of the text. Words, names and numbers that no
reader covers are left over: nothing proves them, and people are told (`Reading.unread`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...errors import UserError
from ..diagram import Claim, Composition
from .claim import Contradicted, Reader, Scene, Undecided
from .english import P, asks, plain, sentences
from .grammar import OF_ANY_ROLE, OF_PLACES, READERS

# Words that state nothing by themselves, beside those that a reader covers.
NEUTRAL = frozenset(
    "a an the and so that of in on at its their it this with is are as shown figure picture "
    "diagram shows given there here then where which whose point points line lines segment "
    "segments side sides shape let be below above following has have they with corner corners "
    "so both respectively runs opens they number numbers".split()
)
# A part of a sentence up to a comma, a stop, or "and the".
CLAUSE = re.compile(r"(?:(?! and the )[^,;.?]|(?<=\d)[.,](?=\d)|(?<=\d),(?= ?-?\d))+")
WORD = re.compile(rf"(?:{P})+(?![a-z])|-?\d+(?:\.\d+)?|[^\W\d_]+")


class Reading(NamedTuple):
    """What was read of a text: its values, the stretches that are decided, what is not so."""

    text: str
    claims: list[Claim]
    covered: list[tuple[int, int]]
    denials: list[Contradicted]
    starts: list[int]  # where each of the claims begins

    def unread(self) -> list[str]:
        """Clauses with a word, a name or a number that no reader has decided."""
        return [clause for _, clause in self.unread_at()]

    def unread_at(self) -> Iterator[tuple[int, str]]:
        """The same with their places."""
        for start, sentence in _placed(self.text):
            if asks(sentence):
                continue
            for clause in CLAUSE.finditer(sentence):
                at = start + clause.start()
                if self._left(at, clause[0]):
                    yield at, " ".join(clause[0].split())

    def _left(self, at: int, clause: str) -> list[str]:
        """The words of a clause that state something and are not covered."""
        return [
            word[0]
            for word in WORD.finditer(clause)
            if word[0].lower() not in NEUTRAL
            and not any(a <= at + word.start() < b for a, b in self.covered)
        ]


def read(text: str, composition: Composition) -> Reading:
    """Hold each sentence to the figure; values are left to be compared, with their places.

    Raises Contradicted for the first thing that is not so.
    """
    reading = read_whole(text, composition)
    for denial in reading.denials:
        raise denial
    return reading


def read_whole(text: str, composition: Composition) -> Reading:
    """What `read` gives, with everything that is not so beside it."""
    text = plain(text)
    reading = Reading(text, [], [], [], [])
    for start, sentence in _placed(text):
        for reader, match in _matches(sentence):
            at = start + match.start()
            try:
                claims = list(reader(Scene(composition, text, at), match))
            except Undecided:
                continue
            except (ValueError, UserError) as error:
                narrower = getattr(error, "narrower", False)
                what = f"{match[0]!r}: {error}"
                reading.denials.append(Contradicted(what, narrower))
            else:
                reading.claims.extend(claims)
                reading.starts.extend([at] * len(claims))
            reading.covered.append((at, start + match.end()))
    return reading


@lru_cache(maxsize=256)
def _matches(sentence: str) -> tuple[tuple[Reader, re.Match[str]], ...]:
    """What may be read in a sentence: versions of a text have most of them in common."""
    return tuple(
        (reader, match)
        for pattern, reader in READERS
        for match in pattern.finditer(sentence)
    )


def _placed(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence with its place in the text."""
    at = 0
    for sentence in sentences(text):
        at = text.index(sentence, at)
        yield at, sentence
        at += len(sentence)


def has_property(text: str) -> bool | None:
    """Whether a text states a property to be seen (IP), or only what lies where (DI), as far as it
    is read; None where nothing is."""
    readers = {reader for pattern, reader in READERS if pattern.search(plain(text))}
    readers -= OF_ANY_ROLE
    return bool(readers - OF_PLACES) if readers else None
