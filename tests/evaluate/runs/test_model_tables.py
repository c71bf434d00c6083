"""The papers' tables of models: published replies cell by cell, made ones against slow twins."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import leaderboard, score
from benchwright.errors import UserError
from benchwright.evaluate.predictions import RunRecord, write_record
from benchwright.evaluate.runs.model_tables import AREAS, SUBJECTS, model_tables
from benchwright.evaluate.runs.read import read_run
from benchwright.problem import Sample
from benchwright.release import read_samples
from benchwright.taxonomy import area_of
from layouts import released, two_sources
from msgspec import to_builtins
from real_data import RealData
from small import write_rows


def rows_of(
    release: Path, folder: Path, says: Callable[[Sample], bool]
) -> dict[str, list[float]]:
    """Column -> the figure of each of two runs, where `says` tells whether the first is right."""
    for name, sign in (("one", True), ("two", False)):
        replies = [
            {"id": s.id, "response": in_words(s) if says(s) is sign else "H"}
            for s in read_samples(release, "test")
        ]
        write_rows(folder / f"{name}.jsonl", replies)
        score(release, folder / f"{name}.jsonl", "test", folder / name, report=False)
    tables = model_tables([read_run(folder / "one"), read_run(folder / "two")])
    return {
        f"{table.title.split(',')[0]} {column}": [row[k] for row in table.rows]
        for table in tables
        for k, column in enumerate(table.header)
        if k
    }


def in_words(sample: Sample) -> str:
    boxed = sample.source.benchmark == "mm-math"
    return f"\\boxed{{{sample.answer}}}" if boxed else str(sample.answer)


def expected(samples: list[Sample], says: Callable[[Sample], bool]) -> list[str]:
    right = sum(says(s) for s in samples)
    return [f"{100 * n / len(samples):.1f}" for n in (right, len(samples) - right)]


@pytest.fixture
def made(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    problems = two_sources(request.param, tmp_path)
    write_rows(tmp_path / "p.jsonl", [to_builtins(p) for p in problems])
    return released(
        tmp_path, name="a", reader="problems", path="p.jsonl", benchmark=request.param
    )


def odd(sample: Sample) -> bool:
    return sum(map(ord, sample.id)) % 3 > 0


@pytest.mark.parametrize("made", ["mathverse"], indirect=True)
def test_mathverse(made: Path, tmp_path: Path) -> None:
    cells, samples = rows_of(made, tmp_path, odd), read_samples(made, "test")
    for column, version in (("Text Only", "text_only"), ("Vision Only", "vision_only")):
        of_version = [s for s in samples if s.version == version]
        assert cells[f"MathVerse {column} Acc"] == expected(of_version, odd)
    seen = [s for s in samples if s.version != "text_only"]
    assert cells["MathVerse All"] == cells["MathVerse All Acc"] == expected(seen, odd)
    areas = [s for s in seen if s.labels["subfield"] == "Area"]
    assert cells["MathVerse Plane Geometry Area"] == expected(areas, odd)
    assert cells["MathVerse Functions All"] == ["-", "-"]


@pytest.mark.parametrize("made", ["we-math"], indirect=True)
def test_we_math(made: Path, tmp_path: Path) -> None:
    cells, samples = rows_of(made, tmp_path, odd), read_samples(made, "test")
    steps = [s for s in samples if s.version != "multi"]
    assert cells["We-Math S1"] == expected(steps, odd)
    whole = [s for s in samples if s.version == "multi"]
    for k in (2, 3):
        assert cells[f"We-Math S{k}"] == expected(
            [s for s in whole if s.labels["steps"] == k], odd
        )
    for column, area in AREAS.items():  # the mean of its concepts' means
        by: dict[str, list[bool]] = {}
        for s in steps:
            (concept,) = s.labels["knowledge"]
            if area_of(concept) == area:
                by.setdefault(concept, []).append(odd(s))
        means = [sum(b) / len(b) for b in by.values()]
        want = f"{100 * sum(means) / len(means):.1f}" if means else "-"
        assert cells[f"We-Math {column}"][0] == want
    shares = [
        float(cells[f"We-Math Strict {kind}"][0]) for kind in ("IK", "IG", "CM", "RM")
    ]
    groups: dict[str, list[Sample]] = {}
    for s in samples:
        groups.setdefault(s.problem_id, []).append(s)
    verdicts = [([odd(s) for s in g[:-1]], odd(g[-1])) for g in groups.values()]
    mastered = sum(all(s) and m for s, m in verdicts)
    generalised = sum(all(s) and not m for s, m in verdicts)
    assert shares[1:3] == [
        round(100 * n / len(groups), 1) for n in (generalised, mastered)
    ]


@pytest.mark.parametrize("made", ["mm-math"], indirect=True)
def test_mm_math(made: Path, tmp_path: Path) -> None:
    cells, samples = rows_of(made, tmp_path, odd), read_samples(made, "test")
    right = {
        r.id: r.official.correct
        for r in read_run(tmp_path / "one").results
        if r.official
    }

    def share(holds: Callable[[Sample], bool]) -> str:
        of = [right[s.id] for s in samples if holds(s)]
        return f"{100 * sum(of) / len(of):.1f}"

    areas = {"Trans": "Transformations of Shapes", "Shape": "Properties of Shapes",
             "Func": "Functions"}  # fmt: skip
    for (
        column,
        area,
    ) in areas.items():  # as eval.py counts: what a row names, not its points
        assert cells[f"MM-MATH {column}"][0] == share(
            lambda s, a=area: a in s.labels["knowledge"]
        )
    assert cells["MM-MATH Nine"][0] == share(lambda s: s.labels["grade"] == 9)
    assert cells["MM-MATH Hard"][0] == share(lambda s: s.labels["difficulty"] == "hard")


def test_math_v_as_printed(tmp_path: Path, data: RealData) -> None:
    """Table 2's SPHINX (V2), by the figures that its authors publish beside the replies."""
    replies = data.whole("math-v/outputs/SPHINX-v2.jsonl")
    printed = json.loads(
        data.whole("math-v/outputs/SPHINX-v2_result.json").read_text("utf-8")
    )
    path = str(data.math_v("test.jsonl"))
    release = released(
        tmp_path, name="math-v", reader="math-v", path=path, benchmark="math-v"
    )
    score(
        release, replies, "test", tmp_path / "sphinx", profile="official", report=False
    )
    leaderboard([tmp_path / "sphinx"], tmp_path / "board", papers=True)
    (csv,) = (tmp_path / "board/tables").glob("*math-v-tables-2*.csv")
    header, row = (line.split(",") for line in csv.read_text("utf-8").splitlines())
    cells = dict(zip(header, row, strict=True))
    assert cells["Overall"] == "9.70"
    (csv,) = (tmp_path / "board/tables").glob("*result-files*.csv")
    header, row = (line.split(",") for line in csv.read_text("utf-8").splitlines())
    theirs = {name.lstrip("-"): float(share.split("=")[1].rstrip("%"))
              for name, share in printed.items() if name.startswith("-level")}  # fmt: skip
    shown = {name: float(cell) for name, cell in zip(header[1:], row[1:], strict=True)}
    assert shown == pytest.approx(theirs, abs=0.0051)  # every cell of the result file
    for column, subject in SUBJECTS.items():
        share = float(printed[subject].split("=")[1].rstrip("%"))
        assert cells[column] == f"{share:.2f}"


@pytest.mark.parametrize("made", ["we-math"], indirect=True)
def test_models_are_described_and_drawn(made: Path, tmp_path: Path) -> None:
    """We-Math, tables 6 to 9: release, encoder, generation; figures of what the tables print."""
    rows_of(made, tmp_path, odd)
    record = RunRecord(model="m", parameters={"temperature": 0, "max_tokens": 1024})
    write_record(tmp_path / "one.jsonl", record)
    score(made, tmp_path / "one.jsonl", "test", tmp_path / "one", report=False)
    facts = tmp_path / "models.csv"
    facts.write_text(
        "run,release,encoder\none,2024-05,ViT-L\ntwo,2024-09,SigLip\n", "utf-8"
    )
    runs = [tmp_path / "one", tmp_path / "two"]
    leaderboard(runs, tmp_path / "board", papers=True, models=facts)
    text = (tmp_path / "board/leaderboard.md").read_text("utf-8")
    assert "| one | 2024-05 | ViT-L |" in text
    assert "| one | m | max\\_tokens = 1024, temperature = 0 |" in text
    drawn = {path.stem for path in (tmp_path / "board/figures").glob("*.svg")}
    assert any("we-math-tables-3-11-and-13" in name for name in drawn)
    assert any("we-math-tables-2-10-and-12" in name for name in drawn)
    facts.write_text("run,release\none,2024-05\n", "utf-8")
    with pytest.raises(UserError, match="no row of 'two'"):
        leaderboard(runs, tmp_path / "board", models=facts)
