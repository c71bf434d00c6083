"""What macOS and Windows lack or do otherwise, taken away here: modules, fork, UTF-8 consoles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright import build_release
from small import dump, tree, write_rows

WITHOUT = """
import os, sys
import psutil  # on Linux it needs what it does without on Windows
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
del os.fork
import multiprocessing
multiprocessing.set_start_method("spawn")
"""
TEXT = "Find ∠ABC, 三角形, λ"


@pytest.fixture
def run(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Runs a command on a poor platform with a cp1252 console; gives what it printed."""
    poor = tmp_path / "poor"
    poor.mkdir()
    (poor / "sitecustomize.py").write_text(WITHOUT, encoding="utf-8")
    env = os.environ | {
        "PYTHONPATH": str(poor),
        "PYTHONIOENCODING": "cp1252",
        "LC_ALL": "C",
    }
    python = [
        sys.executable,
        "-X",
        "utf8=0",
        "-X",
        "warn_default_encoding",
        "-m",
        "benchwright",
    ]

    def run(*args: object, stdin: str = "") -> str:
        command = [*python, *map(str, args)]
        done = subprocess.run(
            command, input=stdin.encode(), capture_output=True, env=env, check=False
        )
        stderr = done.stderr.decode("utf-8")
        assert done.returncode == 0, stderr
        here = str(Path(__file__).parents[1]) + os.sep
        ours = [
            s
            for s in stderr.splitlines()
            if "EncodingWarning" in s and s.startswith(here)
        ]
        assert [
            s for s in ours if "/.venv/" not in s
        ] == []  # every file is opened as UTF-8
        return done.stdout.decode("utf-8")

    return run


def test_computer_algebra(run) -> None:  # type: ignore[no-untyped-def]
    derivative = r"\frac{d}{dx} e^x \cos(x)"
    answers = (r"e^x(\cos x - \sin x)", "1")
    pairs = [{"id": a, "gold": derivative, "prediction": a} for a in answers]
    printed = run("grade", stdin="".join(json.dumps(pair) + "\n" for pair in pairs))
    verdicts = [json.loads(line) for line in printed.splitlines()]
    assert [(v["equal"], v["status"]) for v in verdicts] == [
        (True, "ok"),
        (False, "ok"),
    ]
    assert all(v["how"].startswith("computer algebra") for v in verdicts)


def test_a_release_has_the_same_bytes_and_prints_whatever_it_holds(  # type: ignore[no-untyped-def]
    run, tmp_path: Path
) -> None:
    recipe = dump(tmp_path)
    raw = tmp_path / "dump.jsonl"
    raw.write_text(
        raw.read_text(encoding="utf-8").replace("What is", TEXT), encoding="utf-8"
    )
    run("build-release", recipe, "-o", tmp_path / "poor-out", "--jobs", "2")
    release = tmp_path / "poor-out" / "small-1.0.0"
    assert tree(release) == tree(build_release(recipe, tmp_path / "out").release)
    assert "agrees with itself" in run("verify", release)
    assert TEXT in run("show", release, "a-1")
    predictions = tmp_path / "predictions.jsonl"
    write_rows(
        predictions,
        [{"id": f"a-{k}", "response": f"λ = {2 * k}"} for k in range(1, 13)],
    )
    scored = run("score", release, predictions, "--split", "testmini", "--lenient",
                 "--out", tmp_path / "scores")  # fmt: skip
    assert "accuracy" in scored
