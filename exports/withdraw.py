"""Withdrawn problems: taken out of the next version by name, with the reason that everybody reads.

They go last, so that nothing else changes with them: a duplicate that was dropped in favour of a
withdrawn problem does not come back in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
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
    ids = [problem.id for problem in problems]
    if reasons.keys() - set(ids):
        _refuse_unknown(reasons.keys() - set(ids), ids, context.work)
    for problem in problems:
        if problem.id in reasons:
            yield Drop(id=problem.id, reason=f"withdrawn: {reasons[problem.id]}")
        else:
            yield problem


def _refuse_unknown(missing: Set[str], ids: list[str], work: Path) -> None:
    """Raises UserError for missing ids that no stage has dropped."""
    unknown = sorted(missing - set(_dropped(work)))
    if unknown:
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        raise UserError(
            f"withdraw: unknown id {unknown[0]!r}{more}",
            nearest(unknown[0], ids)[:200],
        )


def _dropped(work: Path) -> Iterator[str]:
    """The ids that the stages before this one have dropped."""
    for path in sorted(work.glob("[0-9][0-9]-*/dropped.jsonl")):
        if path.parent.name.endswith("-withdraw"):
            return
        yield from (drop.id for drop in read_jsonl(path, Drop))


def withdrawals(stages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Id -> reason, from the stages that a manifest reports."""
    reasons: dict[str, str] = {}
    for entry in stages:
        if entry.get("stage") != "withdraw":
            continue
        # `verify` tells what is wrong with a manifest.
        with suppress(LookupError, TypeError, msgspec.ValidationError):
            rows = msgspec.convert(entry["options"]["withdrawn"], list[Withdrawal])
            reasons |= {row.id: row.reason for row in rows}
    return reasons
