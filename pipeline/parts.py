"""Parts that were made before: files below the work folder, each under the key of what it is.

A part is what a stage, or whoever writes releases and pages, makes of some problems. `made` says by
which code and options it was made, the key says of what. A part that was cut short, damaged or
written in another layout is not there. What is kept never decides what comes out, only how soon:
the folder may be emptied at any time.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import msgspec

from ..base.files import unwritable

FOLDER = "parts"  # below the work folder
MOST = 2_000_000_000  # bytes of parts; those that were not used for the longest time go first
_MAGIC = b"benchwright part 1\n"
_CHECKSUM = struct.Struct("<I")


def key_of(content: bytes) -> bytes:
    """The key of what is made of some content.

    >>> len(key_of(b"a line"))
    16
    """
    return hashlib.sha256(content).digest()[:16]


class Parts(msgspec.Struct, frozen=True):
    """The parts that one code with its options made.

    >>> import tempfile
    >>> parts = Parts(Path(tempfile.mkdtemp()), "latex-1")
    >>> parts.put(key_of(b"lines"), b"made of them")
    >>> parts.get(key_of(b"lines")), parts.get(key_of(b"others"))
    (b'made of them', None)
    """

    work: Path
    made: str

    @property
    def folder(self) -> Path:
        return self.work / FOLDER / self.made

    def file(self, key: bytes) -> Path:
        return self.folder / key.hex()

    def get(self, key: bytes) -> bytes | None:
        path = self.file(key)
        try:
            data = path.read_bytes()
        except OSError:  # none is there, or a folder
            return None
        content = data[len(_MAGIC) + _CHECKSUM.size :]
        if data != as_file(content):
            return None
        with suppress(OSError):
            os.utime(path)  # it was used
        return content

    def put(self, key: bytes, content: bytes) -> None:
        """Keep a part. Raises MachineError when it cannot be written whole."""
        path = self.file(key)
        new = path.with_name(f".{secrets.token_hex(8)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(as_file(content))  # no need to outlive a crash
            new.replace(path)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise unwritable(path, error) from error


def as_file(content: bytes) -> bytes:
    """A part as it stands in its file."""
    return b"".join((_MAGIC, _CHECKSUM.pack(crc32(content)), content))


def trim(work: Path, most: int = MOST) -> int:
    """Remove what was not used for longest until all have at most so many bytes; those removed."""
    shutil.rmtree(work / "results", ignore_errors=True)  # of versions before parts
    files = []
    for entry in _entries(work / FOLDER):
        if entry.name.startswith("."):  # of a process that was killed
            os.unlink(entry.path)
            continue
        found = entry.stat()
        files.append((found.st_mtime_ns, found.st_size, entry.path))
    total = left = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if left <= most:
            break
        Path(path).unlink(missing_ok=True)
        left -= size
    return total - left


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """The files of all folders in one."""
    with suppress(FileNotFoundError), os.scandir(folder) as folders:
        for inner in folders:
            if inner.is_dir():
                with os.scandir(inner.path) as files:
                    yield from (entry for entry in files if entry.is_file())
