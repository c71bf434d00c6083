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
from .tokens import Tokens, blocks_of, common, distinct, tokens_of

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
    rarity = np.log(len(starts) / np.maximum(frequency, 1))
    if prior and tokens.names:
        told = np.array([prior(name) for name in tokens.names])[
            order[order < len(tokens.names)]
        ]
        rarity = (len(starts) * rarity[-len(told) :] + KNOWN * told) / (
            len(starts) + KNOWN
        )
    length = np.zeros(len(starts) - 1)
    for start, stop in blocks_of(starts):
        counts = np.diff(starts[start : stop + 1])
        own = words[starts[start] : starts[stop]]
        rows = np.repeat(np.arange(stop - start), counts)
        length[start:stop] = np.sqrt(
            np.bincount(rows, rarity[own] ** 2, minlength=stop - start)
        )
    return Vectors(starts, words, rarity, np.maximum(length, 1e-9))


def only(vectors: Vectors, chosen: Any) -> Vectors:
    """The same rows, those that are not `chosen` (a mask) left empty."""
    counts = np.diff(vectors.starts)
    starts = np.concatenate([[0], np.cumsum(counts * chosen)])
    return vectors._replace(
        starts=starts, words=vectors.words[np.repeat(chosen, counts)]
    )


def neighbours(
    vectors: Vectors, engine: Engine | None = None, looks: Any = None, found: Any = None
) -> tuple[Ints, Ints]:
    """Pairs (a < b) in which one is among the other's nearest NEIGHBOURS, by cosine or containment.

    Only the rows that `looks` chooses (a mask) look, and only those of `found` are found; all do
    where nothing is chosen. The index stands in files that are mapped to memory, and rows are
    looked up in tasks.

    >>> apples, train = ["ann", "has", "apples"], ["a", "train", "leaves"]
    >>> a, b = neighbours(vectors_of([apples, train, ["ben", "has", "apples"], train]))
    >>> a.tolist(), b.tolist()
    ([0, 1], [2, 3])
    """
    queries = vectors if looks is None else only(vectors, looks)
    rows = np.flatnonzero(np.diff(queries.starts))
    with workspace() as folder:
        _write_index(
            queries, vectors if found is None else only(vectors, found), folder
        )
        look = partial(nearest, str(folder))
        parts = np.split(rows, range(TASK, len(rows), TASK)) if len(rows) else []
        spans = [(int(some[0]), int(some[-1]) + 1) for some in parts]
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
    posted, free = np.empty(len(vectors.words), np.int32), first[:-1].copy()
    for start, stop in blocks_of(vectors.starts):
        rows = np.repeat(
            np.arange(start, stop), np.diff(vectors.starts[start : stop + 1])
        )
        words = vectors.words[vectors.starts[start] : vectors.starts[stop]]
        order = np.argsort(words, kind="stable")
        words = words[order]
        posted[free[words] + np.arange(len(words)) - np.searchsorted(words, words)] = (
            rows[order]
        )
        free += np.bincount(words, minlength=len(free))
    for name, values in {**queries._asdict(), "first": first, "posted": posted}.items():
        np.save(folder / f"{name}.npy", values)


class _Index(NamedTuple):
    """What tasks read: the queries, who has each word, and what makes two rows near."""

    queries: Vectors
    first: Ints  # of each word, in `posted`
    posted: Ints
    telling: Any  # rows whose weight is enough to tell them from all others
    least: (
        Any  # of each cell: the sums of rows near to one of its rows are not below ...
    )
    held: Any  # ... or not below this, of the row itself, where another may hold it


@lru_cache(maxsize=2)
def _open_index(folder: str) -> _Index:
    names = (*Vectors._fields, "first", "posted")
    *rows, first, posted = (
        np.asarray(np.load(Path(folder, f"{name}.npy"), mmap_mode="r"))
        for name in names
    )
    length = rows[-1]
    telling = length**2 >= FEWEST * math.log(len(length) + 1) ** 2
    least = np.full(min(len(length), CELLS), np.inf)
    np.minimum.at(
        least, np.arange(len(length)) & (CELLS - 1), (1 - SLACK) * LEAST * length
    )
    held = np.where(telling, (1 - SLACK) * HELD * length, np.inf)
    return _Index(Vectors(*rows), first, posted, telling, least, held)


def nearest(folder: str, span: tuple[int, int]) -> Ints:
    """Codes a * total + b of these rows and their nearest, as the rarest words tell."""
    index = _open_index(folder)
    total = len(index.telling)
    found = []
    for start in range(*span, BLOCK):
        hits, closeness = _closest_of_block(index, start, min(start + BLOCK, span[1]))
        row, other = np.divmod(hits, total)
        order = np.lexsort((-closeness, row))  # of equal ones the earlier: hits ascend
        rank = np.arange(len(row)) - np.searchsorted(row[order], row[order])
        kept = order[rank < NEIGHBOURS]
        a, b = np.minimum(row[kept], other[kept]), np.maximum(row[kept], other[kept])
        found.append(a * total + b)
    return _union(found)


def _closest_of_block(index: _Index, start: int, stop: int) -> tuple[Ints, Any]:
    """(row * total + other, closeness) of rows [start, stop) with all rows, ascending.

    As close as their cosine, from LEAST on, or as the share that one holds of the other's weight,
    from HELD on, where that weight is enough to tell it from all others.

    What is read of a row is first added up by remainder, in CELLS: a cell's sum is at least that of
    each text in it, so most texts need no sum of their own, however many.
    """
    (starts, words, rarity, length), first, posted, telling, least, held = index
    total = len(length)
    own = words[starts[start] : starts[stop]]
    rows = np.repeat(np.arange(start, stop), np.diff(starts[start : stop + 1]))
    counts = first[own + 1] - first[own]
    before = np.cumsum(counts) - counts
    before -= before[np.minimum(starts[rows] - starts[start], len(before) - 1)]
    read = before + counts <= POSTINGS
    own, rows, counts = own[read], rows[read], counts[read]
    if not len(own):
        return np.empty(0, np.int64), np.empty(0)
    lists = zip(first[own].tolist(), first[own + 1].tolist(), strict=True)
    other = np.concatenate([posted[at:end] for at, end in lists])
    part = np.repeat(rarity[own] ** 2 / length[rows], counts)
    cells = len(least)
    cell = np.repeat(((rows - start) * cells).astype(np.int32), counts)
    cell += other & (CELLS - 1)
    sums: Any = np.bincount(cell, part, minlength=(stop - start) * cells).reshape(
        -1, cells
    )
    near = sums >= np.minimum(least, held[start:stop, None])
    if total == cells:
        found = np.flatnonzero(near)
        row, other = np.divmod(start * cells + found, cells)
        sums = sums.ravel()[found]
    else:
        able = np.flatnonzero(near.ravel()[cell])
        pair = (start + cell[able] // cells).astype(np.int64) * total + other[able]
        pair, which = np.unique(pair, return_inverse=True)
        row, other = np.divmod(pair, total)
        sums = np.bincount(which, part[able])
    dot, lesser = sums * length[row], np.where(length[row] < length[other], row, other)
    share = np.where(telling[lesser], dot / length[lesser] ** 2, 0)
    closeness = np.maximum(sums / length[other], np.where(share >= HELD, share, 0))
    kept = (closeness >= LEAST) & (row != other)
    return (row * total + other)[kept], closeness[kept]


def cosines(vectors: Vectors, a: Ints, b: Ints) -> Any:
    """The cosine of each pair of rows."""
    shared = shared_weight(vectors, a, b, 2)
    return np.round(
        shared / (vectors.length[a] * vectors.length[b]), 9
    )  # 1 is 1 on any machine


def shared_weight(vectors: Vectors, a: Ints, b: Ints, power: int) -> Any:
    """The sum of rarity ** `power` over the words that each pair of rows shares."""
    out = np.zeros(len(a))
    for at in range(0, len(a), TOGETHER):
        some = slice(at, at + TOGETHER)
        pairs, words = common(vectors.starts, vectors.words, a[some], b[some])
        found = np.bincount(pairs, vectors.rarity[words] ** power)
        out[at : at + len(found)] = found
    return out
