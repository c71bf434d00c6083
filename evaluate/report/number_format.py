"""Figures as people read them: percentages, intervals, points."""

from __future__ import annotations

from ..metrics import Difference, Rate


def percent(value: float | None, digits: int = 1) -> str:
    """A fraction as a percentage; n/a where there was nothing to count.

    >>> percent(0.12345), percent(None)
    ('12.3 %', 'n/a')
    """
    return "n/a" if value is None else f"{100 * value:.{digits}f} %"


def interval(rate: Rate | Difference) -> str:
    """The 95 % interval in percent.

    >>> interval(Rate(n=1, correct=1, value=1, low=0.207, high=1, se=0, clusters=1))
    '[20.7, 100.0]'
    """
    return ends(rate.low, rate.high)


def ends(low: float | None, high: float | None) -> str:
    """Both ends of an interval in percent.

    >>> ends(0.207, 1), ends(None, None)
    ('[20.7, 100.0]', 'n/a')
    """
    return "n/a" if low is None or high is None else f"[{100 * low:.1f}, {100 * high:.1f}]"


def points(value: float | None) -> str:
    """A difference in percentage points, with its sign."""
    return "n/a" if value is None else f"{100 * value:+.1f}"
