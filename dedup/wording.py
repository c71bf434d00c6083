"""Rare words in common: what two wordings of one problem share, however the sentences run.

Every text is a vector of its distinct words, each weighted by its rarity (the logarithm of the
inverse document frequency, Spärck Jones 1972); two texts are as alike as the cosine of their
vectors. An inverted index finds the neighbours of all texts at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..latex import UNSPACED
from .keys import VALUES
from .signatures import Ints

NEIGHBOURS = 12  # per text
LEAST = 0.15  # cosine
POSTINGS = 20_000  # entries of the index read per text, those of its rarest words first
CELLS = 200_000  # sums held at a time: they fit the processor's cache
STEM = 4  # letters that inflected forms have in common: colour, coloured, colors

_word = re.compile(rf"\\?[^\W\d_{UNSPACED}]{{2,}}|[{UNSPACED}]|\d+(?:\.\d+)?")


class Vectors(NamedTuple):
    """Sparse rows of length 1: the entries of row k are [starts[k], starts[k + 1])."""

    starts: Ints
    words: Ints  # numbered from rare to frequent, ascending in each row
    weights: Any  # float64


def stems(key: str) -> list[str]:
    r"""The words of a comparison key by their first letters, numbers as numerals; no commands.

    >>> stems("two \\triangle coloured in 3 colours, AB")
    ['2', 'colo', 'in', '3', 'colo', 'ab']
    """
    words = [word.lower() for word in _word.findall(key) if word[0] != "\\"]
    return [VALUES.get(word, word[:STEM] if word.isalpha() else word) for word in words]


def vectors_of(texts: Iterable[Sequence[str]]) -> Vectors:
    """One vector per text, given as its words."""
    numbers: dict[str, int] = {}
    flat: list[int] = []
    starts = [0]
    for text in texts:
        flat.extend(numbers.setdefault(word, len(numbers)) for word in dict.fromkeys(text))
        starts.append(len(flat))
    words, bounds = np.array(flat, np.int64), np.array(starts, np.int64)
    rows = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    frequency = np.bincount(words, minlength=len(numbers))
    rank = np.empty(len(numbers), np.int64)
    rank[np.argsort(frequency, kind="stable")] = np.arange(len(numbers))
    weights = np.log((1 + len(bounds) - 1) / frequency)[words] if len(words) else np.zeros(0)
    order = np.lexsort((rank[words], rows))
    length = np.sqrt(np.bincount(rows, weights**2, minlength=len(bounds) - 1))
    return Vectors(bounds, rank[words][order], (weights / np.maximum(length, 1e-9)[rows])[order])


def only(vectors: Vectors, chosen: Any) -> Vectors:
    """The same rows, those that are not `chosen` (a mask) left empty."""
    counts = np.diff(vectors.starts)
    kept = np.repeat(chosen, counts)
    starts = np.concatenate([[0], np.cumsum(counts * chosen)])
    return Vectors(starts, vectors.words[kept], vectors.weights[kept])


def neighbours(vectors: Vectors) -> tuple[Ints, Ints]:
    """Pairs (a < b) in which one is among the other's nearest NEIGHBOURS.

    >>> apples, train = ["ann", "has", "apples"], ["a", "train", "leaves"]
    >>> a, b = neighbours(vectors_of([apples, train, ["ben", "has", "apples"], train]))
    >>> a.tolist(), b.tolist()
    ([0, 1], [2, 3])
    """
    found = [np.empty(0, np.int64)]
    total = len(vectors.starts) - 1
    for hits, cosine in _nearest(vectors):
        row, other = np.divmod(hits, total)
        order = np.lexsort((other, -cosine, row))
        rank = np.arange(len(row)) - np.searchsorted(row[order], row[order])
        kept = order[rank < NEIGHBOURS]
        found.append(
            np.minimum(row[kept], other[kept]) * total + np.maximum(row[kept], other[kept])
        )
    a, b = np.divmod(np.unique(np.concatenate(found)), max(total, 1))
    return a, b


def _nearest(vectors: Vectors) -> Iterator[tuple[Ints, Any]]:
    """(row * total + other, cosine so far as the rarest words tell) from LEAST on, in blocks."""
    starts, words, weights = vectors
    total = len(starts) - 1
    rows = np.repeat(np.arange(total), np.diff(starts))
    order = np.argsort(words, kind="stable")
    posted, posted_weights = rows[order], weights[order]
    frequency = np.bincount(words)
    first = np.cumsum(frequency) - frequency
    step = max(1, CELLS // max(total, POSTINGS))
    for start in range(0, total, step):
        stop = min(start + step, total)
        own = slice(starts[start], starts[stop])
        counts = frequency[words[own]]
        before = np.cumsum(counts) - counts
        before -= before[np.minimum(starts[rows[own]] - starts[start], len(before) - 1)]
        counts = np.where(before + counts <= POSTINGS, counts, 0)
        at = np.repeat(first[words[own]] - (np.cumsum(counts) - counts), counts)
        at += np.arange(len(at))
        cell = np.repeat((rows[own] - start) * total, counts) + posted[at]
        sums = np.bincount(cell, np.repeat(weights[own], counts) * posted_weights[at])
        hits = np.flatnonzero(sums >= LEAST)
        hits = hits[hits // total + start != hits % total]
        yield hits + start * total, sums[hits]


def cosines(vectors: Vectors, a: Ints, b: Ints, most: int = 50_000) -> Any:
    """The cosine of each pair of rows."""
    width = int(vectors.words.max(initial=0)) + 1
    out = np.zeros(len(a))
    for at in range(0, len(a), most):
        (x, x_weights), (y, y_weights) = (
            _entries(vectors, side[at : at + most], width) for side in (a, b)
        )
        shared, i, j = np.intersect1d(x, y, assume_unique=True, return_indices=True)
        found = np.bincount(shared // width, x_weights[i] * y_weights[j])
        out[at : at + len(found)] = found
    return out


def _entries(vectors: Vectors, rows: Ints, width: int) -> tuple[Ints, Any]:
    """(position * width + word, weight) of all entries of these rows."""
    counts = vectors.starts[rows + 1] - vectors.starts[rows]
    at = np.repeat(vectors.starts[rows] - (np.cumsum(counts) - counts), counts)
    at += np.arange(len(at))
    return np.repeat(np.arange(len(rows)), counts) * width + vectors.words[at], vectors.weights[at]
