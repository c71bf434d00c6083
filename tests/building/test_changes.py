"""What one more problem costs a build: counted, not timed; the bytes are those of a first build."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright import build_release
from benchwright.base.files import sha256_tree
from benchwright.exports import history
from small import write_recipe, write_rows

COUNT, PAGES = 320, 32
SYLLABLES = ["ba", "ke", "lo", "mi", "nu", "ra", "se", "to", "vu", "za"]
Rows = list[dict[str, Any]]


def questions() -> Rows:
    """Problems in words of their own, every second one an edit of the one before it."""
    rng = random.Random(5)
    words = ["".join(rng.choices(SYLLABLES, k=3)) for _ in range(400)]
    rows: Rows = []
    for k in range(COUNT):
        text = " ".join(rng.choices(words, k=24))
        if k % 2:
            text = f"{rows[-1]['question'].rpartition(' ')[0]} {rng.choice(words)}"
        rows.append(
            {"id": f"q{k}", "question": text, "answer": str(rng.randint(2, 40))}
        )
    return rows


def edited(rows: Rows) -> Rows:
    changed = dict(rows[100], question=f"so {rows[100]['question']}")
    return [*rows[:100], changed, *rows[101:]]


def added(rows: Rows) -> Rows:
    """Behind the others: a row's history names its line."""
    return [*rows, {"id": "new", "question": "Why is zaza bake lolo?", "answer": "3"}]


def lines(out: Path, table: str) -> set[bytes]:
    path = out / f"work/02-dedup/{table}.jsonl"
    return set(path.read_bytes().splitlines())


@pytest.mark.parametrize("change", [edited, added])
def test_one_problem_rewrites_few_pairs_and_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Rows], Rows]
) -> None:
    monkeypatch.setattr(history, "EACH", COUNT // PAGES)
    written = list[int]()
    write = history._Page.write

    def counted(page: Any, path: Path) -> None:
        written.append(page.number)
        write(page, path)

    monkeypatch.setattr(history._Page, "write", counted)
    rows = questions()
    write_rows(tmp_path / "dump.jsonl", rows)
    source = {"name": "a", "reader": "jsonl", "path": "dump.jsonl", "license": "MIT"}
    facts = {"name": "set", "version": "1.0.0", "sources": [source]}
    built = {"stages": ["check", "dedup"], "splits": {"test": "rest"}}
    recipe = write_recipe(tmp_path / "recipe.yaml", facts | built)
    out = tmp_path / "out"
    build_release(recipe, out)
    assert len(written) == PAGES
    tables = {name: lines(out, name) for name in ("pairs", "likeness")}
    assert len(tables["pairs"]) > COUNT / 3
    written.clear()

    write_rows(tmp_path / "dump.jsonl", change(rows))
    build_release(recipe, out, force=True)
    new = {name: len(lines(out, name) - old) for name, old in tables.items()}
    assert new["pairs"] <= 3
    assert len(written) <= 4
    if change is added:
        assert new["likeness"] > 3  # what the whole set tells did change

    alone = tmp_path / "alone"
    build_release(recipe, alone)
    for name in ("set-1.0.0", "set-1.0.0-history"):
        assert sha256_tree(out / name) == sha256_tree(alone / name)
