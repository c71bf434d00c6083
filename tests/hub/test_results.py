"""Figures for models' pages are written as the hub reads them, and read back as what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from benchwright import build_release, leaderboard, score
from benchwright.errors import UserError
from benchwright.release import read_samples
from huggingface_hub import parse_eval_result_entries
from small import dump


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    return build_release(dump(folder), folder / "out").release


def replies(release: Path, path: Path, right: int) -> Path:
    """The golds of the first `right` values, and wrong answers to all else."""
    rows, left = [], right
    for sample in read_samples(release, "test"):
        good = sample.answer_kind != "choice" and left > 0
        left -= good
        rows.append(
            {
                "id": sample.id,
                "response": f"\\boxed{{{sample.answer if good else 999}}}",
            }
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_figures_are_written_by_task_as_the_hub_parses_them(
    release: Path, tmp_path: Path
) -> None:
    file = replies(release, tmp_path / "r.jsonl", 3)
    out = tmp_path / "model"
    score(release, file, "test", out, results="me/small", report=False)
    score(
        release,
        file,
        "test",
        out,
        results="me/small@abc",
        name="no tools",
        report=False,
    )
    written = sorted(path.name for path in (out / ".eval_results").iterdir())
    assert len(written) == 2, "a file for each condition"
    assert "small.yaml" in written
    tasks = {t["id"] for t in yaml.safe_load((release / "eval.yaml").read_text())["tasks"]
             if t["split"] == "test"}  # fmt: skip
    entries = parse_eval_result_entries(
        yaml.safe_load((out / ".eval_results" / "small.yaml").read_text("utf-8"))
    )
    assert (
        {entry.task_id for entry in entries} == tasks == {"test-values", "test-letters"}
    )
    values = [s for s in read_samples(release, "test") if s.answer_kind != "choice"]
    expected = {"test-values": round(100 * 3 / len(values), 2), "test-letters": 0}
    assert {entry.task_id: entry.value for entry in entries} == expected
    assert {(e.dataset_id, e.dataset_revision) for e in entries} == {
        ("me/small", "v1.0.0")
    }
    assert all("robust rules" in (entry.notes or "") for entry in entries)


def test_a_board_shows_what_others_report_as_what_it_is(
    release: Path, tmp_path: Path
) -> None:
    ours = tmp_path / "ours"
    score(
        release, replies(release, tmp_path / "r.jsonl", 3), "test", ours, report=False
    )
    theirs = tmp_path / "their-model" / ".eval_results"
    theirs.mkdir(parents=True)
    entry = {"dataset": {"id": "me/small", "task_id": "test-values"}, "value": 81.5}
    (theirs / "small.yaml").write_text(yaml.safe_dump([entry]), "utf-8")
    board = leaderboard([ours, theirs.parent], tmp_path / "board")
    assert [run.run for run in board.entries] == ["ours"]
    assert [(one.share, one.file) for one in board.reported] == [
        (0.815, "their-model/small")
    ]
    text = (tmp_path / "board" / "leaderboard.md").read_text("utf-8")
    assert "reported" in text
    assert "nothing of it was computed here" in text
    (theirs / "small.yaml").write_text("- {value: 1}", "utf-8")
    with pytest.raises(UserError, match=r"small\.yaml: no results"):
        leaderboard([ours, theirs])


def test_a_withheld_split_has_no_results_for_a_hub(tmp_path: Path) -> None:
    hidden = build_release(
        dump(tmp_path, withhold_answers=["test"]), tmp_path / "out"
    ).release
    private = hidden.with_name(f"{hidden.name}-private")
    rows = replies(hidden, tmp_path / "r.jsonl", 0)
    with pytest.raises(UserError, match="has no task on test"):
        score(hidden, rows, "test", tmp_path / "s", answers=private, results="me/small")
