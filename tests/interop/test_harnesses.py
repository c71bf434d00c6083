"""Exports in the harnesses themselves: golds score 100 %, wrong answers 0 %, logs come back.

Each harness lives in an environment of its own below .cache/interop, which `make interop` makes.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from benchwright.base.files import read_jsonl
from benchwright.errors import UserError
from benchwright.evaluate.scoring import score
from benchwright.exports import all_files, export
from benchwright.release import private_folder, read_samples
from hub_server import Repository, serving
from mixed import mixed_release, near_replies, right_replies, wrong_replies

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent / ".cache" / "interop"
REPLIES = {"right": right_replies, "wrong": wrong_replies, "near": near_replies}
SAYS = {"right": 1.0, "wrong": 0.0}
Verdicts = dict[str, bool]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release, beside it files of replies, and the verdicts of `score` on each."""
    folder = tmp_path_factory.mktemp("mixed")
    release = mixed_release(folder)
    samples = read_samples(release, "test")
    for name, replies in REPLIES.items():
        rows = [
            {"id": sample, "response": reply}
            for sample, reply in replies(samples).items()
        ]
        (folder / f"{name}.jsonl").write_text(
            "\n".join(map(json.dumps, rows)) + "\n", "utf-8"
        )
    return release


def verdicts(release: Path, predictions: Path | list[Path], out: Path) -> Verdicts:
    score(release, predictions, split="test", out=out)
    rows = read_jsonl(out / "samples.jsonl", dict[str, Any])
    return {row["id"]: row["correct"] for row in rows}


def replies_of(release: Path, name: str) -> Path:
    return release.parent.parent / f"{name}.jsonl"


def run(harness: str, *arguments: object, hub: str = "") -> dict[str, Any]:
    """What the script `in_<harness>.py` says, run in the harness's environment, without a network.

    `hub` is the address of a stand-in on this machine.
    """
    python = ENVIRONMENTS / harness / "bin" / "python"
    if not (ENVIRONMENTS / harness / "ready").exists():
        pytest.skip(f"{harness} is not installed: make interop")
    script = HERE / f"in_{harness.replace('-', '_')}.py"
    done = subprocess.run(
        [python, script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            **(
                {"HF_ENDPOINT": hub, "HF_HUB_DISABLE_XET": "1"}
                if hub
                else {"HF_HUB_OFFLINE": "1"}
            ),
            "HF_HOME": str(arguments[-1]),
            "XDG_CACHE_HOME": str(arguments[-1]),
        },
    )
    assert done.returncode == 0, done.stderr[-5000:]
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


def expected_pictures(release: Path) -> dict[str, int]:
    return {
        s.id: len(s.images) + sum(o.image is not None for o in s.options)
        for s in read_samples(release, "test")
    }


@pytest.mark.parametrize("name", list(REPLIES))
@pytest.mark.parametrize("harness", ["inspect", "lmms-eval"])
def test_tasks_give_the_verdicts_of_score(
    mixed: Path, tmp_path: Path, harness: str, name: str
) -> None:
    export(harness, mixed, tmp_path / "x")
    (tmp_path / "x").rename(tmp_path / "moved")
    said = run(harness, tmp_path / "moved", replies_of(mixed, name), tmp_path / "log")
    assert said["verdicts"] == verdicts(
        mixed, replies_of(mixed, name), tmp_path / "ours"
    )
    assert said["verdicts"] == verdicts(mixed, Path(said["log"]), tmp_path / "back")
    right = sum(said["verdicts"].values()) / len(said["verdicts"])
    assert right == SAYS.get(name, 18 / 19), (
        "of the near answers one is in the wrong order"
    )
    accuracy = said["metrics"]["accuracy" if harness == "inspect" else "accuracy,none"]
    assert accuracy == pytest.approx(right)
    assert said["pictures"] == expected_pictures(mixed)
    for sample in read_samples(mixed, "test"):
        lines = said["texts"][sample.id].splitlines()
        for option in sample.options:
            assert option.image or f"({option.label}) {option.text}" in lines


@pytest.mark.parametrize("name", ["right", "wrong"])
def test_tables_are_read_asked_and_matched(
    mixed: Path, tmp_path: Path, name: str
) -> None:
    export("vlmevalkit", mixed, tmp_path / "x")
    (tmp_path / "log").mkdir()
    said = run("vlmevalkit", tmp_path / "x", replies_of(mixed, name), tmp_path / "log")
    samples = {sample.id: sample for sample in read_samples(mixed, "test")}
    pictures = expected_pictures(mixed)
    seen: list[str] = []
    for table, read in said["tables"].items():
        seen += read["ids"]
        assert read["pictures"] == [pictures[name] for name in read["ids"]]
        assert read.get("overall", SAYS[name]) == SAYS[name], table
        if "_choice" in table:
            assert [[text.strip() for text in texts] for texts in read["options"]] == [
                [o.text or f"<image{k}>" for k, o in enumerate(samples[i].options, 2)]
                for i in read["ids"]
            ]
    assert sorted(seen) == sorted(samples), "none is left out"
    logs = [Path(read["log"]) for read in said["tables"].values()]
    assert verdicts(mixed, logs, tmp_path / "back") == verdicts(
        mixed, replies_of(mixed, name), tmp_path / "ours"
    )


@pytest.mark.parametrize("harness", ["inspect", "lmms-eval", "vlmevalkit"])
def test_a_withheld_split_is_asked_and_judged_by_its_owner(
    mixed: Path, tmp_path: Path, harness: str
) -> None:
    """Without `--answers` no export holds a gold; the log is scored by who has the answers."""
    hidden = mixed_release(tmp_path, withhold_answers=["test"])
    export(harness, hidden, tmp_path / "x")
    (tmp_path / "log").mkdir()
    said = run(harness, tmp_path / "x", replies_of(mixed, "right"), tmp_path / "log")
    logs = (
        [said["log"]] if "log" in said else [t["log"] for t in said["tables"].values()]
    )
    with pytest.raises(UserError, match="withh"):
        score(hidden, [Path(log) for log in logs], split="test", out=tmp_path / "blind")
    scored = score(
        hidden, [Path(log) for log in logs], "test", answers=private_folder(hidden)
    )
    assert scored.scores.accuracy.value == 1.0
    assert not any(said.get("verdicts", {}).values())
    assert all(map(math.isnan, said.get("metrics", {}).values())), (
        "no figure is better than a wrong one"
    )


def test_epochs_of_inspect_are_repeats(mixed: Path, tmp_path: Path) -> None:
    export("inspect", mixed, tmp_path / "x")
    said = run(
        "inspect", tmp_path / "x", replies_of(mixed, "right"), 2, tmp_path / "log"
    )
    result = score(mixed, Path(said["log"]), split="test", out=tmp_path / "back")
    assert result is not None
    scores = json.loads((tmp_path / "back/scores.json").read_text("utf-8"))
    assert scores["accuracy"]["value"] == 1.0
    assert scores["repeats"]["k"] == 2


def test_a_log_of_a_broken_run_is_refused(mixed: Path, tmp_path: Path) -> None:
    export("inspect", mixed, tmp_path / "x")
    half = tmp_path / "half.jsonl"
    half.write_text(
        "".join(replies_of(mixed, "right").open(encoding="utf-8").readlines()[:9])
    )
    said = run("inspect", tmp_path / "x", half, 1, tmp_path / "log")
    assert said["status"] == "error"
    with pytest.raises(UserError, match="the run ended with status 'error'"):
        score(mixed, Path(said["log"]), split="test", out=tmp_path / "back")


@pytest.mark.parametrize("name", ["right", "wrong"])
def test_a_release_is_run_where_it_lies(mixed: Path, tmp_path: Path, name: str) -> None:
    """`inspect eval hf/...`: golds score 100 %, wrong answers 0, and `score` reads its logs."""
    replies = {
        row["id"]: row for row in read_jsonl(replies_of(mixed, name), dict[str, Any])
    }
    logs, said = list[Path](), dict[str, dict[str, Any]]()
    tasks = yaml.safe_load((mixed / "eval.yaml").read_text("utf-8"))["tasks"]
    with serving() as hub:
        repository = hub.repositories.setdefault("me/mixed", Repository())
        repository.commit(
            {path: (mixed / path).read_bytes() for path in all_files(mixed)}
        )
        for task in tasks:
            ids = [i for part in sorted((mixed / "asked" / task["config"]).iterdir())
                   for i in pq.read_table(part)["id"].to_pylist()]  # fmt: skip
            asked = tmp_path / f"{task['id']}.jsonl"
            asked.write_text(
                "".join(json.dumps(replies[i]) + "\n" for i in ids), "utf-8"
            )
            log = tmp_path / "log" / task["id"]
            said[task["id"]] = run(
                "inspect", f"hf/me/mixed/{task['id']}", asked, log, hub=hub.url
            )
            logs.append(Path(said[task["id"]]["log"]))
            assert said[task["id"]]["metrics"]["accuracy"] == SAYS[name], task["id"]
    pictures = {k: n for one in said.values() for k, n in one["pictures"].items()}
    assert pictures == {k: min(n, 1) for k, n in expected_pictures(mixed).items()}
    assert verdicts(mixed, logs, tmp_path / "back") == verdicts(
        mixed, replies_of(mixed, name), tmp_path / "ours"
    )
