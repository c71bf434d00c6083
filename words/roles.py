"""What is called an answer, a solution, a question; how replies conclude, choose, deny, decline.

The words of many languages stand in `roles.toml`. Rules join them with `words`, and know no
language themselves.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path

import msgspec

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WORDS: dict[str, dict[str, str]] = {
    role: {
        code: "|".join([said] if isinstance(said, str) else said)
        for code, said in by.items()
    }
    for role, by in _TABLE.items()
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


def said(*roles: str) -> frozenset[str]:
    """The words of roles, in all languages."""
    return frozenset(
        w for role in roles for some in WORDS[role].values() for w in some.split("|")
    )


def plain(*roles: str) -> list[str]:
    """The words of roles, but those that hold another of them."""
    listed = said(*roles)
    return sorted(w for w in listed if not any(w != v and v in w for v in listed))


def points_elsewhere(answer: str) -> bool:
    """Whether an answer has no value of its own and says where one is to be looked for.

    >>> [points_elsewhere(a) for a in ("见解析", "See the figure.", "如图，AB=5", "略大于3")]
    [True, True, False, False]
    """
    place = r"[^\d=<>$\\,，;；]|(?:(?:图|表|解)\s?|(?i:fig(?:ure|\.)|table|page)\s?)\d"
    match = re.match(rf"(?i)\W*{words('elsewhere')}", answer)
    return (
        match is not None
        and re.fullmatch(f"(?:{place})*", answer[match.end() :]) is not None
    )


class Word(msgspec.Struct, gc=False):
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
    [(3, ['leads']), (10, ['answer', 'finds']), (20, ['is']), (22, [])]
    """
    said, lower = text[start:end], text[start:end].lower()
    said = lower if len(lower) == len(said) else said
    places = [match.span() for match in _WORD.finditer(said)]
    names = [said[a:b] for a, b in places]
    found, read = list[Word](), 0
    for k, ((a, b), (roles, phrases)) in enumerate(
        zip(places, map(_said, names), strict=True)
    ):
        if k < read:
            continue
        for phrase, roles_of in phrases:
            if tuple(names[k : k + len(phrase)]) == phrase:
                roles, read = roles_of, k + len(phrase)
                b = places[read - 1][1]
                break
        found.append(Word(start + a, start + b, roles))
    return found


Roles = frozenset[str]
Phrase = tuple[str, ...]


@lru_cache(maxsize=1 << 14)
def _said(word: str) -> tuple[Roles, list[tuple[Phrase, Roles]]]:
    """The roles of a word, and of what several say that begin with it; the longest first."""
    denies = Roles(["denies"] if word.endswith(("n't", "n’t")) else [])
    said = {phrase: roles | denies for phrase, roles in _phrases().get(word, ())}
    return said.pop((word,), denies), [*said.items()]


@cache
def _phrases() -> dict[str, list[tuple[Phrase, Roles]]]:
    """By their first words; the longest first."""
    roles: dict[Phrase, set[str]] = {}
    for role in SPOKEN:
        for phrase in "|".join(WORDS[role].values()).split("|"):
            roles.setdefault(tuple(_WORD.findall(phrase)), set()).add(role)
    found: dict[str, list[tuple[Phrase, Roles]]] = {}
    for said in sorted(roles, key=len, reverse=True):
        found.setdefault(said[0], []).append((said, Roles(roles[said])))
    return found
