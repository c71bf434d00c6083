"""All pictures of a set: which questions share one, as it is or re-encoded, and how two relate.

Questions share a picture when its pixels are identical or, re-encoded, when it is the same drawing.
A plain drawing (a divided square, an empty number line) may be the same by chance: that counts only
if the questions are alike as well. A blank picture is shared by nobody.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from rapidfuzz.distance import Levenshtein

from ..base.files import encode, read_bytes
from ..base.terminal import say, steadily
from ..pipeline import Engine
from .drawings import (
    ASPECT,
    SAME,
    SIMILAR,
    Grey,
    corners,
    grey_of,
    ink_of,
    pixels_of,
    residual,
    thumbnail,
)
from .items import Item
from .table import in_shards, workspace

NEAR = 0.95  # correlation of thumbnails from which two drawings are compared, whatever is asked
OTHER = 0.85  # the same below which two proposed drawings are different
DOUBT = 1e-4  # the least residual of two pictures whose pixels are not the same
PLAIN = 128  # corners up to which two drawings may be the same by chance ...
ALIKE = 0.5  # ... unless their questions are as similar as this
CROWD = 32  # members of a group up to which all its pairs are listed; above, pairs with the first
FEW = 500  # pictures for which starting workers costs more than looking at them
SIZE = 256  # of a thumbnail
Look = tuple[
    str, bytes, float, int
]  # digest, thumbnail, aspect and corners of a picture
UNREADABLE: Look = ("", b"", 1.0, 0)
TOGETHER = 128  # pictures whose thumbnails are compared with others at a time


class PictureIndex:
    """Pictures at a glance, a row for each path; `digests`, those of files, are "" where one
    cannot be read, and `corners` 0 where it is blank."""

    def __init__(self, rows: dict[str, int]) -> None:
        self.rows = rows
        self.paths = list(rows)
        self.digests: list[str] = [""] * len(rows)
        self.thumbnails: Grey = np.zeros((len(rows), SIZE), np.float32)
        self.aspects: Any = np.ones(len(rows))
        self.corners: Any = np.zeros(len(rows), np.int64)

    def add(self, row: int, look: Look) -> None:
        self.digests[row], thumbnail_bytes, self.aspects[row], self.corners[row] = look
        if thumbnail_bytes:
            self.thumbnails[row] = np.frombuffer(thumbnail_bytes, np.float32)

    def digest(self, path: str) -> str:
        """That of the file; "" where it was not read."""
        return self.digests[self.rows[path]] if path in self.rows else ""

    def drawn(self, item: Item) -> list[int]:
        """The rows of its pictures on which something can be seen."""
        rows = [self.rows[path] for path in item.pictures if path in self.rows]
        return [row for row in rows if self.corners[row]]


def within(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of a small group; of a crowd, the pairs with its first member."""
    firsts = rows[:1] if len(rows) > CROWD else rows
    for k, a in enumerate(firsts):
        for b in rows[k + 1 :]:
            yield a, b


def between(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs across two small groups; of crowds, their first members."""
    if len(a) * len(b) <= CROWD:
        yield from product(a, b)
    else:
        yield a[0], b[0]


def look_at(path: str) -> Look:
    """What is seen of a picture at a glance."""
    try:
        data = read_bytes(Path(path))
    except OSError:
        return UNREADABLE
    ink = ink_of(Path(path), glance=True, data=data)
    if ink is None:
        return UNREADABLE
    digest = hashlib.sha256(data).hexdigest()
    return digest, thumbnail(ink).tobytes(), ink.width / ink.height, corners(ink)


def _look_at_each(lines: list[bytes]) -> list[Look]:
    return [look_at(msgspec.json.decode(line)[0]) for line in lines]


def index_pictures(
    files: Mapping[str, str],
    engine: Engine,
    work: Path | None = None,
    below: Path | None = None,
) -> PictureIndex:
    """Every picture once (path -> id of its problem); those that cannot be read are told on stderr.

    Where pictures are named by their content, looks can be kept below `work`. Scratch lies
    `below` a folder.
    """
    paths = sorted(files)
    index = PictureIndex({path: row for row, path in enumerate(paths)})
    where = engine if len(paths) > FEW else Engine()
    with workspace(below) as folder:
        lines = folder / "pictures.jsonl"
        lines.write_bytes(b"".join(encode([path, _size(Path(path))]) for path in paths))
        looks = in_shards(_look_at_each, Look, lines, where, work)
        for row, look in enumerate(steadily(looks, "dedup", len(paths), "pictures")):
            index.add(row, look)
    lost = [problem for path, problem in files.items() if not index.digest(path)]
    if lost:
        say(
            f"{len(lost)} pictures are missing or unreadable, the first in problem {lost[0]}"
        )
    return index


def _size(path: Path) -> int:
    """In bytes; -1 where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def shared_pictures(
    items: Sequence[Item], index: PictureIndex
) -> Iterator[tuple[int, int]]:
    """Positions of questions with the same picture: the same pixels, or the same drawing."""
    if not index.rows:
        return
    positions: dict[str, list[int]] = {}  # digest -> questions with this file
    example: dict[str, int] = {}  # digest -> a row of it
    for position, item in enumerate(items):
        for row in index.drawn(item):
            digest = index.digests[row]
            example.setdefault(digest, row)
            of_digest = positions.setdefault(digest, [])
            if position not in of_digest:
                of_digest.append(position)
    for of_digest in positions.values():
        yield from within(of_digest)
    digests = list(positions)
    rows = np.array([example[digest] for digest in digests], np.int64)
    for i, j in _near(index.aspects[rows], index.thumbnails, rows):
        questions = between(positions[digests[i]], positions[digests[j]])
        pairs = [(a, b) for a, b in questions if a != b]
        yield from _with_same_drawing(pairs, items, index, rows[i], rows[j])


def _with_same_drawing(
    pairs: list[tuple[int, int]],
    items: Sequence[Item],
    index: PictureIndex,
    x: int,
    y: int,
) -> list[tuple[int, int]]:
    """The pairs of questions for which the pictures x and y are one, not only by chance."""
    path_x, path_y = index.paths[x], index.paths[y]
    if pixels(path_x) == pixels(path_y):
        return pairs
    if max(index.corners[x], index.corners[y]) <= PLAIN:
        pairs = [(a, b) for a, b in pairs if not _unlike(items[a], items[b])]
    if not pairs or difference(path_x, path_y) > SAME:
        return []
    return pairs


def _unlike(a: Item, b: Item) -> bool:
    return Levenshtein.normalized_similarity(a.key, b.key, score_cutoff=ALIKE) < ALIKE


def _near(aspects: Any, thumbnails: Grey, rows: Any) -> Iterator[tuple[int, int]]:
    """Pairs of like thumbnails and shapes: of each picture the CROWD most alike later ones.

    In order of shape a picture meets one window of others, however many there are in all.
    """
    order = np.argsort(aspects, kind="stable")
    shape = np.log(aspects[order])
    rows = rows[order]
    first = np.searchsorted(shape, shape - np.log(ASPECT))
    last = np.searchsorted(shape, shape + np.log(ASPECT), "right")
    for start in range(0, len(rows), TOGETHER):
        stop = min(start + TOGETHER, len(rows))
        window = slice(first[start], last[stop - 1])
        correlation = thumbnails[rows[start:stop]] @ thumbnails[rows[window]].T
        places, near = np.nonzero(correlation >= NEAR)
        likeness = correlation[places, near]
        places += start
        near += window.start
        in_window = (near >= first[places]) & (near < last[places])
        later = in_window & (order[near] > order[places])
        places, near, likeness = places[later], near[later], likeness[later]
        alike = np.lexsort((order[near], -likeness, places))
        places, near = places[alike], near[alike]
        rank = np.arange(len(places)) - np.searchsorted(places, places)
        best = rank < CROWD
        pairs = zip(
            order[places[best]].tolist(), order[near[best]].tolist(), strict=True
        )
        yield from pairs


@lru_cache(maxsize=1 << 16)
def pixels(path: str) -> str:
    return pixels_of(Path(path))


@lru_cache(maxsize=1 << 16)
def difference(x: str, y: str) -> float:
    """The residual of two pictures."""
    a, b = _ink(x), _ink(y)
    return 1.0 if a is None or b is None else residual(a, b)


@lru_cache(maxsize=64)
def _ink(path: str) -> Grey | None:
    ink = ink_of(Path(path))
    return None if ink is None else grey_of(ink)


def relation(a: Item, b: Item, index: PictureIndex) -> tuple[str, float | None]:
    """How the pictures of two questions relate, and the residual of the worst pair.

    none, one side, unreadable, identical (the same pixels), same, similar, differ.
    """
    if not a.pictures or not b.pictures:
        return ("one side" if a.pictures or b.pictures else "none"), None
    if not all(map(index.digest, a.pictures + b.pictures)):
        return "unreadable", None
    if len(a.pictures) != len(b.pictures):
        return "differ", None
    worst = 0.0
    for x, y in zip(a.pictures, b.pictures, strict=True):
        if index.digest(x) == index.digest(y):
            continue
        if _other_drawings(index, index.rows[x], index.rows[y]):
            return "differ", 1.0
        if pixels(x) != pixels(y):
            worst = max(worst, difference(x, y), DOUBT)
    if worst == 0:
        return "identical", 0.0
    if worst <= SAME:
        return "same", worst
    return ("similar" if worst <= SIMILAR else "differ"), worst


def _other_drawings(index: PictureIndex, x: int, y: int) -> bool:
    """Whether thumbnails tell two pictures apart; blank ones have none to tell by."""
    if not index.corners[x] and not index.corners[y]:
        return False
    return float(index.thumbnails[x] @ index.thumbnails[y]) < OTHER
