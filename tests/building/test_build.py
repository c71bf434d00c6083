"""build_release end to end: same bytes always, resumable, and clear about bad input."""

from __future__ import annotations

import json
import os
import random
import shutil
from hashlib import sha256
from pathlib import Path

import pytest
import yaml
from benchwright import build_release
from benchwright.base.files import locked, read_jsonl
from benchwright.cli import main
from benchwright.errors import MachineError, UserError
from benchwright.pipeline import Engine
from benchwright.problem import Problem
from killing import killed_at, moments
from shares import often
from small import dump, png, tree, write_rows


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_problem_arrives_with_its_picture_and_labels(tmp_path: Path) -> None:
    built = build_release(dump(tmp_path), tmp_path / "out")
    mini, rest = (
        rows(built.release / "jsonl" / f"{split}.jsonl")
        for split in ("testmini", "test")
    )
    assert (len(mini), len(rest)) == (4, 8)
    assert {row["id"] for row in mini + rest} == {f"a-{k}" for k in range(1, 13)}
    assert [row["labels"]["subject"] for row in mini].count("algebra") == 2
    for row in mini + rest:
        number = int(row["id"].removeprefix("a-"))
        stored = (built.release / row["images"][0]["path"]).read_bytes()
        assert stored == (tmp_path / "images" / f"{number}.png").read_bytes()
        assert row["answer"] == ("A" if number % 3 == 0 else str(2 * number))


@pytest.mark.parametrize(
    "engine", [Engine(jobs=2), Engine(jobs=2, kind="dask")], ids=["pool", "dask"]
)
def test_engines_and_repetitions_give_the_same_bytes(
    tmp_path: Path, engine: Engine
) -> None:
    recipe = dump(tmp_path, count=80)
    one = build_release(recipe, tmp_path / "one").release
    two = build_release(recipe, tmp_path / "two", engine=engine).release
    assert tree(one) == tree(two)


def test_a_second_build_is_up_to_date_and_a_changed_source_is_not(
    tmp_path: Path,
) -> None:
    recipe = dump(tmp_path)
    first = build_release(recipe, tmp_path / "out")
    again = build_release(recipe, tmp_path / "out")
    assert (first.fresh, again.fresh) == (True, False)
    (tmp_path / "images" / "3.png").write_bytes(png(50, 50, 9))
    with pytest.raises(UserError, match=r"since it was built images/3\.png changed"):
        build_release(recipe, tmp_path / "out")
    forced = build_release(recipe, tmp_path / "out", force=True)
    (changed,) = [
        p
        for p in read_jsonl(tmp_path / "out/work/01-check/problems.jsonl", Problem)
        if p.id == "a-3"
    ]
    assert (changed.images[0].width, forced.fresh) == (50, True)


def test_reading_and_the_split_keep_accounts_like_every_stage(tmp_path: Path) -> None:
    recipe = dump(tmp_path, splits={"test": {"size": 5}})
    dumped = tmp_path / "dump.jsonl"
    lines = dumped.read_bytes().splitlines(keepends=True)
    dumped.write_bytes(b"".join([*lines, b"nonsense\n", lines[0]]))
    built = build_release(recipe, tmp_path / "out")
    for report in built.reports:
        folder = next((tmp_path / "out/work").glob(f"*-{report.stage}"))
        kept, dropped = (
            rows(folder / f"{name}.jsonl") for name in ("problems", "dropped")
        )
        assert (len(kept), len(dropped)) == (report.kept, report.taken - report.kept)
        assert all(drop["reason"] for drop in dropped)
    assert [(r.stage, r.taken, r.dropped) for r in built.reports] == [
        ("read", 14, 2), ("check", 12, 0), ("split", 12, 7),
    ]  # fmt: skip
    read = {
        drop["id"]: drop["reason"]
        for drop in rows(tmp_path / "out/work/00-read/dropped.jsonl")
    }
    assert read["dump.jsonl:13"].startswith("unreadable: ")
    assert read["dump.jsonl:14"] == "id twice: id 'a-1' stands also at dump.jsonl:1"


def test_a_split_stands_while_nothing_that_decides_it_changes(tmp_path: Path) -> None:
    half = {"size": 6}
    recipe = dump(tmp_path, splits={"a": half, "b": half})
    first = build_release(recipe, tmp_path / "out")
    sizes = tmp_path / "out/work/02-split/sizes.jsonl"
    whole, before = sizes.read_bytes(), tree(first.release)
    for damage in (b'["a",7]\n["b",5]\n', b""):
        sizes.write_bytes(damage)
        assert not build_release(recipe, tmp_path / "out").fresh
        assert (sizes.read_bytes(), tree(first.release)) == (whole, before)
    dump(tmp_path, splits={"b": half, "a": half})  # who draws first
    other = build_release(recipe, tmp_path / "out", force=True).release
    fresh = build_release(recipe, tmp_path / "fresh").release
    assert tree(other) == tree(fresh)


def test_a_bug_in_a_reader_is_told_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.convert.readers import mapped

    def broken(*given: object) -> Problem:
        raise AttributeError("no such thing")

    broken.__reader__ = mapped.jsonl.__reader__  # type: ignore[attr-defined]
    monkeypatch.setattr(mapped, "jsonl", broken)
    with pytest.raises(
        UserError, match=r"reader 'jsonl' of .*AttributeError.* on dump.jsonl:1; .*bug"
    ):
        build_release(dump(tmp_path), tmp_path / "out")


def test_a_build_that_ends_with_nothing_fails_and_says_why(tmp_path: Path) -> None:
    recipe = dump(tmp_path)
    rows_path = tmp_path / "dump.jsonl"
    rows_path.write_text(
        rows_path.read_text("utf-8").replace("{", "", 1).replace("\n{", "\n")
    )
    with pytest.raises(
        UserError, match=r"nothing is left after read: 12 in, 0 kept \(unreadable"
    ):
        build_release(recipe, tmp_path / "out")


def test_pictures_of_a_hub_cache_are_built_from(tmp_path: Path) -> None:
    recipe = dump(tmp_path / "snapshots" / "1")
    blobs = tmp_path / "blobs"
    blobs.mkdir()
    for k, path in enumerate(sorted((recipe.parent / "images").iterdir())):
        path.rename(blobs / str(k))
        path.symlink_to(f"../../../blobs/{k}")
    built = build_release(recipe, tmp_path / "out")
    assert len(list((built.release / "images").iterdir())) == 12


def test_a_damaged_release_is_written_again(tmp_path: Path) -> None:
    recipe = dump(tmp_path)
    built = build_release(recipe, tmp_path / "out")
    before = tree(built.release)
    (built.release / "README.md").write_text("broken")
    assert build_release(recipe, tmp_path / "out").fresh
    assert tree(built.release) == before


WITHHELD = {"withhold_answers": ["test"], "exports": ["vlmevalkit", "inspect"]}


def put_out(folder: Path) -> dict[str, bytes]:
    """All that builds left for others: releases, private folders and exports, nothing hidden."""
    files = tree(folder)
    assert not [
        name for name in files if "/." in f"/{name}" and not name.startswith("work/")
    ]
    return {name: data for name, data in files.items() if not name.startswith("work/")}


def key_of(folder: Path) -> Path:
    (folder / "key").write_text("5" * 64)
    return folder / "key"


def building(recipe: Path, out: Path, **options: object) -> str:
    made = f"build_release({str(recipe)!r}, {str(out)!r}, **{options!r})"
    return f"from benchwright import build_release\n{made}"


@pytest.mark.parametrize("replacing", [False, True], ids=["first", "replacing another"])
def test_a_build_killed_at_any_moment_is_finished_by_the_next(
    tmp_path: Path, replacing: bool
) -> None:
    """At moments drawn over the whole build, and at each one of its end, between the renames."""
    recipe, key = dump(tmp_path, **WITHHELD), key_of(tmp_path)
    out = tmp_path / "out"  # exports name the place of their release: one place for all
    given = {"commitment_key": str(key), "force": replacing}

    def before() -> None:
        shutil.rmtree(out, ignore_errors=True)
        if replacing:
            older = dump(tmp_path, **WITHHELD, title="An older one")
            build_release(older, out, commitment_key=key)
            dump(tmp_path, **WITHHELD)

    before()
    build_release(recipe, out, commitment_key=key, force=replacing)
    whole = put_out(out)
    assert any(name.startswith("small-1.0.0-private/") for name in whole)
    before()
    count = moments(building(recipe, out, **given), out)
    drawn = random.Random(5).sample(range(1, count), often(2, 6))
    killed = 0
    for moment in sorted({*drawn, *range(count - 24, count + 1, often(8, 4))}):
        before()
        killed += killed_at(moment, building(recipe, out, **given), out)
        decided = (
            out / ".small-1.0.0.part/.complete"
        ).exists()  # the next build only finishes it
        build_release(recipe, out, commitment_key=key, force=replacing and not decided)
        assert put_out(out) == whole, f"killed at moment {moment} of {count}"
    assert killed >= often(4, 9)


def test_what_is_missing_or_damaged_is_written_again_and_nothing_else(
    tmp_path: Path,
) -> None:
    recipe = dump(tmp_path, **WITHHELD)
    out = tmp_path / "out"
    built = build_release(recipe, out)
    whole = put_out(out)
    for lost in (
        "small-1.0.0-private",
        "small-1.0.0-exports",
        "small-1.0.0-exports/inspect",
    ):
        shutil.rmtree(out / lost)
        kept = (built.release / "manifest.json").stat().st_mtime_ns
        assert build_release(recipe, out).fresh
        assert put_out(out) == whole
        assert (built.release / "manifest.json").stat().st_mtime_ns == kept
    (out / "small-1.0.0-exports/inspect/task.py").write_text("broken")
    (out / "small-1.0.0-private/answers.jsonl").write_text("broken")
    assert build_release(recipe, out).fresh
    assert put_out(out) == whole
    assert not build_release(recipe, out).fresh


def test_exports_are_added_and_taken_away_without_force(tmp_path: Path) -> None:
    out = tmp_path / "out"
    release = tree(build_release(dump(tmp_path), out).release)
    assert not (out / "small-1.0.0-exports").exists()
    build_release(dump(tmp_path, exports=["inspect"]), out)
    assert (out / "small-1.0.0-exports/inspect/task.py").is_file()
    build_release(dump(tmp_path, exports=["inspect", "lmms-eval"]), out)
    formats = sorted(p.name for p in (out / "small-1.0.0-exports").iterdir())
    assert formats == ["exports.json", "inspect", "lmms-eval"]
    build_release(dump(tmp_path), out)
    assert not (out / "small-1.0.0-exports").exists()
    assert tree(out / "small-1.0.0") == release


def test_a_failing_export_leaves_nothing_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.exports import harnesses

    recipe, out = dump(tmp_path, **WITHHELD), tmp_path / "out"
    before = tree(build_release(dump(tmp_path, **WITHHELD, title="Old"), out).release)
    dump(tmp_path, **WITHHELD)
    with monkeypatch.context() as patch:
        patch.setattr(harnesses, "inspect", lambda release, out: 1 / 0)
        with pytest.raises(UserError, match=r"exporter 'inspect'.*ZeroDivisionError"):
            build_release(recipe, out, force=True)
    assert tree(out / "small-1.0.0") == before
    put_out(out)
    assert build_release(recipe, out, force=True).fresh
    assert tree(out / "small-1.0.0") != before


@pytest.mark.parametrize("name", ["we-math", "mathverse"])
def test_an_export_that_no_row_can_satisfy_is_refused_before_any_work(
    tmp_path: Path, name: str
) -> None:
    recipe = dump(tmp_path, exports=[name])
    with pytest.raises(UserError, match=f"export {name}: it needs"):
        build_release(recipe, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_comment_and_another_spelling_of_the_recipe_change_nothing(
    tmp_path: Path,
) -> None:
    recipe = dump(tmp_path, withhold_answers=["test"])
    build_release(recipe, tmp_path / "out")
    data = yaml.safe_load(recipe.read_text())
    turned = dict(reversed(data.items()))
    turned["stages"] = [{"check": {"on_gold": "keep"}}]  # what it does anyway
    text = yaml.safe_dump(turned, sort_keys=False, default_flow_style=True)
    recipe.write_text(f"# the same, said otherwise\n{text}")
    assert not build_release(recipe, tmp_path / "out").fresh
    recipe.write_text(yaml.safe_dump(data | {"description": "new"}, sort_keys=False))
    with pytest.raises(UserError, match="since it was built description changed"):
        build_release(recipe, tmp_path / "out")


def test_the_key_is_random_kept_and_asked_for_when_it_is_lost(tmp_path: Path) -> None:
    recipe = dump(tmp_path, withhold_answers=["test"])
    one, two = (build_release(recipe, tmp_path / name) for name in ("one", "two"))
    keys = [(built.private / "key").read_text() for built in (one, two)]
    assert keys[0] != keys[1]
    assert tree(one.release) != tree(two.release)
    again = build_release(
        recipe, tmp_path / "three", commitment_key=one.private / "key"
    )
    assert tree(again.release) == tree(one.release)
    kept = tree(one.release)
    build_release(recipe, tmp_path / "one", force=True)
    assert tree(one.release) == kept
    shutil.rmtree(one.private)
    shutil.rmtree(tmp_path / "one/work")
    with pytest.raises(UserError, match="the key of its withheld answers is lost"):
        build_release(recipe, tmp_path / "one")
    assert build_release(
        recipe, tmp_path / "one", commitment_key=again.private / "key"
    ).fresh
    assert tree(one.release) == kept
    for text in ("short", ""):
        (tmp_path / "key").write_text(text)
        with pytest.raises(UserError, match="holds no key"):
            build_release(recipe, tmp_path / "four", commitment_key=tmp_path / "key")


def test_withheld_choices_cannot_be_told_from_what_is_published(tmp_path: Path) -> None:
    """Whoever knows all but the key cannot compute a commitment, though there are three letters."""
    from benchwright.exports import commitment, private_rows
    from benchwright.release import read_manifest, read_samples

    recipe = dump(tmp_path, withhold_answers=["test"])
    built = build_release(recipe, tmp_path / "out")
    pins = read_manifest(built.release)["answers"]
    answers = read_samples(built.release, "test", built.private)
    guessed = {commitment(row) for key in ("0" * 64, sha256(b"").hexdigest())
               for row in private_rows(answers, key)}  # fmt: skip
    assert not guessed & set(pins.values())
    assert {commitment(row) for row in rows(built.private / "answers.jsonl")} == set(
        pins.values()
    )
    public = b"".join(tree(built.release).values())
    for row in rows(built.private / "answers.jsonl"):
        assert row["salt"].encode() not in public
    assert (built.private / "key").read_bytes().strip() not in public


def test_two_builds_at_once_do_not_mix(tmp_path: Path) -> None:
    recipe = dump(tmp_path)
    with (
        locked(tmp_path / "out/work/.lock"),
        pytest.raises(UserError, match="another build is running"),
    ):
        build_release(recipe, tmp_path / "out")


def test_withheld_answers_leave_the_release_and_can_be_proved(tmp_path: Path) -> None:
    from benchwright.exports import verify

    built = build_release(dump(tmp_path, withhold_answers=["test"]), tmp_path / "out")
    secret = {row["id"]: row["answer"] for row in rows(built.private / "answers.jsonl")}
    assert len(secret) == 8
    for row in rows(built.release / "jsonl" / "test.jsonl") + rows(
        built.release / "problems" / "test.jsonl"
    ):
        assert row["answer"] in (None, "")
    assert verify(built.release, built.private / "answers.jsonl") == []
    changed = [dict(row, answer="99") for row in rows(built.private / "answers.jsonl")]
    write_rows(tmp_path / "changed.jsonl", changed)
    assert {d.code for d in verify(built.release, tmp_path / "changed.jsonl")} == {
        "answer-changed"
    }


def test_a_full_disk_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = dump(tmp_path)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MachineError, match="No space left on device"):
        build_release(recipe, tmp_path / "out")


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0), capsys.readouterr().err


BAD_RECIPES = {
    "missing file": (
        {"sources": [{"name": "a", "reader": "jsonl", "path": "no.jsonl"}]},
        "no.jsonl is not a file",
    ),
    "unknown reader": (
        {"sources": [{"name": "a", "reader": "jsnl", "path": "dump.jsonl"}]},
        "did you mean 'jsonl'",
    ),
    "unknown stage": ({"stages": ["chek"]}, "did you mean 'check'"),
    "unknown option": (
        {"stages": [{"check": {"on_gld": "drop"}}]},
        "did you mean 'on_gold'",
    ),
    "wrong option": ({"stages": [{"check": {"on_gold": "burn"}}]}, "on_gold"),
    "missing option": ({"stages": ["label"]}, "needs the option 'field'"),
    "unknown export": ({"exports": ["vlmevalkt"]}, "did you mean 'vlmevalkit'"),
    "no earlier release": ({"previous": "gone"}, "gone is not a release"),
    "unknown label": (
        {"splits": {"test": {"size": 2, "by": ["subjct"]}}},
        "no problem has a label 'subjct': did you mean 'subject'",
    ),
    "unknown key": ({"splts": {}}, "did you mean 'splits'"),
    "no licence": (
        {"sources": [{"name": "a", "reader": "jsonl", "path": "dump.jsonl"}]},
        "no licence",
    ),
    "bad version": ({"version": "one"}, "MAJOR.MINOR.PATCH"),
    "too large": ({"splits": {"test": {"size": 99}}}, "asks for 99 of 12"),
}


@pytest.mark.parametrize("case", BAD_RECIPES)
def test_a_bad_recipe_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    changes, expected = BAD_RECIPES[case]
    code, err = run(
        capsys,
        "build-release",
        dump(tmp_path, **changes),
        "-o",
        tmp_path / "out",
        "--jobs",
        1,
    )
    last = err.strip().splitlines()[-1]
    assert code == 1
    assert last.startswith("Error: ")
    assert expected in last
    assert "Traceback" not in err


def test_a_folder_that_is_no_release_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = dump(tmp_path)
    precious = tmp_path / "out" / "small-1.0.0" / "notes.txt"
    precious.parent.mkdir(parents=True)
    precious.write_text("mine")
    code, err = run(
        capsys, "build-release", recipe, "-o", tmp_path / "out", "--jobs", 1
    )
    assert (code, precious.read_text()) == (1, "mine")
    assert "--force" in err
