"""Progress: totals and units on a terminal, silence elsewhere."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright.base.terminal import progress
from small import dump


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_total_and_unit_at_once_and_the_sum_at_the_end() -> None:
    screen = Screen()
    items = progress(range(1200), "gold", 3040, "problems", screen)
    assert next(items) == 0
    assert "gold: 0 of 3,040 problems" in screen.getvalue()
    assert len(list(items)) == 1199
    assert re.search(r"gold: 1,200 problems in [\d.]+ s\n$", screen.getvalue())


def test_a_file_sees_nothing() -> None:
    plain = io.StringIO()
    assert list(progress([1, 2], "gold", 2, "problems", plain)) == [1, 2]
    assert plain.getvalue() == ""


def test_a_build_and_a_score_tell_what_they_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a pseudo-terminal every long part of both commands shows total and unit."""
    pty = pytest.importorskip("pty", reason="no pseudo-terminals on this platform")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no thumbnails yet
    recipe = dump(tmp_path, stages=["latex"])

    def told(*words: object) -> str:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "benchwright", *map(str, words), "--jobs", "1"]
        done = subprocess.run(
            command, stderr=theirs, stdout=subprocess.DEVNULL, check=False
        )
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            text += part
        os.close(ours)
        assert done.returncode == 0, text
        return text.decode()

    build = told("build-release", recipe, "--out", tmp_path / "out")
    assert "read: 0 of 12 rows" in build
    assert "latex: 0 of 12 problems" in build
    replies = tmp_path / "replies.jsonl"
    replies.write_text(
        "".join(f'{{"id": "a-{k}", "response": "4"}}\n' for k in range(1, 13))
    )
    release = tmp_path / "out" / "small-1.0.0"
    score = told(
        "score", release, replies, "--split", "test", "--out", tmp_path / "scores"
    )
    assert "grading: 0 of 8 replies" in score
