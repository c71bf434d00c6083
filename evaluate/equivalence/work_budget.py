"""How much work a verdict may take, counted rather than timed: the same on every machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..answers import LimitExceeded

UNITS = 40_000  # one unit: a product of two small fractions, a few microseconds
_local = threading.local()


@contextmanager
def bounded(units: int = UNITS) -> Iterator[None]:
    """Within it, `spend` refuses when the units are used up; outside there is no bound.

    >>> with bounded(2):
    ...     spend(1)
    """
    outer = getattr(_local, "left", None)
    _local.left = units
    try:
        yield
    finally:
        _local.left = outer


def spend(units: int) -> None:
    """Raises LimitExceeded beyond the bound."""
    left = getattr(_local, "left", None)
    if left is None:
        return
    if left < units:
        raise LimitExceeded("too much work")
    _local.left = left - units
