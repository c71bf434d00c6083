"""What a stage makes of some problems: what is put out, what is dropped, rows of side tables.

Problems are encoded where they are made: nobody decodes them on their way to disk. In a shard
in = kept + dropped holds, checked result by result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import encode
from ..errors import UserError
from ..problem import Drop, Problem


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
    """What a stage made of some problems: a file of problems, and the rest, which is small."""

    taken: int = 0
    reasons: dict[str, int] = {}  # of drops
    ids: list[str] = []  # put out
    problems: bytes = b""  # themselves, where they were made in this process
    same: bool = False  # they are those that came in
    path: Path | None = None  # of a file with them
    size: int = 0
    sha256: str = ""
    drops: bytes = b""
    rows: dict[str, list[bytes]] = {}
    seconds: float = 0.0
    seed: int | None = None  # that was drawn with
    pictures: list[str] = []  # that were made


def line_of(output: Problem | Drop) -> Line:
    reason = output.reason if isinstance(output, Drop) else None
    return Line(output.id, encode(output), reason)


def result_of(taken: list[str], outputs: Iterable[Problem | Drop]) -> Result:
    return Result(taken, map(line_of, outputs))


def shard_of(stage: str, results: Iterable[Result], whole_set: bool = False) -> Shard:
    """The results of some problems together; raises UserError where one is lost or doubled.

    A stage may put out several problems for one; of a whole set, only those that it took.

    >>> shard_of("demo", [Result(["a-1"], [Line("a-1", b"{}")])]).ids
    ['a-1']
    """
    shard, reasons = Shard(), Counter[str]()
    out: list[bytes] = []
    drops: list[bytes] = []
    rows: dict[str, list[bytes]] = {}
    for result in results:
        left, kept = set(result.taken), len(shard.ids)
        for line in result.lines:
            if line.reason is None:
                if whole_set and line.id not in left:
                    twice = line.id in shard.ids
                    what = "put out twice" if twice else "put out but not taken, or also dropped"
                    raise lost(stage, line.id, what)
                if whole_set:
                    left.remove(line.id)
                shard.ids.append(line.id)
                out.append(line.data)
            elif line.id not in left:
                raise lost(stage, line.id, "dropped but not taken, or dropped twice")
            else:
                left.remove(line.id)
                reasons[line.reason.split(":")[0]] += 1
                drops.append(line.data)
        if not whole_set and len(shard.ids) > kept:
            if not left:
                raise lost(stage, result.taken[0], "both kept and dropped")
            left.clear()
        if left:
            raise lost(stage, min(left), "neither kept nor dropped")
        shard.taken += len(result.taken)
        for table, some in result.rows.items():
            rows.setdefault(table, []).extend(some)
    shard.problems, shard.drops = b"".join(out), b"".join(drops)
    shard.reasons, shard.rows = dict(reasons), rows
    return shard


def lost(stage: str, problem_id: str, what: str) -> UserError:
    return UserError(
        f"stage {stage!r} lost account of problem {problem_id!r}: {what}",
        "every problem taken must be put out or dropped, once",
    )


def encoded(rows: dict[str, list[Any]]) -> dict[str, list[bytes]]:
    """Side tables as they are written."""
    return {table: [encode(row) for row in some] for table, some in rows.items()}
