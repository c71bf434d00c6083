"""All pictures of a set: which questions share one, as it is or re-encoded, and how two relate.

Questions share a picture when its pixels are identical or, re-encoded, when it is the same drawing.
A plain drawing (a divided square, an empty number line) may be the same by chance: that counts only
if the questions are alike as well. A blank picture is shared by nobody.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from ..base.files import read_bytes
from ..base.terminal import say, steadily
from ..pipeline import Engine, parallel_map
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

NEAR = 0.95  # correlation of thumbnails from which two drawings are compared, whatever is asked
OTHER = 0.85  # the same below which two proposed drawings are different
DOUBT = 1e-4  # the least residual of two pictures whose pixels are not the same
PLAIN = 128  # corners up to which two drawings may be the same by chance ...
ALIKE = 0.5  # ... unless their questions are as similar as this
CROWD = 32  # members of a group up to which all its pairs are listed; above, pairs with the first
FEW = 500  # pictures for which starting workers costs more than looking at them
CHUNK = 32  # pictures that a worker takes at a time
TOGETHER = 128  # pictures whose thumbnails are compared with others at a time


class Look(NamedTuple):
    """A picture at a glance; `digest`, that of the file, is "" when it cannot be read."""

    digest: str
    thumbnail: Grey
    aspect: float
    corners: int  # 0: blank


UNSEEN = Look("", np.zeros(0, np.float32), 1.0, 0)


def within(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of a small group; of a crowd, the pairs with its first member."""
    for k, a in enumerate(rows[:1] if len(rows) > CROWD else rows):
        for b in rows[k + 1 :]:
            yield a, b


def between(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs across two small groups; of crowds, their first members."""
    yield from product(a, b) if len(a) * len(b) <= CROWD else [(a[0], b[0])]


def look_at(path: Path) -> Look:
    try:
        data = read_bytes(path)
    except OSError:
        return UNSEEN
    ink = ink_of(path, glance=True, data=data)
    if ink is None:
        return UNSEEN
    digest = hashlib.sha256(data).hexdigest()
    return Look(digest, thumbnail(ink), ink.width / ink.height, corners(ink))


def look_at_all(items: Iterable[Item], engine: Engine) -> dict[Path, Look]:
    """Every picture once; those that cannot be read are told on stderr."""
    items = list(items)
    paths = sorted({path for item in items for path in item.pictures})
    where = engine if len(paths) > FEW else Engine()
    looks = steadily(parallel_map(look_at, paths, where, CHUNK), "dedup", len(paths), "pictures")
    seen = dict(zip(paths, looks, strict=True))
    lost = {path for path, look in seen.items() if not look.digest}
    if lost:
        first = next(item.id for item in items if not lost.isdisjoint(item.pictures))
        say(f"{len(lost)} pictures are missing or unreadable, the first in problem {first}")
    return seen


def shared_pictures(items: Sequence[Item], seen: dict[Path, Look]) -> Iterator[tuple[int, int]]:
    """Positions of questions with the same picture: the same pixels, or the same drawing."""
    rows: dict[str, list[int]] = {}
    example: dict[str, Path] = {}
    for position, item in enumerate(items):
        for path in item.pictures:
            if path not in seen or not seen[path].corners:  # unreadable, or blank
                continue
            digest = seen[path].digest
            if position not in rows.setdefault(digest, []):
                rows[digest].append(position)
                example.setdefault(digest, path)
    for group in rows.values():
        yield from within(group)
    digests = list(rows)
    looks = [seen[example[digest]] for digest in digests]
    for i, j in _near(looks):
        x, y = example[digests[i]], example[digests[j]]
        pairs = [(a, b) for a, b in between(rows[digests[i]], rows[digests[j]]) if a != b]
        if pixels(x) != pixels(y):
            if max(looks[i].corners, looks[j].corners) <= PLAIN:
                pairs = [p for p in pairs if not _unlike(items[p[0]], items[p[1]])]
            if not pairs or difference(x, y) > SAME:
                continue
        yield from pairs


def _unlike(a: Item, b: Item) -> bool:
    return Levenshtein.normalized_similarity(a.key, b.key, score_cutoff=ALIKE) < ALIKE


def _near(looks: Sequence[Look]) -> Iterator[tuple[int, int]]:
    """Pairs of like thumbnails and shapes: of each picture the CROWD most alike later ones.

    In order of shape a picture meets one window of others, however many there are in all.
    """
    shape = np.log([look.aspect for look in looks])
    order = np.argsort(shape, kind="stable")
    shape = shape[order]
    thumbnails = np.array([looks[k].thumbnail for k in order], np.float32)
    first = np.searchsorted(shape, shape - np.log(ASPECT))
    last = np.searchsorted(shape, shape + np.log(ASPECT), "right")
    for start in range(0, len(looks), TOGETHER):
        stop = min(start + TOGETHER, len(looks))
        window = slice(first[start], last[stop - 1])
        like = thumbnails[start:stop] @ thumbnails[window].T
        for row, values in enumerate(like, start):
            near = np.flatnonzero(values >= NEAR) + window.start
            near = near[(near >= first[row]) & (near < last[row]) & (order[near] > order[row])]
            best = np.lexsort((order[near], -values[near - window.start]))[:CROWD]
            for other in order[near[best]].tolist():
                yield int(order[row]), other


@lru_cache(maxsize=1 << 16)
def pixels(path: Path) -> str:
    return pixels_of(path)


@lru_cache(maxsize=1 << 16)
def difference(x: Path, y: Path) -> float:
    """The residual of two pictures."""
    a, b = _ink(x), _ink(y)
    return 1.0 if a is None or b is None else residual(a, b)


@lru_cache(maxsize=64)
def _ink(path: Path) -> Grey | None:
    ink = ink_of(path)
    return None if ink is None else grey_of(ink)


def relation(a: Item, b: Item, seen: dict[Path, Look]) -> tuple[str, float | None]:
    """How the pictures of two questions relate, and the residual of the worst pair.

    none, one side, unreadable, identical (the same pixels), same, similar, differ.
    """
    if not a.pictures or not b.pictures:
        return ("one side" if a.pictures or b.pictures else "none"), None
    if not all(seen[path].digest for path in a.pictures + b.pictures):
        return "unreadable", None
    if len(a.pictures) != len(b.pictures):
        return "differ", None
    worst = 0.0
    for x, y in zip(a.pictures, b.pictures, strict=True):
        if seen[x].digest == seen[y].digest:
            continue
        blank = not seen[x].corners and not seen[y].corners
        if not blank and float(seen[x].thumbnail @ seen[y].thumbnail) < OTHER:
            return "differ", 1.0
        if pixels(x) != pixels(y):
            worst = max(worst, difference(x, y), DOUBT)
    if worst == 0:
        return "identical", 0.0
    return ("same" if worst <= SAME else "similar" if worst <= SIMILAR else "differ"), worst
