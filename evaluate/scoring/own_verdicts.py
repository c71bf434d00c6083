"""The verdicts that a file of replies brings along, held against ours.

Which field holds them is known by its name or, under any name, by how it goes with our verdicts:
better than chance by half.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..metrics import Own, Result
from ..predictions import Column, Predictions

NAMED = re.compile(r"correct|judg|verdict|hit|score|match|acc|grade", re.IGNORECASE)
ALIKE, ENOUGH = 0.5, 20  # kappa, on as many samples, from which a field is a verdict by itself


def bring_along(results: Sequence[Result], matched: Predictions) -> None:
    """Note at each result what the file itself says of its reply."""
    ours = {r.id: (r.correct, bool(r.official and r.official.correct)) for r in results}
    found = max(((_closeness(c, ours), -len(c.name), c) for c in matched.columns),
                key=lambda one: one[:2], default=None)  # fmt: skip
    if found is None or found[0] < 0:
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
        kappa([(said, ours[name][k]) for name, said in column.verdicts.items() if name in ours])
        for k in (0, 1)
    ]
    by_itself = len(column.verdicts) >= ENOUGH and max(kappas) >= ALIKE
    return 1 + max(kappas) if by_itself or NAMED.search(column.name) else -1.0


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Agreement beyond chance (Cohen 1960); 0 where either never changes.

    >>> kappa([(True, True), (False, False)]), kappa([(True, True), (True, False)])
    (1.0, 0.0)
    """
    n = len(pairs)
    left, right = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    chance = (left * right + (n - left) * (n - right)) / n**2 if n else 1.0
    same = sum(a == b for a, b in pairs) / n if n else 0.0
    return 0.0 if chance >= 1 else (same - chance) / (1 - chance)
