"""Many comparisons at once: labels of one table, all pairs of a leaderboard.

Tarone and Holm's step-down correction of exact p values. It holds under any dependence, so labels
may overlap, and a group too small to show anything costs the others nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from .paired import ALPHA, SMALLEST, flip_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


class Family(NamedTuple):
    """Exact p of each comparison, and p corrected for being many."""

    p: list[float]
    adjusted: list[float]


class Place(NamedTuple):
    """Where a run stands: its ranks from `best` to `worst`, and whether it may be the best.

    The rank intervals of a board hold together with 95 %; so does "the best run is among those
    that may be the best".
    """

    best: int
    worst: int
    may_be_best: bool


def tarone_holm(comparisons: Sequence[Integers]) -> Family:
    """Correct the sign-flip tests of `comparisons`, each the differences of its clusters.

    Adjusted p of the i-th smallest: the largest, over it and the smaller ones, of the sum over the
    comparisons still open of the largest attainable p not above the one observed (Tarone 1990).

    >>> import numpy as np
    >>> eight, alone = np.ones(8, int), np.ones(1, int)
    >>> tarone_holm([eight] + [alone] * 10).adjusted[0] == 2 / 2**8
    True
    """
    import numpy as np

    p = []
    attainable = []  # not above the comparison's own p: nothing else is asked of it below
    for differences in comparisons:
        table = flip_table(differences)
        place = min(abs(int(differences.sum())), len(table) - 1)
        p.append(float(table[place]))
        attainable.append(np.unique(table[table <= p[-1] * (1 + 1e-9)]))
    order = sorted(range(len(p)), key=lambda k: p[k])
    observed = np.array([p[k] for k in order]) * (1 + 1e-9)
    totals = np.zeros(len(p))
    for rank, k in enumerate(order):  # it is open until its own step
        open_ = observed[: rank + 1]
        places = np.searchsorted(attainable[k], open_, "right")
        largest = np.concatenate([[0.0], attainable[k]])
        totals[: rank + 1] += largest[places]
    adjusted = [1.0] * len(p)
    for k, worst in zip(
        order, np.maximum.accumulate(np.minimum(1.0, totals)), strict=True
    ):
        adjusted[k] = float(worst)
    return Family(_told(p), _told(adjusted))


def _told(values: Sequence[float]) -> list[float]:
    """p values as figures are told: none is below the resolution."""
    return [round(max(SMALLEST, value), 12) for value in values]


def places(
    pairs: dict[tuple[int, int], Integers], runs: int
) -> tuple[list[Place], Family]:
    """The place of each run from the differences of all pairs (i < j: run i minus run j).

    "Worse" is said only where the corrected test of a pair says so. A run may not be the best when
    some other beats it in a one-sided test corrected for the runs (Hsu 1984); that does not make
    it worse than equal runs.

    >>> import numpy as np
    >>> places({(0, 1): np.ones(9, int)}, 2)[0]
    [Place(best=1, worst=1, may_be_best=True), Place(best=2, worst=2, may_be_best=False)]
    """
    keys = list(combinations(range(runs), 2))
    family = tarone_holm([pairs[key] for key in keys])
    above = [0] * runs
    below = [0] * runs
    beaten = [False] * runs
    for (i, j), p, adjusted in zip(keys, *family, strict=True):
        total = int(pairs[i, j].sum())
        if total == 0:
            continue
        winner, loser = (i, j) if total > 0 else (j, i)
        if adjusted < ALPHA:
            above[loser] += 1
            below[winner] += 1
        one_sided = p / 2
        beaten[loser] |= one_sided * (runs - 1) < ALPHA
    ranks = [
        Place(1 + above[run], runs - below[run], not beaten[run]) for run in range(runs)
    ]
    return ranks, family
