"""diff, errata, changelog, show: what changed, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from benchwright.build import build_release
from benchwright.errors import UserError
from benchwright.exports.diff import diff, summary
from benchwright.exports.show import as_text, show
from small import dump, png, write_recipe, write_rows


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_kind_of_change_is_found_by_id(tmp_path: Path) -> None:
    old = build_release(dump(tmp_path), tmp_path / "old").release
    data = rows(tmp_path / "dump.jsonl")
    data[0]["question"] += " Really?"
    data[1]["answer"] = "99"
    data[4]["labels"]["level"] = 9
    (tmp_path / "images" / "7.png").write_bytes(png(77, 7, 7))
    del data[10]
    data.append({"id": "new", "question": "q", "answer": "1"})
    write_rows(tmp_path / "dump.jsonl", data)
    ids = [f"a-{k}" for k in range(1, 13) if k not in (11,)] + ["a-new"]
    kept = [row["id"] for row in rows(old / "jsonl" / "testmini.jsonl") if row["id"] in ids]
    (tmp_path / "ids.txt").write_text("\n".join(kept))
    recipe = yaml.safe_load((tmp_path / "recipe.yaml").read_text())
    recipe |= {"version": "1.1.0", "previous": "old/small-1.0.0"}
    recipe["splits"]["testmini"] = {"size": 0, "ids": "ids.txt"}
    new = build_release(write_recipe(tmp_path / "r2.yaml", recipe), tmp_path / "new").release
    kinds = {change.id: change.kinds for change in diff(old, new)}
    assert kinds == {
        "a-1": ["text"],
        "a-2": ["answer"],
        "a-5": ["label"],
        "a-7": ["picture"],
        "a-11": ["removed"],
        "a-new": ["added"],
    }
    log = (new / "CHANGELOG.md").read_text()
    assert "- answer: 1 (a-2)" in log
    assert log.index("## 1.1.0") < log.index("## 1.0.0")
    assert summary(diff(old, old)) == {}


def test_errata_are_applied_and_named(tmp_path: Path) -> None:
    recipe = dump(tmp_path, errata="errata.yaml")
    entry = {"id": "a-2", "field": "answer", "old": "4", "new": "5", "reason": "miscounted"}
    (tmp_path / "errata.yaml").write_text(yaml.safe_dump([entry]))
    built = build_release(recipe, tmp_path / "out").release
    everything = [row for path in built.glob("jsonl/*") for row in rows(path)]
    assert {row["id"]: row["answer"] for row in everything}["a-2"] == "5"
    assert "a-2 answer: miscounted" in (built / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"old": "7"}, "stale"),
        ({"id": "a-99"}, "unknown id"),
        ({"field": "colour"}, "field 'colour'"),
        ({"extra": 1}, "unknown field"),
    ],
)
def test_wrong_errata_are_refused(tmp_path: Path, change: dict, complaint: str) -> None:
    recipe = dump(tmp_path, errata="errata.yaml")
    entry = {"id": "a-2", "field": "answer", "old": "4", "new": "5", "reason": "r"}
    (tmp_path / "errata.yaml").write_text(yaml.safe_dump([entry | change]))
    with pytest.raises(UserError, match=complaint):
        build_release(recipe, tmp_path / "out")


def test_show_follows_a_problem_and_its_drop(tmp_path: Path) -> None:
    recipe = dump(tmp_path, stages=[{"check": {"on_gold": "drop"}}])
    data = rows(tmp_path / "dump.jsonl")
    data[1]["answer"] = " "
    write_rows(tmp_path / "dump.jsonl", data)
    built = build_release(recipe, tmp_path / "out").release
    kept, dropped = (show(built, name, tmp_path / "out/work") for name in ("a-1", "a-2"))
    assert kept.read_from == "dump.jsonl:1"
    assert kept.released["question"] == data[0]["question"]
    assert dropped.released is None
    assert "gold-empty" in as_text(dropped)
    assert repr(dropped) == "<History: a-2, not released>"
    with pytest.raises(UserError, match="no problem 'a-77'"):
        show(built, "a-77", tmp_path / "out/work")


def test_show_finds_what_was_quarantined(tmp_path: Path) -> None:
    """By file and line, by the id that the row would have had, and by an id that stands twice."""
    recipe = dump(tmp_path)
    data = rows(tmp_path / "dump.jsonl")
    data[4]["images"], data[1]["id"] = ["../../x.png"], "1"
    write_rows(tmp_path / "dump.jsonl", data)
    release = build_release(recipe, tmp_path / "out").release
    for name in ("dump.jsonl:5", "a-5"):
        lost = show(release, name)
        assert (lost.read_from, lost.released) == ("dump.jsonl:5", None)
        assert "leaves its folder" in as_text(lost)
    twice = show(release, "dump.jsonl:2")
    assert "stands also at dump.jsonl:1" in as_text(twice)
    assert [*twice.stages[0]] == ["stage", "dropped", "quarantine"]
    assert show(release, "a-1").released["question"] == data[0]["question"]
