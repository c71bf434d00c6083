"""A file of lines in shards, and what a function makes of each, anew only where lines change.

So grows whatever is counted, written or shown of a set: shard by shard, by whoever is free.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import msgspec

from ..base.files import encode
from .code import code_hash
from .engine import Engine, parallel_map
from .results import Results, key_of

T = TypeVar("T")
FEWEST, MOST = 64, 1024  # lines of a shard; twice as many at most
PARTS = 64  # shards of a set, at least, where these bounds allow it


class Lines(msgspec.Struct, frozen=True):
    """Some lines of a file."""

    path: Path
    number: int  # of the first
    count: int
    start: int  # in bytes
    size: int

    def read(self) -> list[bytes]:
        with self.path.open("rb") as file:
            file.seek(self.start)
            return file.read(self.size).splitlines(keepends=True)


def cut(path: Path, ends: Iterable[int] = ()) -> tuple[Lines, ...]:
    """The lines of a file in shards; one ends at each of `ends`.

    Else the lines themselves say where (a hash of theirs), so that one more moves few borders.
    """
    stat = path.stat()
    return _cut(path, frozenset(ends), (stat.st_ino, stat.st_size, stat.st_mtime_ns))


@lru_cache(maxsize=8)  # step after step goes through the same file
def _cut(path: Path, ends: Collection[int], _: tuple[int, ...]) -> tuple[Lines, ...]:
    import numpy as np

    with path.open("rb") as file:
        seen = np.fromiter(((len(line), crc32(line)) for line in file), np.dtype("2u4"))
    half = min(max(1 << (len(seen) // PARTS).bit_length(), FEWEST), MOST) // 2
    borders, first = [0], 0
    for number, mark in enumerate(seen[:, 1].tolist(), 1):
        here = number - first >= half and mark % half == 0
        if here or number - first == 4 * half or number in ends or number == len(seen):
            first = number
            borders.append(number)
    starts = [0, *seen[:, 0].cumsum(dtype=np.uint64).tolist()]
    return tuple(
        Lines(path, first + 1, end - first, starts[first], starts[end] - starts[first])
        for first, end in pairwise(borders)
    )


def by_shard(
    function: Callable[..., T],
    shards: Iterable[Lines],
    kind: type[T],
    *args: Any,
    work: Path | None = None,
    engine: Engine = Engine(),  # noqa: B008
) -> Iterator[T]:
    """`function(lines, *args)` of each shard, in order; below `work` it is kept for the next time.

    What is kept is found by code, `args` and lines. What else a function must be given (where
    pictures lie) is bound to it (`partial`), and does not count.
    """
    plain = function.func if isinstance(function, partial) else function
    results = None
    if work is not None:
        results = Results(work.absolute(), code_hash(plain), secrets.token_hex(8))
    here = Engine(engine.jobs) if engine.ship else engine  # files lie on this machine
    for data in parallel_map(partial(_of_lines, function, results, args), shards, here):
        yield msgspec.msgpack.decode(data, type=kind)


def _of_lines(
    function: Callable[..., Any], results: Results | None, args: tuple[Any, ...], lines: Lines
) -> bytes:
    """On a worker: what is made of a shard, encoded."""
    coming = lines.read()
    key = key_of(encode(args) + b"".join(coming))
    data = None if results is None else results.get(key)
    if data is None:
        data = msgspec.msgpack.encode(function(coming, *args))
        if results is not None:
            with results.adding() as pack:
                pack.add(key, data)
    return data
