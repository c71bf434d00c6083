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
    """The 95 % interval in percent; one problem has none.

    >>> interval(Rate(n=3, correct=3, value=1, low=0.2924, high=1, se=0, clusters=3))
    '[29.2, 100.0]'
    >>> interval(Rate(n=6, correct=6, value=1, low=0.025, high=1, se=None, clusters=1))
    'one problem'
    """
    if rate.clusters == 1:
        return "one problem"
    return ends(rate.low, rate.high)


def ends(low: float | None, high: float | None) -> str:
    """Both ends of an interval in percent.

    >>> ends(0.207, 1), ends(None, None)
    ('[20.7, 100.0]', 'n/a')
    """
    return (
        "n/a" if low is None or high is None else f"[{100 * low:.1f}, {100 * high:.1f}]"
    )


def p_value(p: float) -> str:
    """A p value; below its resolution it is not written as a figure.

    >>> p_value(0.0312), p_value(1e-12)
    ('0.031', '< 1e-12')
    """
    return "< 1e-12" if p <= 1e-12 else f"{p:.2g}"


def points(value: float | None) -> str:
    """A difference in percentage points, with its sign."""
    return "n/a" if value is None else f"{100 * value:+.1f}"


def word(right: bool) -> str:
    """A verdict."""
    return "right" if right else "wrong"


def how_ended(name: str) -> str:
    """How a reply ended, in words that name nothing else.

    >>> how_ended("refused"), how_ended("truncated")
    ('refused by the endpoint', 'truncated')
    """
    return "refused by the endpoint" if name == "refused" else name


def short(text: str | None, length: int = 80) -> str:
    """The beginning of a text: official rules may take a whole sentence for the answer."""
    text = text or ""
    return text if len(text) <= length else f"{text[:length]}…"
