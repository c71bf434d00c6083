"""Do two models differ in the four dimensions? Paired over the groups of steps of both."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .four_dimensional import PAPER, Class, Weights, worth
from .intervals import cluster_index, sums
from .paired import Difference, flip_p, lattice, paired_difference, tested
from .quantiles import t_quantile


def dimension_differences(
    first: Sequence[Class],
    second: Sequence[Class],
    origins: Sequence[str],
    weights: Weights = PAPER,
) -> dict[str, Difference]:
    """Score, IK, IG, CM and RM of the first minus those of the second, for the same groups.

    RM's rate is over CM + RM, so its denominator is random: its difference is
    `rote_difference`'s, the others are plain paired differences.

    >>> found = dimension_differences(["CM"] * 9, ["IK"] * 9, "abcdefghi")
    >>> found["score"].verdict, found["IK"].value, found["RM"].value
    ('first', -1.0, None)
    """
    marks = ([worth(c, weights) for c in classes] for classes in (first, second))
    differences = {"score": paired_difference(next(marks), next(marks), origins)}
    for name in ("IK", "IG", "CM"):
        ours, theirs = (
            [float(c == name) for c in classes] for classes in (first, second)
        )
        differences[name] = paired_difference(ours, theirs, origins)
    differences["RM"] = rote_difference(first, second, origins)
    return differences


def rote_difference(
    first: Sequence[Class], second: Sequence[Class], origins: Sequence[str]
) -> Difference:
    """The difference of RM / (CM + RM); without a value where one of two has neither.

    The test flips the signs of (RM - RM') - r (W - W') with W = CM + RM and r the pooled rate; the
    interval is the delta method's, with one success and one failure more for each rate and the
    covariance of the two.
    """
    import numpy as np

    rote = [np.array([c == "RM" for c in x], float) for x in (first, second)]
    whole = [np.array([c in ("CM", "RM") for c in x], float) for x in (first, second)]
    many, counts = [float(w.sum()) for w in whole], [float(r.sum()) for r in rote]
    n, index = len(first), cluster_index(origins)
    if n < 2 or not all(many):
        return Difference(n=n, clusters=len(set(origins)))
    pooled = sum(counts) / sum(many)
    gaps = (rote[0] - rote[1]) - pooled * (whole[0] - whole[1])
    p = flip_p(lattice(sums(index, gaps)))
    rates = [c / m for c, m in zip(counts, many, strict=True)]
    shrunk = [(c + 1) / (m + 2) for c, m in zip(counts, many, strict=True)]
    residuals = [r - rate * w for r, rate, w in zip(rote, rates, whole, strict=True)]
    shared = float((residuals[0] * residuals[1]).sum()) / (
        (many[0] + 2) * (many[1] + 2)
    )
    variance = (
        sum(s * (1 - s) / (m + 2) for s, m in zip(shrunk, many, strict=True))
        - 2 * shared
    )
    reach = t_quantile(0.975, n - 1) * math.sqrt(max(variance, 1e-9))
    middle, value = shrunk[0] - shrunk[1], rates[0] - rates[1]
    low, high = max(-1.0, middle - reach), min(1.0, middle + reach)
    found = tested(rates[0], rates[1], value, low, high, p)
    found.n, found.clusters = n, len(set(origins))
    found.differing = int((sums(index, np.abs(gaps)) > 0).sum())
    return found
