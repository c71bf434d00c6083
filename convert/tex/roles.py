r"""What a label says of the text behind it: a problem, its solution, its answer, a hint, points.

Labels are words of a document ("Lösung 3."), and names of commands and environments (`\soln`,
`exercisebox`, `loigiai`): a name says a role when it is a role's word, holds one, or begins as one
and goes on with some of its letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

from ...words import HAN_ORDER, WORDS, layered, own_name, own_words, words

Role = Literal["problem", "solution", "answer", "hint", "points"]
ROLES: tuple[Role, ...] = ("solution", "answer", "hint", "points", "problem")
# Languages of the packages whose commands shorten their words (`\\sol`, `\\exo`, `\\aufg`); the
# beginnings of all words there are would say a role of any name.
ABBREVIATED = tuple("en de fr es pt it ru uk pl cs nl tr vi id".split())
NUMERAL = rf"(?:[0-9]{{1,4}}|[IVXLC]{{1,6}}|[A-Z]|[{HAN_ORDER}]{{1,3}})"


def _spelt(role: str) -> str:
    return words(role, *(["working"] if role == "solution" else []))


@layered
def _labels() -> dict[Role, re.Pattern[str]]:
    return {role: _label(_spelt(role)) for role in ROLES}


@layered
def _own_labels() -> dict[Role, re.Pattern[str]]:
    """Those of the source, which come before all others."""
    own = {role: "|".join(own_words(role)) for role in ROLES}
    return {role: _label(spelt) for role, spelt in own.items() if spelt}


def _label(spelt: str) -> re.Pattern[str]:
    return re.compile(
        rf"[\s\W]*(?:{spelt})(?:\s+(?:to|of|key|sketch|zu|de)\b.*)?[\s#№.:]*"
        rf"(?:(?:{NUMERAL}|[a-z])(?:[.\-]\d+)*)?(?:\s*[(（\[][^()（）\[\]]*[)）\]])?[\s\W]*",
        re.IGNORECASE | re.DOTALL,
    )


# names that no word explains, of packages that are in use
_OWN: dict[str, Role] = {
    "analysis": "solution", "explain": "solution", "shortans": "answer",
}  # fmt: skip


def of_label(text: str) -> Role | None:
    """The role of words that stand alone.

    >>> of_label("Solution 3."), of_label("【解析】"), of_label("The solution set")
    ('solution', 'solution', None)
    """
    if not 0 < len(text.strip()) <= 60:
        return None
    tables = (_own_labels(), _labels())
    labels = (pair for table in tables for pair in table.items())
    return next((role for role, label in labels if label.fullmatch(text)), None)


def of_name(name: str) -> Role | None:
    r"""The role that the name of a command or environment says.

    >>> [of_name(name) for name in ("soln", "loigiai", "exercisebox", "solid", "MyProblem")]
    ['solution', 'solution', 'problem', None, 'problem']
    """
    if (own := own_name(name)) is not None:
        return next((role for role in ROLES if role == own.role), None)
    return _by_words(name)


@cache
def _by_words(name: str) -> Role | None:
    """The role that a name says by the words of all languages."""
    if known := _OWN.get(name.rstrip("*")):
        return known
    pieces = [_plain(p) for p in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[^\x00-\x7f]+", name)]
    whole = "".join(pieces)
    for role in ROLES:
        for word in _words(role):
            is_framed = whole.removesuffix("box").removesuffix("env") == word
            if is_framed or word in pieces or (len(word) > 4 and word in whole):
                return role
    for role in ROLES:
        long = (word for word in _words(role, ABBREVIATED) if len(word) > 4)
        if any(_abbreviates(whole, word) for word in long):
            return role
    return None


def of_definition(text: str) -> Role | None:
    """The role that the words of a definition say, as `\\textbf{Lösung.}` in it."""
    places = [
        (match.start(), role)
        for role in ROLES
        if (match := re.search(words(role), text, re.IGNORECASE))
    ]
    return min(places)[1] if places else None


def _abbreviates(name: str, word: str) -> bool:
    """Three letters of the word, and then one or two of those that follow, in their order."""
    if not 3 <= len(name) <= 5 or not word.startswith(name[:3]):
        return False
    letters = iter(word[3:])
    return all(letter in letters for letter in name[3:])


@cache
def _words(role: Role, languages: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A role's words as names spell them: without accents and blanks, ö as o and as oe."""
    spellings: list[str] = []
    tables = [WORDS[role], *([WORDS["working"]] if role == "solution" else [])]
    alternatives = [
        words
        for table in tables
        for language, words in table.items()
        if not languages or language in languages
    ]
    for word in "|".join(alternatives).split("|"):
        shortest = re.sub(
            r"(\(\?:[^()]*\)|[^()])\?", "", word
        )  # without what may be there
        for spelling in (shortest, word):
            spelling = re.sub(r"\[(.)[^\]]*\]", r"\1", spelling)
            with_e = re.sub("[äöü]", lambda umlaut: umlaut[0] + "e", spelling)
            spellings += [_plain(spelling), _plain(with_e)]
    return tuple(
        word for word in dict.fromkeys(spellings) if len(word) > 1 + word.isascii()
    )


def _plain(word: str) -> str:
    letters = unicodedata.normalize(
        "NFD", word.casefold().replace("đ", "d").replace("ß", "ss")
    )
    return "".join(c for c in letters if c.isalnum() and not unicodedata.combining(c))


POINTS = words("points")


def _apart() -> str:
    return "|".join(map(_spelt, ("solution", "answer", "hint")))


@layered
def _opens_line() -> re.Pattern[str]:
    return re.compile(
        rf"(?:\A|\n)[ \t]*(?:(?P<part>\(?(?:[a-h]|[ivx]{{1,4}})\)|\(\d{{1,2}}\))[ \t]*"
        rf"|\(?(?P<number>\d{{1,3}})(?:[.)．][ \t]+(?=\S)|、)"
        rf"|(?P<label>(?:{_apart()})\.?(?:[ \t]+(?:[0-9]{{1,3}}|[a-z]))?[ \t]*[:：]"
        rf"|【(?:{_apart()})】))",
        re.IGNORECASE,
    )


@layered
def inline_mark() -> re.Pattern[str]:
    """`(5 points)`, `[Ans: 5]`, `(Hint: use induction.)` inside a question."""
    return re.compile(
        rf"[(\[（【][ \t]*(?:(?:满分|共|本题)?[ \t]*(?P<points>\d{{1,3}}(?:\.\d+)?)"
        rf"[ \t]*(?:{POINTS})(?:[ \t]+each)?"
        rf"|(?P<label>{_apart()})[ \t]*[:：.](?P<body>[^()\[\]（）【】]*"
        rf"(?:[(\[][^()\[\]]*[)\]][^()\[\]（）【】]*){{0,8}}))[ \t]*[)\]）】]",
        re.IGNORECASE,
    )


def line_marks(text: str) -> Iterator[tuple[int, int, str]]:
    """What stands at the starts of a text's lines: from where to where, a label, a number, or the
    sign of a part with its bracket.

    >>> list(line_marks("Find $x$.\\nSolution: It is 2."))
    [(9, 19, 'Solution:')]
    """
    for mark in _opens_line().finditer(text):
        said = mark["part"] or mark["number"] or mark["label"]
        yield mark.start(), mark.end(), said
