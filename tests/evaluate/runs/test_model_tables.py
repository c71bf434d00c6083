"""The papers' tables of models: published replies cell by cell, made ones against slow twins."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import pytest
from benchwright import leaderboard, score
from benchwright.errors import UserError
from benchwright.evaluate.predictions import RunRecord, write_record
from benchwright.evaluate.runs import read_run
from benchwright.evaluate.runs.model_tables import AREAS, SUBJECTS, model_tables
from benchwright.problem import Sample
from benchwright.release import read_samples
from benchwright.taxonomy import area_of
from layouts import released, two_sources
from msgspec import to_builtins
from real_data import RealData
from small import write_rows
from small_releases import make_result, make_run, make_sample, write_run


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


def under(text: str, title: str) -> list[list[str]]:
    """Header and rows of the Markdown table whose title holds some words."""
    lines = text.split(title, 1)[1].splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("|"))
    table = takewhile(lambda line: line.startswith("|"), lines[start:])
    cells = [[cell.strip() for cell in line[1:-1].split(" |")] for line in table]
    return [cells[0], *cells[2:]]


def board_of(made: Path, tmp_path: Path, facts: str, **more: object) -> str:
    (tmp_path / "models.csv").write_text(facts, "utf-8")
    runs = [
        tmp_path / name
        for name in ("one", "two", "three")
        if (tmp_path / name).exists()
    ]
    leaderboard(
        runs, tmp_path / "board", papers=True, models=tmp_path / "models.csv", **more
    )
    return (tmp_path / "board/leaderboard.md").read_text("utf-8")


@pytest.mark.parametrize("made", ["we-math"], indirect=True)
def test_the_best_of_each_group_is_marked(made: Path, tmp_path: Path) -> None:
    """We-Math, table 3: the best of closed and of open models; of IK, IG and RM the least."""
    cells = rows_of(made, tmp_path, odd)
    replies = [{"id": s.id, "response": "H"} for s in read_samples(made, "test")]
    write_rows(tmp_path / "three.jsonl", replies)
    score(made, tmp_path / "three.jsonl", "test", tmp_path / "three", report=False)
    text = board_of(
        made, tmp_path, "run,group,best\none,open,\ntwo,open,\nthree,baselines,no\n"
    )
    header, *body = under(text, "four dimensions")
    header = header[2:]
    rows = {name: (group, figures) for group, name, *figures in body}
    assert [group for group, _ in rows.values()] == ["open", "open", "baselines"]
    for k, column in enumerate(header):
        ours = [float(x) for x in cells[f"We-Math {column}"]]
        best = (min if column.split()[-1] in ("IK", "IG", "RM") else max)(ours)
        for name, value in zip(("one", "two"), ours, strict=True):
            assert rows[name][1][k].startswith("**") is (value == best), (column, name)
        assert "*" not in rows["three"][1][k]
    (latex,) = (tmp_path / "board/tables").glob("*we-math-tables-3*.tex")
    assert r"\textbf{" in latex.read_text("utf-8")


@pytest.mark.parametrize("made", ["math-v"], indirect=True)
def test_models_are_ranked_by_size_and_by_date(made: Path, tmp_path: Path) -> None:
    rows_of(made, tmp_path, odd)
    text = board_of(
        made, tmp_path, "run,size,release\none,13B,2023-10\ntwo,7B,2024-02\n"
    )
    by_size = text.split("### Models by size")[1].split("###")[0]
    assert by_size.index("two") < by_size.index("one")
    by_date = text.split("### Models by date")[1].split("###")[0]
    assert by_date.index("one") < by_date.index("two")


@pytest.mark.parametrize("made", ["math-v"], indirect=True)
def test_the_picture_gains_each_model_something(made: Path, tmp_path: Path) -> None:
    """MathVerse, figure 1b: the same model with the picture and without."""
    rows_of(made, tmp_path, odd)
    samples = read_samples(made, "test")
    for name, blind in (("one", False), ("two", True)):
        write_record(tmp_path / f"{name}.jsonl", RunRecord(model="m", blind=blind))
        score(made, tmp_path / f"{name}.jsonl", "test", tmp_path / name, report=False)
    leaderboard([tmp_path / "one", tmp_path / "two"], tmp_path / "board")
    text = (tmp_path / "board/leaderboard.md").read_text("utf-8")
    row = text.split("### What the picture gives each model")[1].strip().splitlines()[2]
    seeing = sum(map(odd, samples))
    gain = 100 * (2 * seeing - len(samples)) / len(samples)
    assert (
        f"| m | one | {100 * seeing / len(samples):.1f} % | two | no picture |" in row
    )
    assert f"| {gain:+.1f} |" in row


@pytest.mark.parametrize("made", ["math-v"], indirect=True)
def test_models_stand_on_several_sets(made: Path, tmp_path: Path) -> None:
    """MATH-V, figure 5: the same models on other benchmarks; no test is made of it."""
    rows_of(made, tmp_path, odd)
    (tmp_path / "golds.csv").write_text("id,gold\nq1,2\nq2,3\n", "utf-8")
    for name, second in (("one", "3"), ("four", "9")):
        write_rows(
            tmp_path / "r.jsonl",
            [{"id": "q1", "response": "2"}, {"id": "q2", "response": second}],
        )
        score(tmp_path / "golds.csv", tmp_path / "r.jsonl", "test", tmp_path / "set" / name,
              report=False)  # fmt: skip
    leaderboard([tmp_path / "one", tmp_path / "two"], tmp_path / "board",
                beside=[tmp_path / "set/one", tmp_path / "set/four"])  # fmt: skip
    text = (tmp_path / "board/leaderboard.md").read_text("utf-8")
    _, *cells = under(text, "### The same models on other sets")
    assert [(row[0], row[2]) for row in cells] == [
        ("one", "100.0 %"),
        ("two", ""),
        ("four", "50.0 %"),
    ]


@pytest.mark.parametrize("made", ["mathverse"], indirect=True)
def test_what_each_version_costs_many_models(made: Path, tmp_path: Path) -> None:
    cells, samples = rows_of(made, tmp_path, odd), read_samples(made, "test")
    of = {v: {s.problem_id: odd(s) for s in samples if s.version == v} for v in
          ("text_dominant", "vision_only", "vision_dominant")}  # fmt: skip
    shared = of["vision_dominant"].keys() & of["vision_only"].keys()
    drop = sum(of["vision_dominant"][p] - of["vision_only"][p] for p in shared) / len(
        shared
    )
    assert cells["MathVerse vision_dominant -> vision_only"][0] == f"{100 * drop:.1f}"


def test_a_board_of_many_runs_holds_no_replies(tmp_path: Path) -> None:
    """30 runs of 1.5 MB each: their replies are read one run after the other, and not kept."""
    samples = [make_sample(f"a-{k}", str(k)) for k in range(100)]
    runs = []
    for number in range(30):
        results = [
            make_result(
                s.id, (k + number) % 3 > 0, response=f"{number} {k} " + "x" * 15_000
            )
            for k, s in enumerate(samples)
        ]
        runs.append(
            write_run(tmp_path / f"run{number}", make_run(f"run{number}", results))
        )
    tracemalloc.start()
    board = leaderboard(runs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(board.entries) == 30
    assert peak < 12_000_000
