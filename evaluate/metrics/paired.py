"""Two results on the same problems: is the difference real?

Paired, because two models meet the same problems, and clustered, because the samples of one problem
go together. The test flips signs of clusters: if neither is favoured on any problem, each cluster's
difference keeps its size and takes its sign by a coin. All flips are counted, not drawn, so the p
value is exact at any size; with clusters of one it is McNemar's exact test. The interval is Bonett
and Price's (2012) on the effective number of samples, and is made to agree with the test: a
difference is claimed only where p < .05 and the interval leaves 0 out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ...problem import Record
from .intervals import Z95, cluster_index, design_effect, spread, sums, t_ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

Verdict = Literal["first", "second", "tied"]
ALPHA = 0.05
SMALLEST = 1e-12  # the resolution of a p value: smaller ones are given as this
FEW = 6  # clusters that differ: below, nothing can show
ENOUGH = 9  # clusters that differ: from here on power is known
POWER = 2.8016  # standard errors of the true difference that is found with 80 % power


class Difference(Record, kw_only=True):
    """Accuracy of the first minus accuracy of the second, with a 95 % interval.

    `p` is the exact two-sided probability of a difference this large if there were none; 1e-12
    stands for less. `differing` counts the clusters in which the two differ. `detectable` is the
    true difference that this test finds with 80 % power, None where too few clusters differ.
    """

    n: int
    clusters: int = 0
    differing: int = 0
    first: float | None = None
    second: float | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    se: float | None = None
    p: float | None = None
    verdict: Verdict = "tied"
    detectable: float | None = None

    def caution(self) -> str:
        """What so few differing clusters cannot show, in words; empty where there are enough."""
        if self.differing < FEW:
            return f"too few disagreements ({self.differing}) to show any difference"
        if self.differing < ENOUGH:
            return "only a nearly unanimous difference could show"
        return ""


class Outcomes(Record, kw_only=True):
    """How many samples both got right, one of them, or none."""

    both: int
    only_first: int
    only_second: int
    neither: int


def outcomes(first: Sequence[bool], second: Sequence[bool]) -> Outcomes:
    """The two-by-two table of paired verdicts.

    >>> outcomes([True, True, False], [True, False, False])
    Outcomes(both=1, only_first=1, only_second=0, neither=1)
    """
    pairs = list(zip(first, second, strict=True))
    return Outcomes(
        both=pairs.count((True, True)),
        only_first=pairs.count((True, False)),
        only_second=pairs.count((False, True)),
        neither=pairs.count((False, False)),
    )


def paired_difference(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[str]
) -> Difference:
    """Mean difference of paired verdicts, or of marks in [0, 1].

    >>> d = paired_difference([True] * 9 + [False], [False] * 9 + [True], "abcdefghij")
    >>> d.value, d.p, d.verdict
    (0.8, 0.021484375, 'first')
    >>> paired_difference([True], [False], ["a"]).p
    1.0
    """
    import numpy as np

    n = len(first)
    if n == 0:
        return Difference(n=0)
    gaps = np.asarray(first, float) - np.asarray(second, float)
    where = cluster_index(clusters)
    totals = sums(where, gaps)
    sizes = sums(where)
    p = flip_p(lattice(totals))
    differing = int((sums(where, np.abs(gaps)) > 0).sum())
    low, high, se = _interval(gaps, totals, sizes, differing)
    ours = math.fsum(first) / n
    theirs = math.fsum(second) / n
    difference = tested(ours, theirs, float(gaps.sum()) / n, low, high, p)
    difference.n, difference.clusters, difference.differing = n, len(sizes), differing
    difference.se = None if se is None else round(se, 6)
    if differing >= ENOUGH:
        spread_of_sums = math.sqrt(float((totals**2).sum()))
        difference.detectable = round(POWER * spread_of_sums / n, 6)
    return difference


def tested(
    first: float, second: float, value: float, low: float, high: float, p: float
) -> Difference:
    """A difference whose interval is made to agree with its test, as figures are told."""
    if p >= ALPHA:  # the test does not exclude 0, so the interval does not either
        low = min(low, 0.0)
        high = max(high, 0.0)
    return Difference(
        n=0,
        first=round(first, 6),
        second=round(second, 6),
        value=round(value, 6),
        low=round(min(low, value), 6),
        high=round(max(high, value), 6),
        p=p,
        verdict=_side(low, high, p),
    )


def _side(low: float, high: float, p: float) -> Verdict:
    """Which side is better, where both test and interval say so."""
    if p >= ALPHA or low <= 0 <= high:
        return "tied"
    return "first" if low > 0 else "second"


def _interval(
    gaps: Floats, totals: Floats, sizes: Floats, differing: int
) -> tuple[float, float, float | None]:
    """Both ends of the interval and the standard error of the mean gap."""
    n = float(sizes.sum())
    mean, variance, df = spread(totals, sizes)
    if variance is None:
        return -1.0, 1.0, None
    squares = float((gaps**2).sum())
    independent = max(squares - n * mean * mean, 0.0) / (n - 1) / n
    effect = design_effect(variance, independent, differing, sizes)
    # Bonett and Price: one sample more each way, on the effective number of samples.
    size = n / effect + 2
    middle = float(gaps.sum()) / effect / size
    squared = max((squares / effect + 2) / size - middle * middle, 0.0) / size
    reach = Z95 / t_ratio(n - 1, df) * math.sqrt(squared)
    return max(-1.0, middle - reach), min(1.0, middle + reach), math.sqrt(variance)


def lattice(totals: Floats) -> Integers:
    """Cluster differences as whole numbers: verdicts as they are, marks on a grid of max / 100.

    >>> import numpy as np
    >>> lattice(np.array([1.0, -2.0, 0.0])).tolist(), lattice(np.array([0.5, -0.251])).tolist()
    ([1, -2, 0], [100, -50])
    """
    import numpy as np

    whole = np.rint(totals)
    if not np.allclose(totals, whole):
        whole = np.rint(totals / (np.abs(totals).max() / 100))
    return whole.astype(np.int64)


def flip_p(differences: Integers) -> float:
    """The exact p of the sum of cluster differences when every sign is a fair coin's.

    >>> import numpy as np
    >>> flip_p(np.ones(5, int)), flip_p(np.array([3, -1]))
    (0.0625, 1.0)
    """
    table = flip_table(differences)
    total = abs(int(differences.sum()))
    if total >= len(table):
        return SMALLEST
    return round(max(SMALLEST, float(table[total])), 12)


def flip_table(differences: Integers) -> Floats:
    """p for an absolute sum of 0, 1, 2, ...: half the way a sum can go, or 20 standard deviations.

    The characteristic function of the sum is the product of cos(d·t); one inverse Fourier
    transform gives the probability of every sum.

    >>> import numpy as np
    >>> flip_table(np.array([1, 1])).round(12).tolist()
    [1.0, 0.5, 0.5]
    """
    import numpy as np

    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    if not len(sizes):
        return np.ones(1)
    deviation = math.sqrt(float((sizes.astype(float) ** 2 * counts).sum()))
    reach = min(int((sizes * counts).sum()), int(20 * deviation) + 1)
    points = 1 << (2 * reach + 1).bit_length()
    k = np.arange(points // 2 + 1)
    wave = np.ones(points // 2 + 1)
    for size, count in zip(sizes, counts, strict=True):
        wave *= np.cos(2 * np.pi * ((k * size) % points) / points) ** count
    chance = np.maximum(np.fft.irfft(wave, points)[: reach + 1], 0)
    p: Floats = np.minimum(1, 2 * np.cumsum(chance[::-1])[::-1])
    p[0] = 1.0
    return p
