"""Rare words in common: what two wordings of one problem share, however the sentences run.

Every text is a vector of its distinct words, each weighted by its rarity (the logarithm of the
inverse document frequency, Spärck Jones 1972); two texts are as alike as the cosine of their
vectors. An inverted index finds the neighbours of all texts at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..latex import UNSPACED
from ..pipeline import Engine
from .keys import VALUES
from .signatures import Ints
from .table import run_tasks, workspace
from .tokens import Tokens, blocks_of, common, distinct, entries, tokens_of

NEIGHBOURS = 12  # per text
LEAST = 0.15  # cosine
HELD = 0.6  # share of the weight of a text that another holds, from which it stands in it ...
FEWEST = 2  # ... if it weighs as much as so many words that nobody else has
POSTINGS = 8_000  # entries of the index read per text, those of its rarest words first
CELLS = 1 << 14  # sums of a text: twice as many as entries are read
SLACK = 1e-9  # what rounding may take from a sum
TOGETHER = 10_000  # pairs whose words are compared at a time
BLOCK = 8  # texts looked up together: their sums fit the processor's cache
TASK = 2_000  # texts whose neighbours are looked for by one task
KNOWN = 100  # texts
STEM = 4  # letters that inflected forms have in common: colour, coloured, colors

# A word, a command of LaTeX, a character of a language without spaces, or a number.
_word = re.compile(rf"\\?[^\W\d_{UNSPACED}]{{2,}}|[{UNSPACED}]|\d+(?:\.\d+)?")


class Vectors(NamedTuple):
    """Sparse rows: the words of row k are words[starts[k]:starts[k + 1]], each with its rarity.

    A row of length 1 weights a word with rarity[word] / length[row].
    """

    starts: Ints
    words: Ints  # numbered from rare to frequent, ascending in each row
    rarity: Any  # float64, of each word
    length: Any  # float64, of each row


def stems(key: str) -> list[str]:
    r"""The words of a comparison key by their first letters, numbers as numerals; no commands.

    >>> stems("two \\triangle coloured in 3 colours, AB")
    ['2', 'colo', 'in', '3', 'colo', 'ab']
    """
    words = [word.lower() for word in _word.findall(key) if word[0] != "\\"]
    return [VALUES.get(word, word[:STEM] if word.isalpha() else word) for word in words]


def vectors_of(
    texts: Tokens | Iterable[Sequence[str]], prior: Callable[[str], float] | None = None
) -> Vectors:
    """One vector per text, given as its words.

    A `prior` is what a word tells in itself; it counts as much as KNOWN texts do.
    """
    tokens = texts if isinstance(texts, Tokens) else tokens_of(texts)
    starts, words, frequency, order = distinct(tokens)
    total = len(starts)
    rarity = np.log(total / np.maximum(frequency, 1))
    if prior and tokens.names:
        telling = np.array([prior(name) for name in tokens.names])
        telling = telling[order[order < len(telling)]]
        rarity = (total * rarity[-len(telling) :] + KNOWN * telling) / (total + KNOWN)
    length = np.zeros(total - 1)
    for start, stop in blocks_of(starts):
        rows, in_rows = entries(starts, words, start, stop)
        squares = np.bincount(rows, rarity[in_rows] ** 2, minlength=stop - start)
        length[start:stop] = np.sqrt(squares)
    return Vectors(starts, words, rarity, np.maximum(length, 1e-9))


def only(vectors: Vectors, chosen: Any) -> Vectors:
    """The same rows, those that are not `chosen` (a mask) left empty."""
    counts = np.diff(vectors.starts)
    starts = np.concatenate([[0], np.cumsum(counts * chosen)])
    return vectors._replace(
        starts=starts, words=vectors.words[np.repeat(chosen, counts)]
    )


def neighbours(
    vectors: Vectors,
    engine: Engine | None = None,
    looks: Any = None,
    found: Any = None,
    below: Path | None = None,
) -> tuple[Ints, Ints]:
    """Pairs (a < b) in which one is among the other's nearest NEIGHBOURS, by cosine or containment.

    Only the rows that `looks` chooses (a mask) look, and only those of `found` are found; all do
    where nothing is chosen. The index stands in files `below` a folder that are mapped to memory,
    and rows are looked up in tasks.

    >>> apples, train = ["ann", "has", "apples"], ["a", "train", "leaves"]
    >>> a, b = neighbours(vectors_of([apples, train, ["ben", "has", "apples"], train]))
    >>> a.tolist(), b.tolist()
    ([0, 1], [2, 3])
    """
    queries = vectors if looks is None else only(vectors, looks)
    indexed = vectors if found is None else only(vectors, found)
    rows = np.flatnonzero(np.diff(queries.starts))
    spans = [
        (int(some[0]), int(some[-1]) + 1)
        for some in np.split(rows, range(TASK, len(rows), TASK))
        if len(some)
    ]
    with workspace(below) as folder:
        _write_index(queries, indexed, folder)
        look = partial(nearest, str(folder))
        codes = [*run_tasks(look, spans, engine or Engine(), "blocks of words")]
        _open_index.cache_clear()
    a, b = np.divmod(_union(codes), max(len(vectors.starts) - 1, 1))
    return a, b


def _union(codes: list[Ints]) -> Ints:
    return np.unique(np.concatenate([np.empty(0, np.int64), *codes]))


def _write_index(queries: Vectors, vectors: Vectors, folder: Path) -> None:
    """The queries, and for every word, from `first` on, the vectors that have it, in order."""
    frequency = np.bincount(vectors.words, minlength=len(vectors.rarity))
    first = np.concatenate([[0], np.cumsum(frequency)])
    posted = np.empty(len(vectors.words), np.int32)
    free = first[:-1].copy()  # of each word, where its next row is put
    for start, stop in blocks_of(vectors.starts):
        rows, words = entries(vectors.starts, vectors.words, start, stop)
        order = np.argsort(words, kind="stable")
        words = words[order]
        rank = np.arange(len(words)) - np.searchsorted(words, words)
        posted[free[words] + rank] = start + rows[order]
        free += np.bincount(words, minlength=len(free))
    for name, values in {**queries._asdict(), "first": first, "posted": posted}.items():
        np.save(folder / f"{name}.npy", values)


class _Index(NamedTuple):
    """What tasks read: the queries, who has each word, and what makes two rows near.

    `first` is where the rows of each word begin in `posted`; `telling` are the rows whose weight is
    enough to tell them from all others. A sum is near where it is not below `least` of its cell, or
    not below `held` of the row itself, where another may hold it.
    """

    queries: Vectors
    first: Ints
    posted: Ints
    telling: Any
    least: Any
    held: Any


@lru_cache(maxsize=2)
def _open_index(folder: str) -> _Index:
    names = (*Vectors._fields, "first", "posted")
    *arrays, first, posted = (
        np.asarray(np.load(Path(folder, f"{name}.npy"), mmap_mode="r"))
        for name in names
    )
    queries = Vectors(*arrays)
    length = queries.length
    telling = length**2 >= FEWEST * math.log(len(length) + 1) ** 2
    least = np.full(min(len(length), CELLS), np.inf)
    cells = np.arange(len(length)) & (CELLS - 1)
    np.minimum.at(least, cells, (1 - SLACK) * LEAST * length)
    held = np.where(telling, (1 - SLACK) * HELD * length, np.inf)
    return _Index(queries, first, posted, telling, least, held)


def nearest(folder: str, span: tuple[int, int]) -> Ints:
    """Codes a * total + b of these rows and their nearest, as the rarest words tell."""
    index = _open_index(folder)
    total = len(index.telling)
    first, end = span
    codes = []
    for start in range(first, end, BLOCK):
        matches, closeness = _closest_of_block(index, start, min(start + BLOCK, end))
        row, other = np.divmod(matches, total)
        # Of equal ones the earlier: matches ascend.
        order = np.lexsort((-closeness, row))
        rank = np.arange(len(row)) - np.searchsorted(row[order], row[order])
        best = order[rank < NEIGHBOURS]
        row = row[best]
        other = other[best]
        codes.append(np.minimum(row, other) * total + np.maximum(row, other))
    return _union(codes)


def _closest_of_block(index: _Index, start: int, stop: int) -> tuple[Ints, Any]:
    """(row * total + other, closeness) of rows [start, stop) with all rows, ascending.

    As close as their cosine, from LEAST on, or as the share that one holds of the other's weight,
    from HELD on, where that weight is enough to tell it from all others.
    """
    postings = _postings_of_block(index, start, stop)
    if postings is None:
        return np.empty(0, np.int64), np.empty(0)
    row, other, sums = _near_sums(index, postings, start, stop)
    length = index.queries.length
    dot = sums * length[row]
    lesser = np.where(length[row] < length[other], row, other)
    share = np.where(index.telling[lesser], dot / length[lesser] ** 2, 0)
    held = np.where(share >= HELD, share, 0)
    closeness = np.maximum(sums / length[other], held)
    close = (closeness >= LEAST) & (row != other)
    codes = row * len(length) + other
    return codes[close], closeness[close]


class _Postings(NamedTuple):
    """What is read of the index for some rows: who shares a word, and what the word adds."""

    base: Ints  # the first of the cells in which the row adds up
    other: Ints
    part: Any


def _postings_of_block(index: _Index, start: int, stop: int) -> _Postings | None:
    """Of each row POSTINGS entries at most, those of its rarest words first; None without any."""
    queries = index.queries
    first = index.first
    rows, words = entries(queries.starts, queries.words, start, stop)
    counts = first[words + 1] - first[words]
    # How many entries are read of a row before those of a word.
    before = np.cumsum(counts) - counts
    row_starts = queries.starts[start + rows] - queries.starts[start]
    before -= before[np.minimum(row_starts, len(before) - 1)]
    read = before + counts <= POSTINGS
    rows = rows[read]
    words = words[read]
    counts = counts[read]
    if not len(words):
        return None
    lists = zip(first[words].tolist(), first[words + 1].tolist(), strict=True)
    other = np.concatenate([index.posted[at:end] for at, end in lists])
    base = (rows * len(index.least)).astype(np.int32)
    part = queries.rarity[words] ** 2 / queries.length[start + rows]
    return _Postings(np.repeat(base, counts), other, np.repeat(part, counts))


def _near_sums(
    index: _Index, postings: _Postings, start: int, stop: int
) -> tuple[Ints, Ints, Any]:
    """Row, other, and the sum of what their shared words add, of all that may be near; ascending.

    What is read of a row is first added up by remainder, in CELLS: a cell's sum is at least that of
    each text in it, so most texts need no sum of their own, however many.
    """
    total = len(index.telling)
    cells = len(index.least)
    cell = postings.base + (postings.other & (CELLS - 1))
    flat = np.bincount(cell, postings.part, minlength=(stop - start) * cells)
    sums: Any = flat.reshape(-1, cells)
    near = sums >= np.minimum(index.least, index.held[start:stop, None])
    if total == cells:  # a cell is a text
        matches = np.flatnonzero(near)
        row, other = np.divmod(start * cells + matches, cells)
        return row, other, flat[matches]
    able = np.flatnonzero(near.ravel()[cell])
    row = (start + cell[able] // cells).astype(np.int64)
    codes, which = np.unique(row * total + postings.other[able], return_inverse=True)
    row, other = np.divmod(codes, total)
    return row, other, np.bincount(which, postings.part[able])


def cosines(vectors: Vectors, a: Ints, b: Ints) -> Any:
    """The cosine of each pair of rows."""
    shared = shared_weight(vectors, a, b, 2)
    cosine = shared / (vectors.length[a] * vectors.length[b])
    return np.round(cosine, 9)  # 1 is 1 on any machine


def shared_weight(vectors: Vectors, a: Ints, b: Ints, power: int) -> Any:
    """The sum of rarity ** `power` over the words that each pair of rows shares."""
    sums = np.zeros(len(a))
    for start in range(0, len(a), TOGETHER):
        part = slice(start, start + TOGETHER)
        pairs, words = common(vectors.starts, vectors.words, a[part], b[part])
        of_part = np.bincount(pairs, vectors.rarity[words] ** power)
        sums[start : start + len(of_part)] = of_part
    return sums
