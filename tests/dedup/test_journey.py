"""From a dump to a release without its duplicate: by the commands of docs/curators.md alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.cli import cli
from click.testing import CliRunner
from small import png, write_recipe, write_rows

HEIGHT = "<image1> How high, in metres, is the tower in the picture if one brick is {} cm high?"


def command(*arguments: Any) -> str:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """Two questions about one picture that differ in a word, and two of other pictures."""
    (tmp_path / "images").mkdir()
    for name, seed in {"tower": 1, "bridge": 2, "field": 3}.items():
        (tmp_path / "images" / f"{name}.png").write_bytes(png(60, 40, seed))
    questions = {
        "a": ("tower", HEIGHT.format(12)),
        "b": (
            "tower",
            HEIGHT.format(12).replace("high, in metres,", "tall, in metres,"),
        ),
        "c": (
            "bridge",
            "<image1> How many cables hold the bridge on each of its two sides?",
        ),
        "d": ("field", "<image1> What is the area of the meadow between both rivers?"),
    }
    rows = [
        {
            "id": name,
            "question": question,
            "answer": "7",
            "images": [f"images/{picture}.png"],
        }
        for name, (picture, question) in questions.items()
    ]
    write_rows(tmp_path / "dump.jsonl", rows)
    source = {"name": "s", "reader": "jsonl", "path": "dump.jsonl", "license": "MIT"}
    return write_recipe(
        tmp_path / "recipe.yaml",
        {
            "name": "towers",
            "version": "1.0.0",
            "sources": [source],
            "stages": ["check", {"dedup": {"decisions": "decisions/duplicates.jsonl"}}],
            "splits": {"test": "rest"},
        },
    )


def released(folder: Path) -> set[str]:
    lines = (folder / "towers-1.0.0/jsonl/test.jsonl").read_text("utf-8").splitlines()
    return {json.loads(line)["id"].removeprefix("s-") for line in lines}


def test_a_decided_duplicate_is_not_released(recipe: Path, tmp_path: Path) -> None:
    """Pairs are compared with their pictures, which lie above the stage, as the build does."""
    out = tmp_path / "out"
    decisions = tmp_path / "decisions/duplicates.jsonl"
    decisions.parent.mkdir()
    decisions.touch()
    command("build-release", recipe, "-o", out)
    assert released(out) == {"a", "b", "c", "d"}
    printed = command("dedup", "pairs", out / "work/01-check/problems.jsonl")
    (pair,) = [json.loads(line) for line in printed.splitlines()]
    assert {pair["a"], pair["b"]} == {"s-a", "s-b"}
    decision = {
        "a": pair["a"],
        "b": pair["b"],
        "a_hash": pair["a_hash"],
        "b_hash": pair["b_hash"],
        "verdict": "duplicate",
        "keep": pair["a"],
        "annotator": "ada",
    }
    write_rows(decisions, [decision])
    command("build-release", recipe, "-o", out, "--force")
    stale = out / "work/02-dedup/stale.jsonl"
    assert not stale.exists() or not stale.read_text("utf-8")
    assert released(out) == {"a", "c", "d"}


def test_a_decision_on_another_text_is_told(recipe: Path, tmp_path: Path) -> None:
    decisions = tmp_path / "decisions/duplicates.jsonl"
    decisions.parent.mkdir()
    old = {"a": "s-a", "b": "s-b", "a_hash": "0", "b_hash": "0"}
    write_rows(decisions, [old | {"verdict": "duplicate", "keep": "s-a"}])
    build = ["build-release", str(recipe), "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(cli, build)
    assert "1 of 1 decisions" in done.stderr
    assert done.exit_code == 1
    assert "dedup 1" in str(done.exception)
    assert "--on-stale tell" in str(done.exception.remedy)  # type: ignore[union-attr]
    assert not (tmp_path / "out/towers-1.0.0").exists()
    told = CliRunner().invoke(cli, [*build, "--on-stale", "tell"])
    assert told.exit_code == 0
    assert released(tmp_path / "out") == {"a", "b", "c", "d"}
