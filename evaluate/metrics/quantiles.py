"""Quantiles of the beta and t distributions, and the exact interval of a proportion.

Three functions of scipy, without scipy: a scorer that only grades should install in seconds.
They agree with it to 1e-10 (tests).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

TINY = 1e-300  # stands for a denominator of 0 (Lentz)
NONE = 1e-9  # successes or failures below this are none: numbers may be fractional


def clopper_pearson(p: float, n: float, alpha: float = 0.05) -> tuple[float, float]:
    """The exact interval of a proportion `p` seen in `n` (possibly fractional) trials.

    >>> [round(x, 4) for x in clopper_pearson(0.7, 10)]
    [0.3475, 0.9333]
    """
    successes = p * n
    failures = n - successes
    low, high = 0.0, 1.0
    if successes >= NONE:
        low = beta_quantile(alpha / 2, successes, failures + 1)
    if failures >= NONE:
        high = beta_quantile(1 - alpha / 2, successes + 1, failures)
    return low, high


def beta_quantile(q: float, a: float, b: float) -> float:
    """The x below which a beta variable with parameters a and b falls with probability q.

    >>> round(beta_quantile(0.025, 7, 4), 6)
    0.347547
    """
    log_scale = _log_scale(a, b)

    def excess(x: float) -> float:
        return beta_cdf(a, b, x) - q

    def density(x: float) -> float:
        return math.exp(log_scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))

    mean = a / (a + b)
    return _root(excess, density, 0.0, 1.0, start=mean)


def _log_scale(a: float, b: float) -> float:
    """The logarithm of 1 / B(a, b), which scales the density."""
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)


@lru_cache(maxsize=4096)
def t_quantile(q: float, df: float) -> float:
    """The q quantile (q > 1/2) of Student's t with `df` degrees of freedom, not always whole.

    >>> round(t_quantile(0.975, 10), 6)
    2.228139
    """
    half = (df + 1) / 2
    log_scale = math.lgamma(half) - math.lgamma(df / 2) - math.log(df * math.pi) / 2

    def density(t: float) -> float:
        return math.exp(log_scale - half * math.log1p(t * t / df))

    def excess(t: float) -> float:
        """P(T <= t) - q, from P(T > t) = I(df / (df + t²); df/2, 1/2) / 2."""
        if t == 0:
            return 0.5 - q
        above = beta_cdf(df / 2, 0.5, df / (df + t * t)) / 2
        return 1 - q - above

    return _root(excess, density, 0.0, 1e4, start=2.0)


def beta_cdf(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I(x; a, b).

    >>> beta_cdf(1, 1, 0.25)
    0.25
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    log_front = _log_scale(a, b)
    front = math.exp(log_front + a * math.log(x) + b * math.log1p(-x))
    converges_fast = x < (a + 1) / (a + b + 2)
    if converges_fast:
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    c = 1.0
    d = 1 / ((1 - (a + b) * x / (a + 1)) or TINY)
    value = d
    for m in range(1, 20_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / ((1 + term * d) or TINY)
            c = (1 + term / c) or TINY
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def _root(
    f: Callable[[float], float],
    slope: Callable[[float], float],
    low: float,
    high: float,
    start: float,
) -> float:
    """The zero of a rising function between `low` and `high`: Newton, halving where it leaves."""
    x = start
    for _ in range(200):
        value = f(x)
        if value < 0:
            low = x
        else:
            high = x
        steepness = slope(x)
        step = x - value / steepness if steepness > 0 else low
        inside = low < step < high
        if inside and abs(step - x) <= 1e-14 * abs(x):
            return step
        x = step if inside else (low + high) / 2
        if high - low <= 1e-15 * max(1e-3, abs(high)):
            break
    return x
