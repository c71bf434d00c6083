"""What sentences say of number lines: inequalities, and where points stand."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from ..diagram import Claim
from ..figure import Interval
from .claim import Contradicted, Scene, Undecided, unless, value_of
from .english import LETTER, NUMBER, VALUE

_SIGN = r"\s*(\\leq?|\\geq?|<=|>=|<|>|≤|≥)\s*"
_NUMBER = rf"\{{?({NUMBER})\}}?"
# -2 < x \le 3, x \ge 3
INEQUALITY = (
    rf"(?:(?<![\d.]){_NUMBER}{_SIGN})?(?<![A-Za-z])[a-z]{_SIGN}{_NUMBER}"
    r"(?![\d.]*[A-Za-z*/^(])"
)
STANDS = rf"({LETTER}) (?:stands|lies|is|sits) (?:at|for) {VALUE}"


def inequality(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`-2 <= x < 3`: the interval that is drawn on the number line."""
    drawn = [
        scene.figure.convert(item.value, Interval)
        for item, _ in scene.composition.drawn
        if item.op == "interval"
    ]
    if not drawn:
        raise Undecided
    wanted = _interval(*match.groups()[-4:])
    for other in re.finditer(INEQUALITY, match.string):
        if other.span() != match.span():
            wanted = _both(wanted, _interval(*other.groups()[-4:]))
    if not any(_is_same(wanted, one) for one in drawn):
        if len(drawn) > 1:
            raise Undecided
        raise Contradicted(f"the interval {drawn[0].text()} is drawn")
    yield from ()


def _interval(low: str | None, first: str | None, sign: str, value: str) -> Interval:
    """The interval of an inequality. Raises Undecided for one that is none."""
    is_less = sign in ("<", "<=", "≤") or sign.startswith("\\le")
    end = "open" if sign in "<>" else "closed"
    if low is None or first is None:
        if is_less:
            return Interval(-math.inf, float(value), ("", end))
        return Interval(float(value), math.inf, (end, ""))
    start = "open" if first in "<>" else "closed"
    ends = (float(low), start), (float(value), end)
    (a, left), (b, right) = ends if is_less else ends[::-1]
    return Interval(a, b, (left, right))


def _both(one: Interval, other: Interval) -> Interval:
    """`x > -2 and x <= 3`: one interval of two, each open at one side; else the first."""
    if math.isinf(one.low) and math.isinf(other.high):
        one, other = other, one
    if math.isinf(one.high) and math.isinf(other.low) and one.low < other.high:
        return Interval(one.low, other.high, (one.ends[0], other.ends[1]))
    return one


def _is_same(one: Interval, other: Interval) -> bool:
    for here, there in zip(one.ends, other.ends, strict=True):
        if there and here != there:
            return False
    is_low = math.isclose(one.low, other.low, abs_tol=1e-9)
    return is_low and math.isclose(one.high, other.high, abs_tol=1e-9)


def stands_at(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`P stands at 3`, of a number line."""
    axes = scene.composition.axes
    if axes is None or axes.y is not None:
        raise Undecided
    (place,) = scene.points(match[1])
    at = float(place[0])
    unless(abs(at - value_of(match)) < 1e-6, f"it stands at {at:.4g}")
    yield from ()
