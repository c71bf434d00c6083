"""What is called an answer, a solution, a question; how replies conclude, choose, deny, decline.

The words of many languages stand in `roles.toml`. Rules join them with `words`, and know no
language themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from .data import load

WORDS: dict[str, dict[str, str]] = {
    role: {code: "|".join([said] if isinstance(said, str) else said) for code, said in by.items()}
    for role, by in load("roles").items()
}
_UNSPACED = frozenset("zh ja ko th hi bn".split())
SCHOOL = ("en", "zh")  # the languages of exams that are read


def words(*roles: str, languages: Collection[str] = ()) -> str:
    """One group of all words of these roles; words of Latin, Cyrillic and the like stand whole.

    `languages`: only these, where a word means something else in another (解答).

    >>> import re; re.findall(words("so"), "So it is B. Also, 故选 B")
    ['故']
    """
    spaced: list[str] = []
    unspaced: list[str] = []
    for role in roles:
        for language, listed in WORDS[role].items():
            if not languages or language in languages:
                (unspaced if language in _UNSPACED else spaced).append(listed)
    whole = rf"\b(?:{'|'.join(spaced)})\b" if spaced else r"(?!)"
    return rf"(?:{whole}|{'|'.join(unspaced)})" if unspaced else rf"(?:{whole})"


def spoken(text: str, *roles: str) -> Iterator[tuple[str, int, int]]:
    """The words of these roles in a text: role, start and end, in order.

    >>> list(spoken("The Answer is 5", "so", "answer"))
    [('answer', 4, 10)]
    """
    lower = text.lower()
    lower = lower if len(lower) == len(text) else text
    for match in _scanner(roles).finditer(lower):
        start, end = match.span()
        if lower[start] >= FIRST_UNSPACED or not (start and lower[start - 1].isalnum()):
            yield next(r for r in roles if _role(r).match(lower, start)), start, end


FIRST_UNSPACED = "\u0900"  # the scripts before it part their words


@lru_cache
def _scanner(roles: tuple[str, ...]) -> re.Pattern[str]:
    """Every alternative begins with a letter, so that the search leaps to where one may begin."""
    said: list[str] = []
    for role in roles:
        for language, listed in WORDS[role].items():
            end = "" if language in _UNSPACED else r"\b"
            said += [word + end for word in listed.split("|")]
    return re.compile("|".join(sorted(said, key=len, reverse=True)))


@lru_cache
def _role(role: str) -> re.Pattern[str]:
    return re.compile("|".join(WORDS[role].values()))
