"""A file of lines in shards, and what a function makes of each, anew only where lines change.

So grows whatever is counted, written or shown of a set: shard by shard, by whoever is free.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..base.files import encode
from .borders import least, named_parts
from .code import name_of
from .engine import Engine, parallel_map
from .parts import Parts, key_of
from .shard import SHARDS, Apart, hand_over, taken_over

T = TypeVar("T")
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


def cut(path: Path) -> tuple[Lines, ...]:
    """The lines of a file in shards: the parts that a stage wrote, if it is a stage's.

    Else the lines themselves say where (a hash of theirs), so that one more moves few borders.
    """
    stat = path.stat()
    return _cut(path, (stat.st_ino, stat.st_size, stat.st_mtime_ns))


@lru_cache(maxsize=8)  # step after step goes through the same file
def _cut(path: Path, _: tuple[int, ...]) -> tuple[Lines, ...]:
    if parts := named_parts(path):
        shards = list[Lines]()
        number, start = 1, 0
        for part in parts:
            shards.append(Lines(path, number, part.rows, start, part.bytes))
            number, start = number + part.rows, start + part.bytes
        return tuple(shards)
    return _by_marks(path)


def _by_marks(path: Path) -> tuple[Lines, ...]:
    import numpy as np

    sizes, marks = map(np.concatenate, zip(*_seen(path), strict=True))
    count = len(sizes)
    fewest = least(count)
    marked = np.flatnonzero(marks % fewest == 0) + 1
    borders = [0]
    while (first := borders[-1]) < count:
        here = marked[marked.searchsorted(first + fewest) :][:1]
        borders.append(min(first + 4 * fewest, count, *here.tolist()))
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
    parts = None if work is None else Parts(work.absolute(), name_of(plain))
    apart = (
        work.absolute() / SHARDS if work is not None and engine != Engine() else None
    )
    make = partial(_of_lines, function, parts, args, apart)
    for data in parallel_map(make, shards, engine, chunk):
        whole = taken_over(data) if isinstance(data, Apart) else data
        yield msgspec.msgpack.decode(whole, type=kind)


def _of_lines(
    function: Callable[..., Any],
    parts: Parts | None,
    args: tuple[Any, ...],
    apart: Path | None,
    lines: Lines,
) -> bytes | Apart:
    """On a worker: what is made of a shard, encoded."""
    content = lines.content()
    key = key_of(encode(args) + content)
    data = None if parts is None else parts.get(key)
    if data is None:
        data = msgspec.msgpack.encode(
            function(content.splitlines(keepends=True), *args)
        )
        if parts is not None:
            parts.put(key, data)
    return hand_over(data, apart) if apart is not None and len(data) > LARGE else data
