"""Sentences read with places: who, which relation, which value; each is held to the figure.

What a reader has decided is covered by its stretch of the text. Words, names and numbers that no
reader covers are left over: nothing proves them, and people are told (`Reading.unread`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    "so both respectively runs opens".split()
)
# A part of a sentence up to a comma, a stop, or "and the".
CLAUSE = re.compile(r"(?:(?! and the )[^,;.?]|(?<=\d)[.,](?=\d)|(?<=\d),(?= ?-?\d))+")
WORD = re.compile(rf"(?:{P})+(?![a-z])|-?\d+(?:\.\d+)?|[^\W\d_]+")


class Reading(NamedTuple):
    """What was read of a text: its values, and the stretches that are decided."""

    text: str
    claims: list[Claim]
    covered: list[tuple[int, int]]

    def unread(self) -> list[str]:
        """Clauses with a word, a name or a number that no reader has decided."""
        clauses = []
        for start, sentence in _placed(self.text):
            if asks(sentence):
                continue
            for clause in CLAUSE.finditer(sentence):
                at = start + clause.start()
                if self._left(at, clause[0]):
                    clauses.append(" ".join(clause[0].split()))
        return clauses

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
    text = plain(text)
    reading = Reading(text, [], [])
    for start, sentence in _placed(text):
        for pattern, reader in READERS:
            for match in pattern.finditer(sentence):
                scene = Scene(composition, text, start + match.start())
                claims = _held(scene, reader, match)
                if claims is not None:
                    reading.claims.extend(claims)
                    span = (start + match.start(), start + match.end())
                    reading.covered.append(span)
    return reading


def _placed(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence with its place in the text."""
    at = 0
    for sentence in sentences(text):
        at = text.index(sentence, at)
        yield at, sentence
        at += len(sentence)


def _held(scene: Scene, reader: Reader, match: re.Match[str]) -> list[Claim] | None:
    """The values of what one reader decided; None where it could not."""
    try:
        return list(reader(scene, match))
    except Undecided:
        return None
    except Contradicted as error:
        raise Contradicted(f"{match[0]!r}: {error}", error.narrower) from error
    except (ValueError, UserError) as error:
        raise Contradicted(f"{match[0]!r}: {error}") from error


def has_property(text: str) -> bool | None:
    """Whether a text states a property to be seen (IP), or only what lies where (DI), as far as it
    is read; None where nothing is."""
    readers = {reader for pattern, reader in READERS if pattern.search(plain(text))}
    readers -= OF_ANY_ROLE
    return bool(readers - OF_PLACES) if readers else None
