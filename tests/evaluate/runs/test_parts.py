"""testmini as part of the whole: two splits scored together, cut again, with differences."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from benchwright import build_release, parts
from benchwright.errors import UserError
from benchwright.evaluate.runs.model_tables import SUBJECTS
from benchwright.evaluate.scoring import score
from benchwright.release import read_samples
from layouts import released
from real_data import RealData
from small import write_recipe, write_rows


def drawn(folder: Path, data: RealData) -> Path:
    """MATH-V with a testmini of some of each subject, as far as the data at hand go."""
    plan = {
        "name": "mv", "version": "1.0.0",
        "sources": [{"name": "math-v", "reader": "math-v", "license": "MIT",
                     "path": str(data.math_v("test.jsonl"))}],
        "splits": {"testmini": {"size": 0.2, "by": ["subject"]}, "test": "rest"},
    }  # fmt: skip
    return build_release(
        write_recipe(folder / "recipe.yaml", plan), folder / "out"
    ).release


def test_a_part_is_counted_as_if_it_stood_alone(tmp_path: Path, data: RealData) -> None:
    release = drawn(tmp_path, data)
    samples = read_samples(release, "testmini+test")
    mini = {s.id for s in read_samples(release, "testmini")}
    assert len(samples) == len(mini) + len(read_samples(release, "test"))
    rows = [{"id": s.id, "response": f"\\boxed{{{s.answer if k % 3 else 0}}}"}
            for k, s in enumerate(samples)]  # fmt: skip
    write_rows(tmp_path / "r.jsonl", rows)
    score(
        release, tmp_path / "r.jsonl", "testmini+test", tmp_path / "both", report=False
    )
    alone = score(release, tmp_path / "r.jsonl", "testmini", report=False).scores
    assert alone.official is not None
    tables = parts([tmp_path / "both"], release, "testmini", tmp_path / "parts")
    (printed,) = [t for t in tables if "tables 2 and 3" in t.title]
    whole, part, gap = (
        dict(zip(printed.header, row, strict=True)) for row in printed.rows
    )
    assert part["Overall"] == f"{100 * alone.official.accuracy.value:.2f}"  # type: ignore[operator]
    for column, cell in gap.items():
        if column != "Model" and cell != "-":
            assert float(cell) == pytest.approx(
                float(part[column]) - float(whole[column])
            )
    (levels,) = [t for t in tables if t.title == "By level"]
    for _, level, n, _, of_part, share, _ in levels.rows:
        own = [s for s in samples if str(s.labels["level"]) == level]
        rate = alone.official.by["level"][level]
        assert (n, of_part) == (len(own), sum(s.id in mini for s in own))
        assert share == f"{100 * rate.value:.2f} %"  # type: ignore[operator]
    written = next((tmp_path / "parts/tables").glob("*math-v-tables-2*.csv"))
    assert list(csv.reader(written.open(encoding="utf-8")))[3][0] == "difference"


def test_a_run_on_one_split_has_no_parts(tmp_path: Path, data: RealData) -> None:
    release = drawn(tmp_path, data)
    rows = [{"id": s.id, "response": "1"} for s in read_samples(release, "testmini")]
    write_rows(tmp_path / "r.jsonl", rows)
    score(release, tmp_path / "r.jsonl", "testmini", tmp_path / "one", report=False)
    with pytest.raises(
        UserError, match=r"score both together: --split testmini\+OTHER|0 others"
    ):
        parts([tmp_path / "one"], release, "testmini")
    with pytest.raises(UserError, match="tset"):
        read_samples(release, "testmini+tset")


# Table 4 of MATH-V, with subjects in its order, as printed: to one digit, some of it rounded twice.
TABLE_4 = {
    "Random-Chance": (
        [7.17, 1.5, 11.9, 7.1, 9.7, 4.8, 6.0, 22.1, 1.1, 7.6, 0.6, 9.4, 6.7, 8.2, 8.6, 13.0, 7.1],
        [9.87, 0, 15.8, 10.5, 15.7, 0, 0, 36.84, 0, 15.8, 0, 10.5, 21.1, 5.3, 10.5, 15.8, 0],
    ),
    "SPHINX-v2": (
        [9.7, 6.7, 7.1, 12.9, 7.5, 7.7, 6.0, 9.6, 16.7, 10.1, 11, 11.8, 12.5, 8.2, 8.6, 8.7, 6.0],
        [9.21, 5.3, 10.5, 10.5, 0, 21.1, 10.5, 10.5, 15.8, 10.5, 15.8, 5.3, 10.5, 0, 5.3, 5.3,
         10.5],
    ),
}  # fmt: skip


def test_table_4_of_math_v_is_printed(tmp_path: Path, data: RealData) -> None:
    """By the published outputs and the published testmini, which shares pictures with the rest."""
    mini = data.whole("math-v/testmini.jsonl")
    path = str(data.math_v("test.jsonl"))
    release = released(
        tmp_path, name="math-v", reader="math-v", path=path, benchmark="math-v"
    )
    folders = [tmp_path / name for name in TABLE_4]
    for folder in folders:
        replies = data.whole(f"math-v/outputs/{folder.name}.jsonl")
        score(
            release,
            replies,
            "test",
            folder,
            profile="official",
            lenient=True,
            report=False,
        )
    (table,) = [
        t for t in parts(folders, release, str(mini)) if "tables 2 and 3" in t.title
    ]
    assert table.header[1:] == ["Overall", *SUBJECTS]
    for k, (whole, part) in enumerate(TABLE_4.values()):
        for row, printed in zip(table.rows[3 * k :], (whole, part), strict=False):
            assert [float(cell) for cell in row[1:]] == pytest.approx(
                printed, abs=0.101
            )
