"""build_release end to end: same bytes always, resumable, and clear about bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchwright.build import build_release
from benchwright.cli import main
from benchwright.errors import UserError
from benchwright.files import locked, read_jsonl
from benchwright.pipeline.engine import Engine
from benchwright.problem import Problem
from small import dump, png, tree, write_rows


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_problem_arrives_with_its_picture_and_labels(tmp_path: Path) -> None:
    built = build_release(dump(tmp_path), tmp_path / "out")
    mini, rest = (
        rows(built.release / "jsonl" / f"{split}.jsonl") for split in ("testmini", "test")
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
def test_engines_and_repetitions_give_the_same_bytes(tmp_path: Path, engine: Engine) -> None:
    recipe = dump(tmp_path, count=80)
    one = build_release(recipe, tmp_path / "one").release
    two = build_release(recipe, tmp_path / "two", engine=engine).release
    assert tree(one) == tree(two)


def test_a_second_build_is_up_to_date_and_a_changed_source_is_not(tmp_path: Path) -> None:
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
        kept, dropped = (rows(folder / f"{name}.jsonl") for name in ("problems", "dropped"))
        assert (len(kept), len(dropped)) == (report.kept, report.taken - report.kept)
        assert all(drop["reason"] for drop in dropped)
    assert [(r.stage, r.taken, r.dropped) for r in built.reports] == [
        ("read", 14, 2), ("check", 12, 0), ("split", 12, 7),
    ]  # fmt: skip
    read = {
        drop["id"]: drop["reason"] for drop in rows(tmp_path / "out/work/00-read/dropped.jsonl")
    }
    assert read["dump.jsonl:13"].startswith("unreadable: ")
    assert read["dump.jsonl:14"] == "id twice: id 'a-1' stands also at dump.jsonl:1"


def test_a_bug_in_a_reader_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    rows_path.write_text(rows_path.read_text("utf-8").replace("images/", "../images/"), "utf-8")
    with pytest.raises(UserError, match=r"nothing is left after read: 12 in, 0 kept \(unreadable"):
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


def test_a_build_killed_at_any_moment_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    recipe = dump(tmp_path, count=400)
    whole = tree(build_release(recipe, tmp_path / "whole").release)
    command = [
        sys.executable,
        "-m",
        "benchwright",
        "build-release",
        str(recipe),
        "-o",
        str(tmp_path / "cut"),
    ]
    killed = 0
    for delay in (0.25, 0.35, 0.45, 0.55, 0.65, 0.8):
        process = subprocess.Popen(
            [*command, "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(delay)
        killed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert killed, "no build was still running when it was killed: make the dump larger"
    assert tree(build_release(recipe, tmp_path / "cut").release) == whole


@pytest.mark.parametrize("stop_after", ["00-read", "01-check", "02-split", "package"])
def test_a_kill_in_the_middle_of_each_stage_loses_nothing(tmp_path: Path, stop_after: str) -> None:
    """The process kills itself while it writes the named folder."""
    recipe = dump(tmp_path)
    whole = tree(build_release(recipe, tmp_path / "whole").release)
    target = "small-1.0.0" if stop_after == "package" else stop_after
    script = f"""
import os, pathlib, signal
from benchwright import build, files
rename = pathlib.Path.replace
def replace(self, target):
    if pathlib.Path(target).name == {target!r}:
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(self, target)
pathlib.Path.replace = replace
build.build_release(pathlib.Path({str(recipe)!r}), pathlib.Path({str(tmp_path / "cut")!r}))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not (tmp_path / "cut" / "small-1.0.0").exists()
    assert tree(build_release(recipe, tmp_path / "cut").release) == whole


def test_two_builds_at_once_do_not_mix(tmp_path: Path) -> None:
    recipe = dump(tmp_path)
    with (
        locked(tmp_path / "out/work/.lock"),
        pytest.raises(UserError, match="another build is running"),
    ):
        build_release(recipe, tmp_path / "out")


def test_withheld_answers_leave_the_release_and_can_be_proved(tmp_path: Path) -> None:
    from benchwright.exports.verify import verify

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
    assert {d.code for d in verify(built.release, tmp_path / "changed.jsonl")} == {"answer-changed"}


def test_a_full_disk_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = dump(tmp_path)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="No space left on device"):
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
    "unknown option": ({"stages": [{"check": {"on_gld": "drop"}}]}, "did you mean 'on_gold'"),
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
        capsys, "build-release", dump(tmp_path, **changes), "-o", tmp_path / "out", "--jobs", 1
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
    code, err = run(capsys, "build-release", recipe, "-o", tmp_path / "out", "--jobs", 1)
    assert (code, precious.read_text()) == (1, "mine")
    assert "--force" in err
