"""What builds have made before of the same need not be made again: counts of shards, whole files.

Only within `remembering`, which a build sets: elsewhere everything is made.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..base.files import encode, read_lines, sha256_file
from ..pipeline import Results, by_shard, chunked, code_hash, cut
from ..release import read_samples
from .facts import libraries

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
) -> Iterator[T]:
    """`function(lines, *args)` of a split's samples by shards; golds put back by `answers`."""
    if answers is None:
        lines = cut(release / "jsonl" / f"{split}.jsonl")
        return by_shard(function, lines, kind, *args, work=work_folder())
    parts = chunked(read_samples(release, split, answers), TOGETHER)
    return (function([encode(sample) for sample in part], *args) for part in parts)


def sample_lines(release: Path, split: str, answers: Path | None) -> Iterator[bytes]:
    """A split's samples, a line each; golds put back by `answers`."""
    if answers is None:
        return (line for _, line in read_lines(release / "jsonl" / f"{split}.jsonl"))
    return map(encode, read_samples(release, split, answers))


def file_of(parts: Iterable[bytes], write: Callable[[Path], None], path: Path, place: Path) -> None:
    """Make a file of what stands in `parts`, or copy the one that was made of them before.

    It is written at `path`, and will stand at `place`.
    """
    if (results := MADE.get()) is None:
        write(path)
        return
    code = code_hash(write.func if isinstance(write, partial) else write)
    total = blake2b(encode([path.name, code, libraries()]), digest_size=16)
    for part in parts:
        total.update(part)
    if (kept := results.get(total.digest())) is not None:
        stood, digest = msgspec.msgpack.decode(kept, type=tuple[str, str])
        if Path(stood).is_file() and sha256_file(Path(stood)) == digest:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(stood, path)
            return
    write(path)
    with results.adding() as pack:
        pack.add(total.digest(), msgspec.msgpack.encode((str(place.absolute()), sha256_file(path))))


def place_of(path: Path) -> Path:
    """Where a file of a staging folder (`replacing_together`) will stand."""
    staging = next((one for one in path.parents if one.name.endswith(".part")), None)
    return path if staging is None else staging.parent / path.relative_to(staging)
