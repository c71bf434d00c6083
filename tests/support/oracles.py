"""Peers written in JavaScript: `tests/oracles`, installed by `make test`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "oracles"


def npm_file(path: str) -> Path:
    """A file of an npm package, or a skip with what is missing."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed: the peers written in JavaScript cannot run")
    if not (found := FOLDER / "node_modules" / path).exists():
        pytest.skip(
            f"node_modules/{path} is not there: run `npm install` in tests/oracles"
        )
    return found


def run_node(
    script: str, records: list[dict[str, Any]], *arguments: str
) -> list[dict[str, Any]]:
    """One JSON object per record from `tests/oracles/<script>`, or a skip with the reason."""
    npm_file("")
    lines = "".join(json.dumps(record) + "\n" for record in records)
    run = subprocess.run(
        ["node", script, *arguments], cwd=FOLDER, input=lines, capture_output=True, text=True,
        encoding="utf-8", timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    return [json.loads(line) for line in run.stdout.splitlines() if line]
