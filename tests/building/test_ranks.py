"""Builds by ranks: in any order, at once, missing, doubled, killed; the bytes of one process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from benchwright import build_release
from benchwright.base.files import sha256_tree
from benchwright.building import Mark, locked_or_busy, locked_work
from benchwright.errors import MachineError, UserError
from benchwright.pipeline import Engine
from small import COUNTED, dump

ROWS = 300


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    stages = ["latex", "counted", "dedup", "check"]
    recipe = dump(folder, ROWS, stages=stages, exports=["lmms-eval"])
    (folder / "stage.py").write_text(COUNTED)
    return recipe


def build(
    recipe: Path, out: Path, part: str | None = None, engine: Engine | None = None
) -> tuple[str, str]:
    """The hash of the release with its exports, "" where there is none, and who is waited for."""
    plugins = [recipe.with_name("stage.py")]
    engine = engine or Engine()
    made = build_release(recipe, out, part=part, plugins=plugins, engine=engine)
    folders = [out / "small-1.0.0", out / "small-1.0.0-exports"]
    return " ".join(sha256_tree(f) for f in folders if f.exists()), made.waiting


def asked(recipe: Path) -> Counter[str]:
    """How often the stage was asked for each problem since the last call."""
    log = recipe.with_name("ran")
    names = Counter(log.read_text().split() if log.exists() else [])
    log.unlink(missing_ok=True)
    return names


def command(recipe: Path, out: Path, part: str) -> list[str]:
    words = ["build-release", str(recipe), "-o", str(out), "--part", part, "--json"]
    plugin = ["--plugin", str(recipe.with_name("stage.py"))]
    return [sys.executable, "-m", "benchwright", *words, *plugin]


@pytest.mark.parametrize("order", ["123", "312", "231"])
def test_the_last_of_three_ranks_makes_the_release_and_runs_nothing_again(
    recipe: Path, tmp_path: Path, order: str
) -> None:
    expected, _ = build(recipe, tmp_path / "alone")
    asked(recipe)
    shares = []
    for number in order[:2]:
        made, waiting = build(recipe, tmp_path / "out", f"{number}/3")
        assert not made
        assert waiting.startswith(f"rank {number} of 3 is done; missing ")
        shares.append(asked(recipe))
    assert build(recipe, tmp_path / "out", f"{order[2]}/3") == (expected, "")
    shares.append(asked(recipe))
    assert sum(shares, Counter()) == Counter(f"a-{k}" for k in range(1, ROWS + 1))
    assert max(map(len, shares)) < ROWS / 2
    again = build(recipe, tmp_path / "out", f"{order[0]}/3")
    assert again == (expected, "")  # repeated, as queues do
    assert not asked(recipe)


def test_three_ranks_at_once_of_which_one_has_two_processes(
    recipe: Path, tmp_path: Path
) -> None:
    expected, _ = build(recipe, tmp_path / "alone")
    commands = [command(recipe, tmp_path / "out", f"{k}/3") for k in (1, 2, 3)]
    commands[0] += ["--jobs", "2"]
    ranks = [
        subprocess.Popen(one, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for one in commands
    ]
    ends = [(*one.communicate(), one.returncode) for one in ranks]
    assert [code for *_, code in ends] == [0, 0, 0], ends
    said = [json.loads(out) for out, *_ in ends]
    assert [one["release"] for one in said if not one["waiting"]] == [
        str(tmp_path / "out" / "small-1.0.0")
    ]
    assert build(recipe, tmp_path / "out")[0] == expected


def test_a_missing_rank_is_named_and_any_later_run_finishes(
    recipe: Path, tmp_path: Path
) -> None:
    expected, _ = build(recipe, tmp_path / "alone")
    out = tmp_path / "out"
    assert build(recipe, out, "3/4")[1] == (
        "rank 3 of 4 is done; missing 1, 2, 4: the last one makes the release"
    )
    assert build(recipe, out, "1/4")[1].startswith("rank 1 of 4 is done; missing 2, 4")
    asked(recipe)
    assert build(recipe, out) == (expected, "")  # without them: what is kept counts
    assert 0 < asked(recipe).total() < ROWS


def test_a_killed_rank_is_begun_again_where_it_was(
    recipe: Path, tmp_path: Path
) -> None:
    expected, _ = build(recipe, tmp_path / "alone")
    out = tmp_path / "out"
    asked(recipe)
    assert not build(recipe, out, "1/2")[0]
    left = {f"a-{k}" for k in range(1, ROWS + 1)} - set(asked(recipe))
    victim = max(left, key=lambda name: int(name[2:]))
    recipe.with_name("orders").write_text(victim)
    died = subprocess.run(command(recipe, out, "2/2"), capture_output=True, check=False)
    assert died.returncode == -9
    assert build(recipe, out, "1/2")[1].endswith(
        "missing 2: the last one makes the release"
    )
    assert build(recipe, out, "2/2") == (expected, "")


def test_one_number_twice_and_a_build_beside_ranks_are_named(
    recipe: Path, tmp_path: Path
) -> None:
    work = tmp_path / "out" / "work"
    with locked_or_busy(work / "ranks" / "2-of-3.lock", "busy"):
        with pytest.raises(UserError, match=r"rank 2 of 3 is at work in .* already"):
            build(recipe, tmp_path / "out", "2/3")
        with pytest.raises(UserError, match="rank 2-of-3 is at work in"):
            build(recipe, tmp_path / "out")
    with locked_work(work), pytest.raises(UserError, match="a build is running in"):
        build(recipe, tmp_path / "out", "2/3")
    for part in ("0/3", "4/3", "2", "a/b"):
        with pytest.raises(UserError, match="is no part"):
            build(recipe, tmp_path / "out", part)


def test_ranks_of_other_versions_and_other_inputs_do_not_count(
    recipe: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build(recipe, out, "1/2")
    (path,) = (out / "work" / "ranks").glob("*/1-of-2.json")
    mark = msgspec.json.decode(path.read_bytes(), type=Mark)
    whole = path.read_bytes()
    versions = tuple(
        (name, "0.1" if name == "pillow" else version)
        for name, version in mark.proof.versions
    )
    mark.proof = msgspec.structs.replace(mark.proof, versions=versions)
    path.write_bytes(msgspec.json.encode(mark))
    with pytest.raises(MachineError, match="rank 2 of 2 is not like rank 1-of-2: pill"):
        build(recipe, out, "2/2")
    path.write_bytes(whole[:50])  # half written
    assert "missing 1" in build(recipe, out, "2/2")[1]
    path.write_bytes(whole)
    rows = recipe.with_name("dump.jsonl")
    rows.write_text(rows.read_text().replace("What is", "How much is"))
    assert "missing 1" in build(recipe, out, "2/2")[1]
    assert build(recipe, out, "1/2") == build(recipe, tmp_path / "alone")
