"""What becomes of problems, encoded where it is made: nobody decodes it on its way to disk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ..base.files import encode
from ..problem import Drop, Problem

SideTables = dict[str, list[Any]]


class Line(msgspec.Struct, array_like=True, frozen=True):
    """One problem or drop, as it is written; `reason` is a drop's."""

    id: str
    data: bytes
    reason: str | None = None


class Outcome(msgspec.Struct, array_like=True, frozen=True):
    """The ids that were taken, what is put out for them, and rows of side tables, encoded."""

    taken: list[str]
    lines: list[Line]
    rows: dict[str, list[bytes]] = {}


def line_of(output: Problem | Drop) -> Line:
    reason = output.reason if isinstance(output, Drop) else None
    return Line(output.id, encode(output), reason)


def outcome_of(
    taken: list[str], outputs: Iterable[Problem | Drop], tables: SideTables | None = None
) -> Outcome:
    rows = {name: [encode(row) for row in rows] for name, rows in (tables or {}).items()}
    return Outcome(taken, [line_of(output) for output in outputs], rows)
