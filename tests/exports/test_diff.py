"""diff, errata, changelog, show: what changed, and why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from benchwright import build_release, diff, show
from benchwright.errors import UserError
from benchwright.exports import as_text, verify
from benchwright.exports.diff import summary
from benchwright.release import read_corrections, read_manifest
from small import dump, png, tree, write_recipe, write_rows


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
    kept = [
        row["id"] for row in rows(old / "jsonl" / "testmini.jsonl") if row["id"] in ids
    ]
    (tmp_path / "ids.txt").write_text("\n".join(kept))
    recipe = yaml.safe_load((tmp_path / "recipe.yaml").read_text())
    recipe |= {"version": "1.1.0", "previous": "old/small-1.0.0"}
    recipe["splits"]["testmini"] = {"size": 0, "ids": "ids.txt"}
    new = build_release(
        write_recipe(tmp_path / "r2.yaml", recipe), tmp_path / "new"
    ).release
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
    entry = {
        "id": "a-2",
        "field": "answer",
        "old": "4",
        "new": "5",
        "reason": "miscounted",
    }
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
    kept, dropped = (
        show(built, name, tmp_path / "out/work") for name in ("a-1", "a-2")
    )
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
    data[4]["answer_kind"], data[1]["id"] = "colour", "1"
    write_rows(tmp_path / "dump.jsonl", data)
    release = build_release(recipe, tmp_path / "out").release
    for name in ("dump.jsonl:5", "a-5"):
        lost = show(release, name)
        assert (lost.read_from, lost.released) == ("dump.jsonl:5", None)
        assert "colour" in as_text(lost)
    twice = show(release, "dump.jsonl:2")
    assert "stands also at dump.jsonl:1" in as_text(twice)
    assert [*twice.stages[0]] == ["stage", "raw", "dropped", "quarantine"]
    assert show(release, "a-1").released["question"] == data[0]["question"]


def two_versions(tmp_path: Path, **errata: str) -> tuple[Path, Path]:
    """A release with withheld answers, and the next one with errata (id -> new answer)."""
    old = build_release(
        dump(tmp_path, withhold_answers=["test"]), tmp_path / "out"
    ).release
    entries = [
        {
            "id": name.replace("_", "-"),
            "field": "answer",
            "new": new,
            "reason": f"it is {new}",
        }
        for name, new in errata.items()
    ]
    (tmp_path / "errata.yaml").write_text(yaml.safe_dump(entries))
    new = dump(
        tmp_path,
        withhold_answers=["test"],
        version="1.1.0",
        previous="out/small-1.0.0",
        errata="errata.yaml",
    )
    return old, build_release(new, tmp_path / "out").release


def split_of(release: Path, name: str) -> str:
    return next(
        s
        for s, split in read_manifest(release)["splits"].items()
        if name in split["ids"]
    )


def test_nothing_changed_is_no_change_though_answers_are_withheld(
    tmp_path: Path,
) -> None:
    old, new = two_versions(tmp_path)
    assert diff(old, new) == []
    assert "No problem changed." in (new / "CHANGELOG.md").read_text()
    shutil.rmtree(tmp_path / "out/small-1.0.0-private")
    assert diff(old, new) == []


def test_a_corrected_withheld_answer_is_found_and_its_text_stays_private(
    tmp_path: Path,
) -> None:
    names = [f"a-{k}" for k in range(1, 13)]
    probe = build_release(
        dump(tmp_path / "probe", withhold_answers=["test"]), tmp_path / "p"
    )
    hidden = next(
        n for n in names if split_of(probe.release, n) == "test" and n != "a-3"
    )
    public = next(n for n in names if split_of(probe.release, n) == "testmini")
    given = {hidden.replace("-", "_"): "4711", public.replace("-", "_"): "4712"}
    old, new = two_versions(tmp_path, **given)
    both = sorted([hidden, public])
    assert [(c.id, c.kinds) for c in diff(old, new)] == [
        (name, ["answer"]) for name in both
    ]
    log = (new / "CHANGELOG.md").read_text()
    assert f"- answer: 2 ({', '.join(both)})" in log
    assert f"- {public} answer: it is 4712" in log
    assert f"- {hidden} answer: (its answer is withheld)" in log
    assert not any(b"4711" in data for data in tree(new).values())
    private = new.with_name(f"{new.name}-private")
    assert [(c.id, c.was) for c in read_corrections(new)] == [
        (
            public,
            {"answer": str(2 * int(public[2:]))}
            if int(public[2:]) % 3
            else {"answer": "A"},
        )
    ]
    assert {c.id for c in read_corrections(new, private)} == {hidden, public}
    assert verify(new, private) == []

    away = tmp_path / "away"
    private.rename(away)
    assert [c.id for c in diff(old, new)] == [public]
    assert [c.id for c in diff(old, new, new_answers=away)] == both
    with pytest.raises(UserError, match="has no problems of test"):
        diff(old, new, new_answers=tmp_path)


def test_a_split_that_opens_says_so_and_nothing_about_answers(tmp_path: Path) -> None:
    old = build_release(
        dump(tmp_path, withhold_answers=["test"]), tmp_path / "old"
    ).release
    new = build_release(dump(tmp_path), tmp_path / "new").release
    shutil.rmtree(tmp_path / "old/small-1.0.0-private")
    assert {tuple(c.kinds) for c in diff(old, new)} == {("withheld",)}
    assert len(diff(old, new)) == 8
