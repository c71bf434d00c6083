"""Two results on the same problems: is the difference real?

Paired, because two models meet the same problems: the interval is that of the per-sample
differences, clustered, and is far narrower than comparing two separate intervals.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import NormalDist

from ...problem import Record
from .intervals import Z95, clustered_se

RESAMPLES = 10_000


class Difference(Record, kw_only=True):
    """Accuracy of the first minus accuracy of the second, with a cluster-robust 95 % interval.

    `p` is the two-sided probability of a difference this large if there were none.
    """

    n: int
    first: float | None
    second: float | None
    value: float | None
    low: float | None
    high: float | None
    se: float | None
    p: float | None


class McNemar(Record, kw_only=True):
    """The exact test on the samples that only one of two got right."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float


def paired_difference(
    first: Sequence[bool], second: Sequence[bool], clusters: Sequence[str]
) -> Difference:
    """Mean difference of paired verdicts.

    >>> d = paired_difference([True, True, False, True], [True, False, False, False], "abcd")
    >>> d.value, round(d.low, 2), round(d.high, 2)
    (0.5, 0.01, 0.99)
    """
    n = len(first)
    if n == 0:
        empty = dict.fromkeys(("first", "second", "value", "low", "high", "se", "p"))
        return Difference(n=0, **empty)
    gaps = [float(a) - float(b) for a, b in zip(first, second, strict=True)]
    value, se = math.fsum(gaps) / n, clustered_se(gaps, clusters)
    p = math.erfc(abs(value) / se / math.sqrt(2)) if se else float(value == 0)
    return Difference(
        n=n,
        first=round(sum(first) / n, 6),
        second=round(sum(second) / n, 6),
        value=round(value, 6),
        low=round(max(-1.0, value - Z95 * se), 6),
        high=round(min(1.0, value + Z95 * se), 6),
        se=round(se, 6),
        p=p,
    )


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """McNemar's exact test: a fair coin decides each discordant pair under the null hypothesis.

    It takes samples as independent; with versions or steps prefer the clustered difference.

    >>> mcnemar([True] * 8 + [False], [False] * 8 + [True]).p
    0.0390625
    """
    pairs = list(zip(first, second, strict=True))
    b, c = pairs.count((True, False)), pairs.count((False, True))
    return McNemar(
        both=pairs.count((True, True)),
        only_first=b,
        only_second=c,
        neither=pairs.count((False, False)),
        p=_two_sided_binomial(min(b, c), b + c),
    )


def _two_sided_binomial(k: int, n: int) -> float:
    """min(1, 2·P(X ≤ k)) for X ~ Binomial(n, 1/2), in exact integers until the last division."""
    term = total = 1
    for i in range(k):
        term = term * (n - i) // (i + 1)
        total += term
    return min(1.0, 2 * total / (1 << n))


def cluster_bootstrap(
    first: Sequence[bool], second: Sequence[bool], clusters: Sequence[str], seed: int = 7
) -> tuple[float, float]:
    """The 95 % percentile interval of the paired difference when whole clusters are redrawn.

    10,000 redraws from a fixed seed: the same inputs give the same figures.
    """
    import numpy as np

    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for a, b, cluster in zip(first, second, clusters, strict=True):
        sums[cluster][0] += int(a) - int(b)
        sums[cluster][1] += 1
    gap, size = np.array(list(sums.values()), dtype=np.int64).T
    random = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(RESAMPLES)
    for start in range(0, RESAMPLES, 500):  # 500 redraws of 15,000 clusters are 60 MB
        drawn = random.integers(0, len(gap), size=(500, len(gap)), dtype=np.int64)
        means[start : start + 500] = gap[drawn].sum(axis=1) / size[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return round(float(low), 6), round(float(high), 6)


def minimum_detectable(se: float | None, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest true difference that a test at `alpha` finds with probability `power`.

    >>> minimum_detectable(0.01)
    0.028016
    """
    if se is None:
        return None
    normal = NormalDist()
    return round((normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * se, 6)


def holm(p_values: Sequence[float]) -> list[float]:
    """P values corrected for being many (Holm 1979): the family-wise error stays below alpha.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    adjusted, worst = [0.0] * len(p_values), 0.0
    for rank, k in enumerate(order):
        worst = max(worst, min(1.0, p_values[k] * (len(p_values) - rank)))
        adjusted[k] = worst
    return adjusted
