"""A copy of the project in a folder of another name, with no data beside it and no git in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_tests_run_in_any_folder_on_the_bundled_data(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip(
            "not a git checkout: nothing says which files belong to the project"
        )
    copy = tmp_path / "benchwright-main"
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    ours = ("PYTEST_", "BENCHWRIGHT_")
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(ours)
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider",
         "tests/base/test_files.py", "tests/evaluate/scoring/test_published.py",
         "tests/check/test_gold.py"],
        cwd=copy, env=env, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "skipped" not in done.stdout
    assert " passed" in done.stdout
