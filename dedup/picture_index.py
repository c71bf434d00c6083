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
UNSEEN = "", b"", 1.0, 0
TOGETHER = 128  # pictures whose thumbnails are compared with others at a time


class Looks:
    """Pictures at a glance, a row for each path; `digests`, those of files, are "" where one
    cannot be read, and `corners` 0 where it is blank."""

    def __init__(self, rows: dict[str, int]) -> None:
        self.rows = rows
        self.digests: list[str] = [""] * len(rows)
        self.thumbnails: Grey = np.zeros((len(rows), SIZE), np.float32)
        self.aspects: Any = np.ones(len(rows))
        self.corners: Any = np.zeros(len(rows), np.int64)

    def digest(self, path: str) -> str:
        """That of the file; "" where it was not read."""
        return self.digests[self.rows[path]] if path in self.rows else ""

    def drawn(self, item: Item) -> list[int]:
        """The rows of its pictures on which something can be seen."""
        rows = (self.rows.get(path, -1) for path in item.pictures)
        return [row for row in rows if row >= 0 and self.corners[row]]


def within(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of a small group; of a crowd, the pairs with its first member."""
    for k, a in enumerate(rows[:1] if len(rows) > CROWD else rows):
        for b in rows[k + 1 :]:
            yield a, b


def between(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs across two small groups; of crowds, their first members."""
    yield from product(a, b) if len(a) * len(b) <= CROWD else [(a[0], b[0])]


def look_at(path: str) -> tuple[str, bytes, float, int]:
    """Digest, thumbnail, aspect and corners."""
    try:
        data = read_bytes(Path(path))
    except OSError:
        return UNSEEN
    ink = ink_of(Path(path), glance=True, data=data)
    if ink is None:
        return UNSEEN
    digest = hashlib.sha256(data).hexdigest()
    return digest, thumbnail(ink).tobytes(), ink.width / ink.height, corners(ink)


def _look_at_each(lines: list[bytes]) -> list[tuple[str, bytes, float, int]]:
    return [look_at(msgspec.json.decode(line)[0]) for line in lines]


def look_at_all(
    files: Mapping[str, str], engine: Engine, work: Path | None = None
) -> Looks:
    """Every picture once (path -> id of its problem); those that cannot be read are told on stderr.

    Where pictures are named by their content, looks can be kept below `work`.
    """
    paths = sorted(files)
    found = Looks({path: k for k, path in enumerate(paths)})
    with workspace() as folder:
        lines = folder / "pictures.jsonl"
        lines.write_bytes(b"".join(encode([path, _size(Path(path))]) for path in paths))
        where = engine if len(paths) > FEW else Engine()
        looks = in_shards(
            _look_at_each, tuple[str, bytes, float, int], lines, where, work
        )
        for k, look in enumerate(steadily(looks, "dedup", len(paths), "pictures")):
            found.digests[k], small, found.aspects[k], found.corners[k] = look
            found.thumbnails[k] = np.frombuffer(small, np.float32) if small else 0
    lost = [name for path, name in files.items() if not found.digest(path)]
    if lost:
        say(
            f"{len(lost)} pictures are missing or unreadable, the first in problem {lost[0]}"
        )
    return found


def _size(path: Path) -> int:
    """In bytes; -1 where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def shared_pictures(items: Sequence[Item], seen: Looks) -> Iterator[tuple[int, int]]:
    """Positions of questions with the same picture: the same pixels, or the same drawing."""
    if not seen.rows:
        return
    rows: dict[str, list[int]] = {}
    example: dict[str, int] = {}
    for position, item in enumerate(items):
        for picture in seen.drawn(item):
            digest = seen.digests[picture]
            if position not in rows.setdefault(digest, []):
                rows[digest].append(position)
                example.setdefault(digest, picture)
    for group in rows.values():
        yield from within(group)
    digests = list(rows)
    places = np.array([example[digest] for digest in digests], np.int64)
    paths = list(seen.rows)
    for i, j in _near(seen.aspects[places], seen.thumbnails, places):
        x, y = paths[places[i]], paths[places[j]]
        pairs = [
            (a, b) for a, b in between(rows[digests[i]], rows[digests[j]]) if a != b
        ]
        if pixels(x) != pixels(y):
            if max(seen.corners[places[[i, j]]]) <= PLAIN:
                pairs = [p for p in pairs if not _unlike(items[p[0]], items[p[1]])]
            if not pairs or difference(x, y) > SAME:
                continue
        yield from pairs


def _unlike(a: Item, b: Item) -> bool:
    return Levenshtein.normalized_similarity(a.key, b.key, score_cutoff=ALIKE) < ALIKE


def _near(aspects: Any, thumbnails: Grey, places: Any) -> Iterator[tuple[int, int]]:
    """Pairs of like thumbnails and shapes: of each picture the CROWD most alike later ones.

    In order of shape a picture meets one window of others, however many there are in all.
    """
    order = np.argsort(aspects, kind="stable")
    shape, places = np.log(aspects[order]), places[order]
    first = np.searchsorted(shape, shape - np.log(ASPECT))
    last = np.searchsorted(shape, shape + np.log(ASPECT), "right")
    for start in range(0, len(places), TOGETHER):
        stop = min(start + TOGETHER, len(places))
        window = slice(first[start], last[stop - 1])
        like = thumbnails[places[start:stop]] @ thumbnails[places[window]].T
        for row, values in enumerate(like, start):
            near = np.flatnonzero(values >= NEAR) + window.start
            near = near[
                (near >= first[row]) & (near < last[row]) & (order[near] > order[row])
            ]
            best = np.lexsort((order[near], -values[near - window.start]))[:CROWD]
            for other in order[near[best]].tolist():
                yield int(order[row]), other


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


def relation(a: Item, b: Item, seen: Looks) -> tuple[str, float | None]:
    """How the pictures of two questions relate, and the residual of the worst pair.

    none, one side, unreadable, identical (the same pixels), same, similar, differ.
    """
    if not a.pictures or not b.pictures:
        return ("one side" if a.pictures or b.pictures else "none"), None
    if not all(map(seen.digest, a.pictures + b.pictures)):
        return "unreadable", None
    if len(a.pictures) != len(b.pictures):
        return "differ", None
    worst = 0.0
    for x, y in zip(a.pictures, b.pictures, strict=True):
        i, j = seen.rows[x], seen.rows[y]
        if seen.digests[i] == seen.digests[j]:
            continue
        blank = not seen.corners[i] and not seen.corners[j]
        if not blank and float(seen.thumbnails[i] @ seen.thumbnails[j]) < OTHER:
            return "differ", 1.0
        if pixels(x) != pixels(y):
            worst = max(worst, difference(x, y), DOUBT)
    if worst == 0:
        return "identical", 0.0
    return (
        "same" if worst <= SAME else "similar" if worst <= SIMILAR else "differ"
    ), worst
