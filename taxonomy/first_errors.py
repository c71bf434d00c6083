"""Classes of the first error of a solution, as the papers name them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

FILE = Path(__file__).with_suffix(".yaml")
NO_ERROR = "none"  # a solution without error


def first_errors(benchmark: str | None) -> dict[str, str]:
    """class -> what it means; those of MM-MATH for benchmarks that have none of their own.

    >>> list(first_errors("we-math"))
    ['knowledge error', 'reason error', 'visual error', 'hallucination']
    """
    return _schemes()[error_scheme(benchmark)]


def error_scheme(benchmark: str | None) -> str:
    """Whose classes hold for a benchmark.

    >>> error_scheme("math-v"), error_scheme(None)
    ('math-v', 'mm-math')
    """
    return benchmark if benchmark is not None and benchmark in _schemes() else "mm-math"


@cache
def _schemes() -> dict[str, dict[str, str]]:
    return msgspec.yaml.decode(FILE.read_bytes(), type=dict[str, dict[str, str]])
