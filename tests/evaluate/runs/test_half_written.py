"""Scores that are cut off, or of another version: named with what to do, never ranked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.runs import compare, leaderboard, rank_errors
from benchwright.evaluate.scoring import score
from small_releases import make_sample, write_predictions, write_release


def cut(name: str, share: float) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(share * len(data))])

    return damage


def without_last_lines(folder: Path) -> None:
    file = folder / "samples.jsonl"
    file.write_text("".join(file.read_text("utf-8").splitlines(True)[:2]), "utf-8")


def of_another_version(folder: Path) -> None:
    file = folder / "scores.json"
    scores = json.loads(file.read_text("utf-8"))
    scores["provenance"]["benchwright"] = "9.9"
    file.write_text(json.dumps(scores | {"brand_new": 1}), "utf-8")


def of_an_older_version(folder: Path) -> None:
    file = folder / "scores.json"
    scores = json.loads(file.read_text("utf-8"))
    del scores["counts"]["samples"]
    file.write_text(json.dumps(scores), "utf-8")


def without_samples(folder: Path) -> None:
    (folder / "samples.jsonl").unlink()


def with_other_fields(folder: Path) -> None:
    file = folder / "samples.jsonl"
    file.write_text(file.read_text("utf-8").replace('"extracted"', '"found"'), "utf-8")


DAMAGES = {
    "scores cut": (cut("scores.json", 0.5), "scores.json"),
    "scores empty": (cut("scores.json", 0), "scores.json"),
    "samples cut in a line": (cut("samples.jsonl", 0.7), "samples.jsonl:3"),
    "samples cut between lines": (
        without_last_lines,
        "counts 4 samples, samples.jsonl holds 2",
    ),
    "samples gone": (without_samples, "no results in"),
    "another version": (of_another_version, "benchwright 9.9 wrote it, this is"),
    "an older version": (of_an_older_version, "counts None samples"),
    "other fields": (with_other_fields, "unknown field `found`"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_scores_are_named_and_never_ranked(damage: str, tmp_path: Path) -> None:
    samples = [make_sample(f"a-{k}", str(k)) for k in range(4)]
    release = write_release(tmp_path / "r", {"test": samples})
    runs = [tmp_path / name for name in ("whole", "damaged")]
    for run in runs:
        said = write_predictions(
            tmp_path / f"{run.name}.jsonl", {s.id: "1" for s in samples}
        )
        score(release, said, "test", run, report=False)
    change, told = DAMAGES[damage]
    change(runs[1])
    out = tmp_path / "out"
    for read in (
        lambda: leaderboard(runs, out),
        lambda: compare(release, *runs, "test", out),
        lambda: rank_errors(runs, release, out),
    ):
        with pytest.raises(UserError, match=re.escape(told)) as error:
            read()
        assert "score the predictions again" in error.value.remedy
        assert not out.exists()
