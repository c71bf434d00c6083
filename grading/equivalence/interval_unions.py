"""Unions of intervals: joined, intersected and cut where their ends are numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product
from operator import itemgetter
from typing import NamedTuple

import msgspec

from ..answers import Node, negative
from . import numeric
from .numeric import INFINITY

PLACES = 30  # decimal places to which two ends are the same


class RealInterval(msgspec.Struct, frozen=True):
    """One interval; a point is closed at both ends."""

    low: Node
    low_closed: bool
    high: Node
    high_closed: bool


WHOLE = RealInterval(negative(INFINITY), False, INFINITY, False)


class _End(NamedTuple):
    """Where an end lies: a number (in units of the last place), and a step beside it.

    An open end is a step inside the interval, 1 at its low end and -1 at its high one.
    """

    place: float
    step: int


def _end(node: Node, closed: bool, inward: int) -> _End | None:
    """The end that a node names; None: it has symbols."""
    if sign := numeric.infinite(node):
        return _End(math.inf * sign, 0)
    ctx = numeric.context()
    value = numeric.constant(node)
    if value is None or ctx.im(value) != 0:
        return None
    place = int(ctx.nint(ctx.re(value) * 10**PLACES))
    return _End(place, 0 if closed else inward)


def _ends(piece: RealInterval) -> tuple[_End, _End] | None:
    low = _end(piece.low, piece.low_closed, 1)
    high = _end(piece.high, piece.high_closed, -1)
    return None if low is None or high is None else (low, high)


def joined(pieces: Sequence[RealInterval]) -> list[RealInterval]:
    """The same set in as few pieces as there can be; as it is where an end has symbols.

    >>> from ..answers import number
    >>> one, two, three = number(1), number(2), number(3)
    >>> len(joined([RealInterval(one, True, two, False), RealInterval(two, True, three, True)]))
    1
    """
    placed = [(ends, piece) for piece in pieces if (ends := _ends(piece))]
    if len(pieces) < 2 or len(placed) < len(pieces):
        return list(pieces)
    placed.sort(key=itemgetter(0))
    (_, end), first = placed[0]
    union = [first]
    for (low, high), piece in placed[1:]:
        if not _touches(end, low):
            union.append(piece)
            end = high
        elif high > end:
            union[-1] = _between(union[-1], piece)
            end = high
    return union


def _between(left: RealInterval, right: RealInterval) -> RealInterval:
    """From the low end of one interval to the high end of another."""
    return RealInterval(left.low, left.low_closed, right.high, right.high_closed)


def _touches(high: _End, low: _End) -> bool:
    """Is there no number between an upper end and the next lower end?"""
    if low.place == high.place:
        return low.step == 0 or high.step == 0
    return low.place < high.place


def intersected(
    some: Sequence[RealInterval], others: Sequence[RealInterval]
) -> list[RealInterval] | None:
    """What both have; None where an end has symbols."""
    common = []
    for a, b in product(some, others):
        a_ends = _ends(a)
        b_ends = _ends(b)
        if a_ends is None or b_ends is None:
            return None
        left = a if a_ends[0] >= b_ends[0] else b
        right = a if a_ends[1] <= b_ends[1] else b
        if max(a_ends[0], b_ends[0]) <= min(a_ends[1], b_ends[1]):
            common.append(_between(left, right))
    return common


def without(points: Sequence[Node]) -> list[RealInterval]:
    """All real numbers but some, in order; the points are numbers."""
    ends = [negative(INFINITY), *points, INFINITY]
    return [RealInterval(a, False, b, False) for a, b in pairwise(ends)]
