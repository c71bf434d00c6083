"""Real public data: the whole where it lies beside the checkout, else the part that is bundled.

`BENCHWRIGHT_TEST_DATA=bundled` hides what lies beside the checkout, as for somebody who cloned it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "tests" / "data"


def beside(path: str) -> Path | None:
    """`../shared/data/<path>`, for a checkout or a worktree one folder deeper."""
    if os.environ.get("BENCHWRIGHT_TEST_DATA") == "bundled":
        return None
    places = (base / "shared" / "data" / path for base in (ROOT.parent, ROOT.parent.parent))
    return next((place for place in places if place.exists()), None)


def shared(path: str) -> Path:
    """Data that may not be bundled, or is needed whole; a skip with the reason without it."""
    if found := beside(path):
        return found
    pytest.skip(f"real data not here: shared/data/{path} is not beside the checkout")


def math_v(path: str) -> Path:
    """A file of MATH-V, all of it or the bundled rows; expectations must hold for both."""
    return beside(f"math-v/{path}") or BUNDLED / "math-v" / path


def whole_math_v() -> bool:
    """Are the published totals to be expected?"""
    return beside("math-v/test.jsonl") is not None
