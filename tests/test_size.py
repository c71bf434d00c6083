"""Two ratchets on what a reader must understand: syntax nodes, and options of all commands.

Lines may grow as they like. tests/size.yaml holds the figures; a commit that raises one touches
nothing else, so that it is seen and judged alone.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml
from size import by_house, densest, option_counts

ROOT = Path(__file__).parents[1]
RATCHETS = "tests/size.yaml"
DENSEST = 8.0  # nodes a code line: read side by side, peers stand at 3.3 to 4.3
MEAN = 6.1  # over the product; 6.0 is aimed at
SKIPS = 60  # `# fmt: skip`, for tables of data alone


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def ratchets(revision: str = "") -> dict[str, int]:
    text = (
        git("show", f"{revision}:{RATCHETS}")
        if revision
        else (ROOT / RATCHETS).read_text("utf-8")
    )
    return yaml.safe_load(text) or {}


def test_the_product_is_no_larger_than_its_ratchet() -> None:
    assert by_house()["all"]["nodes"] <= ratchets()["nodes"]


def test_options_are_no_more_than_their_ratchet() -> None:
    assert sum(option_counts().values()) <= ratchets()["options"]


def test_a_line_holds_one_thought() -> None:
    product = by_house()["all"]
    assert product["nodes"] / product["code"] <= MEAN
    assert [row for row in densest() if row[0] > DENSEST] == []
    assert product["skips"] < SKIPS


def test_a_ratchet_rises_only_in_a_commit_of_its_own() -> None:
    changes = git("log", "--format=%H", "--no-merges", "--", RATCHETS).split()
    if not changes:
        pytest.skip("no history of git here")
    offenders = []
    for commit in changes:
        before, after = ratchets(f"{commit}~1"), ratchets(commit)
        raised = [name for name in before if after.get(name, 0) > before[name]]
        files = git("show", "--format=", "--name-only", commit).split()
        if raised and files != [RATCHETS]:
            offenders.append(
                f"{commit[:8]} raises {', '.join(raised)} and touches {files}"
            )
    assert offenders == []
