"""A score by an earlier version's golds, and which verdicts the corrections since then change."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...problem import Record
from ...release import AsOf
from .accuracy import IsCorrect
from .results import Result


class VerdictChange(Record, kw_only=True):
    """A reply that is right by one version's gold and wrong by the other's."""

    id: str
    repeat: int
    then: bool
    now: bool
    gold_then: str
    gold_now: str
    version: str  # the last that corrected the sample
    reasons: list[str]


class Earlier(Record, kw_only=True):
    """`scores.json`, as_of: all figures are by the golds of `version`.

    `corrected` samples have other golds now; `added` ones are left out, `removed` ones are gone.
    """

    version: str
    corrected: list[str]
    changed: list[VerdictChange]
    added: list[str] = msgspec.field(default_factory=list)
    removed: list[str] = msgspec.field(default_factory=list)


def earlier(
    version: str,
    undone: AsOf,
    then: Sequence[Result],
    now: Sequence[Result],
    verdict: IsCorrect,
) -> Earlier:
    """What became of the corrected samples: `then` are all results, `now` those of the corrected.

    Verdicts are those of rules; a judge is asked about the earlier version only.
    """
    before = {(result.id, result.repeat): result for result in then}
    last = {correction.id: correction for correction in reversed(undone.corrections)}
    pairs = [(before[result.id, result.repeat], result) for result in now]
    return Earlier(
        version=version,
        corrected=sorted(last),
        changed=[
            VerdictChange(
                id=new.id,
                repeat=new.repeat,
                then=verdict(old),
                now=verdict(new),
                gold_then=old.gold,
                gold_now=new.gold,
                version=last[new.id].version,
                reasons=last[new.id].reasons,
            )
            for old, new in pairs
            if verdict(old) != verdict(new)
        ],
        added=undone.added,
        removed=undone.removed,
    )
