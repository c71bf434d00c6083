"""Unions of intervals: joined, intersected and cut where their ends are numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from ..answers import Node, negative, symbol
from . import numeric

PLACES = 30  # decimal places to which two ends are the same
INFINITY = symbol("infty")


class RealInterval(msgspec.Struct, frozen=True):
    """One interval; a point is closed at both ends."""

    low: Node
    low_closed: bool
    high: Node
    high_closed: bool


WHOLE = RealInterval(negative(INFINITY), False, INFINITY, False)


def _place(node: Node, closed: bool, is_low: bool) -> tuple[Any, int] | None:
    """Where an end lies, as a number and a step to its right or left; None: it has symbols."""
    if sign := numeric.infinite(node):
        return math.inf * sign, 0
    ctx = numeric.context()
    value = numeric.constant(node)
    if value is None or ctx.im(value) != 0:
        return None
    step = 0 if closed else 1 if is_low else -1
    return int(ctx.nint(ctx.re(value) * 10**PLACES)), step


def _ends(piece: RealInterval) -> tuple[Any, Any] | None:
    low = _place(piece.low, piece.low_closed, True)
    high = _place(piece.high, piece.high_closed, False)
    return None if low is None or high is None else (low, high)


def joined(pieces: Sequence[RealInterval]) -> list[RealInterval]:
    """The same set in as few pieces as there can be; as it is where an end has symbols.

    >>> from ..answers import number
    >>> one, two, three = number(1), number(2), number(3)
    >>> len(joined([RealInterval(one, True, two, False), RealInterval(two, True, three, True)]))
    1
    """
    placed = [(_ends(piece), piece) for piece in pieces]
    if len(pieces) < 2 or any(ends is None for ends, _ in placed):
        return list(pieces)
    ordered = sorted((p for p in placed if p[0]), key=lambda p: p[0] or (0, 0))
    union: list[tuple[tuple[Any, Any], RealInterval]] = []
    for ends, piece in ordered:
        assert ends is not None
        last = union[-1] if union else None
        if last is None or not _touches(last[0][1], ends[0]):
            union.append((ends, piece))
        elif ends[1] > last[0][1]:
            merged = RealInterval(
                last[1].low, last[1].low_closed, piece.high, piece.high_closed
            )
            union[-1] = ((last[0][0], ends[1]), merged)
    return [piece for _, piece in union]


def _touches(high: tuple[Any, int], low: tuple[Any, int]) -> bool:
    """Is there no number between an upper end and the next lower end?"""
    return low[0] < high[0] or (low[0] == high[0] and (low[1] == 0 or high[1] == 0))


def intersected(
    some: Sequence[RealInterval], others: Sequence[RealInterval]
) -> list[RealInterval] | None:
    """What both have; None where an end has symbols."""
    common = []
    for a in some:
        for b in others:
            ends, limits = _ends(a), _ends(b)
            if ends is None or limits is None:
                return None
            left = a if ends[0] >= limits[0] else b
            right = a if ends[1] <= limits[1] else b
            if max(ends[0], limits[0]) <= min(ends[1], limits[1]):
                common.append(
                    RealInterval(
                        left.low, left.low_closed, right.high, right.high_closed
                    )
                )
    return common


def without(points: Sequence[Node]) -> list[RealInterval]:
    """All real numbers but some, in order; the points are numbers."""
    ends = [negative(INFINITY), *points, INFINITY]
    return [RealInterval(a, False, b, False) for a, b in pairwise(ends)]
