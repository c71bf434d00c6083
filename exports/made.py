"""What builds have made before of the same need not be made again: files, or parts of them.

Only within `remembering`, which a build sets: elsewhere everything is made.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, TypeVar

import msgspec
from msgspec.structs import replace

from ..base.files import (
    encode,
    link_or_copy,
    replacing,
    sha256_file,
    unwritable,
    write_jsonl,
)
from ..errors import MachineError
from ..pipeline import (
    Engine,
    Lines,
    Parts,
    chunked,
    hand_over,
    name_of,
    parallel_map,
)
from ..release import read_samples
from .facts import libraries

A = TypeVar("A")
TOGETHER = 1000  # lines at a time that lie in memory
MADE: ContextVar[Parts | None] = ContextVar("made", default=None)


@contextmanager
def remembering(work: Path | None) -> Iterator[None]:
    """Within it what is made is kept below the work folder."""
    made = None if work is None else Parts(work.absolute(), "files")
    token = MADE.set(made)
    try:
        yield
    finally:
        MADE.reset(token)


def work_folder() -> Path | None:
    """The work folder of the build that this is a part of."""
    made = MADE.get()
    return None if made is None else made.work


@contextmanager
def sample_files(
    release: Path, splits: Iterable[str], answers: Path | None, out: Path
) -> Iterator[dict[str, Path]]:
    """The file of each split's samples; with golds put back by `answers` one in `out` that goes."""
    with _apart(out) as folder:
        files = {
            split: release.absolute() / "jsonl" / f"{split}.jsonl" for split in splits
        }
        for split in files if answers is not None else ():
            files[split] = folder / split
            write_jsonl(files[split], read_samples(release, split, answers))
        yield files


@contextmanager
def _apart(folder: Path) -> Iterator[Path]:
    """A folder in another that goes; absolute, as workers may stand elsewhere."""
    try:
        made = TemporaryDirectory(dir=folder, prefix=".")
    except OSError as error:
        raise unwritable(folder, error) from error
    with made as path:
        yield Path(path).absolute()


def files_of(
    wanted: Iterable[tuple[Path, A]],
    write: Callable[..., None],
    *args: Any,
    parts: Callable[[A], Iterable[bytes]] = iter,  # type: ignore[assignment]
    engine: Engine = Engine(),  # noqa: B008
) -> Iterator[str]:
    """Make files, `write(source, path, *args)` each, or copy what was made of the same before.

    Workers make them; the hash of each comes in order. What made a file before is known by the name
    of the file, the code of `write`, `args` and the source's `parts`; what else `write` must be
    given (where pictures lie) is bound to it (`partial`), and does not count.
    """
    kept = MADE.get()
    make = partial(_file, kept, parts, write, args, _code(write, libraries(), args))
    new: dict[bytes, bytes] = {}
    for key, digest, stood in parallel_map(make, wanted, engine):
        if stood:
            new[key] = msgspec.msgpack.encode((stood, digest))
        yield digest
    _note(kept, new)


def _code(write: Callable[..., Any], *said: Any) -> bytes:
    return encode([name_of(write.func if isinstance(write, partial) else write), *said])


def _note(kept: Parts | None, new: Mapping[bytes, bytes]) -> None:
    if kept is None:
        return
    for key, made in new.items():
        kept.put(key, made)


def _file(
    kept: Parts | None,
    parts: Callable[[A], Iterable[bytes]],
    write: Callable[..., None],
    args: tuple[Any, ...],
    code: bytes,
    wanted: tuple[Path, A],
) -> tuple[bytes, str, str]:
    """On a worker: the key of a file, its hash, and where it will stand if it is new."""
    path, source = wanted
    if kept is None:
        write(source, path, *args)
        return b"", sha256_file(path), ""
    total = sha256(encode(path.name) + code)
    for some in chunked(parts(source), TOGETHER):
        total.update(b"".join(some))
    if (data := kept.get(key := total.digest()[:16])) is not None:
        stood, digest = msgspec.msgpack.decode(data, type=tuple[str, str])
        if Path(stood).is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            if (
                Path(stood) == place_of(path).absolute()
            ):  # which goes when this takes its place
                link_or_copy(Path(stood), path)
            else:
                shutil.copyfile(stood, path)
            if sha256_file(path) == digest:
                return key, digest, ""
    write(source, path, *args)
    return key, sha256_file(path), str(place_of(path).absolute())


class Stretch(msgspec.Struct, array_like=True, frozen=True):
    """A part of a file."""

    path: str
    start: int
    size: int
    sha256: str

    def content(self) -> bytes | None:
        """None where that is not what it was."""
        try:
            with open(self.path, "rb", buffering=0) as file:
                data = os.pread(file.fileno(), self.size, self.start)
        except OSError:
            return None
        return data if sha256(data).hexdigest() == self.sha256 else None


def join_files(
    folder: Path,
    files: Mapping[str, tuple[str, bytes]],
    shards: Iterable[tuple[Lines, Any]],
    write: Callable[..., dict[str, bytes]],
    *args: Any,
    engine: Engine = Engine(),  # noqa: B008
) -> None:
    """Make files, each with its first line, of what workers make of shards, one after another.

    `files` names each with its first line; `write(lines, own, *args)` gives parts of them, by name,
    and `own` goes with the shard. What was made of the same before is taken from where it stands.
    """
    kept = MADE.get()
    new = dict[bytes, bytes]()
    folder = folder.absolute()
    with _apart(folder) as apart, ExitStack() as stack:
        opened = dict[str, BinaryIO]()
        for name, (file, head) in files.items():
            opened[name] = stack.enter_context(replacing(folder / file))
            opened[name].write(head)
        make = partial(_parts, kept, write, args, _code(write, args), apart)
        for key, parts in parallel_map(make, shards, engine):
            placed = {}
            for name, part in parts.items():
                stands = str(place_of(folder / files[name][0]))
                placed[name] = replace(part, path=stands, start=opened[name].tell())
                if (data := part.content()) is None:
                    raise MachineError(
                        f"{part.path} is not what it was", "run the command again"
                    )
                opened[name].write(data)
                if Path(part.path).parent == apart:
                    Path(part.path).unlink()
            new[key] = msgspec.msgpack.encode(placed)
    _note(kept, new)


def _parts(
    kept: Parts | None,
    write: Callable[..., dict[str, bytes]],
    args: tuple[Any, ...],
    code: bytes,
    apart: Path,
    task: tuple[Lines, Any],
) -> tuple[bytes, dict[str, Stretch]]:
    """On a worker: what a shard adds to files: where that stands, or in files of its own."""
    shard, own = task
    content = shard.content()
    key = sha256(code + encode(own) + content).digest()[:16]
    if kept is not None and (data := kept.get(key)) is not None:
        stood = msgspec.msgpack.decode(data, type=dict[str, Stretch])
        if all(part.content() is not None for part in stood.values()):
            return key, stood
    parts = {}
    for name, made_now in write(content.splitlines(keepends=True), own, *args).items():
        made = hand_over(made_now, apart)
        parts[name] = Stretch(str(made.path), 0, made.size, made.sha256)
    return key, parts


def place_of(path: Path) -> Path:
    """Where a file will stand that lies in a folder on its way (`files.replacing_folder`, ...)."""
    for folder in path.parents:
        if found := re.fullmatch(r"\.(.+?)(\.[0-9a-f]{16})?\.part", folder.name):
            new = folder.parent / found[1] if found[2] else folder.parent
            return new / path.relative_to(folder)
    return path
