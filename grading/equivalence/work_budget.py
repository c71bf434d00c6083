"""How much work one reply may take, with all its options.

Work is counted rather than timed: the same verdict on every machine and under every load.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from ..answers import LimitExceeded

UNITS = 250_000  # one unit: a product of two small fractions, 5 microseconds
_local = threading.local()


class OutOfBudget(LimitExceeded):
    """The reply has used up what it had."""


class Budget(msgspec.Struct):
    """What is left of a reply's units; below zero it is used up."""

    left: int


@contextmanager
def budget(units: int = UNITS) -> Iterator[Budget]:
    """The budget of one reply: whatever is opened within it shares it.

    >>> with budget(2) as shared, budget():
    ...     spend(1)
    >>> shared.left
    1
    """
    outer: Budget | None = getattr(_local, "budget", None)
    _local.budget = outer or Budget(units)
    try:
        yield _local.budget
    finally:
        _local.budget = outer


def spend(units: int) -> None:
    """Raises OutOfBudget beyond the budget; outside of one there is no bound."""
    shared: Budget | None = getattr(_local, "budget", None)
    if shared is None:
        return
    shared.left -= units
    if shared.left < 0:
        raise OutOfBudget("out of budget")
