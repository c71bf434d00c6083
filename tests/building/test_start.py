"""Every paper's example starts a folder that builds, verifies and scores as its README says."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright import init
from benchwright.building import PAPERS
from benchwright.errors import UserError
from consoles import blocks, differences, sessions

MADE_UP = ("stale", "unbound", "unmatched", "violations", "findings")


@pytest.mark.parametrize("paper", PAPERS)
def test_an_example_does_what_its_readme_says(paper: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    files = init(folder, like=paper)
    readme = folder / "README.md"
    assert readme in files
    assert len(readme.read_text("utf-8").splitlines()) <= 50, "a README of one screen"
    for language, _, block in blocks(readme.read_text("utf-8")):
        for command, shown in sessions(block) if language == "console" else ():
            done = subprocess.run(
                [sys.executable, "-m", *shlex.split(command)],
                cwd=folder, capture_output=True, encoding="utf-8", check=False,
            )  # fmt: skip
            printed = done.stdout + done.stderr
            assert done.returncode == 0, f"$ {command}\n{printed}"
            assert differences(shown, printed) == [], f"$ {command}\n{printed}"
    for table in folder.glob(
        "out/work/*/*.jsonl"
    ):  # all work of people fits what it is about
        assert table.stem not in MADE_UP, table.read_text("utf-8")
    (manifest,) = folder.glob("out/*/manifest.json")
    assert all(
        stage["kept"] for stage in json.loads(manifest.read_text("utf-8"))["stages"]
    )


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="is there already"):
        init(tmp_path, like="math-v")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_paper_without_example_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no example 'wemath'") as error:
        init(tmp_path / "new", like="wemath")
    assert "we-math" in error.value.remedy
    assert not (tmp_path / "new").exists()
