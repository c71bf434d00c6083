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

NAMED = re.compile(r"correct|judg|verdict|hit|score|match|acc|grade", re.IGNORECASE)
ALIKE, ENOUGH = (
    0.5,
    20,
)  # kappa, on as many samples, from which a field is a verdict by itself


def bring_along(results: Sequence[Result], matched: Predictions) -> None:
    """Note at each result what the file itself says of its reply."""
    if not matched.columns:
        return
    ours = {r.id: (r.correct, bool(r.official and r.official.correct)) for r in results}
    found = max(
        ((_closeness(c, ours), -len(c.name), c) for c in matched.columns),
        key=lambda one: one[:2],
    )
    if found[0] < 0:
        return
    column = found[2]
    for result in results:
        if result.repeat == 1 and result.id in column.verdicts:
            result.own = Own(
                field=column.name,
                correct=column.verdicts[result.id],
                extracted=matched.extracted.get(result.id),
            )


def _closeness(column: Column, ours: dict[str, tuple[bool, bool]]) -> float:
    """How near a field is to our verdicts, robust or official; -1 where it is no verdict."""
    kappas = [
        cohen_kappa(
            [
                (said, ours[name][k])
                for name, said in column.verdicts.items()
                if name in ours
            ]
        )
        or 0.0
        for k in (0, 1)
    ]
    by_itself = len(column.verdicts) >= ENOUGH and max(kappas) >= ALIKE
    return 1 + max(kappas) if by_itself or NAMED.search(column.name) else -1.0
