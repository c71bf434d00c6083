"""The exact similarity join: all pairs of texts within a Levenshtein distance, none missed.

Texts `a` and `b` are similar at `percent` when their distance is at most `allowance(longer)`.
The texts are sorted by length, so that a row meets one contiguous window of later rows; three
necessary conditions (`signatures`) thin the window out, and rapidfuzz verifies what is left.
Identical texts form groups and are compared once; groups are never expanded to pairs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..base.files import replacing
from ..errors import UserError
from ..pipeline import Engine
from .signatures import Ints, shared_grams
from .table import Masks, SignatureTable, run_tasks, workspace, write_table

Value = TypeVar("Value", bound=Hashable)
TASK = 50_000_000  # window pairs per task
ROWS, COLUMNS = 256, 4096  # one matrix product
VERIFY = 100_000  # pairs that wait until they are verified together
CLASS = 1.1  # ratio of the largest to the least allowance of those that share a cutoff
# Allowances and length differences beyond FAR are not computed, but pass as ALWAYS.
FAR = 4096
ALWAYS = 1e9
# The product of two points of norm^2 <= 768 and four terms of at most FAR is off by less than 0.3
# in float32 (194 terms, relative rounding 2**-24); half of the slack below.
SLACK = 1.0


class Match(NamedTuple):
    """Two similar texts, by their positions in the input, and their distance in edits."""

    a: int
    b: int
    distance: int


def allowance(length: Any, percent: int) -> Any:
    """Edits allowed to two texts of which the longer has `length` code points; also of arrays.

    >>> allowance(42, 90)
    4
    """
    return length * (100 - percent) // 100


def whole_percent(threshold: float) -> int:
    """0.9 -> 90. Raises UserError outside 0.5 to 1 or for fractions of a percent."""
    for percent in range(50, 101):
        if abs(threshold * 100 - percent) < 1e-9:
            return percent
    raise UserError(
        f"threshold {threshold}", "give a whole percentage from 0.50 to 1.00"
    )


def groups_of(texts: Iterable[Value]) -> dict[Value, list[int]]:
    """Positions of every distinct text (or other value), in order of first appearance."""
    groups: dict[Value, list[int]] = {}
    for position, text in enumerate(texts):
        groups.setdefault(text, []).append(position)
    return groups


def join(
    texts: Sequence[str], percent: int, engine: Engine | None = None
) -> Iterator[Match]:
    """All similar pairs of distinct `texts`, by the first position of each text.

    Texts that occur again are left to `groups_of`.

    >>> [m.distance for m in join(["one apple pie", "one apple pies", "two"], 90)]
    [1]
    """
    first: dict[str, int] = {}
    for row, text in enumerate(texts):
        first.setdefault(text, row)
    rows = list(first.values())
    every = np.ones(len(first), bool)
    for a, b, distance in join_sides([*first], percent, [(every, every)], engine):
        yield _match(rows[a], rows[b], distance)


def _match(a: int, b: int, distance: int) -> Match:
    return Match(min(a, b), max(a, b), distance)


def join_sides(
    texts: Sequence[str],
    percent: int,
    sides: Sequence[Masks],
    engine: Engine | None = None,
    below: Path | None = None,
) -> Iterator[Match]:
    """Similar pairs (a < b) of any texts, one of each side.

    Each side is two masks of the texts; those of the first meet those of the second that are
    longer, or as long and later.

    >>> ours = np.array([True, True, False])
    >>> list(join_sides(["one apple", "two", "one apples"], 90, [(ours, ~ours), (~ours, ours)]))
    [Match(a=0, b=2, distance=1)]
    """
    if not texts:
        return
    with workspace(below, engine) as folder:
        order = write_table(texts, folder, sides)
        work = partial(run_task, folder, percent)
        tasks = list(_tasks(SignatureTable(folder), percent))
        parts = run_tasks(work, tasks, engine or Engine(), "blocks of questions")
        for a, b, distance in chain.from_iterable(parts):
            yield _match(int(order[a]), int(order[b]), int(distance))


def join_again(
    texts: Sequence[str],
    percent: int,
    sides: Sequence[Masks],
    engine: Engine | None = None,
    kept: Path | None = None,
    below: Path | None = None,
) -> Iterator[Match]:
    """As `join_sides`; where `kept` holds that of nearly the same, only new texts meet all."""
    prints = [_print(text, row, sides) for row, text in enumerate(texts)]
    old_prints, old_matches = _read_join(kept)
    old_rows = {old: row for row, old in enumerate(old_prints)}
    old = np.array([old_rows.get(text, -1) for text in prints], np.int64)
    is_new = old < 0
    # Old matches by the rows that their texts have now; -1 for texts that are gone.
    row_now = np.full(len(old_prints), -1)
    row_now[old[~is_new]] = np.flatnonzero(~is_new)
    matches = np.column_stack([row_now[old_matches[:, :2]], old_matches[:, 2]])
    matches = matches[(matches >= 0).all(axis=1)]
    near = np.flatnonzero(_reached(texts, is_new, percent))
    near_sides = [(rows[near], columns[near]) for rows, columns in sides]
    met = join_sides(
        [texts[row] for row in near],
        percent,
        _with_new(near_sides, is_new[near]),
        engine,
        below,
    )
    found = np.fromiter(chain.from_iterable(met), np.int64).reshape(-1, 3)
    new_matches = np.column_stack([near[found[:, :2]], found[:, 2]])
    matches = np.concatenate([matches, new_matches])
    if kept is not None and (is_new.any() or len(texts) != len(old_prints)):
        data = {"prints": np.frombuffer(b"".join(prints), np.uint8), "joined": matches}
        with replacing(kept) as file:
            np.savez(file, allow_pickle=False, **data)
    for a, b, distance in map(np.ndarray.tolist, matches):
        yield _match(a, b, distance)


def _with_new(sides: Sequence[Masks], new: NDArray[np.bool_]) -> list[Masks]:
    """The sides, so that of two texts that meet one is new."""
    halves: list[Masks] = []
    for rows, columns in sides:
        halves += [(rows & new, columns), (rows & ~new, columns & new)]
    return halves


def _print(text: str, row: int, sides: Sequence[Masks]) -> bytes:
    """Of a text with its sides: a text on another side meets others."""
    on_sides = bytes(bool(mask[row]) for side in sides for mask in side)
    data = text.encode("utf-8", "surrogatepass") + on_sides
    return hashlib.blake2b(data, digest_size=16).digest()


def _read_join(path: Path | None) -> tuple[list[bytes], Ints]:
    """Prints of texts and their pairs, as they were kept; nothing where the file is not whole."""
    try:
        with np.load(path or "") as data:
            prints = data["prints"].tobytes()
            matches = data["joined"].reshape(-1, 3)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return [], np.empty((0, 3), np.int64)
    return [prints[at : at + 16] for at in range(0, len(prints), 16)], matches


def _reached(
    texts: Sequence[str], new: NDArray[np.bool_], percent: int
) -> NDArray[np.bool_]:
    """Which texts are of a length that a new one may meet."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    order = np.argsort(lengths, kind="stable")
    ascending = lengths[order]
    shortest_met = ascending - allowance(ascending, percent)
    reached = np.zeros(len(texts), bool)
    for length in np.unique(lengths[new]).tolist():
        first = np.searchsorted(ascending, length - allowance(length, percent))
        end = np.searchsorted(shortest_met, length, side="right")
        reached[order[first:end]] = True
    return reached


def windows(
    lengths: Ints, rows: Ints, columns: Ints, percent: int
) -> tuple[Ints, Ints]:
    """For each row, the range of columns that come later and are close enough in length.

    `length - allowance(length)` never falls as the length grows, so one search finds the end.
    """
    longer = lengths[columns]
    shortest_met = longer - allowance(longer, percent)
    start = np.searchsorted(columns, rows, side="right")
    return start, np.searchsorted(shortest_met, lengths[rows], side="right")


def _tasks(table: SignatureTable, percent: int) -> Iterator[tuple[int, int, int]]:
    """Sides and their row ranges of about equal work: long texts have wider windows."""
    for side, (rows, columns) in enumerate(table.sides):
        start, stop = windows(table.lengths, rows, columns, percent)
        work = np.cumsum(np.maximum(stop - start, 0) + 1)
        total = work[-1:].sum()
        cuts = np.searchsorted(work, np.arange(TASK, max(total, 1), TASK))
        for first, last in pairwise(np.unique([0, *cuts, len(rows)]).tolist()):
            yield side, first, last


def run_task(folder: Path, percent: int, task: tuple[int, int, int]) -> Ints:
    """Similar (row, later row, distance) of rows of one side, sorted by row."""
    table = SignatureTable(folder)
    side, first_row, last_row = task
    rows, columns = table.sides[side]
    rows = rows[first_row:last_row]
    similar = [np.empty((0, 3), np.int64)]
    waiting = list[Ints]()
    for a, b in _near_pairs(table, rows, columns, percent):
        waiting.append(_survivors(table, a, b, percent))
        if sum(map(len, waiting)) >= VERIFY:  # none of them need be held
            similar.append(_verified(table, waiting, percent))
            waiting = []
    similar.append(_verified(table, waiting, percent))
    matches = np.concatenate(similar)
    return matches[np.lexsort((matches[:, 1], matches[:, 0]))]


def _near_pairs(
    table: SignatureTable, rows: Ints, columns: Ints, percent: int
) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of rows and later columns whose points allow the distance, block by block."""
    start, stop = windows(table.lengths, rows, columns, percent)
    first, last = int(start.min()), int(stop.max())
    left, right = _factors(table, rows, columns[first : max(first, last)], percent)
    for top in range(0, len(rows), ROWS):
        block = slice(top, top + ROWS)
        end = int(stop[block].max())
        for tile in range(int(start[block].min()), end, COLUMNS):
            tile_end = min(tile + COLUMNS, end)
            near = left[block] @ right[tile - first : tile_end - first].T
            hits = np.flatnonzero(near.ravel() >= 0)
            a, b = np.divmod(hits, near.shape[1])
            a, b = a + top, b + tile
            inside = (b >= start[a]) & (b < stop[a])
            yield rows[a[inside]], columns[b[inside]]


def _factors(
    table: SignatureTable, rows: Ints, columns: Ints, percent: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Two matrices whose product is not negative where |p - q|^2 <= 2*allowance - (b - a).

    Rows are (p, u, 1), columns (q, 1, v); u and v hold half of what depends on one side only.
    """
    lengths, longer = table.lengths[rows], table.lengths[columns]
    base = int(lengths[0])
    width = table.points.shape[1]
    u = lengths - base
    u = np.where(u > FAR, ALWAYS, u)
    left = np.ones((len(rows), width + 2), np.float32)
    left[:, :width] = table.points[rows]
    left[:, width] = (u - table.norms[rows]) / 2
    v = 2 * allowance(longer, percent) - (longer - base)
    v = np.where(v > FAR, ALWAYS, np.maximum(v, -FAR))
    right = np.ones((len(columns), width + 2), np.float32)
    right[:, :width] = table.points[columns]
    right[:, width + 1] = (v - table.norms[columns] + SLACK) / 2
    return left, right


def _survivors(table: SignatureTable, a: Ints, b: Ints, percent: int) -> Ints:
    """Pairs whose 1-gram and 2-gram counts allow the distance; 0 stands for it as yet."""
    for q, counts in enumerate(table.counts, 1):
        destroyed = q * allowance(table.lengths[b], percent)
        enough = shared_grams(counts, a, b) >= table.totals[b, q - 1] - destroyed
        a, b = a[enough], b[enough]
    return np.column_stack([a, b, np.zeros_like(a)])


def _verified(table: SignatureTable, waiting: list[Ints], percent: int) -> Ints:
    """The pairs that are similar, with their distance."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    pairs = np.concatenate([np.empty((0, 3), np.int64), *waiting])
    if not len(pairs):
        return pairs
    allowed = allowance(table.lengths[pairs[:, 1]], percent)
    # Pairs of about one allowance share a cutoff: each call of rapidfuzz takes one.
    classes = np.floor(np.log1p(allowed) / np.log(CLASS)).astype(np.int64)
    order = np.argsort(classes, kind="stable")
    class_starts = np.flatnonzero(np.diff(classes[order])) + 1
    for of_class in np.split(order, class_starts):
        pairs[of_class, 2] = cpdist(
            table.read(pairs[of_class, 0]),
            table.read(pairs[of_class, 1]),
            scorer=Levenshtein.distance,
            score_cutoff=int(allowed[of_class].max()),
            dtype=np.int64,
        )
    return pairs[pairs[:, 2] <= allowed]
