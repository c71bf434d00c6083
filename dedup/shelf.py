"""Questions on disk, with all that is read of each: once, by whoever is free, and kept.

Only places and pictures at a glance are in memory; a question is decoded when it is asked for. What
is read of a question is found again by its content, so a build reads only those that changed.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..base.terminal import steadily
from ..pipeline import Engine, Results, code_hash
from .gallery import Looks, look_at_all
from .items import Item, printable
from .join import join_again
from .table import in_shards, workspace

T = TypeVar("T")
HELD = 4096  # questions that stay decoded
PIECE = 1 << 20  # bytes read at a time


class Read(msgspec.Struct, array_like=True):
    """What is read of an item, by the names of its properties."""

    parted: tuple[str, list[tuple[str, str]]]
    key: str
    bare: str
    numbers: tuple[list[str], list[str]]
    general: str
    spoken: str
    formulas: tuple[int, list[str]]
    letters: list[str]
    value: str
    choices: list[str]


class Shelf(Sequence[Item]):
    """Items in a file; `looks` are their pictures."""

    def __init__(self, folder: Path, looks: Looks, engine: Engine, work: Path | None) -> None:
        self.looks, self._folder, self._engine, self._work = looks, folder, engine, work
        self._places = array("Q", [0])
        self._path = folder / "read"
        self._file = self._path.open("w+b")
        self._held = lru_cache(HELD)(self._item)

    def put(self, data: bytes) -> None:
        self._file.write(data)
        self._places.append(self._places[-1] + len(data))

    def __len__(self) -> int:
        return len(self._places) - 1

    def __getitem__(self, at: Any) -> Any:
        return self._held(range(len(self))[at])

    def __iter__(self) -> Iterator[Item]:
        with self._path.open("rb", PIECE) as file:
            for start, end in pairwise(self._places):
                yield self._decoded(file.read(end - start))

    def kept(self, name: str, percent: int) -> Path | None:
        """The file of a join of these questions, where joins are kept."""
        if self._work is None:
            return None
        return Results(self._work, f"{code_hash(join_again)}-{percent}", "").folder / f"{name}.pack"

    def each(
        self, function: Callable[[list[bytes]], list[T]], kind: type[T], lines: Iterable[Any]
    ) -> Iterator[T]:
        """What `function` makes of each of the lines, kept as what is read of questions is."""
        path = self._folder / "lines.jsonl"
        with path.open("wb") as file:
            file.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
        return in_shards(function, kind, path, self._engine, self._work)

    def close(self) -> None:
        self._file.close()

    def _item(self, at: int) -> Any:
        start, end = self._places[at : at + 2]
        item = self._decoded(os.pread(self._file.fileno(), end - start, start))
        if all(digests := [self.looks.digest(path) for path in item.pictures]):
            vars(item)["digests"] = digests
        return item

    def _decoded(self, data: Any) -> Any:
        item, read = _decoder().decode(data)
        vars(item).update(zip(Read.__struct_fields__, _fields(read), strict=True))
        return item


_fields = msgspec.structs.astuple


@contextmanager
def shelved(
    items: Iterable[Item],
    engine: Engine | None = None,
    pictures: bool = True,
    work: Path | None = None,
) -> Iterator[Shelf]:
    """The items as a shelf, which goes afterwards; one is taken as it is.

    What is read of an item is kept below `work`.
    """
    if isinstance(items, Shelf):
        yield items
        return
    engine = engine or Engine()
    with workspace() as folder:
        lines, files = folder / "items.jsonl", dict[str, str]()
        with lines.open("wb") as file:
            for item in items:
                file.write(_line(item))
                for path in item.pictures:
                    files.setdefault(str(path), item.id)
        seen = look_at_all(files, engine, work) if pictures else Looks({})
        shelf = Shelf(folder, seen, engine, work)
        read = in_shards(_read, bytes, lines, engine, work)
        total = len(items) if isinstance(items, Sequence) else 0
        try:
            for data in steadily(read, "dedup", total, "questions read"):
                shelf.put(data)
            shelf._file.flush()
            yield shelf
        finally:
            shelf.close()


def _line(item: Item) -> Any:
    try:
        return _encoder().encode(item) + b"\n"
    except UnicodeEncodeError:  # a lone surrogate
        fields = msgspec.structs.asdict(item)
        return _encoder().encode({name: printable(fields[name]) for name in fields}) + b"\n"


def _read(lines: list[bytes]) -> list[bytes]:
    """What is read of the items of some lines."""
    names, encode = Read.__struct_fields__, msgspec.msgpack.Encoder().encode
    items = map(_reader().decode, lines)
    return [encode((item, Read(*(getattr(item, name) for name in names)))) for item in items]


@cache
def _encoder() -> Any:
    return msgspec.json.Encoder(enc_hook=str)


@cache
def _reader() -> Any:
    return msgspec.json.Decoder(Item)


@cache
def _decoder() -> Any:
    return msgspec.msgpack.Decoder(tuple[Item, Read])
