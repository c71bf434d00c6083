"""The one order of candidates: the sum of the weights of what speaks for and against each.

The weights are data (`weights.toml`, which says how they were fitted). What nothing speaks for is
no answer: a candidate counts only where its sum is above zero.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log2
from pathlib import Path

from .candidates import EXPLICIT, Candidate

WEIGHTS = Path(__file__).with_name("weights.toml")
FARTHEST = 7  # sentences and declarations that are told apart


@lru_cache
def weights() -> dict[str, float]:
    """What each feature counts."""
    table: dict[str, float] = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    return table


def measured(candidate: Candidate) -> dict[str, float]:
    """The features of a candidate and how much of each it has.

    >>> measured(Candidate(0, 1, "5", "declared", frozenset(["answer"]), later=1, overtaken=9))
    {'answer': 1.0, 'later, declared': 1.0, 'overtaken, declared': 3.0}
    """
    declared = ", declared" if candidate.features & EXPLICIT else ""
    found = dict.fromkeys(sorted(candidate.features), 1.0)
    if candidate.later:
        found[f"later{declared}"] = log2(1 + min(candidate.later, FARTHEST))
    if candidate.overtaken:
        found[f"overtaken{declared}"] = min(candidate.overtaken, 3.0)
    return found


def weight(candidate: Candidate) -> float:
    """The sum of what speaks for and against a candidate."""
    table = weights()
    return table["any"] + sum(
        table.get(name, 0.0) * amount for name, amount in measured(candidate).items()
    )


def ordered(candidates: Iterable[Candidate]) -> Sequence[tuple[float, Candidate]]:
    """Candidates with their weights, the best first; of equal ones the later."""
    weighed = [(weight(candidate), candidate) for candidate in candidates]
    return sorted(weighed, key=lambda pair: (-pair[0], -pair[1].start, -pair[1].end))
