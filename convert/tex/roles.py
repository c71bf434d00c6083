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

from ...words import HAN_ORDER, WORDS, words

Role = Literal["problem", "solution", "answer", "hint", "points"]
ROLES: tuple[Role, ...] = ("solution", "answer", "hint", "points", "problem")

NUMERAL = rf"(?:[0-9]{{1,4}}|[IVXLC]{{1,6}}|[A-Z]|[{HAN_ORDER}]{{1,3}})"
_SPELT = {
    role: words(role, *(["working"] if role == "solution" else [])) for role in ROLES
}
_LABEL = {
    role: re.compile(
        rf"[\s\W]*(?:{_SPELT[role]})(?:\s+(?:to|of|key|sketch|zu|de)\b.*)?[\s#№.:]*"
        rf"(?:(?:{NUMERAL}|[a-z])(?:[.\-]\d+)*)?(?:\s*[(（\[][^()（）\[\]]*[)）\]])?[\s\W]*",
        re.IGNORECASE | re.DOTALL,
    )
    for role in ROLES
}
# names that no word explains, of packages that are in use
_OWN: dict[str, Role] = {"analysis": "solution", "shortans": "answer"}


def of_label(text: str) -> Role | None:
    """The role of words that stand alone.

    >>> of_label("Solution 3."), of_label("【解析】"), of_label("The solution set")
    ('solution', 'solution', None)
    """
    if not 0 < len(text.strip()) <= 60:
        return None
    return next((role for role in ROLES if _LABEL[role].fullmatch(text)), None)


@cache
def of_name(name: str) -> Role | None:
    r"""The role that the name of a command or environment says.

    >>> [of_name(name) for name in ("soln", "loigiai", "exercisebox", "solid", "MyProblem")]
    ['solution', 'solution', 'problem', None, 'problem']
    """
    if own := _OWN.get(name.rstrip("*")):
        return own
    pieces = [_plain(p) for p in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[^\x00-\x7f]+", name)]
    whole = "".join(pieces)
    for role in ROLES:
        for word in _words(role):
            if whole == word or word in pieces or (len(word) > 4 and word in whole):
                return role
    for role in ROLES:
        if any(_abbreviates(whole, word) for word in _words(role) if len(word) > 4):
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
def _words(role: Role) -> tuple[str, ...]:
    """A role's words as names spell them: without accents and blanks, ö as o and as oe."""
    spellings: list[str] = []
    alternatives = [*WORDS[role].values()]
    if role == "solution":
        alternatives += WORDS["working"].values()
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
_APART = "|".join(_SPELT[role] for role in ("solution", "answer", "hint"))
_OPENS_LINE = re.compile(
    rf"(?:\A|\n)[ \t]*(?:\(?(?P<number>\d{{1,3}})(?:[.)．][ \t]+(?=\S)|、)"
    rf"|(?P<label>(?:{_APART})\.?(?:[ \t]+(?:[0-9]{{1,3}}|[a-z]))?[ \t]*[:：]|【(?:{_APART})】))",
    re.IGNORECASE,
)
# "(5 points)", "[Ans: 5]", "(Hint: use induction.)" inside a question
INLINE_MARK = re.compile(
    rf"[(\[（【][ \t]*(?:(?:满分|共|本题)?[ \t]*(?P<points>\d{{1,3}}(?:\.\d+)?)[ \t]*(?:{POINTS})"
    rf"(?:[ \t]+each)?|(?P<label>{_APART})[ \t]*[:：.](?P<body>[^()\[\]（）【】]*"
    rf"(?:[(\[][^()\[\]]*[)\]][^()\[\]（）【】]*){{0,8}}))[ \t]*[)\]）】]",
    re.IGNORECASE,
)


def line_marks(text: str) -> Iterator[tuple[int, int, str]]:
    """What stands at the starts of a text's lines: from where to where, a label or a number.

    >>> list(line_marks("Find $x$.\\nSolution: It is 2."))
    [(9, 19, 'Solution:')]
    """
    for mark in _OPENS_LINE.finditer(text):
        yield mark.start(), mark.end(), mark["number"] or mark["label"]
