"""Words of answers: what they say whatever their articles, plural and capitals."""

from __future__ import annotations

import re
from functools import lru_cache

from ...words import currencies, words

LONGEST = 30  # characters of a judgement with its markup
_YES, _NO = (re.compile(words(role), re.IGNORECASE) for role in ("yes", "no"))
_MARKUP = re.compile(r"\\(?:text|mathrm|textbf)\s?\{|[{}$]")
# Yes, it converges: what follows has a subject and a verb, and no figure.
_CLAUSE_BEHIND = re.compile(
    r"(?P<word>[^\W\d_]{2,12})[,.;:!][ *]{1,4}[^\W\d_]+(?: [^\W\d_]+)+[^\d,;]*$"
)
_TOKEN = re.compile(r"\w+|[-+=<>]")
_LETTER = re.compile(r"[^\W\d_]")
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})")
_PLURALS = (
    (re.compile(r"(?<=[^aeiou])ies$"), "y"),
    (re.compile(r"(?<=ss|sh|ch)es$|(?<=x)es$|(?<=[^aeiou]us)es$"), ""),
)
_SINGULAR = ("ss", "us", "is")  # end words that are no plural
# Sets that are said in words (closed: the two that need no element).
EMPTY_SAID = frozenset(
    ["no solution", "no real solution", "empty set", "空集", "无解", "无实数解"]
)
REALS_SAID = frozenset(
    [
        "all real numbers",
        "all reals",
        "any real number",
        "all real values",
        "real numbers",
        "全体实数",
        "任意实数",
        "实数集",
        "一切实数",
    ]
)
_ARTICLES = frozenset(["a", "an", "the"])
# What stands among the words of a number and names nothing (closed: words of counting).
_NAMELESS = frozenset(
    "in all total altogether of them each different distinct possible exactly only 个 "
    "unit square sq cubic".split()
)
# Plurals without s (closed: those of school English).
_IRREGULAR = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot",
    "teeth": "tooth", "mice": "mouse", "geese": "goose", "dice": "die", "vertices": "vertex",
    "radii": "radius", "matrices": "matrix",
}  # fmt: skip


def folded(text: str) -> list[str]:
    """The words and signs of a text without capitals, articles and plural.

    >>> folded("The Rhombus"), folded("two boxes"), folded("a gas")
    (['rhombus'], ['two', 'box'], ['gas'])
    """
    words = _TOKEN.findall(_HYPHEN.sub(" ", text.casefold()))
    return [_singular(word) for word in words if word not in _ARTICLES]


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(_SINGULAR):
        return word
    for plural, ending in _PLURALS:
        if plural.search(word):
            return plural.sub(ending, word)
    return word[:-1]


def judgement(text: str) -> bool | None:
    """Whether a text is a word, in any language, for true or false; None: it is none.

    >>> judgement("Yes."), judgement("错误"), judgement("Tom")
    (True, False, None)
    """
    bare = _MARKUP.sub("", text).strip(" .。!！*").casefold()
    if len(bare) > LONGEST:
        return None
    if _YES.fullmatch(bare):
        return True
    return False if _NO.fullmatch(bare) else None


def opening_judgement(text: str) -> bool | None:
    """The same of the word that a text opens with, where a clause explains it.

    >>> opening_judgement("No, it diverges."), opening_judgement("No, 5"), judgement("No, it is")
    (False, None, None)
    """
    clause = _CLAUSE_BEHIND.match(text.strip(" *"))
    return judgement(clause["word"] if clause else text)


@lru_cache(maxsize=4096)
def same_name(one: str, other: str) -> bool:
    """May words behind two numbers name the same? One may say less, or be short for the other.

    >>> same_name("red apples", "apples"), same_name("boys", "girls"), same_name("pts", "points")
    (True, False, True)
    """
    first, second = map(_naming, (one, other))
    if first <= second or second <= first or currencies(one) & currencies(other):
        return True
    short, long = sorted(("".join(first), "".join(second)), key=len)
    if not short.isascii():  # 人 and 个人
        return not set(_LETTER.findall(short)).isdisjoint(long)
    return _abbreviates(one, other) or _abbreviates(other, one)


def _naming(name: str) -> frozenset[str]:
    words = folded(name)
    return frozenset(word for word in words if word[0].isalpha()) - _NAMELESS


def _abbreviates(short: str, name: str) -> bool:
    """Is it the first letter and some consonants of a name, or the first letters of its words?"""
    letters = short.strip(".").casefold()
    if not letters.isalpha() or not letters.isascii() or not name:
        return False
    initials = "".join(word[0] for word in name.casefold().split())
    if letters == initials and len(letters) > 1:
        return True
    if letters[0] != name[0].casefold() or not set("aeiou").isdisjoint(letters[1:]):
        return False
    rest = iter(name.casefold())
    return all(letter in rest for letter in letters)
