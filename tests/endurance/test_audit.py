"""What SECURITY.md explains of an audit is told from what it does not."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from audit import ROOT, explained


def test_a_finding_is_explained_where_it_stands_only() -> None:
    rows = (ROOT / "SECURITY.md").read_text("utf-8").splitlines()
    assert explained(rows, "B102", "base/registry.py")
    assert not explained(rows, "B102", "evaluate/scoring/score.py")
    assert not explained(rows, "B307", "base/registry.py")
    assert not explained(rows, "CVE-2021-44228")
    assert explained(["| CVE-2099-1 | not reached |"], "CVE-2099-1")
