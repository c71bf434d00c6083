"""A build after a change takes over what it can; all folders are as a first build makes them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base.files import sha256_tree
from benchwright.exports.made import files_of, remembering
from small import dump

KINDS = ("", "-exports", "-history")


def build(recipe: Path, out: Path) -> list[str]:
    made = build_release(recipe, out, force=True).release
    return [sha256_tree(made.with_name(made.name + kind)) for kind in KINDS]


@pytest.mark.parametrize("how", ["changed", "dropped", "moved"])
def test_whatever_changed_the_folders_are_those_of_a_first_build(
    tmp_path: Path, how: str
) -> None:
    exports = ["vlmevalkit", "lmms-eval", "inspect"]
    recipe = dump(tmp_path, 230, stages=["latex", "check"], exports=exports)
    build(recipe, tmp_path / "out")
    path = tmp_path / "dump.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    if how == "changed":
        rows[117]["question"] = "What is $1\\frac12$ and no more?"
    rows = rows[:40] + rows[41:] if how == "dropped" else rows
    rows = rows[200:] + rows[:200] if how == "moved" else rows
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert build(recipe, tmp_path / "out") == build(recipe, tmp_path / "alone")


def test_a_file_is_taken_over_unless_it_was_changed(tmp_path: Path) -> None:
    calls = []

    def parts(source: str) -> list[bytes]:
        return [b"the", source.encode()]

    def write(source: str, path: Path) -> None:
        calls.append(path)
        path.write_bytes(b"made")

    def make(path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        with remembering(tmp_path / "work"):
            assert list(files_of([(path, "same")], write, parts=parts)) == [
                sha256(b"made").hexdigest()
            ]

    first, second = tmp_path / "a" / "file", tmp_path / "b" / "file"
    for target in (first, second):
        make(target)
    assert calls == [first]
    assert second.read_bytes() == b"made"
    first.write_bytes(b"MADE")  # as long as before
    make(second)
    assert calls == [first, second]
