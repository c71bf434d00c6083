"""What is called an answer, a solution, a question; how replies conclude, choose, deny, decline.

The words of many languages stand in `roles.toml`. Rules join them with `words`, and know no
language themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection
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


def points_elsewhere(answer: str) -> bool:
    """Whether an answer has no value of its own and says where one is to be looked for.

    >>> [points_elsewhere(a) for a in ("见解析", "See the figure.", "如图，AB=5", "略大于3")]
    [True, True, False, False]
    """
    place = r"[^\d=<>$\\,，;；]|(?:(?:图|表|解)\s?|(?i:fig(?:ure|\.)|table|page)\s?)\d"
    match = re.match(rf"(?i)\W*{words('elsewhere')}", answer)
    return match is not None and re.fullmatch(f"(?:{place})*", answer[match.end() :]) is not None


def spoken(text: str, *roles: str) -> list[tuple[str, int, int]]:
    """The words of these roles in a text: role, start and end, in order; the longest at a place.

    Each is looked for by the letters that it begins with: many times as fast as one pattern.

    >>> spoken("The Answer is 5", "so", "answer")
    [('answer', 4, 10)]
    """
    lower = text.lower()
    lower = lower if len(lower) == len(text) else text
    found: list[tuple[int, int, str]] = []
    for stem, role, pattern in _stems(roles):
        start = lower.find(stem)
        while start >= 0:
            if match := pattern.match(lower, start):
                found.append((start, -match.end(), role))
            start = lower.find(stem, start + 1)
    found.sort()
    spoken, position = [], 0
    for start, end, role in found:
        if start >= position:
            position = -end
            spoken.append((role, start, position))
    return spoken


@lru_cache
def _stems(roles: tuple[str, ...]) -> list[tuple[str, str, re.Pattern[str]]]:
    """Each word with the letters that it begins with."""
    found = []
    for role in roles:
        for language, listed in WORDS[role].items():
            whole = "{}" if language in _UNSPACED else r"(?<![^\W_]){}\b"
            for word in listed.split("|"):
                stem = re.match(r"(?:[^\[(?\\](?!\?))*", word)
                assert stem
                assert stem[0], word
                found.append((stem[0], role, re.compile(whole.format(word))))
    return found
