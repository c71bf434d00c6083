"""Shares of long tables: an ordinary run takes some of what is alike, `make thorough` takes it all.

What is drawn depends on the case alone, not on the machine, the day or the other cases: a case that
is added moves no other. Kinds that differ are never drawn, they all run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import TypeVar

THOROUGH = os.environ.get("THOROUGH") == "1"
Case = TypeVar("Case")


def drawn(cases: Iterable[Case], one_in: int) -> list[Case]:
    """One case in so many, by the hash of what it is; every case in a thorough run."""
    return [
        case
        for case in cases
        if THOROUGH or hashlib.sha256(repr(case).encode()).digest()[0] % one_in == 0
    ]


def often(ordinary: int, thorough: int) -> int:
    """How many random examples a run makes, or kills."""
    return thorough if THOROUGH else ordinary
