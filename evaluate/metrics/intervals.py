"""How far to trust an accuracy: 95 % intervals that hold for clusters, few clusters and marks.

The versions or steps of one problem succeed and fail together, so samples are not independent:
every interval here is computed from clusters. Clopper and Pearson's exact interval is taken on the
effective number of samples (Korn and Graubard 1998), with the bias-reduced variance CR2, its
degrees of freedom (Bell and McCaffrey 2002), and a design effect that is shrunk towards "whole
clusters agree" where few clusters tell. In simulations it covers at least 92 % from 3 clusters on
(`python -m bench.statistics`). Closed form: no resampling, no seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...problem import Record
from .quantiles import clopper_pearson, t_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Marks = Sequence[float] | Floats | NDArray[np.bool_]
    Places = NDArray[np.intp]
    Clusters = Sequence[str] | Places  # of each sample: its name, or a number

Z95 = 1.959963984540054
NOTHING = 1e-12  # a variance or sum below this is rounding


class Rate(Record, kw_only=True):
    """An accuracy as a fraction of one; the figures are None when there is nothing to count.

    `se` is the cluster-robust standard error (CR2), None for one cluster; `low` and `high` bound
    the 95 % interval.
    """

    n: int
    correct: int
    value: float | None
    low: float | None
    high: float | None
    se: float | None
    clusters: int


class Mean(Record, kw_only=True):
    """A mean over samples with its 95 % interval, clustered by origin."""

    value: float
    low: float
    high: float


class Interval(NamedTuple):
    """A mean with its cluster-robust standard error and both ends of its 95 % interval."""

    value: float
    se: float | None
    low: float
    high: float


class Spread(NamedTuple):
    """Mean of all samples, its CR2 variance (None: one cluster) and its degrees of freedom."""

    mean: float
    variance: float | None
    df: float


def cluster_index(clusters: Clusters) -> Places:
    """The number of each sample's cluster, in the order of their names or numbers.

    >>> cluster_index(["b", "a", "b"]).tolist(), cluster_index(cluster_index("ac")[1:]).tolist()
    ([1, 0, 1], [0])
    """
    import numpy as np

    if isinstance(clusters, np.ndarray):  # some of those that had their numbers already
        numbers: Places = np.unique(clusters, return_inverse=True)[1]
        return numbers
    place = {name: k for k, name in enumerate(sorted(set(clusters)))}
    return np.fromiter(map(place.__getitem__, clusters), np.intp, len(clusters))


def sums(where: Places, values: Floats | None = None) -> Floats:
    """The sum of each cluster's values, or its size without values, as floats."""
    import numpy as np

    return np.bincount(where, weights=values).astype(np.float64)


def spread(totals: Floats, sizes: Floats) -> Spread:
    """The mean `totals.sum() / sizes.sum()` over clusters, how sure it is, and how sure of that.

    >>> import numpy as np
    >>> spread(np.array([1.0, 0, 1, 1]), np.ones(4))  # clusters of one: the textbook s²/n, n - 1
    Spread(mean=0.75, variance=0.0625, df=3.0)
    """
    n = float(sizes.sum())
    mean = float(totals.sum()) / n
    share = sizes / n
    if len(sizes) < 2:
        return Spread(mean, None, 0.0)
    variance = float(((totals - mean * sizes) ** 2 / (1 - share)).sum()) / (n * n)
    u = share**2 / (1 - share)
    df = 1 / float((share**2).sum() + u.sum() ** 2 - (u**2).sum())
    return Spread(mean, variance, round(df, 9))  # equal clusters: a whole number


def design_effect(
    variance: float | None, independent: float, telling: int, sizes: Floats
) -> float:
    """How many samples are worth one independent sample: at least 1, at most a whole cluster.

    `independent` is the variance that as many independent samples would have. What was seen counts
    once for every cluster that tells something, and one cluster more says that clusters agree.
    """
    most = float((sizes**2).sum() / sizes.sum())
    if independent <= 1e-15 or variance is None:
        return most
    seen = max(variance / independent, 1.0)
    return max(1.0, (telling * seen + most) / (telling + 1))


def mean_interval(values: Marks, clusters: Clusters) -> Interval:
    """Mean of values in [0, 1], verdicts or marks, with its 95 % interval.

    Independent verdicts get exactly Clopper and Pearson's interval. A single cluster counts as one
    sample; where all are right or all wrong, a cluster counts as one.

    >>> [round(x, 4) for x in mean_interval([1.0] * 7 + [0.0] * 3, "abcdefghij")[2:]]
    [0.3475, 0.9333]
    """
    import numpy as np

    where = cluster_index(clusters)
    marks = np.asarray(values, float)
    totals = sums(where, marks)
    sizes = sums(where)
    n = float(len(marks))
    mean, variance, df = spread(totals, sizes)
    se = None if variance is None else math.sqrt(variance)
    full = mean * (1 - mean)  # the variance of verdicts with this mean
    if full < NOTHING:
        independent = n * n / float((sizes**2).sum())
        return Interval(mean, se, *clopper_pearson(round(mean), independent))
    if len(sizes) == 1:
        return Interval(mean, se, *clopper_pearson(mean, 1.0))
    are_verdicts = bool(np.isin(marks, (0.0, 1.0)).all())
    top = full * n / (n - 1)
    single = top if are_verdicts else _variance_of_marks(marks, mean, len(sizes), top)
    right = (totals > 1e-9).sum()
    wrong = (totals < sizes - 1e-9).sum()
    effect = design_effect(variance, single / n, int(min(right, wrong)), sizes)
    effective = n / effect * (top / single) * t_ratio(n - 1, df) ** 2
    if are_verdicts:
        effective = min(effective, n)
    return Interval(mean, se, *clopper_pearson(mean, effective))


def _variance_of_marks(marks: Floats, mean: float, groups: int, most: float) -> float:
    """The variance of one mark: at most that of verdicts, which counts as one cluster more."""
    full = mean * (1 - mean)
    squares = float(((marks - mean) ** 2).sum())
    sample = squares / (len(marks) - 1)
    return min(most, (sample * groups + full) / (groups + 1))


def mean_of(marks: Marks, clusters: Clusters) -> Mean:
    """The mean of marks as figures are told (`mean_interval`)."""
    value, _, low, high = mean_interval(marks, clusters)
    return Mean(value=round(value, 6), low=round(low, 6), high=round(high, 6))


def t_ratio(many: float, few: float) -> float:
    """How much a t quantile shrinks when degrees of freedom rise from `few` to `many`."""
    return 1.0 if many == few else t_quantile(0.975, many) / t_quantile(0.975, few)


def rate(correct: Marks, clusters: Clusters) -> Rate:
    """Accuracy with its 95 % interval (`mean_interval`).

    >>> one = rate([True] * 7 + [False] * 3, "abcdefghij")
    >>> one.value, round(one.low, 4), round(one.high, 4)
    (0.7, 0.3475, 0.9333)
    """
    import numpy as np

    n = len(correct)
    where = cluster_index(clusters)
    if n == 0:
        return Rate(
            n=0, correct=0, value=None, low=None, high=None, se=None, clusters=0
        )
    value, se, low, high = mean_interval(correct, where)
    return Rate(
        n=n,
        correct=int(np.count_nonzero(correct)),
        value=round(value, 6),
        low=round(low, 6),
        high=round(high, 6),
        se=None if se is None else round(se, 6),
        clusters=int(where.max()) + 1,
    )


def macro_interval(values: Marks, groups: Clusters, clusters: Clusters) -> Interval:
    """The unweighted mean of the means of fixed groups.

    Every group gets one pseudo-sample of the overall variance, without which groups of one would
    look certain; where clusters hold several samples the variance is widened by their design
    effect.

    >>> [round(x, 3) for x in macro_interval([1, 1, 0, 1, 0, 0], "aaabbb", "uvwxyz")[2:]]
    [0.043, 0.957]
    """
    import numpy as np

    where = cluster_index(groups)
    marks = np.asarray(values, float)
    totals = sums(where, marks)
    sizes = sums(where)
    squares = sums(where, marks**2)
    means = totals / sizes
    count = len(sizes)
    mean = float(means.mean())
    full = mean * (1 - mean)
    if full < NOTHING:
        return Interval(mean, None, *clopper_pearson(round(mean), count))
    within = (squares - totals**2 / sizes + full) / sizes**2
    residuals = (marks - means[where]) / sizes[where]
    variance = _macro_effect(residuals, clusters) * float(within.sum()) / count**2
    df = float(within.sum() ** 2 / (within**2 / sizes).sum())
    effective = full / variance * (Z95 / t_quantile(0.975, df)) ** 2
    return Interval(mean, math.sqrt(variance), *clopper_pearson(mean, effective))


def _macro_effect(residuals: Floats, clusters: Clusters) -> float:
    """The design effect of weighted residuals; 1 where every cluster holds one sample."""
    import numpy as np

    where = cluster_index(clusters)
    sizes = sums(where)
    if len(sizes) == len(residuals):
        return 1.0
    totals = sums(where, residuals)
    independent = float((residuals**2).sum())
    telling = int((np.abs(totals) > NOTHING).sum())
    return design_effect(float((totals**2).sum()), independent, telling, sizes)
