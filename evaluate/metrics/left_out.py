"""A figure with and without some problems, such as those that stand in training data."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from ...problem import Record
from .accuracy import IsCorrect, judged
from .intervals import Rate, rate, spread, sums
from .quantiles import t_quantile
from .results import Result


class LeftOut(Record, kw_only=True):
    """The accuracy without the problems that a list names, and what that changes.

    `difference` is `accuracy` minus the accuracy over all samples, with a 95 % interval, clustered
    by origin: both are of the same replies, and what they have in common cancels. `theirs` is the
    accuracy over the samples left out. `unknown` counts names that this split does not have.
    """

    problems: list[str]
    unknown: int
    accuracy: Rate
    theirs: Rate
    difference: float | None
    low: float | None
    high: float | None


def left_out(
    results: Sequence[Result], names: Collection[str], verdict: IsCorrect
) -> LeftOut:
    """The figures without the problems of these ids."""
    import numpy as np

    named = set(names)
    problems = named & {r.problem_id for r in results}
    right, origins = judged(results, verdict)
    kept = np.array([r.problem_id not in problems for r in results], bool)
    value = low = high = None
    if kept.any():
        share = float(kept.mean())
        without = float(right[kept].mean())
        value = without - float(right.mean())
        # What each sample adds to the difference: the means are ratios, made linear (Taylor).
        adds = kept / share * (right - without) - (right - right.mean())
        _, variance, df = spread(sums(origins, adds), sums(origins))
        if variance is not None:
            reach = t_quantile(0.975, df) * math.sqrt(variance)
            low, high = max(-1.0, value - reach), min(1.0, value + reach)
    return LeftOut(
        problems=sorted(problems),
        unknown=len(named - problems),
        accuracy=rate(right[kept], origins[kept]),
        theirs=rate(right[~kept], origins[~kept]),
        difference=_rounded(value),
        low=_rounded(low),
        high=_rounded(high),
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
