"""Verdicts drawn for people: a sheet, what they say of it, and the share that was wrong."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from benchwright import drawn_verdicts
from benchwright.errors import UserError
from benchwright.evaluate.scoring import score
from small import write_rows
from small_releases import make_sample, write_release


def scored(folder: Path) -> Path:
    samples = [make_sample(f"a-{k}", answer=str(k)) for k in range(40)]
    release = write_release(folder / "r", {"test": samples})
    write_rows(
        folder / "p.jsonl", [{"id": s.id, "response": "\\boxed{3}"} for s in samples]
    )
    score(release, folder / "p.jsonl", "test", folder / "scores", report=False)
    return folder / "scores"


def test_a_share_of_those_that_people_checked(tmp_path: Path) -> None:
    scores = scored(tmp_path)
    found = drawn_verdicts(scores, number=10, out=tmp_path / "sheet.csv")
    assert len(set(found.drawn)) == 10
    assert found.drawn == drawn_verdicts(scores, number=10).drawn
    assert found.drawn != drawn_verdicts(scores, number=10, seed=1).drawn
    rows = list(csv.DictReader((tmp_path / "sheet.csv").open(encoding="utf-8")))
    assert [row["id"] for row in rows] == found.drawn
    assert all((row["verdict"] == "right") == (row["gold"] == "3") for row in rows)
    with pytest.raises(UserError, match="nothing is filled in"):
        drawn_verdicts(scores, checked=tmp_path / "sheet.csv")
    for k, row in enumerate(rows[:8]):  # two are left open
        row["wrong"] = "yes" if k == 5 else "no"
    with (tmp_path / "sheet.csv").open("w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, list(rows[0]))
        sheet.writeheader()
        sheet.writerows(rows)
    checked = drawn_verdicts(scores, checked=tmp_path / "sheet.csv")
    assert checked.errors is not None
    assert (checked.errors.correct, checked.checked, checked.errors.n) == (1, 8, 8)
    assert checked.wrong == [rows[5]["id"]]


@pytest.mark.parametrize("row", ["a-1,perhaps", "nobody,yes"])
def test_other_words_and_other_samples_are_named(tmp_path: Path, row: str) -> None:
    scores = scored(tmp_path)
    (tmp_path / "sheet.csv").write_text(f"id,wrong\n{row}\n", "utf-8")
    with pytest.raises(UserError, match=r"sheet\.csv:2"):
        drawn_verdicts(scores, checked=tmp_path / "sheet.csv")
