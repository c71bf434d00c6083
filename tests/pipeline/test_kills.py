"""Builds that are killed at any counted moment, or find strange things: the next one finishes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base.files import sha256_tree
from benchwright.building.run import locked_work
from benchwright.errors import MachineError, UserError
from benchwright.pipeline import Shard, set_apart
from benchwright.pipeline.shard import Apart
from benchwright.pipeline.stage_folder import writing
from shares import often
from small import dump

KINDS = ("", "-private", "-exports", "-history")
CHANGES = (
    "os.rename",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.truncate",
    "open",
)
MOMENTS = often(4, 12)
# a build that dies at its `left`-th change of the disk, and says how many there were
BUILD = """
import os, signal, sys
recipe, out, left = sys.argv[1], sys.argv[2], int(sys.argv[3])
from benchwright import build_release
count = 0

def watch(event, args):
    global count
    if event in {changes} and str(args[0]).startswith(out):
        if event != "open" or args[2] & (os.O_WRONLY | os.O_RDWR):
            count += 1
            if count == left:
                os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
build_release(recipe, out, commitment_key=recipe.replace("recipe.yaml", "key"), force=True)
print(count)
"""


def build(recipe: Path, out: Path) -> list[str]:
    made = build_release(
        recipe, out, commitment_key=recipe.with_name("key"), force=True
    ).release
    return [sha256_tree(made.with_name(made.name + kind)) for kind in KINDS]


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "key").write_text("5" * 64 + "\n")
    return dump(
        tmp_path, 90, stages=["latex", "check", "dedup"], exports=["lmms-eval", "inspect"],
        splits={"mini": {"size": 30}, "test": "rest"}, withhold_answers=["test"],
    )  # fmt: skip


def dying(recipe: Path, out: Path, left: int) -> subprocess.CompletedProcess[str]:
    script = BUILD.replace("{changes}", repr(CHANGES))
    command = [sys.executable, "-c", script, str(recipe), str(out), str(left)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_killed_at_any_moment_the_next_build_finishes(
    recipe: Path, tmp_path: Path
) -> None:
    """Killed again and again in one folder, each time further on, over a release that stands."""
    out = tmp_path / "out"
    first = dying(recipe, tmp_path / "counted", 0)
    moments = int(first.stdout.split()[-1])
    assert moments > 120
    build(recipe, out)
    rows = recipe.with_name("dump.jsonl")
    rows.write_text(rows.read_text().replace('"question": "', '"question": "Now: '))
    expected = build(recipe, tmp_path / "alone")
    ends = []
    for k in range(MOMENTS):
        died = dying(recipe, out, 1 + k * moments // MOMENTS)
        assert died.returncode in (-9, 0), (
            died.stderr
        )  # what others had done is not done again
        ends.append(died.returncode)
    assert ends.count(-9) >= MOMENTS // 2
    assert build(recipe, out) == expected
    assert not [path.name for path in out.iterdir() if path.name.startswith(".")]


def of_another_version(work: Path) -> None:
    for part in work.glob("parts/*/*"):
        data = part.read_bytes()
        part.write_bytes(data.replace(b"benchwright part", b"benchwright PART", 1))
    for report in work.glob("*/stage.json"):
        report.write_bytes(b'{"stage": "read", "format": 17}')


def half_written(work: Path) -> None:
    (work / "shards").mkdir()
    (work / "shards" / "0.jsonl").write_bytes(b'{"id": "a-')
    for path in work.glob("0?-*/problems.jsonl"):
        path.write_bytes(path.read_bytes()[:-100])
        (path.parent / "stage.json").unlink()


def of_nobody(work: Path) -> None:
    """What killed processes leave that nobody will ever own again."""
    (work / "images" / ".0.png.aa.part").write_bytes(b"half")
    (work / ".03-dedup.0123456789abcdef.part").mkdir()
    (work.parent / ".small-1.0.0.part" / "small-1.0.0").mkdir(parents=True)


def another_word(work: Path) -> None:
    """A file of each stage is changed, and its mark stays."""
    for path in [*work.glob("*/problems.jsonl"), *work.glob("*/dropped.jsonl")]:
        path.write_bytes(
            path.read_bytes().replace(b"What", b"Whot") + b"\n" * ("drop" in path.name)
        )


def one_word(work: Path) -> None:
    """A word of what came last is changed: it would be in the release."""
    path = sorted(work.glob("*-split/problems.jsonl"))[-1]
    path.write_bytes(path.read_bytes().replace(b"What", b"Whot"))


def no_table(work: Path) -> None:
    for path in work.glob("00-read/inputs.jsonl"):
        path.unlink()


@pytest.mark.parametrize(
    "harm",
    [of_another_version, half_written, of_nobody, another_word, one_word, no_table],
)
def test_what_a_build_finds_in_its_folder_is_never_believed(
    recipe: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    expected = build(recipe, tmp_path / "out")
    harm(tmp_path / "out" / "work")
    assert build(recipe, tmp_path / "out") == expected


def test_two_builds_in_one_folder_are_told_apart(recipe: Path, tmp_path: Path) -> None:
    with (
        locked_work(tmp_path / "out" / "work"),
        pytest.raises(UserError, match="another build is"),
    ):
        build(recipe, tmp_path / "out")
    assert build(recipe, tmp_path / "out") == build(recipe, tmp_path / "alone")


def test_a_store_that_shows_a_shard_late_is_waited_for_and_one_that_never_does_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, looks = b'{"id":"a-1"}\n', list[float]()
    shard = Shard(taken=1, ids=["a-1"], problems=line)
    set_apart(shard, tmp_path)
    path = shard.apart.path if shard.apart else tmp_path
    data = path.read_bytes()
    path.unlink()

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            path.write_bytes(data[:5])  # not yet whole
        if len(looks) == 4:
            path.write_bytes(data)

    monkeypatch.setattr("benchwright.pipeline.shard.time.sleep", sleep)
    with writing(tmp_path / "00-read", "read") as folder:
        folder.put(shard)
        folder.finish({}, "key")
    assert (tmp_path / "00-read" / "problems.jsonl").read_bytes() == line
    assert len(looks) == 4
    with (
        pytest.raises(MachineError, match="goes on from here"),
        writing(tmp_path / "x", "x") as new,
    ):
        new.put(Shard(taken=1, ids=["a-1"], apart=Apart(tmp_path / "never", 9, "")))
