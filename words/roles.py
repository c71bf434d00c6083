"""What is called an answer, a solution, a question; how replies conclude, choose, deny, decline.

The words of many languages stand in `roles.toml`. Rules join them with `words`, and know no
language themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from .data import load

WORDS: dict[str, dict[str, str]] = {
    role: {code: "|".join([said] if isinstance(said, str) else said) for code, said in by.items()}
    for role, by in load("roles").items()
}
# Those whose words are plain, and looked up word by word.
SPOKEN = (
    "answer", "declares", "hash", "result", "so", "choose", "option", "is", "gives", "equates",
    "right", "leads", "correct", "exists", "clause", "pause", "reason", "condition", "relative",
    "supposes", "corrects", "preposition", "compared", "denies", "refuses", "writer", "task",
    "unable", "impossible", "finds", "determined", "lacks", "material", "given", "enough", "short",
    "asks", "sends",
)  # fmt: skip
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


def plain(*roles: str) -> list[str]:
    """The words of roles, but those that hold another of them."""
    listed = {w for role in roles for said in WORDS[role].values() for w in said.split("|")}
    return sorted(w for w in listed if not any(w != v and v in w for v in listed))


def points_elsewhere(answer: str) -> bool:
    """Whether an answer has no value of its own and says where one is to be looked for.

    >>> [points_elsewhere(a) for a in ("见解析", "See the figure.", "如图，AB=5", "略大于3")]
    [True, True, False, False]
    """
    place = r"[^\d=<>$\\,，;；]|(?:(?:图|表|解)\s?|(?i:fig(?:ure|\.)|table|page)\s?)\d"
    match = re.match(rf"(?i)\W*{words('elsewhere')}", answer)
    return match is not None and re.fullmatch(f"(?:{place})*", answer[match.end() :]) is not None


class Word(NamedTuple):
    """A word, or several that are said as one: text[start:end], and the roles that it has."""

    start: int
    end: int
    roles: frozenset[str]


# A word of letters, a number, formulas that signs of private use stand for, punctuation that parts
# clauses or equates; of languages without spaces each character.
_WORD = re.compile(
    r"[A-Za-zÀ-\u052f\u0600-\u06ffḀ-ỿ]+(?:['’][a-z]+)?|\d[\d.,]*(?<=\d)|####(?!#)|[=:,;]"
    r"|[，；：≈]|[\ue000-\uf8ff]+|(?=[^\x00-\x7f])(?:\w|[\u0900-\u0e7f])"
)


def spoken(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words of a stretch of text in order; where one begins with another, the longest.

    >>> [(w.end, sorted(w.roles)) for w in spoken("The Answer should be 5")]
    [(3, ['leads']), (10, ['answer']), (20, ['is']), (22, [])]
    """
    lower = text[start:end].lower()
    lower = lower if len(lower) == len(text[start:end]) else text[start:end]
    places = [match.span() for match in _WORD.finditer(lower)]
    names = [lower[a:b] for a, b in places]
    known, found, k = _phrases(), [], 0
    while k < len(names):
        name, (a, b) = names[k], places[k]
        k += 1
        roles = _DENIES if name[-1] == "t" and name.endswith(_NOT) else _NONE
        if name in known:
            for rest, roles_of in known[name]:
                if not rest or tuple(names[k : k + len(rest)]) == rest:
                    roles |= roles_of
                    k += len(rest)
                    b = places[k - 1][1]
                    break
        found.append(Word(start + a, start + b, roles))
    return found


_NOT = "n't", "n’t"
_NONE, _DENIES = frozenset[str](), frozenset(["denies"])


@lru_cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], frozenset[str]]]]:
    """By their first word: what follows it, and the roles of it all; the longest first."""
    roles: dict[tuple[str, ...], set[str]] = {}
    for role in SPOKEN:
        for listed in WORDS[role].values():
            for phrase in listed.split("|"):
                said = tuple(m[0] for m in _WORD.finditer(phrase))
                roles.setdefault(said, set()).add(role)
    found: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}
    for said in sorted(roles, key=len, reverse=True):
        found.setdefault(said[0], []).append((said[1:], frozenset(roles[said])))
    return found
