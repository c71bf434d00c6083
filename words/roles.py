"""What is called an answer, a solution, a question; how replies conclude, choose, deny, decline.

The words of many languages stand in `roles.toml`. Rules join them with `words`, and know no
language themselves.
"""

from __future__ import annotations

from collections.abc import Collection

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
