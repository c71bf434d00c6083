"""Withdrawn problems: taken out of the next version by name, with the reason that everybody reads.

They go last, so that nothing else changes with them: a duplicate that was dropped in favour of a
withdrawn problem does not come back in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import read_jsonl
from ..errors import UserError, nearest
from ..pipeline import Context, Withdrawal, stage
from ..problem import Drop, Problem


@stage("withdraw", whole_set=True)
def withdraw(
    problems: list[Problem], *, withdrawn: list[Withdrawal], context: Context
) -> Iterator[Problem | Drop]:
    """Drop the withdrawn problems, each with its reason.

    A problem that an earlier stage has dropped needs nothing more. Raises UserError for an id that
    no stage knows, naming the nearest.
    """
    reasons = {entry.id: entry.reason for entry in withdrawn}
    missing = reasons.keys() - {problem.id for problem in problems}
    if missing and (unknown := sorted(missing - set(_dropped(context.work)))):
        known = [problem.id for problem in problems]
        raise UserError(
            f"withdraw: unknown id {unknown[0]!r}"
            + (f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""),
            nearest(unknown[0], known)[:200],
        )
    for problem in problems:
        reason = reasons.get(problem.id)
        yield (
            problem
            if reason is None
            else Drop(id=problem.id, reason=f"withdrawn: {reason}")
        )


def _dropped(work: Path) -> Iterator[str]:
    """The ids that the stages before this one have dropped."""
    for path in sorted(work.glob("[0-9][0-9]-*/dropped.jsonl")):
        if path.parent.name.endswith("-withdraw"):
            return
        yield from (drop.id for drop in read_jsonl(path, Drop))


def withdrawals(stages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Id -> reason, from the stages that a manifest reports."""
    found: dict[str, str] = {}
    for one in stages:
        if one.get("stage") == "withdraw":
            try:
                rows = msgspec.convert(one["options"]["withdrawn"], list[Withdrawal])
            except (
                LookupError,
                TypeError,
                msgspec.ValidationError,
            ):  # `verify` tells it
                continue
            found |= {row.id: row.reason for row in rows}
    return found
