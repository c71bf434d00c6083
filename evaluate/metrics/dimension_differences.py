"""Do two models differ in the four dimensions? Paired over the groups of steps of both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .four_dimensional import PAPER, Class, Weights, worth
from .intervals import cluster_index, sums
from .paired import Difference, flip_p, lattice, paired_difference, tested
from .quantiles import t_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEAST = 1e-9  # a variance below this is rounding


def dimension_differences(
    first: Sequence[Class],
    second: Sequence[Class],
    origins: Sequence[str],
    weights: Weights = PAPER,
) -> dict[str, Difference]:
    """Score, IK, IG, CM and RM of the first minus those of the second, for the same groups.

    RM's rate is over CM + RM, so its denominator is random: its difference is
    `rote_difference`'s, the others are plain paired differences.

    >>> differences = dimension_differences(["CM"] * 9, ["IK"] * 9, "abcdefghi")
    >>> differences["score"].verdict, differences["IK"].value, differences["RM"].value
    ('first', -1.0, None)
    """
    marks = [worth(c, weights) for c in first], [worth(c, weights) for c in second]
    differences = {"score": paired_difference(*marks, origins)}
    for name in ("IK", "IG", "CM"):
        ours = [float(c == name) for c in first]
        theirs = [float(c == name) for c in second]
        differences[name] = paired_difference(ours, theirs, origins)
    differences["RM"] = rote_difference(first, second, origins)
    return differences


class Rote(NamedTuple):
    """Which groups of a run are RM, and which have their whole right (CM or RM)."""

    rote: Floats
    whole: Floats
    n_rote: float
    n_whole: float

    def rate(self) -> float:
        return self.n_rote / self.n_whole

    def shrunk(self) -> float:
        """The rate with one success and one failure more."""
        return (self.n_rote + 1) / (self.n_whole + 2)

    def variance(self) -> float:
        """The variance of the shrunk rate."""
        rate = self.shrunk()
        return rate * (1 - rate) / (self.n_whole + 2)

    def residuals(self) -> Floats:
        return self.rote - self.rate() * self.whole


def rote_difference(
    first: Sequence[Class], second: Sequence[Class], origins: Sequence[str]
) -> Difference:
    """The difference of RM / (CM + RM); without a value where one of two has neither.

    The test flips the signs of (RM - RM') - r (W - W') with W = CM + RM and r the pooled rate; the
    interval is the delta method's, with one success and one failure more for each rate and the
    covariance of the two.
    """
    import numpy as np

    a = _rote(first)
    b = _rote(second)
    n = len(first)
    clusters = len(set(origins))
    if n < 2 or not (a.n_whole and b.n_whole):
        return Difference(n=n, clusters=clusters)
    pooled = (a.n_rote + b.n_rote) / (a.n_whole + b.n_whole)
    gaps = (a.rote - b.rote) - pooled * (a.whole - b.whole)
    index = cluster_index(origins)
    p = flip_p(lattice(sums(index, gaps)))
    low, high = _rote_interval(a, b, n)
    difference = tested(a.rate(), b.rate(), a.rate() - b.rate(), low, high, p)
    difference.n, difference.clusters = n, clusters
    difference.differing = int((sums(index, np.abs(gaps)) > 0).sum())
    return difference


def _rote(classes: Sequence[Class]) -> Rote:
    import numpy as np

    rote = np.array([c == "RM" for c in classes], float)
    whole = np.array([c in ("CM", "RM") for c in classes], float)
    return Rote(rote, whole, float(rote.sum()), float(whole.sum()))


def _rote_interval(a: Rote, b: Rote, n: int) -> tuple[float, float]:
    products = float((a.residuals() * b.residuals()).sum())
    covariance = products / ((a.n_whole + 2) * (b.n_whole + 2))
    variance = a.variance() + b.variance() - 2 * covariance
    reach = t_quantile(0.975, n - 1) * math.sqrt(max(variance, LEAST))
    middle = a.shrunk() - b.shrunk()
    return max(-1.0, middle - reach), min(1.0, middle + reach)
