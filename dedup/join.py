"""The exact similarity join: all pairs of texts within a Levenshtein distance, none missed.

Texts `a` and `b` are similar at `percent` when their distance is at most `allowance(longer)`.
The texts are sorted by length, so that a row meets one contiguous window of later rows; three
necessary conditions (`signatures`) thin the window out, and rapidfuzz verifies what is left.
Identical texts form groups and are compared once; groups are never expanded to pairs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..base.files import replacing
from ..errors import UserError
from ..pipeline import Engine
from .signatures import Ints, shared_grams
from .table import SignatureTable, run_tasks, workspace, write_table

Value = TypeVar("Value", bound=Hashable)
TASK = 50_000_000  # window pairs per task
MANY = 200  # texts of which one may be new: to join it with each costs less than a join
ROWS, COLUMNS = 256, 4096  # one matrix product
VERIFY = 100_000  # pairs that wait until they are verified together
CLASS = 1.1  # ratio of the largest to the least allowance of those that share a cutoff
FAR = 4096  # allowances and length differences beyond this are not computed, but pass ...
ALWAYS = 1e9  # ... as this
# The product of two points of norm^2 <= 768 and four terms of at most FAR is off by less than 0.3
# in float32 (194 terms, relative rounding 2**-24); half of the slack below.
SLACK = 1.0


class Match(NamedTuple):
    """Two similar texts, by their positions in the input, and their distance in edits."""

    a: int
    b: int
    distance: int


class JoinTask(NamedTuple):
    """Rows [start, stop) of one table against the longer or equal rows of another (or itself)."""

    rows: str
    columns: str
    start: int
    stop: int
    percent: int
    equal: bool  # whether rows of equal length count as longer (they must in one direction only)


def allowance(length: int, percent: int) -> int:
    """Edits allowed to two texts of which the longer has `length` code points.

    >>> allowance(42, 90)
    4
    """
    return length * (100 - percent) // 100


def whole_percent(threshold: float) -> int:
    """0.9 -> 90. Raises UserError outside 0.5 to 1 or for fractions of a percent."""
    for percent in range(50, 101):
        if abs(threshold * 100 - percent) < 1e-9:
            return percent
    raise UserError(f"threshold {threshold}", "give a whole percentage from 0.50 to 1.00")


def groups_of(texts: Iterable[Value]) -> dict[Value, list[int]]:
    """Positions of every distinct text (or other value), in order of first appearance."""
    groups: dict[Value, list[int]] = {}
    for position, text in enumerate(texts):
        groups.setdefault(text, []).append(position)
    return groups


def join(
    texts: Sequence[str],
    percent: int,
    engine: Engine | None = None,
    rows: tuple[int, int] | None = None,
) -> Iterator[Match]:
    """All similar pairs of distinct `texts`, by the first position of each text.

    Texts that occur again are left to `groups_of`. `rows` limits the work to a range of rows in
    order of length, for sampling. With a remote Dask cluster TMPDIR must be a shared folder.

    >>> [m.distance for m in join(["one apple pie", "one apple pies", "two"], 90)]
    [1]
    """
    first: dict[str, int] = {}
    for row, text in enumerate(texts):
        first.setdefault(text, row)
    with workspace() as folder:
        positions = write_table(list(first), folder / "texts")
        order = np.fromiter(first.values(), np.int64, len(first))[positions]
        path = str(folder / "texts")
        tasks = list(_tasks(path, path, percent, False, rows))
        for i, j, distance in _run_all(tasks, engine or Engine()):
            a, b = int(order[i]), int(order[j])
            yield Match(min(a, b), max(a, b), int(distance))


def join_again(
    texts: Sequence[str], percent: int, engine: Engine | None = None, kept: Path | None = None
) -> Iterator[Match]:
    """`join` of distinct texts; where `kept` holds that of nearly the same, only new ones meet all.

    >>> list(join_again(["one apple pie", "two", "one apple pies"], 90))
    [Match(a=0, b=2, distance=1)]
    """
    prints = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest()[:16] for text in texts
    ]
    before, joined = _kept(kept)
    known = {own: row for row, own in enumerate(before)}
    old = np.array([known.get(own, -1) for own in prints], np.int64)
    new = np.flatnonzero(old < 0)
    if known and len(new) * MANY <= len(texts):
        place = np.full(len(before), -1)
        place[old[old >= 0]] = np.flatnonzero(old >= 0)
        a, b = place[joined[:, 0]], place[joined[:, 1]]
        stay = (a >= 0) & (b >= 0)
        found = [np.column_stack([a, b, joined[:, 2]])[stay], *_each_of(texts, new, percent)]
        matches = np.concatenate(found)
    else:
        matches = np.array([*join(texts, percent, engine)], np.int64).reshape(-1, 3)
    if kept is not None and (len(new) or len(texts) != len(before)):
        data = {"prints": np.frombuffer(b"".join(prints), np.uint8), "joined": matches}
        with replacing(kept) as file:
            np.savez(file, allow_pickle=False, **data)
    for a, b, distance in matches.tolist():
        yield Match(min(a, b), max(a, b), distance)


def _kept(path: Path | None) -> tuple[list[bytes], Ints]:
    """Prints of texts and their pairs, as they were kept; nothing where the file is not whole."""
    try:
        with np.load(path or "") as data:
            prints, joined = data["prints"].tobytes(), data["joined"].reshape(-1, 3)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        prints, joined = b"", np.empty((0, 3), np.int64)
    return [prints[at : at + 16] for at in range(0, len(prints), 16)], joined


def _each_of(texts: Sequence[str], new: Ints, percent: int) -> Iterator[Ints]:
    """Some texts with all in their windows of length, by brute force."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    order = np.argsort(lengths, kind="stable")
    ascending, left = lengths[order], np.ones(len(texts), bool)
    for row in new.tolist():
        left[row] = False  # every pair once
        longest = np.searchsorted(
            ascending - ascending * (100 - percent) // 100, lengths[row], side="right"
        )
        shortest = lengths[row] - allowance(int(lengths[row]), percent)
        near = order[np.searchsorted(ascending, shortest) : longest]
        near = near[left[near]]
        allowed = np.maximum(lengths[near], lengths[row]) * (100 - percent) // 100
        distance = cdist(
            [texts[row]], [texts[k] for k in near.tolist()], scorer=Levenshtein.distance,
            score_cutoff=int(allowed.max(initial=0)), dtype=np.int64,
        )[0]  # fmt: skip
        some = distance <= allowed
        yield np.column_stack([np.full(some.sum(), row), near[some], distance[some]])


def join_against(
    texts: Sequence[str], others: Sequence[str], percent: int, engine: Engine | None = None
) -> Iterator[Match]:
    """All similar pairs of a distinct text `a` and a distinct other text `b`, equal texts too.

    >>> list(join_against(["one apple"], ["two pears", "one apple"], 90))
    [Match(a=0, b=1, distance=0)]
    """
    groups, other_groups = groups_of(texts), groups_of(others)
    with workspace() as folder:
        left, right = folder / "left", folder / "right"
        a = write_table(list(groups), left)
        b = write_table(list(other_groups), right, like=left)
        to_longer = list(_tasks(str(left), str(right), percent, True))
        to_shorter = list(_tasks(str(right), str(left), percent, False))
        first_a = [positions[0] for positions in groups.values()]
        first_b = [positions[0] for positions in other_groups.values()]
        engine = engine or Engine()
        for i, j, distance in _run_all(to_longer, engine):
            yield Match(first_a[a[i]], first_b[b[j]], int(distance))
        for j, i, distance in _run_all(to_shorter, engine):
            yield Match(first_a[a[i]], first_b[b[j]], int(distance))


def _run_all(tasks: list[JoinTask], engine: Engine) -> Iterator[Ints]:
    return chain.from_iterable(run_tasks(run_task, tasks, engine, "blocks of questions"))


def windows(
    lengths: Ints, columns: Ints, percent: int, equal: bool, same: bool
) -> tuple[Ints, Ints]:
    """For each row, the range of columns at least as long and close enough in length.

    `length - allowance(length)` never falls as the length grows, so one search finds the end.
    """
    stop = np.searchsorted(columns - columns * (100 - percent) // 100, lengths, side="right")
    if same:
        return np.arange(1, len(lengths) + 1), stop
    return np.searchsorted(columns, lengths, side="left" if equal else "right"), stop


def _tasks(
    rows: str, columns: str, percent: int, equal: bool, limit: tuple[int, int] | None = None
) -> Iterator[JoinTask]:
    """Row ranges of about equal work: long texts have wider windows."""
    lengths = SignatureTable(rows).lengths
    start, stop = windows(lengths, SignatureTable(columns).lengths, percent, equal, rows == columns)
    work = np.cumsum(np.maximum(stop - start, 0) + 1)
    at, end = limit or (0, len(lengths))
    end = min(end, len(lengths))
    while at < end:
        done = int(work[at - 1]) if at else 0
        until = max(at + 1, min(end, int(np.searchsorted(work, done + TASK))))
        yield JoinTask(rows, columns, at, until, percent, equal)
        at = until


def run_task(task: JoinTask) -> Ints:
    """Similar (row, column, distance) of one task, sorted by row and column."""
    rows, columns = SignatureTable(task.rows), SignatureTable(task.columns)
    own = slice(task.start, task.stop)
    start, stop = windows(
        rows.lengths[own], columns.lengths, task.percent, task.equal, task.rows == task.columns
    )
    if task.rows == task.columns:
        start = start + task.start
    first, last = int(start.min()), int(stop.max())
    left, right = _factors(rows, columns, own, slice(first, max(first, last)), task.percent)
    similar = [np.empty((0, 3), np.int64)]
    waiting: list[Ints] = []
    for at in range(0, len(start), ROWS):
        block = slice(at, at + ROWS)
        end = int(stop[block].max())
        for tile in range(int(start[block].min()), end, COLUMNS):
            near = left[block] @ right[tile - first : min(tile + COLUMNS, end) - first].T
            hits = np.flatnonzero(near.ravel() >= 0)
            a, b = np.divmod(hits, near.shape[1])
            a, b = a + at, b + tile
            inside = (b >= start[a]) & (b < stop[a])
            a, b = a[inside] + task.start, b[inside]
            waiting.append(_survivors(rows, columns, a, b, task.percent))
            if sum(map(len, waiting)) >= VERIFY:  # none of them need be held
                similar.append(_verified(rows, columns, waiting, task.percent))
                waiting = []
    similar.append(_verified(rows, columns, waiting, task.percent))
    out = np.concatenate(similar)
    return out[np.lexsort((out[:, 1], out[:, 0]))]


def _factors(
    rows: SignatureTable, columns: SignatureTable, own: slice, window: slice, percent: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Two matrices whose product is not negative where |p - q|^2 <= 2*allowance - (b - a).

    Rows are (p, u, 1), columns (q, 1, v); u and v hold half of what depends on one side only.
    """
    lengths, longer = rows.lengths[own], columns.lengths[window]
    base = int(lengths[0])
    u = lengths - base
    v = 2 * (longer * (100 - percent) // 100) - (longer - base)
    width = rows.points.shape[1]
    left = np.ones((len(lengths), width + 2), np.float32)
    left[:, :width] = rows.points[own]
    left[:, width] = (np.where(u > FAR, ALWAYS, u) - rows.norms[own]) / 2
    right = np.ones((len(longer), width + 2), np.float32)
    right[:, :width] = columns.points[window]
    v = np.where(v > FAR, ALWAYS, np.maximum(v, -FAR))
    right[:, width + 1] = (v - columns.norms[window] + SLACK) / 2
    return left, right


def _survivors(
    rows: SignatureTable, columns: SignatureTable, a: Ints, b: Ints, percent: int
) -> Ints:
    """Pairs whose 1-gram and 2-gram counts allow the distance; 0 stands for it as yet."""
    for q in (1, 2):
        least = columns.totals[q][b] - q * (columns.lengths[b] * (100 - percent) // 100)
        kept = shared_grams((rows.counts[q], columns.counts[q]), a, b) >= least
        a, b = a[kept], b[kept]
    return np.column_stack([a, b, np.zeros_like(a)])


def _verified(
    rows: SignatureTable, columns: SignatureTable, waiting: list[Ints], percent: int
) -> Ints:
    """The pairs that are similar, with their distance."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    pairs = np.concatenate([np.empty((0, 3), np.int64), *waiting])
    if not len(pairs):
        return pairs
    allowed = columns.lengths[pairs[:, 1]] * (100 - percent) // 100
    classes = np.floor(np.log1p(allowed) / np.log(CLASS)).astype(np.int64)
    order = np.argsort(classes, kind="stable")
    for some in np.split(order, np.flatnonzero(np.diff(classes[order])) + 1):
        pairs[some, 2] = cpdist(
            rows.read(pairs[some, 0]),
            columns.read(pairs[some, 1]),
            scorer=Levenshtein.distance,
            score_cutoff=int(allowed[some].max()),
            dtype=np.int64,
        )
    return pairs[pairs[:, 2] <= allowed]
