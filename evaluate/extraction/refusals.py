"""Where a reply says that it cannot answer: its writer, the task or the information is the subject."""

from __future__ import annotations

import re
from functools import lru_cache

from ...words import words

_REFUSES = re.compile(words("refuses"), re.IGNORECASE)


@lru_cache(maxsize=256)  # options are asked about with every reply
def declines(text: str) -> bool:
    """Does a short text say that there is no answer?

    >>> declines("It cannot be determined."), declines("He would need to buy 5.")
    (True, False)
    """
    return bool(_REFUSES.search(text))


def refusals(text: str) -> list[int]:
    """The places of a reply where it refuses."""
    return [match.start() for match in _REFUSES.finditer(text)]
