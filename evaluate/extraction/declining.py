"""Replies that say that they cannot answer."""

from __future__ import annotations

import re
from functools import lru_cache

from ...words import words

_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_DECLINES = re.compile(words("decline"), re.IGNORECASE)


@lru_cache(maxsize=256)  # options are asked about with every reply
def declines(text: str) -> bool:
    """Does a reply say, where it opens or closes, that it cannot answer?

    >>> declines("I'm sorry, but I cannot see the image."), declines("It is 5.")
    (True, False)
    """
    opening, closing = text.lstrip()[:300], text.rstrip()[-400:]
    return bool(_DECLINES.search(opening) or _DECLINES.search(closing))


def after_declining(text: str) -> str:
    """What a reply says behind the last sentence in which it cannot answer.

    >>> after_declining("I cannot see it. If it is a square, it is B.")
    ' If it is a square, it is B.'
    """
    said = list(_DECLINES.finditer(text))
    if not said:
        return text
    end = _SENTENCE_END.search(text, said[-1].end())
    return text[end.end() :] if end else ""
