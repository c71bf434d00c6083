"""Translation pairs: other words, the same formulas and numbers.

No lexical method sees a translation; formulas and numbers survive it. Questions of two languages
that share all of at least four of them are proposed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from ..latex import maths_spans, replace_maths
from .items import Item
from .keys import IMAGE_TAG, numbers, text_key

FEWEST = 4  # formulas and numbers that make a coincidence unlikely
CROWD = 20  # questions with one signature: a worksheet, not translations

_word = re.compile(r"[^\W\d_]{3,}")
_digit = re.compile(r"[1-9]")
_telling = re.compile(r"\d+|[$\\]")  # fewer of these cannot make FEWEST formulas and numbers
_scripts = ("CJK", "HIRAGANA", "HANGUL", "CYRILLIC", "ARABIC", "GREEK", "HEBREW", "DEVANAGARI")


def signature(question: str) -> tuple[str, ...]:
    """All formulas and numbers of a question, sorted."""
    text = IMAGE_TAG.sub(" ", question)
    formulas = [text_key(span.tex) for span in maths_spans(text)]
    return tuple(sorted([*formulas, *numbers(_prose(text))]))


def _prose(text: str) -> str:
    return replace_maths(text, lambda _: " ")


def script(text: str) -> str:
    """The script of most letters: LATIN, CJK, CYRILLIC, ...

    >>> script("求 AB 的长度是多少"), script("Find AB")
    ('CJK', 'LATIN')
    """
    counts: dict[str, int] = {}
    for letter in _prose(text)[:2000]:
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
    return set(_word.findall(_prose(IMAGE_TAG.sub(" ", item.question)).lower()))


def _digits(question: str) -> str:
    """All digits but zeros, sorted: equal where signatures are, and cheap."""
    text = unicodedata.normalize("NFKC", IMAGE_TAG.sub(" ", question))
    return "".join(sorted(_digit.findall(text)))


def translation_pairs(items: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """Positions of questions in two languages with equal, telling signatures."""
    digits = [_digits(item.question) for item in items]
    times = Counter(digits)
    groups: dict[tuple[str, ...], list[int]] = {}
    for position, item in enumerate(items):
        if times[digits[position]] < 2 or len(_telling.findall(item.question)) < FEWEST:
            continue
        if len(key := signature(item.question)) >= FEWEST:
            groups.setdefault(key, []).append(position)
    for rows in groups.values():
        if len(rows) <= CROWD:
            yield from (
                (a, b)
                for k, a in enumerate(rows)
                for b in rows[k + 1 :]
                if other_language(items[a], items[b])
            )
