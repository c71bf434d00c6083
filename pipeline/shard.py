"""What a stage makes of some problems: what is put out, what is dropped, rows of side tables.

Problems are encoded where they are made: nobody decodes them on their way to disk. In a shard
in = kept + dropped holds, checked result by result.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from ..base.files import encode, unwritable
from ..errors import MachineError, UserError
from ..problem import Drop, Problem
from .borders import in_parts

SHARDS = "shards"  # below the work folder: what workers hand over
LOOKS = 8  # at a file that another machine wrote and that is not to be seen here yet


class Apart(msgspec.Struct, array_like=True, frozen=True):
    """A file that a worker hands over."""

    path: Path
    size: int
    sha256: str


class Line(msgspec.Struct, array_like=True, frozen=True):
    """One problem or drop, as it is written; `reason` is a drop's."""

    id: str
    data: bytes
    reason: str | None = None


class Result(msgspec.Struct, array_like=True, frozen=True):
    """The ids that were taken, what is put out for them, and rows of side tables, encoded."""

    taken: list[str]
    lines: Iterable[Line]
    rows: dict[str, list[bytes]] = {}


class Shard(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a stage made of some problems; what is large of it may lie in a file (`set_apart`)."""

    taken: int = 0
    reasons: dict[str, int] = {}  # of drops
    ids: list[str] = []  # put out
    problems: bytes = b""
    same: bool = False  # they are those that came in
    apart: Apart | None = None  # problems, drops and rows
    drops: bytes = b""
    rows: dict[str, list[bytes]] = {}
    seconds: float = 0.0
    seed: int | None = None  # that was drawn with
    pictures: list[str] = []  # that were made


Large = tuple[bytes, bytes, dict[str, list[bytes]]]  # problems, drops, rows


def set_apart(shard: Shard, folder: Path) -> None:
    """On a worker: put what is large of a shard into a file, for whoever writes stages down."""
    data = msgspec.msgpack.encode((shard.problems, shard.drops, shard.rows))
    shard.apart = hand_over(data, folder)
    shard.problems, shard.drops, shard.rows = b"", b"", {}


def large(shard: Shard) -> Large:
    """What is large of a shard, wherever it lies."""
    if shard.apart is None:
        return shard.problems, shard.drops, shard.rows
    found: Large = msgspec.msgpack.decode(taken_over(shard.apart), type=Large)
    return found


def hand_over(data: bytes, folder: Path) -> Apart:
    """On a worker: write a file that goes when it was taken over."""
    path = folder / f"{secrets.token_hex(8)}.shard"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)  # no need to outlive a crash
    except OSError as error:
        raise unwritable(path, error) from error
    return Apart(path, len(data), hashlib.sha256(data).hexdigest())


def taken_over(apart: Apart) -> bytes:
    """What a worker wrote, which counts only if it is whole."""
    data = _seen(apart.path, apart.size).read_bytes()
    if hashlib.sha256(data).hexdigest() != apart.sha256:
        raise MachineError(
            f"{apart.path} is not what a worker wrote",
            "check the disk that the workers share",
        )
    apart.path.unlink()
    return data


def _seen(path: Path, size: int) -> Path:
    """A file of another machine, waited for where the store shows it late."""
    for look in range(LOOKS):
        if path.exists() and path.stat().st_size == size:
            return path
        time.sleep(0.05 * 2**look)
    raise MachineError(
        f"{path}, which a worker wrote, is not to be seen here",
        "check the disk that the workers share; the same command goes on from here",
    )


def line_of(output: Problem | Drop) -> Line:
    reason = output.reason if isinstance(output, Drop) else None
    return Line(output.id, encode(output), reason)


def shard_of(stage: str, results: Iterable[Result]) -> Shard:
    """The results of some problems together; raises UserError where one is lost or doubled.

    A stage may put out several problems for one.

    >>> shard_of("demo", [Result(["a-1"], [Line("a-1", b"{}")])]).ids
    ['a-1']
    """
    shard = Shard()
    out = list[bytes]()
    drops = list[bytes]()
    for result in results:
        left = set(result.taken)
        kept = len(shard.ids)
        for line in result.lines:
            if line.reason is None:
                shard.ids.append(line.id)
                out.append(line.data)
            elif line.id not in left:
                raise lost(stage, line.id, "dropped but not taken, or dropped twice")
            else:
                left.remove(line.id)
                _drop(shard, line, drops)
        if len(shard.ids) > kept:
            if not left:
                raise lost(stage, result.taken[0], "both kept and dropped")
            left.clear()
        if left:
            raise lost(stage, min(left), "neither kept nor dropped")
        shard.taken += len(result.taken)
        for table, some in result.rows.items():
            shard.rows.setdefault(table, []).extend(some)
    shard.problems, shard.drops = b"".join(out), b"".join(drops)
    return shard


def _drop(shard: Shard, line: Line, drops: list[bytes]) -> None:
    reason = (line.reason or "").split(":")[0]
    shard.reasons[reason] = shard.reasons.get(reason, 0) + 1
    drops.append(line.data)


def shards_of(
    stage: str, taken: Sequence[str], lines: Iterable[Line]
) -> Iterator[Shard]:
    """What was made of a whole set, in parts: none put out that was not taken, or twice.

    Ids say where a part ends: a problem that changes moves no border.

    >>> [one.ids for one in shards_of("demo", ["a-1"], [Line("a-1", b"{}")])]
    [['a-1']]
    """
    left = set(taken)
    put: set[str] = set()
    for some in in_parts(lines, len(left), lambda line: crc32(line.id.encode())):
        shard = Shard(taken=len(some))
        drops = list[bytes]()
        for line in some:
            if line.id not in left:
                dropped = "dropped but not taken, or dropped twice"
                kept = "put out but not taken, or also dropped"
                twice = "put out twice" if line.id in put else kept
                raise lost(
                    stage, line.id, dropped if line.reason is not None else twice
                )
            left.remove(line.id)
            if line.reason is None:
                shard.ids.append(line.id)
                put.add(line.id)
            else:
                _drop(shard, line, drops)
        shard.problems = b"".join(line.data for line in some if line.reason is None)
        shard.drops = b"".join(drops)
        yield shard
    if left:
        raise lost(stage, min(left), "neither kept nor dropped")


def lost(stage: str, problem_id: str, what: str) -> UserError:
    return UserError(
        f"stage {stage!r} lost account of problem {problem_id!r}: {what}",
        "every problem taken must be put out or dropped, once",
    )


def encoded(rows: dict[str, list[Any]]) -> dict[str, list[bytes]]:
    """Side tables as they are written."""
    return {table: [encode(row) for row in some] for table, some in rows.items()}
