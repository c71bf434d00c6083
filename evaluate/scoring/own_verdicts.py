"""The verdicts that a file of replies brings along, held against ours.

Which field holds them is known by its name or, under any name, by how it goes with our verdicts:
better than chance by half.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..judges import cohen_kappa
from ..metrics import Own, Result
from ..predictions import Column, Predictions

# Names, or parts of names, of fields that hold verdicts.
NAMED = re.compile(r"correct|judg|verdict|hit|score|match|acc|grade", re.IGNORECASE)
# A field is a verdict by itself from this kappa on, on so many samples.
ALIKE = 0.5
ENOUGH = 20


def bring_along(results: Sequence[Result], matched: Predictions) -> None:
    """Note at each result what the file itself says of its reply."""
    if not matched.columns:
        return
    ours = {
        r.reply_name(): (r.correct, bool(r.official and r.official.correct))
        for r in results
    }
    closeness = {c.name: _closeness(c, ours) for c in matched.columns}
    # Of equally close fields the one with the shorter name.
    column = max(matched.columns, key=lambda c: (closeness[c.name], -len(c.name)))
    if closeness[column.name] < 0:
        return
    for result in results:
        key = result.reply_name()
        if key in column.verdicts:
            result.own = Own(
                field=column.name,
                correct=column.verdicts[key],
                extracted=matched.extracted.get(key),
            )


def _closeness(column: Column, ours: dict[str, tuple[bool, bool]]) -> float:
    """How near a field is to our verdicts, robust or official; -1 where it is no verdict."""
    shared = [name for name in column.verdicts if name in ours]
    kappas = []
    for profile in (0, 1):
        pairs = [(column.verdicts[name], ours[name][profile]) for name in shared]
        kappas.append(cohen_kappa(pairs) or 0.0)
    by_itself = len(column.verdicts) >= ENOUGH and max(kappas) >= ALIKE
    return 1 + max(kappas) if by_itself or NAMED.search(column.name) else -1.0
