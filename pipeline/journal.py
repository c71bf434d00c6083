"""The results of a stage as they come, on disk: a kill costs the chunks in hand, not the stage.

One file beside the stage's folder: a line with the stage's key, then records of (number, length,
checksum) and bytes. It is read in the order of the numbers, whatever the order of arrival, and it
goes when the stage's folder is complete. A record that a kill cut short is not there.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from ..errors import MachineError
from .engine import Engine, any_order

A = TypeVar("A")
_HEAD = struct.Struct("<QQI")


class Journal:
    """Numbered records in a file that belongs to one key; another key starts it anew.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "stage.journal"
    >>> with Journal(path, "key") as journal: journal.add(1, b"one"); journal.add(0, b"null")
    >>> with Journal(path, "key") as journal: (1 in journal, 2 in journal, list(journal.records()))
    (True, False, [b'null', b'one'])
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path = path
        self._places: dict[int, tuple[int, int]] = {}  # number -> offset and length
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
            self._open(f"{key}\n".encode())
        except OSError as error:
            raise self._failed(error) from error

    def _open(self, head: bytes) -> None:
        """Find the records that are whole; cut off what is not, or is another stage's."""
        self._file.seek(0)
        end = 0
        if self._file.read(len(head)) == head:
            end = len(head)
            while len(record := self._file.read(_HEAD.size)) == _HEAD.size:
                number, length, check = _HEAD.unpack(record)
                data = self._file.read(length)
                if len(data) != length or zlib.crc32(data) != check:
                    break
                self._places[number] = (end + _HEAD.size, length)
                end += _HEAD.size + length
        self._file.truncate(end)
        if not end:
            self._file.write(head)
            self._file.flush()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._file.close()

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def numbers(self) -> list[int]:
        return sorted(self._places)

    def add(self, number: int, data: bytes) -> None:
        """Keep a record. Raises MachineError when it cannot be written whole."""
        try:
            start = self._file.seek(0, 2)
            self._file.write(_HEAD.pack(number, len(data), zlib.crc32(data)) + data)
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from error
        self._places[number] = (start + _HEAD.size, len(data))

    def drop(self, number: int) -> None:
        """Forget a record, which has to be made again; a later one takes its place."""
        del self._places[number]

    def get(self, number: int) -> bytes:
        offset, length = self._places[number]
        self._file.seek(offset)
        return self._file.read(length)

    def records(self) -> Iterator[bytes]:
        """All records, in the order of their numbers."""
        for number in self.numbers():
            yield self.get(number)

    def _failed(self, error: OSError) -> MachineError:
        return MachineError(
            f"cannot write {self.path}: {error.strerror or error}",
            "free space or check permissions; the same command goes on from here",
        )


def journaled(
    function: Callable[[A], bytes],
    chunks: Iterable[A],
    engine: Engine,
    path: Path,
    key: str,
    *,
    holds: Callable[[bytes], bool] = lambda data: True,
    seen: Callable[[Iterator[tuple[int, bytes]]], Iterator[tuple[int, bytes]]] = iter,
) -> Iterator[bytes]:
    """`function(chunk)` for each chunk, in order; what an earlier run of the same key did is kept.

    A kept record that no longer `holds` is made again. The file at `path` stays until its reader
    removes it. `seen` wraps what is finished, in any order, for people to watch.
    """
    with Journal(path, key) as journal:
        for number in [n for n in journal.numbers() if not holds(journal.get(n))]:
            journal.drop(number)
        left = ((n, chunk) for n, chunk in enumerate(chunks) if n not in journal)
        for number, data in seen(any_order(function, left, engine)):
            journal.add(number, data)
        yield from journal.records()
