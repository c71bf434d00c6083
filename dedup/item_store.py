"""Questions on disk, with all that is read of each: once, by whoever is free, and kept.

Only places and pictures at a glance are in memory; a question is decoded when it is asked for. What
is read of a question is found again by its content, so a build reads only those that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..base.files import Records, encode
from ..base.terminal import steadily
from ..pipeline import Engine, Parts, name_of
from .instructions import LOOKED, Instructions, common_ends, instructions_of
from .items import Item, printable
from .join import join_again
from .picture_index import PictureIndex, index_pictures
from .table import in_shards, workspace

T = TypeVar("T")
HELD = 4096  # questions that stay decoded
READ = "read"  # the file of questions
# What is read of every item, by its properties; the rest is read where it is asked for.
ALWAYS = ("parted", "key", "general", "spoken", "letters", "value", "choices")
_encoder = msgspec.json.Encoder(enc_hook=str)
_reader = msgspec.json.Decoder(Item)
_decoder = msgspec.json.Decoder(tuple[Item, list[Any]])


class RecordStore(Records[T]):
    """Records that are read in any order."""

    def __init__(self, path: Path, decode: Callable[[bytes], T]) -> None:
        super().__init__(path, decode)
        self._file = path.open("rb", 4096)

    def __getitem__(self, at: Any) -> Any:
        self._file.seek(self.places[at])
        return self.decode(self._file.readline())


class ItemStore(RecordStore[Item]):
    """Items in a file; `pictures` is the index of their pictures."""

    def __init__(
        self, folder: Path, pictures: PictureIndex, engine: Engine, work: Path | None
    ) -> None:
        super().__init__(folder / READ, _decoded)
        self.pictures = pictures
        self.folder = folder
        self._engine = engine
        self._work = work
        self._cached = lru_cache(HELD)(self._item)

    def __getitem__(self, at: Any) -> Any:
        return self._cached(range(len(self))[at])

    def outline(self, at: int) -> Item:
        """An item without its question: what a row says of it."""
        item = self[at]
        small: Item = msgspec.structs.replace(item, question="", options=[])
        vars(small).update(
            letters=item.letters,
            value=item.value,
            _hash=item.content_hash(),
            parted=("", item.parted[1]),
        )
        return small

    def join_file(self, name: str, percent: int) -> Path | None:
        """The file of a join of these questions, where joins are kept."""
        if self._work is None:
            return None
        parts = Parts(self._work, f"{name_of(join_again)}-{percent}")
        return parts.folder / name

    def each(
        self,
        function: Callable[..., list[T]],
        kind: type[T],
        lines: Iterable[Any],
        *args: Any,
    ) -> Iterator[T]:
        """What `function` makes of each of the lines, kept as what is read of questions is."""
        path = self.folder / "lines.jsonl"
        with path.open("wb") as file:
            file.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
        return in_shards(function, kind, path, self._engine, self._work, *args)

    def _item(self, at: int) -> Item:
        item: Item = super().__getitem__(at)
        digests = [self.pictures.digest(path) for path in item.pictures]
        if all(digests):
            vars(item)["digests"] = digests
        return item


def _decoded(data: bytes) -> Item:
    item, values = _decoder.decode(data)
    vars(item).update(zip(ALWAYS, values, strict=True))
    return item  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def opened(folder: Path) -> Callable[[int], Item]:
    """The items of a store, for whoever works on them."""
    return lru_cache(HELD)(RecordStore(folder / READ, _decoded).__getitem__)


@contextmanager
def stored(
    items: Iterable[Item],
    engine: Engine | None = None,
    pictures: bool = True,
    work: Path | None = None,
) -> Iterator[ItemStore]:
    """The items as a store, which goes afterwards; one is taken as it is.

    What is read of an item is kept below `work`.
    """
    if isinstance(items, ItemStore):
        yield items
        return
    engine = engine or Engine()
    with workspace(work, engine) as folder:
        lines = folder / "items.jsonl"
        files = dict[str, str]()  # picture -> the first item that has it
        with lines.open("wb") as file:
            for item in items:
                file.write(_line(item))
                for path in item.pictures:
                    files.setdefault(str(path), item.id)
        index = PictureIndex({})
        if pictures:
            index = index_pictures(files, engine, work, folder)
        total = len(items) if isinstance(items, Sequence) else 0
        known = instructions_of(_some_questions(lines))
        decoded = in_shards(_read, bytes, lines, engine, work, *map(sorted, known))
        with (folder / READ).open("wb") as file:
            file.writelines(steadily(decoded, "dedup", total, "questions read"))
        yield ItemStore(folder, index, engine, work)


def _line(item: Item) -> Any:
    try:
        return _encoder.encode(item) + b"\n"
    except UnicodeEncodeError:  # a lone surrogate
        fields = msgspec.structs.asdict(item)
        plain = {name: printable(value) for name, value in fields.items()}
        return _encoder.encode(plain) + b"\n"


def _some_questions(lines: Path) -> list[str]:
    """Some of the questions, spread over the file."""
    items = Records(lines, _reader.decode)
    step = max(1, -(-len(items.places) // LOOKED))
    return [item.question for item in items[::step]]


def _read(lines: list[bytes], beginnings: list[str], endings: list[str]) -> list[bytes]:
    """What is read of the items of some lines; the questions of the set begin and end so."""
    known = Instructions(frozenset(beginnings), frozenset(endings))
    read = []
    for item in map(_reader.decode, lines):
        item.common = common_ends(item.question, known)
        read.append(encode((item, [getattr(item, name) for name in ALWAYS])))
    return read
