"""MathVerse's published quick match (github.com/ZrrSkywalker/MathVerse, score_answer_s2.py).

The extraction that its first step wrote is compared with the gold as a string. The first step is a
language model; what is judged here is its output, after `Extracted Answer:` where that is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...problem import Option
from ..verdicts import Verdict


def verdict(response: str, gold: str, options: Sequence[Option]) -> Verdict:
    """The published verdict on an extraction.

    >>> verdict("Extracted Answer: 14", "14", []).equal
    True
    """
    extraction = response.replace("Extracted Answer: ", "").strip()
    return Verdict(
        equal=extraction == gold,
        how="quick match",
        extracted=extraction,
        rule="mathverse",
    )
