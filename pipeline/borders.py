"""Where one part of a set ends and the next begins: records themselves say it, by their marks.

So one record more moves few borders. The folder of a stage names its parts in `parts.json`, and row
stages keep the parts of those before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")
PROBLEMS = "problems.jsonl"  # of a stage's folder
NAMED = "parts.json"  # of a stage's folder
FEWEST, MOST = 64, 1024  # records of a part; twice as many at most
PARTS = 64  # of a set, at least, where these bounds allow it


class Extent(msgspec.Struct, frozen=True):
    """A part in its file: its problems, their bytes and their hash."""

    rows: int
    bytes: int
    sha256: str


def least(count: int) -> int:
    """How many of `count` records a part has at least; it has four times as many at most.

    >>> least(100), least(20_000), least(1_000_000)
    (32, 256, 512)
    """
    return min(max(1 << (count // PARTS).bit_length(), FEWEST), MOST) // 2


def in_parts(
    records: Iterable[T], count: int, mark: Callable[[T], int]
) -> Iterator[list[T]]:
    """The records, about `count`, in parts; one ends where the `mark` of a record says so.

    >>> [len(part) for part in in_parts(range(100), 100, lambda k: k + 1)]
    [32, 32, 32, 4]
    """
    fewest = least(count)
    part: list[T] = []
    for record in records:
        part.append(record)
        ends = len(part) >= fewest and mark(record) % fewest == 0
        if ends or len(part) == 4 * fewest:
            yield part
            part = []
    if part:
        yield part


def named_parts(path: Path) -> list[Extent]:
    """The parts of a stage's problems; none of another file, or where they are not told."""
    if path.name != PROBLEMS:
        return []
    try:
        data = path.with_name(NAMED).read_bytes()
        parts = msgspec.json.decode(data, type=list[Extent])
    except (OSError, msgspec.DecodeError):
        return []
    size = sum(part.bytes for part in parts)
    return parts if size == path.stat().st_size else []
