"""A file of lines in shards, and what a function makes of each, anew only where lines change.

So grows whatever is counted, written or shown of a set: shard by shard, by whoever is free.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache, partial
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..base.files import encode
from .code import code_hash
from .engine import Engine, parallel_map
from .results import Results, key_of
from .shard import SHARDS, Apart, hand_over, taken_over

T = TypeVar("T")
FEWEST, MOST = 64, 1024  # lines of a shard; twice as many at most
PARTS = 64  # shards of a set, at least, where these bounds allow it
BLOCK = 1 << 19  # bytes that are looked through at once
LIGHT = 4  # shards that a worker takes at once where each is quickly looked through
LARGE = 10_000  # bytes that go by the disk
LETTERS = 8  # of a line that make its mark


class Lines(msgspec.Struct, frozen=True):
    """Some lines of a file."""

    path: Path
    number: int  # of the first
    count: int
    start: int  # in bytes
    size: int

    def content(self) -> bytes:
        with self.path.open("rb", buffering=0) as file:
            return os.pread(file.fileno(), self.size, self.start)

    def read(self) -> list[bytes]:
        return self.content().splitlines(keepends=True)

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """As `files.read_lines`: number and content of each line that is not blank."""
        for number, line in enumerate(BytesIO(self.content()), self.number):
            whole = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if whole.strip():
                yield number, whole


def cut(path: Path, ends: Iterable[int] = ()) -> tuple[Lines, ...]:
    """The lines of a file in shards; one ends at each of `ends`.

    Else the lines themselves say where (a hash of theirs), so that one more moves few borders.
    """
    stat = path.stat()
    return _cut(path, frozenset(ends), (stat.st_ino, stat.st_size, stat.st_mtime_ns))


@lru_cache(maxsize=8)  # step after step goes through the same file
def _cut(path: Path, ends: Collection[int], _: tuple[int, ...]) -> tuple[Lines, ...]:
    import numpy as np

    sizes, marks = map(np.concatenate, zip(*_seen(path), strict=True))
    count = len(sizes)
    half = min(max(1 << (count // PARTS).bit_length(), FEWEST), MOST) // 2
    marked = np.flatnonzero(marks % half == 0) + 1
    stops = np.array(sorted({*ends, count}))
    borders = [0]
    while (first := borders[-1]) < count:
        here = marked[marked.searchsorted(first + half) :][:1]
        stop = stops[stops.searchsorted(first + 1)]
        borders.append(min(first + 4 * half, int(stop), *here.tolist()))
    starts = [0, *sizes.cumsum().tolist()]
    return tuple(
        Lines(path, first + 1, end - first, starts[first], starts[end] - starts[first])
        for first, end in pairwise(borders)
    )


def _seen(path: Path) -> Iterator[tuple[Any, Any]]:
    """The bytes of each line, and its mark: some of its letters as a number; arrays of many."""
    import numpy as np

    rest = list[bytes]()
    with path.open("rb", buffering=0) as file:
        while True:
            rest.append(block := file.read(BLOCK))
            if block and b"\n" not in block:
                continue
            text = np.frombuffer(b"".join(rest), np.uint8)
            ends = np.flatnonzero(text == ord("\n")) + 1
            if not block and len(text):  # the last line, unended
                ends = np.array([len(text)])
            starts = np.concatenate([np.zeros(1, int), ends])
            sizes = np.diff(starts)
            starts = starts[:-1]
            mark = sizes.astype(np.uint32)
            for k in range(LETTERS):
                mark = (
                    mark * np.uint32(2654435761) + text[starts + sizes * k // LETTERS]
                )
            yield sizes, mark >> 16
            rest = [text[ends[-1] :].tobytes()] if len(ends) else []
            if not block:
                return


def by_shard(
    function: Callable[..., T],
    shards: Iterable[Lines],
    kind: type[T],
    *args: Any,
    work: Path | None = None,
    engine: Engine = Engine(),  # noqa: B008
    chunk: int = LIGHT,
) -> Iterator[T]:
    """`function(lines, *args)` of each shard, in order; below `work` it is kept for the next time.

    What is kept is found by code, `args` and lines. What else a function must be given (where
    pictures lie) is bound to it (`partial`), and does not count. Workers take `chunk` shards at a
    time.
    """
    plain = function.func if isinstance(function, partial) else function
    results = None
    if work is not None:
        results = Results(work.absolute(), code_hash(plain), secrets.token_hex(8))
    here = Engine(engine.jobs) if engine.ship else engine  # files lie on this machine
    apart = work.absolute() / SHARDS if work is not None and here != Engine() else None
    make = partial(_of_lines, function, results, args, apart)
    for data in parallel_map(make, shards, here, chunk):
        whole = taken_over(data) if isinstance(data, Apart) else data
        yield msgspec.msgpack.decode(whole, type=kind)


def _of_lines(
    function: Callable[..., Any],
    results: Results | None,
    args: tuple[Any, ...],
    apart: Path | None,
    lines: Lines,
) -> bytes | Apart:
    """On a worker: what is made of a shard, encoded."""
    content = lines.content()
    key = key_of(encode(args) + content)
    data = None if results is None else results.get(key)
    if data is None:
        data = msgspec.msgpack.encode(
            function(content.splitlines(keepends=True), *args)
        )
        if results is not None:
            with results.adding() as pack:
                pack.add(key, data)
    return hand_over(data, apart) if apart is not None and len(data) > LARGE else data
