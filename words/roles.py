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

from .own import own_words

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _joined(words: str | list[str]) -> str:
    return words if isinstance(words, str) else "|".join(words)


WORDS: dict[str, dict[str, str]] = {
    role: {code: _joined(words) for code, words in languages.items()}
    for role, languages in _TABLE.items()
}
# Those whose words are plain, and looked up word by word.
SPOKEN = (
    "answer", "declares", "hash", "result", "so", "choose", "option", "is", "gives", "equates",
    "right", "leads", "correct", "exists", "clause", "pause", "reason", "condition", "relative",
    "supposes", "corrects", "preposition", "compared", "denies", "refuses", "writer", "task",
    "unable", "impossible", "finds", "determined", "lacks", "material", "given", "enough", "short",
    "asks", "sends",
)  # fmt: skip
_UNSPACED = frozenset("zh ja ko th hi bn km lo my".split())
SCHOOL = ("en", "zh")  # the languages of exams that are read
# A word of letters, a number, formulas that signs of private use stand for, punctuation that parts
# clauses or equates; of languages without spaces each character.
_WORD = re.compile(
    r"[A-Za-zÀ-\u052f\u0600-\u06ffḀ-ỿ]+(?:['’][a-z]+)?|\d[\d.,]*(?<=\d)|####(?!#)|[=:,;]"
    r"|[，；：≈]|[\ue000-\uf8ff]+|(?=[^\x00-\x7f])(?:\w|[\u0900-\u0e7f])"
)
# No value, but a number may name a figure or a page.
_NO_VALUE = re.compile(
    r"(?:[^\d=<>$\\,，;；]|(?:(?:图|表|解)\s?|(?i:fig(?:ure|\.)|table|page)\s?)\d)*"
)


def words(*roles: str, languages: Collection[str] = ()) -> str:
    """One group of all words of these roles; words of Latin, Cyrillic and the like stand whole.

    `languages`: only these, where a word means something else in another (解答). Inside of
    `speaking` those of the source are among them.

    >>> import re; re.findall(words("so"), "So it is B. Also, 故选 B")
    ['故']
    """
    spaced: list[str] = []
    unspaced: list[str] = []
    for role in roles:
        for language, alternatives in WORDS[role].items():
            if not languages or language in languages:
                group = unspaced if language in _UNSPACED else spaced
                group.append(alternatives)
        unspaced += own_words(role)
    whole = rf"\b(?:{'|'.join(spaced)})\b" if spaced else r"(?!)"
    return rf"(?:{'|'.join([whole, *unspaced])})"


def said(*roles: str) -> frozenset[str]:
    """The words of roles, in all languages."""
    alternatives = [text for role in roles for text in WORDS[role].values()]
    return frozenset("|".join(alternatives).split("|"))


def plain(*roles: str) -> list[str]:
    """The words of roles, but those that hold another of them."""
    listed = said(*roles)

    def holds_another(word: str) -> bool:
        return any(word != other and other in word for other in listed)

    return sorted(word for word in listed if not holds_another(word))


def points_elsewhere(answer: str) -> bool:
    """Whether an answer has no value of its own and says where one is to be looked for.

    >>> [points_elsewhere(a) for a in ("见解析", "See the figure.", "如图，AB=5", "略大于3")]
    [True, True, False, False]
    """
    match = re.match(rf"(?i)\W*{words('elsewhere')}", answer)
    return match is not None and _NO_VALUE.fullmatch(answer, match.end()) is not None


Roles = frozenset[str]
Phrase = tuple[str, ...]


class Word(msgspec.Struct, gc=False):
    """A word, or several that are said as one: text[start:end], and the roles that it has."""

    start: int
    end: int
    roles: frozenset[str]


def spoken(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words of a stretch of text in order; where one begins with another, the longest.

    >>> [(w.end, sorted(w.roles)) for w in spoken("The Answer should be 5")]
    [(3, ['leads']), (10, ['answer', 'finds']), (20, ['is']), (22, [])]
    """
    stretch = text[start:end]
    lower = stretch.lower()
    if len(lower) == len(stretch):  # some capitals have small forms of two characters
        stretch = lower
    places = [match.span() for match in _WORD.finditer(stretch)]
    tokens = [stretch[begin:stop] for begin, stop in places]
    words: list[Word] = []
    k = 0
    while k < len(tokens):
        roles, phrases = _roles_of(tokens[k])
        length = 1
        for phrase, phrase_roles in phrases:
            if tuple(tokens[k : k + len(phrase)]) == phrase:
                roles = phrase_roles
                length = len(phrase)
                break
        begin = places[k][0]
        stop = places[k + length - 1][1]
        words.append(Word(start + begin, start + stop, roles))
        k += length
    return words


@lru_cache(maxsize=1 << 14)
def _roles_of(word: str) -> tuple[Roles, list[tuple[Phrase, Roles]]]:
    """The roles of a word, and of what several say that begin with it; the longest first."""
    denies = Roles(["denies"] if word.endswith(("n't", "n’t")) else [])
    phrases = {phrase: roles | denies for phrase, roles in _phrases().get(word, ())}
    return phrases.pop((word,), denies), [*phrases.items()]


@cache
def _phrases() -> dict[str, list[tuple[Phrase, Roles]]]:
    """By their first words; the longest first."""
    roles: dict[Phrase, set[str]] = {}
    for role in SPOKEN:
        for words in "|".join(WORDS[role].values()).split("|"):
            roles.setdefault(tuple(_WORD.findall(words)), set()).add(role)
    by_first_word: dict[str, list[tuple[Phrase, Roles]]] = {}
    for phrase in sorted(roles, key=len, reverse=True):
        pair = (phrase, Roles(roles[phrase]))
        by_first_word.setdefault(phrase[0], []).append(pair)
    return by_first_word
