"""Translation pairs: other words, the same formulas and numbers.

No lexical method sees a translation; formulas and numbers survive it. Questions of two languages
that share all of at least four of them are proposed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..latex import maths_spans
from .items import Item
from .join import groups_of
from .keys import IMAGE_TAG, numbers, text_key

FEWEST = 4  # formulas and numbers that make a coincidence unlikely
CROWD = 20  # questions with one signature: a worksheet, not translations

_word = re.compile(r"[^\W\d_]{3,}")
_before_formulas = re.compile(r"[^$\\<`]*")
_telling = re.compile(r"\d+|[$\\]")  # fewer of these cannot make FEWEST formulas and numbers
_scripts = ("CJK", "HIRAGANA", "HANGUL", "CYRILLIC", "ARABIC", "GREEK", "HEBREW", "DEVANAGARI")


def signature(question: str) -> tuple[str, ...]:
    """All formulas and numbers of a question, sorted."""
    formulas, prose = _parted(question)
    return tuple(sorted([*map(text_key, formulas), *numbers(prose)]))


@lru_cache(maxsize=1 << 14)
def _parted(question: str) -> tuple[list[str], str]:
    """The formulas of a question, and the rest."""
    text = IMAGE_TAG.sub(" ", question)
    formulas, prose, at = [], [], 0
    for span in maths_spans(text):
        formulas.append(span.tex)
        prose.append(text[at : span.start])
        at = span.end
    return formulas, " ".join([*prose, text[at:]])


def script(text: str) -> str:
    """The script of most letters: LATIN, CJK, CYRILLIC, ...

    >>> script("求 AB 的长度是多少"), script("Find AB")
    ('CJK', 'LATIN')
    """
    counts: dict[str, int] = {}
    for letter in _parted(text)[1][:2000]:
        if letter.isalpha():
            name = unicodedata.name(letter, "").split(" ")[0]
            name = name if name in _scripts else "LATIN"
            counts[name] = counts.get(name, 0) + (2 if name == "CJK" else 1)
    return max(counts, key=lambda name: (counts[name], name), default="LATIN")


def other_language(a: Item, b: Item) -> bool:
    """Different languages by declaration, by script, or without one word in common."""
    if a.language and b.language and a.language != b.language:
        return True
    if script(a.question) != script(b.question):
        return True
    return not _words(a) & _words(b)


def _words(item: Item) -> set[str]:
    return set(_word.findall(_parted(item.question)[1].lower()))


def _one_language(items: Sequence[Item]) -> bool:
    """Whether all plainly share a script, a declared language and a word before any formula."""
    if len({item.language for item in items}) > 1 or not all(i.question.isascii() for i in items):
        return False
    starts = (_before_formulas.match(IMAGE_TAG.sub(" ", item.question)) for item in items)
    return bool(set.intersection(*({*_word.findall(s[0].lower())} for s in starts if s)))


def _tells(question: str) -> bool:
    """Whether a question may have FEWEST formulas and numbers."""
    marks = question.count("$") + question.count("\\")
    return marks >= FEWEST or len(_telling.findall(question)) >= FEWEST


def _digits(question: str) -> tuple[int, ...]:
    """How often each digit but zero occurs: equal where signatures are, and cheap."""
    text = unicodedata.normalize("NFKC", IMAGE_TAG.sub(" ", question))
    return tuple(map(text.count, "123456789"))


def translation_pairs(items: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """Positions of questions in two languages with equal, telling signatures."""
    telling = [k for k, item in enumerate(items) if _tells(item.question)]
    alike = groups_of(_digits(items[k].question) for k in telling)
    groups: dict[tuple[str, ...], list[int]] = {}
    for rows in alike.values():
        if len(rows) > 1 and not _one_language([items[telling[k]] for k in rows]):
            for position in (telling[k] for k in rows):
                if len(key := signature(items[position].question)) >= FEWEST:
                    groups.setdefault(key, []).append(position)
    for rows in groups.values():
        if len(rows) <= CROWD:
            yield from (
                (a, b)
                for k, a in enumerate(rows)
                for b in rows[k + 1 :]
                if other_language(items[a], items[b])
            )
