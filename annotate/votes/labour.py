"""What a release says of the people behind a label: how many, their hours, how far they agreed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ...errors import UserError
from ...pipeline import Labour
from ...problem import Problem
from .agreement import agreement
from .ledger import LedgerEntry


def labour_of(
    entries: Sequence[LedgerEntry],
    problems: Sequence[Problem],
    credit: Mapping[str, str],
    without: Mapping[str, str],
) -> Labour | None:
    """The work behind the `entries` of one field; None where no person voted.

    `credit` says whom it names, `without` who is left out, and why.

    Example: `labour_of(entries, problems, {"anna": "Anna Example"}, {}).alpha`
    """
    votes = [vote for entry in entries for vote in entry.votes if vote.kind == "human"]
    if not votes:
        return None
    field = entries[0].field
    names = sorted({vote.annotator for vote in votes})
    seconds = [vote.seconds for vote in votes if vote.seconds]
    adjudicated = sum(entry.rule.startswith("adjudicated") for entry in entries)
    labour = Labour(
        field=field,
        policy=entries[0].policy,
        items=len(entries),
        votes=len(votes),
        people=len(names),
        groups=len({vote.group for vote in votes if vote.group}),
        credited=[credit[name] for name in names if name in credit],
        hours=round(sum(seconds) / 3600, 1) if seconds else None,
        alpha=None,
        low=None,
        high=None,
        adjudicated=round(adjudicated / len(entries), 4),
        left_out=[without[name] for name in sorted(without)],
    )
    try:
        level = agreement(votes, field, problems=problems).levels[0]
    except UserError:  # everybody abstained
        return labour
    return msgspec.structs.replace(
        labour, alpha=level.alpha, low=level.alpha_low, high=level.alpha_high
    )
