"""How far to trust an accuracy: Wilson and cluster-robust 95 % intervals.

The versions or steps of one problem succeed and fail together, so samples are not independent:
every interval here is computed from clusters. The variance is the sum over clusters of the squared
sum of residuals, divided by n² (Miller, "Adding error bars to evals", arXiv 2411.00640).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import NormalDist

from ...problem import Record

Z95 = NormalDist().inv_cdf(0.975)


class Rate(Record, kw_only=True):
    """An accuracy as a fraction of one; the figures are None when there is nothing to count.

    `se` is the cluster-robust standard error; `low` and `high` bound the 95 % interval.
    """

    n: int
    correct: int
    value: float | None
    low: float | None
    high: float | None
    se: float | None
    clusters: int


def wilson(p: float, n: float, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a proportion `p` seen in `n` (possibly fractional) trials.

    >>> [round(x, 4) for x in wilson(0.7, 10)]
    [0.3968, 0.8922]
    """
    centre = p + z * z / (2 * n)
    spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def clustered_se(values: Sequence[float], clusters: Sequence[str]) -> float:
    """Standard error of the mean of `values` when values of one cluster depend on each other.

    >>> clustered_se([1, 1, 0, 0], ["a", "a", "b", "b"]) > clustered_se([1, 1, 0, 0], "abcd")
    True
    """
    mean = math.fsum(values) / len(values)
    sums: defaultdict[str, float] = defaultdict(float)
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value - mean
    return math.sqrt(math.fsum(total * total for total in sums.values())) / len(values)


def mean_interval(
    values: Sequence[float], clusters: Sequence[str]
) -> tuple[float, float, float, float]:
    """Mean of values in [0, 1], its clustered standard error, and both ends of its 95 % interval.

    Wilson's interval on the effective number of samples: what gives the binomial variance the size
    of the clustered one; it is never above n, and it is the number of clusters where all samples
    agree (the variance is 0 there and says nothing). For verdicts in clusters of one this is the
    plain Wilson interval, for marks in between it is somewhat wider than need be.
    """
    n, groups = len(values), len(set(clusters))
    p, se = math.fsum(values) / n, clustered_se(values, clusters)
    effective = float(groups) if se == 0 or groups < 2 else min(n, p * (1 - p) / (se * se))
    return p, se, *wilson(p, effective)


def rate(correct: Sequence[bool], clusters: Sequence[str]) -> Rate:
    """Accuracy with its 95 % interval (`mean_interval`).

    >>> one = rate([True] * 7 + [False] * 3, "abcdefghij")
    >>> one.value, round(one.low, 4), round(one.high, 4)
    (0.7, 0.3968, 0.8922)
    """
    n, groups = len(correct), len(set(clusters))
    if n == 0:
        return Rate(n=0, correct=0, value=None, low=None, high=None, se=None, clusters=0)
    value, se, low, high = mean_interval([float(c) for c in correct], clusters)
    return Rate(
        n=n,
        correct=sum(correct),
        value=round(value, 6),
        low=round(low, 6),
        high=round(high, 6),
        se=round(se, 6),
        clusters=groups,
    )
