"""Results by record: what a function made of one record is found again by the record's content.

Below `work/results/<key>/` lie packs, where the key says which code and options made them. A pack
belongs to one process and grows record by record: a kill costs the records that were in hand. A
record that was cut short or damaged is not there, and a pack of another layout is not read. What
is kept never decides what comes out, only how soon: the folder may be emptied at any time.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import secrets
import struct
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec

from ..base.files import unwritable

FOLDER = "results"  # below the work folder
MOST = 2_000_000_000  # bytes of packs; the oldest go first
FLUSHED = 64  # records that a kill may cost
_MAGIC = b"benchwright results 3\n"
_START = struct.Struct("<Q12xI")  # as much of a head as an index needs
_HEAD = struct.Struct(
    "<16sII"
)  # key of a record, checksum and length of what was made of it


def key_of(record: bytes) -> bytes:
    """The key of a record.

    >>> len(key_of(b"a line"))
    16
    """
    return hashlib.sha256(record).digest()[:16]


class Results(msgspec.Struct, frozen=True):
    """The results of one code with its options; `build` names the build that looks for them.

    >>> import tempfile
    >>> results = Results(Path(tempfile.mkdtemp()), "latex-1", "monday")
    >>> with results.adding() as pack: pack.add(key_of(b"line"), b"made of it")
    >>> later = msgspec.structs.replace(results, build="tuesday")
    >>> later.get(key_of(b"line")), later.get(key_of(b"another"))
    (b'made of it', None)
    """

    work: Path
    key: str
    build: str

    @property
    def folder(self) -> Path:
        return self.work / FOLDER / self.key

    def get(self, key: bytes) -> bytes | None:
        """What was kept of a record before this build began."""
        return _index(self.work, self.key, self.build).get(key)

    @contextmanager
    def adding(self) -> Iterator[Pack]:
        """The pack of this process, which is made with its first record.

        Raises MachineError when a record cannot be written whole.
        """
        pack = _pack(self.folder, self.build)
        try:
            yield pack
            pack.flush()
        except OSError as error:
            _pack.cache_clear()  # behind half a record nothing would be found
            if error.filename not in (None, str(pack.path)):
                raise
            raise unwritable(pack.path, error) from error


class Pack:
    """Records on their way to disk."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / f"{secrets.token_hex(8)}.pack"
        self._file: BinaryIO | None = None
        self._added = 0

    def add(self, key: bytes, data: bytes) -> None:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("xb")
            self._file.write(_MAGIC)
        self._file.write(_record(key, data))
        self._added += 1
        if self._added % FLUSHED == 0:
            self._file.flush()

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()


@lru_cache(maxsize=16)
def _pack(folder: Path, build: str) -> Pack:
    return Pack(folder)


def packed(records: Mapping[bytes, bytes]) -> bytes:
    """A whole pack."""
    return _MAGIC + b"".join(_record(key, data) for key, data in records.items())


def _record(key: bytes, data: bytes) -> bytes:
    return _HEAD.pack(key, crc32(data), len(data)) + data


@lru_cache(maxsize=16)
def _index(work: Path, key: str, build: str) -> _Index:
    return _Index(work / FOLDER / key)


class _Index:
    """Where each record lies: the starts of keys in order, and the places that go with them."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self._packs = [
            file for path in sorted(folder.glob("*.pack")) if (file := _opened(path))
        ]
        starts = array("Q")
        packs = array("L")
        places = array("Q")
        for number, file in enumerate(self._packs):
            for start, place in _records(file.fileno()):
                starts.append(start)
                packs.append(number)
                places.append(place)
        found = np.array(starts, np.uint64)
        order = np.argsort(found, kind="stable")
        self._starts = found[order]
        self._numbers = np.array(packs, np.uint32)[order]
        self._places = np.array(places, np.uint64)[order]

    def get(self, key: bytes) -> bytes | None:
        if not self._packs:
            return None
        start = int.from_bytes(key[:8], "little")
        at = int(self._starts.searchsorted(self._starts.dtype.type(start)))
        while at < len(self._starts) and self._starts[at] == start:
            pack = self._packs[self._numbers[at]].fileno()
            place = int(self._places[at])
            own, checksum, length = _HEAD.unpack(os.pread(pack, _HEAD.size, place))
            data = os.pread(pack, length, place + _HEAD.size)
            if own == key and crc32(data) == checksum:
                return data
            at += 1
        return None


def _opened(path: Path) -> FileIO | None:
    """A pack; None where there is nothing of ours to read."""
    try:
        file = FileIO(path)
    except OSError:  # gone meanwhile, or a folder
        return None
    return file if os.pread(file.fileno(), len(_MAGIC), 0) == _MAGIC else None


def _records(pack: int) -> Iterator[tuple[int, int]]:
    """(start of the key, place) of each record that is whole in length."""
    with mmap.mmap(pack, 0, access=mmap.ACCESS_READ) as data:
        place = len(_MAGIC)
        end = len(data)
        while place + _HEAD.size <= end:
            start, length = _START.unpack_from(data, place)
            if place + _HEAD.size + length > end:
                return
            yield start, place
            place += _HEAD.size + length


def trim(work: Path, most: int = MOST) -> int:
    """Remove the oldest packs until all together have at most so many bytes; the bytes removed."""
    packs = []
    for path in (work / FOLDER).glob("*/*.pack"):
        if not path.is_file():
            continue
        stat = path.stat()
        packs.append((stat.st_mtime_ns, stat.st_size, path))
    total = left = sum(size for _, size, _ in packs)
    for _, size, path in sorted(packs):
        if left <= most:
            break
        path.unlink(missing_ok=True)
        left -= size
    return total - left
