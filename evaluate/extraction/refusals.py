"""Where a reply refuses: with its writer, the task or the information as the subject."""

from __future__ import annotations

import re
from functools import lru_cache

from ...words import spoken, words
from .page import Page

_REFUSES = re.compile(words("refuses"), re.IGNORECASE)


@lru_cache(maxsize=256)  # options are asked about with every reply
def declines(text: str) -> bool:
    """Does a short text say that there is no answer?

    >>> declines("It cannot be determined."), declines("He would need to buy 5.")
    (True, False)
    """
    return bool(_REFUSES.search(text))


def refusals(page: Page, since: int = 0) -> dict[int, int]:
    """The sentences, from a number on, in which a reply refuses, and where it has said so."""
    offset = page.sentences[since][0] if page.sentences else 0
    hinders = spoken(page.masked[offset:], "hinders")
    found: dict[int, int] = {}
    for number in {page.sentence_at(offset + start) for _, start, _ in hinders}:
        if said := [m.end() for m in _REFUSES.finditer(page.masked, *page.sentences[number])]:
            found[number] = said[-1]
    return found
