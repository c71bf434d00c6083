"""Lexical overlap: word n-grams shared by two texts, which reordering hardly changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..latex import UNSPACED

Grams = frozenset[str]
_word = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")


def words_of(key: str) -> list[str]:
    """Words, as spaces part them; Chinese and Japanese write without, so each character is one.

    >>> words_of("求 x + 12 的值")
    ['求', 'x', '+', '12', '的', '值']
    """
    return _word.findall(key)


def word_grams(key: str, n: int = 3) -> Grams:
    """The distinct word n-grams of a text; a shorter text is one gram.

    >>> sorted(word_grams("a b c d"))
    ['a b c', 'b c d']
    """
    words = words_of(key)
    if len(words) <= n:
        return frozenset([" ".join(words)] if words else [])
    return frozenset(" ".join(words[k : k + n]) for k in range(len(words) - n + 1))


def jaccard(a: Grams, b: Grams) -> float:
    """Shared grams as a share of all grams; 0 when there are none."""
    return len(a & b) / len(a | b) if a or b else 0.0


def containment(a: Grams, b: Grams) -> float:
    """Shared grams as a share of the smaller set; 0 when it is empty."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def jaccard_join(grams: Sequence[Grams], percent: int) -> Iterator[tuple[int, int]]:
    """All pairs of gram sets with a Jaccard similarity of at least `percent`, none missed.

    Prefix filter (Bayardo, Ma and Srikant 2007): with grams ordered from rare to frequent, two
    such sets share one of their first `n - ceil(t*n) + 1` grams, so only those are indexed.

    >>> list(jaccard_join([word_grams("a b c d e"), word_grams("x b c d e"), word_grams("y")], 50))
    [(0, 1)]
    """
    frequency = Counter(gram for one in grams for gram in one)
    index: dict[str, list[int]] = {}
    for row in sorted(range(len(grams)), key=lambda row: (len(grams[row]), row)):
        own = grams[row]
        needed = -(-percent * len(own) // 100)  # grams a partner must share at the least
        prefix = sorted(own, key=lambda gram: (frequency[gram], gram))[: len(own) - needed + 1]
        candidates = {other for gram in prefix for other in index.get(gram, ())}
        for other in sorted(candidates):
            if 100 * len(grams[other]) < percent * len(own):
                continue
            shared = len(own & grams[other])
            if 100 * shared >= percent * (len(own) + len(grams[other]) - shared):
                yield min(row, other), max(row, other)
        for gram in prefix:
            if frequency[gram] > 1:
                index.setdefault(gram, []).append(row)
