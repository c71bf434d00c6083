"""Texts as numbers: every distinct word once, and each text a row of the numbers of its words.

What signals compare (stems, numerals) is derived from one such table, each distinct word being
looked at once.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .signatures import Ints

ENTRIES = 1 << 20  # words looked at together


class Tokens(NamedTuple):
    """Rows of words: row k is words[starts[k]:starts[k + 1]], numbered by first appearance."""

    starts: Ints
    words: Ints
    names: Sequence[str]  # of words; none where only numbers matter


class Rows:
    """Rows of words that are added one by one."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._flat = array("i")
        self._starts = array("q", [0])

    def add(self, words: Iterable[str]) -> None:
        self._flat.extend(map(self._numbers.__getitem__, words))
        self._starts.append(len(self._flat))

    def tokens(self) -> Tokens:
        starts = np.array(self._starts, np.int64)
        words = np.array(self._flat, np.int32)
        return Tokens(starts, words, list(self._numbers))


def tokens_of(texts: Iterable[Iterable[str]]) -> Tokens:
    """One row per text, given as its words.

    >>> tokens_of([["b", "a"], [], ["a"]])
    Tokens(starts=array([0, 2, 2, 3]), words=array([0, 1, 1], dtype=int32), names=['b', 'a'])
    """
    rows = Rows()
    for text in texts:
        rows.add(text)
    return rows.tokens()


def mapped(tokens: Tokens, parts: Callable[[str], Sequence[str]]) -> Tokens:
    """The same rows with the parts of every word in its place; none take it out.

    >>> mapped(tokens_of([["ab", "c"], ["c", "-"]]), lambda word: word.strip("-")).names
    ['a', 'b', 'c']
    """
    new = tokens_of(map(parts, tokens.names))  # a row for each word
    places, starts = spread(new.starts, tokens.words)
    return Tokens(starts[tokens.starts], new.words[places], new.names)


def common(starts: Ints, words: Ints, a: Ints, b: Ints) -> tuple[Ints, Ints]:
    """(k, word) of every word that the rows a[k] and b[k] share, words being distinct in a row.

    >>> rows = tokens_of(["abc", "cb"])
    >>> common(rows.starts, rows.words, np.array([0]), np.array([1]))
    (array([0, 0]), array([1, 2]))
    """
    width = int(words.max(initial=0)) + 1
    codes: list[Ints] = []  # k * width + word, of each side
    for rows in (a, b):
        places, ends = spread(starts, rows)
        k = np.repeat(np.arange(len(rows)), np.diff(ends))
        codes.append(k * width + words[places])
    both = np.concatenate(codes)
    both.sort(kind="stable")  # each side ascends: they are merged
    return np.divmod(both[:-1][both[1:] == both[:-1]], width)


def spread(starts: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Where the entries of these rows stand, one row after the other, and where each row begins.

    >>> spread(np.array([0, 2, 5]), np.array([1, 0]))
    (array([2, 3, 4, 0, 1]), array([0, 3, 5]))
    """
    counts = starts[rows + 1] - starts[rows]
    ends = np.concatenate([[0], np.cumsum(counts)])
    offsets = starts[rows] - ends[:-1]
    places = np.repeat(offsets, counts) + np.arange(ends[-1])
    return places, ends


def distinct(tokens: Tokens) -> tuple[Ints, Ints, Ints, Ints]:
    """(starts, words, frequency, order): each word of a row once, the rarest of all rows first.

    Words are numbered anew from rare to frequent, those equally frequent by first appearance;
    `frequency` counts the rows of each, `order` holds their old numbers. Worked on in blocks of
    rows, so that memory is little more than that of the rows themselves.
    """
    width = int(tokens.words.max(initial=0)) + 1
    frequency = np.zeros(width, np.int64)
    counts: list[Ints] = [np.empty(0, np.int64)]  # words of each row
    blocks: list[Ints] = [np.empty(0, np.int32)]
    for start, stop in blocks_of(tokens.starts):
        rows, words = entries(tokens.starts, tokens.words, start, stop)
        codes = np.unique(rows * width + words)
        rows, words = np.divmod(codes, width)
        frequency += np.bincount(words, minlength=width)
        counts.append(np.bincount(rows, minlength=stop - start))
        blocks.append(words.astype(np.int32))
    order = np.argsort(frequency, kind="stable")
    rank = np.empty(width, np.int64)
    rank[order] = np.arange(width)
    for k, words in enumerate(blocks):
        rows = np.repeat(np.arange(len(counts[k])), counts[k])
        codes = np.sort(rows * width + rank[words])
        blocks[k] = (codes % width).astype(np.int32)
    ends = np.cumsum(np.concatenate(counts))
    starts = np.concatenate([[0], ends])
    words = np.concatenate(blocks)
    return starts, words, frequency[order], order


def entries(starts: Ints, words: Ints, start: int, stop: int) -> tuple[Ints, Ints]:
    """Row, counted from `start`, and word of every entry of a range of rows.

    >>> entries(np.array([0, 2, 3]), np.array([7, 8, 9]), 1, 2)
    (array([0]), array([9]))
    """
    counts = np.diff(starts[start : stop + 1])
    rows = np.repeat(np.arange(stop - start), counts)
    return rows, words[starts[start] : starts[stop]]


def blocks_of(starts: Ints) -> Iterator[tuple[int, int]]:
    """Row ranges of about ENTRIES words."""
    start = 0
    total = len(starts) - 1
    while start < total:
        limit = starts[start] + ENTRIES
        stop = int(np.searchsorted(starts, limit, side="right")) - 1
        stop = min(max(stop, start + 1), total)
        yield start, stop
        start = stop
