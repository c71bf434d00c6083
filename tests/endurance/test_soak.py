"""A few rounds of the soak test: the same bytes each time, and no file left open."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from soak import soak


@pytest.mark.skipif(
    sys.platform == "win32", reason="open files are counted as Unix does"
)
def test_rounds_are_alike(tmp_path: Path) -> None:
    wrong = [line for line in soak(tmp_path, 4) if not line.startswith("memory")]
    assert wrong == []
