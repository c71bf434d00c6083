"""Lexical overlap: word n-grams shared by two texts, which reordering hardly changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..latex import UNSPACED
from .signatures import Ints
from .tokens import Tokens, distinct

Grams = frozenset[str]
CANDIDATES = 1 << 20  # pairs looked at together
HELD = 20_000  # sets held to be compared
_word = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")


def words_of(key: str) -> list[str]:
    """Words, as spaces part them; Chinese and Japanese write without, so each character is one.

    >>> words_of("求 x + 12 的值")
    ['求', 'x', '+', '12', '的', '值']
    """
    return key.split() if key.isascii() else _word.findall(key)


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


def jaccard_join(sets: Tokens, percent: int) -> Iterator[tuple[int, int]]:
    """All pairs of rows, as sets, with a Jaccard similarity of at least `percent`, none missed.

    Prefix filter (Bayardo, Ma and Srikant 2007): with grams ordered from rare to frequent, two
    such sets share one of their first `n - ceil(t*n) + 1` grams, so only those are indexed; and
    what stands behind the first gram in common bounds how many there are (Xiao et al. 2008).

    >>> from benchwright.dedup.tokens import tokens_of
    >>> list(jaccard_join(tokens_of(["abcde", "xbcde", "y"]), 50))
    [(0, 1)]
    """
    starts, grams, frequency = distinct(sets)
    sizes = np.diff(starts)
    index = _prefixes(starts, grams, frequency, percent)
    members: dict[int, frozenset[int]] = {}
    for a, b in _candidates(index, sizes, percent):
        for row in {*a.tolist(), *b.tolist()} - members.keys():
            members[row] = frozenset(grams[starts[row] : starts[row + 1]].tolist())
        for x, y in zip(a.tolist(), b.tolist(), strict=True):
            shared = len(members[x] & members[y])
            if 100 * shared >= percent * (int(sizes[x] + sizes[y]) - shared):
                yield min(x, y), max(x, y)
        if len(members) > HELD:
            members.clear()


class _Prefixes(NamedTuple):
    """Entries (gram, row, place of the gram in its row), by gram, then by size of the row."""

    grams: Ints
    rows: Ints
    places: Ints


def _prefixes(starts: Ints, grams: Ints, frequency: Ints, percent: int) -> _Prefixes:
    sizes = np.diff(starts)
    needed = -(-percent * sizes // 100)  # grams a partner must share at the least
    rows = np.repeat(np.arange(len(sizes)), sizes)
    places = np.arange(len(grams)) - np.repeat(starts[:-1], sizes)
    kept = (places < (sizes - needed + 1)[rows]) & (frequency[grams] > 1)
    grams, rows, places = grams[kept], rows[kept], places[kept]
    order = np.lexsort((rows, sizes[rows], grams))
    return _Prefixes(grams[order].astype(np.int64), rows[order], places[order])


def _candidates(index: _Prefixes, sizes: Ints, percent: int) -> Iterator[tuple[Ints, Ints]]:
    """Pairs (smaller set, larger set) that may be similar, a bounded number at a time.

    All pairs of one smaller set come together, so none comes twice.
    """
    grams, rows, places = index
    sized = grams * (int(sizes.max(initial=0)) + 1)
    last = sized + np.minimum(sizes[rows] * 100 // percent, sizes.max(initial=0))
    windows = np.searchsorted(sized + sizes[rows], last, side="right") - np.arange(len(rows)) - 1
    order = np.argsort(rows, kind="stable")
    windows, by_row = windows[order], rows[order]
    work = np.cumsum(windows)
    at = 0
    while at < len(order):
        full = np.searchsorted(work, (work[at - 1] if at else 0) + CANDIDATES, side="right")
        stop = int(np.searchsorted(by_row, by_row[max(at, int(full) - 1)], side="right"))
        counts = windows[at:stop]
        left = np.repeat(order[at:stop], counts)
        right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts)
        a, b = rows[left], rows[right]
        most = np.minimum(sizes[a] - places[left], sizes[b] - places[right])
        able = most * (100 + percent) >= percent * (sizes[a] + sizes[b])
        yield np.divmod(np.unique(a[able] * len(sizes) + b[able]), len(sizes))
        at = stop
