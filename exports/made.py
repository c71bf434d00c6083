"""What builds have made before of the same need not be made again: counts of shards, whole files.

Only within `remembering`, which a build sets: elsewhere everything is made.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..base.files import Records, encode, link_or_copy, sha256_file
from ..pipeline import Engine, Results, by_shard, chunked, code_hash, cut, parallel_map
from ..release import read_samples
from .facts import libraries

A = TypeVar("A")
T = TypeVar("T")
TOGETHER = 1000  # samples at a time that lie in memory
MADE: ContextVar[Results | None] = ContextVar("made", default=None)


@contextmanager
def remembering(work: Path | None) -> Iterator[None]:
    """Within it what is made is kept below the work folder."""
    made = Results(work.absolute(), "files", secrets.token_hex(8)) if work is not None else None
    token = MADE.set(made)
    try:
        yield
    finally:
        MADE.reset(token)


def work_folder() -> Path | None:
    """The work folder of the build that this is a part of."""
    made = MADE.get()
    return None if made is None else made.work


def of_samples(
    function: Callable[..., T],
    kind: type[T],
    release: Path,
    split: str,
    answers: Path | None,
    *args: Any,
    engine: Engine = Engine(),  # noqa: B008
) -> Iterator[T]:
    """`function(lines, *args)` of a split's samples by shards; golds put back by `answers`."""
    if answers is None:
        lines = cut(release.absolute() / "jsonl" / f"{split}.jsonl")  # workers may stand elsewhere
        return by_shard(function, lines, kind, *args, work=work_folder(), engine=engine)
    parts = chunked(read_samples(release, split, answers), TOGETHER)
    return (function([encode(sample) for sample in part], *args) for part in parts)


def sample_lines(release: Path, split: str, answers: Path | None) -> Sequence[bytes]:
    """A split's samples, a line each; golds put back by `answers`."""
    if answers is None:
        return Records(release.absolute() / "jsonl" / f"{split}.jsonl", bytes)
    return [encode(sample) for sample in read_samples(release, split, answers)]


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
    results = MADE.get()
    code = code_hash(write.func if isinstance(write, partial) else write)
    make = partial(_file, results, parts, write, args, encode([code, libraries(), args]))
    new: dict[bytes, bytes] = {}
    for key, digest, stood in parallel_map(make, wanted, engine):
        if stood:
            new[key] = msgspec.msgpack.encode((stood, digest))
        yield digest
    if results is not None and new:
        with results.adding() as pack:
            for key, made in new.items():
                pack.add(key, made)


def _file(
    results: Results | None,
    parts: Callable[[A], Iterable[bytes]],
    write: Callable[..., None],
    args: tuple[Any, ...],
    code: bytes,
    wanted: tuple[Path, A],
) -> tuple[bytes, str, str]:
    """On a worker: the key of a file, its hash, and where it will stand if it is new."""
    path, source = wanted
    if results is None:
        write(source, path, *args)
        return b"", sha256_file(path), ""
    total = sha256(encode(path.name) + code)
    for part in parts(source):
        total.update(part)
    if (kept := results.get(key := total.digest()[:16])) is not None:
        stood, digest = msgspec.msgpack.decode(kept, type=tuple[str, str])
        if Path(stood).is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            if Path(stood) == place_of(path).absolute():  # which goes when this takes its place
                link_or_copy(Path(stood), path)
            else:
                shutil.copyfile(stood, path)
            if sha256_file(path) == digest:
                return key, digest, ""
    write(source, path, *args)
    return key, sha256_file(path), str(place_of(path).absolute())


def place_of(path: Path) -> Path:
    """Where a file will stand that lies in a folder on its way (`files.replacing_folder`, ...)."""
    for folder in path.parents:
        if found := re.fullmatch(r"\.(.+?)(\.[0-9a-f]{16})?\.part", folder.name):
            new = folder.parent / found[1] if found[2] else folder.parent
            return new / path.relative_to(folder)
    return path
