"""Replies in a file while a score goes on: in memory stands where each lies, and its hash."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

import msgspec

from .reply_metadata import Reply

_decoder = msgspec.msgpack.Decoder(Reply)


class Place(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a reply lies, whether it has a text, and the hash of what is graded of it."""

    start: int
    size: int
    came: bool
    sha: bytes


class Shelf:
    """The file, which grows reply by reply.

    >>> from tempfile import mkdtemp
    >>> shelf = Shelf(Path(mkdtemp()) / "replies")
    >>> shelf.taken([shelf.put(Reply(text="It is B."))])[0].text
    'It is B.'
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("xb")
        self._size = 0

    def put(self, reply: Reply) -> Place:
        data = msgspec.msgpack.encode(reply)
        self._file.write(data)
        start = self._size
        self._size += len(data)
        return Place(start, len(data), reply.came, said_hash(reply))

    def taken(self, places: Iterable[Place]) -> list[Reply]:
        """The replies at these places."""
        self.flush()
        return taken(self.path, places)

    def flush(self) -> None:
        """Nothing is in hand any more: others may read."""
        self._file.flush()


def taken(path: Path, places: Iterable[Place]) -> list[Reply]:
    """The replies at these places of a shelf's file."""
    with path.open("rb", buffering=0) as file:
        number = file.fileno()
        return [
            _decoder.decode(os.pread(number, place.size, place.start))
            for place in places
        ]


def said_hash(reply: Reply) -> bytes:
    """The hash of what is graded of a reply: its text; where it has none, its thoughts."""
    text = reply.text or ""
    said = text if text.strip() else f"{text}\0{reply.thoughts}"
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
