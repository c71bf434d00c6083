"""Lexical overlap: word n-grams shared by two texts, which reordering hardly changes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..latex import UNSPACED

Grams = frozenset[tuple[str, ...]]
_word = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")


def words_of(key: str) -> list[str]:
    """Words, as spaces part them; Chinese and Japanese write without, so each character is one.

    >>> words_of("求 x + 12 的值")
    ['求', 'x', '+', '12', '的', '值']
    """
    return key.split() if key.isascii() else _word.findall(key)


def word_grams(words: Sequence[str], n: int = 3) -> Grams:
    """The distinct n-grams of words; fewer words are one gram.

    >>> sorted(word_grams("abcd"))
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    if len(words) <= n:
        return frozenset([tuple(words)] if words else [])
    return frozenset(zip(*(words[k:] for k in range(n)), strict=False))


def jaccard(a: Grams, b: Grams) -> float:
    """Shared grams as a share of all grams; 0 when there are none."""
    return len(a & b) / len(a | b) if a or b else 0.0


def containment(a: Grams, b: Grams) -> float:
    """Shared grams as a share of the smaller set; 0 when it is empty."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0
