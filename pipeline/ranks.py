"""Which of several processes this one is: people write K/N."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from ..errors import UserError


class Rank(NamedTuple):
    """One of several processes that share the work."""

    number: int  # from 1
    of: int

    def __str__(self) -> str:
        return f"{self.number} of {self.of}"

    @property
    def name(self) -> str:
        return f"{self.number}-of-{self.of}"


def rank_of(text: str) -> Rank:
    """The rank that people write as K/N.

    >>> rank_of("2/3")
    Rank(number=2, of=3)
    """
    with suppress(ValueError):
        number, of = map(int, text.split("/"))
        if 1 <= number <= of:
            return Rank(number, of)
    raise UserError(
        f"--part {text} is no part", "give K/N, from 1/N to N/N, such as 2/3"
    )


def what_is_missing(rank: Rank, missing: Sequence[int], whole: str) -> str:
    """What a rank that is not the last one says."""
    numbers = ", ".join(map(str, missing))
    return f"rank {rank} is done; missing {numbers}: the last one makes the {whole}"
