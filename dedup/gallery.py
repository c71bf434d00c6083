"""All pictures of a set: which questions share one, as it is or re-encoded, and how two relate.

Questions share a picture when its pixels are identical or, re-encoded, when it is the same drawing.
A plain drawing (a divided square, an empty number line) may be the same by chance: that counts only
if the questions are alike as well. A blank picture is shared by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from ..pipeline import Engine, parallel_map
from ..terminal import progress, say
from .drawings import ASPECT, SAME, SIMILAR, Grey, corners, ink_of, residual, thumbnail
from .items import LONGEST, Item
from .keys import text_key

NEAR = 0.95  # correlation of thumbnails from which two drawings are compared
PLAIN = 128  # corners up to which two drawings may be the same by chance ...
ALIKE = 0.5  # ... unless their questions are as similar as this
CROWD = 32  # members of a group up to which all its pairs are listed; above, pairs with the first


class Look(NamedTuple):
    """A picture at a glance; `digest` is "" when it cannot be read."""

    digest: str
    thumbnail: Grey
    aspect: float
    corners: int  # 0: blank


def within(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of a small group; of a crowd, the pairs with its first member."""
    for k, a in enumerate(rows[:1] if len(rows) > CROWD else rows):
        for b in rows[k + 1 :]:
            yield a, b


def between(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs across two small groups; of crowds, their first members."""
    yield from product(a, b) if len(a) * len(b) <= CROWD else [(a[0], b[0])]


def look_at(path: Path) -> Look:
    found = ink_of(path)
    if found is None:
        return Look("", np.zeros(0, np.float32), 1.0, 0)
    ink, digest = found
    return Look(digest, thumbnail(ink), ink.shape[1] / ink.shape[0], corners(ink))


def look_at_all(items: Iterable[Item], engine: Engine) -> dict[Path, Look]:
    """Every picture once; those that cannot be read are told on stderr."""
    items = list(items)
    paths = sorted({path for item in items for path in item.pictures})
    looks = progress(parallel_map(look_at, paths, engine), "dedup", len(paths), "pictures")
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
        x, y = _ink(example[digests[i]]), _ink(example[digests[j]])
        if x is None or y is None or residual(x, y) > SAME:
            continue
        plain = max(looks[i].corners, looks[j].corners) <= PLAIN
        for a, b in between(rows[digests[i]], rows[digests[j]]):
            if a != b and not (plain and _unlike(items[a].question, items[b].question)):
                yield a, b


def _unlike(a: str, b: str) -> bool:
    key_a, key_b = text_key(a[:LONGEST]), text_key(b[:LONGEST])
    return Levenshtein.normalized_similarity(key_a, key_b, score_cutoff=ALIKE) < ALIKE


def _near(looks: Sequence[Look]) -> Iterator[tuple[int, int]]:
    """Pairs of like thumbnails and shapes."""
    if not looks:
        return
    thumbnails = np.stack([look.thumbnail for look in looks])
    shape = np.log([look.aspect for look in looks])
    for start in range(0, len(looks), 512):
        stop = min(start + 512, len(looks))
        like = thumbnails[start:stop] @ thumbnails[start:].T >= NEAR
        like &= np.abs(shape[start:stop, None] - shape[None, start:]) <= np.log(ASPECT)
        for i, j in np.argwhere(np.triu(like, 1)):
            yield start + int(i), start + int(j)


@lru_cache(maxsize=64)
def _ink(path: Path) -> Grey | None:
    found = ink_of(path)
    return found[0] if found else None


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
    pairs = list(zip(a.pictures, b.pictures, strict=True))
    if all(seen[x].digest == seen[y].digest for x, y in pairs):
        return "identical", 0.0
    inks = [(_ink(x), _ink(y)) for x, y in pairs]
    worst = max(residual(x, y) for x, y in inks if x is not None and y is not None)
    return ("same" if worst <= SAME else "similar" if worst <= SIMILAR else "differ"), worst
