"""Lexical overlap: word n-grams shared by two texts, which reordering hardly changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..latex import UNSPACED
from .signatures import Ints
from .tokens import Tokens, blocks_of, common, grams_of, taken

Grams = frozenset[tuple[str, ...]]
CANDIDATES = 1 << 20  # grams in common looked at together
COMPARED = 10_000  # pairs whose sets are compared together
FREQUENCIES = 1 << 22  # buckets in which grams are counted
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
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    words = words_of(key)
    if len(words) <= n:
        return frozenset([tuple(words)] if words else [])
    return frozenset(zip(*(words[k:] for k in range(n)), strict=False))


def jaccard(a: Grams, b: Grams) -> float:
    """Shared grams as a share of all grams; 0 when there are none."""
    return len(a & b) / len(a | b) if a or b else 0.0


def containment(a: Grams, b: Grams) -> float:
    """Shared grams as a share of the smaller set; 0 when it is empty."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def jaccard_join(texts: Tokens, percent: int, n: int = 1) -> Iterator[tuple[int, int]]:
    """All pairs of rows whose sets of n-grams have a Jaccard similarity of at least `percent`.

    None is missed. Prefix filter (Bayardo, Ma and Srikant 2007): with grams in one order, rare ones
    first, two such sets share one of their first `k - ceil(t*k) + 1` grams, so only those are
    indexed; how many of these they share bounds how many they share at all (Xiao et al. 2008).

    >>> from benchwright.dedup.tokens import tokens_of
    >>> list(jaccard_join(tokens_of(["abcde", "xbcde", "y"]), 50))
    [(0, 1)]
    """
    width = int(texts.words.max(initial=0)) + 2
    index, sizes = _prefixes(texts, percent, n, width)
    for a, b in _candidates(index, sizes, percent):
        for at in range(0, len(a), COMPARED):
            x, y = a[at : at + COMPARED], b[at : at + COMPARED]
            rows, places = np.unique(np.concatenate([x, y]), return_inverse=True)
            _, numbers, _ = _sets(texts, rows, n, width)
            starts = np.concatenate([[0], np.cumsum(sizes[rows])])
            both, _ = common(starts, numbers, places[: len(x)], places[len(x) :])
            shared = np.bincount(both, minlength=len(x))
            kept = 100 * shared >= percent * (sizes[x] + sizes[y] - shared)
            x, y = x[kept], y[kept]
            yield from zip(np.minimum(x, y).tolist(), np.maximum(x, y).tolist(), strict=True)


class _Prefixes(NamedTuple):
    """Entries (gram, row) of the first grams of each row, by gram, then by size of the row."""

    grams: Ints
    rows: Ints
    counts: Ints  # of entries that each row would have with those that no other row has


def _prefixes(texts: Tokens, percent: int, n: int, width: int) -> tuple[_Prefixes, Ints]:
    """The index, and how many distinct grams each row has.

    Rows are worked on in blocks, twice, so that the grams of all are never held. Rare grams come
    first by a frequency that is counted in buckets: any order is exact, and this one is short.
    """
    blocks = list(blocks_of(texts.starts))
    if width**n >= 2**62:  # numbers of grams are those of all rows then
        blocks = [(0, len(texts.starts) - 1)]
    frequency = np.zeros(FREQUENCIES, np.int64)
    sizes: list[Ints] = [np.empty(0, np.int64)]

    @lru_cache(maxsize=1)  # a single block is worked on once
    def sets(start: int, stop: int) -> tuple[Ints, Ints, Ints]:
        return _sets(texts, np.arange(start, stop), n, width)

    for start, stop in blocks:
        rows, numbers, grams = sets(start, stop)
        np.add.at(frequency, _bucket(grams), np.bincount(numbers, minlength=len(grams)))
        sizes.append(np.bincount(rows, minlength=stop - start))
    size = np.concatenate(sizes)
    first = size - -(-percent * size // 100) + 1
    kept_grams, kept_rows = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
    for start, stop in blocks:
        rows, numbers, grams = sets(start, stop)
        grams = grams[rare := np.argsort(frequency[_bucket(grams)], kind="stable")]
        ranks = np.empty(len(rare), np.int64)
        ranks[rare] = np.arange(len(rare))
        ranked = np.sort(rows * len(rare) + ranks[numbers]) % (len(rare) or 1)
        own = size[start:stop]
        places = np.arange(len(rows)) - np.repeat(np.cumsum(own) - own, own)
        seen = frequency[_bucket(grams)] > 1
        kept = (places < np.repeat(first[start:stop], own)) & seen[ranked]
        kept_grams.append(grams[ranked[kept]])
        kept_rows.append((rows[kept] + start).astype(np.int32))
    grams, rows = np.concatenate(kept_grams), np.concatenate(kept_rows)
    order = np.lexsort((size[rows], grams))  # of equal sizes the earlier row first, as they stand
    return _Prefixes(grams[order], rows[order], np.minimum(first, size)), size


def _sets(texts: Tokens, chosen: Ints, n: int, width: int) -> tuple[Ints, Ints, Ints]:
    """(k, number) of the distinct n-grams of the rows chosen[k], in order, and the gram of each."""
    found = grams_of(taken(texts, chosen), n, width)
    grams, numbers = np.unique(found.words, return_inverse=True)
    rows = np.repeat(np.arange(len(chosen)), np.diff(found.starts))
    return *np.divmod(np.unique(rows * (len(grams) or 1) + numbers), len(grams) or 1), grams


def _bucket(grams: Ints) -> Ints:
    hashed = grams.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (hashed >> np.uint64(64 - FREQUENCIES.bit_length() + 1)).astype(np.int64)


def _candidates(index: _Prefixes, sizes: Ints, percent: int) -> Iterator[tuple[Ints, Ints]]:
    """Pairs (smaller set, larger set) that may be similar, a bounded number at a time.

    All pairs of one smaller set come together, so none comes twice.
    """
    rows = index.rows
    numbers = np.cumsum(np.diff(index.grams, prepend=index.grams[:1]) > 0)
    largest = int(sizes.max(initial=0))
    sized = numbers * (largest + 1)
    last = sized + np.minimum(sizes[rows] * 100 // percent, largest)
    windows = np.searchsorted(sized + sizes[rows], last, side="right") - np.arange(len(rows)) - 1
    del numbers, sized, last
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
        codes, shared = np.unique(
            rows[left].astype(np.int64) * len(sizes) + rows[right], return_counts=True
        )
        a, b = np.divmod(codes, len(sizes))
        # Where one prefix ends first in the order, what is not counted stands behind it.
        behind = np.maximum(sizes[a] - index.counts[a], sizes[b] - index.counts[b])
        able = (shared + behind) * (100 + percent) >= percent * (sizes[a] + sizes[b])
        yield a[able], b[able]
        at = stop
