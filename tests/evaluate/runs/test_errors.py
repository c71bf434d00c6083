"""The telling cases, and tables and figures for papers."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.metrics import Official
from benchwright.evaluate.report import PaperFigure, comparison_sections, write_papers
from benchwright.evaluate.runs import compare_runs, leaderboard, rank_errors
from benchwright.evaluate.scoring import score
from benchwright.pages import ReportTable, Section
from reading import reading, shown, until
from small_releases import (
    make_result,
    make_run,
    make_sample,
    write_predictions,
    write_release,
)

SAMPLES = [
    make_sample("p-1.text_lite", "7", labels={"subject": "algebra"}),
    make_sample("p-1.vision_only", "7", labels={"subject": "logic"}),
    make_sample("p-2.text_lite", "100", labels={"subject": "logic"}),
]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "tiny", {"test": SAMPLES})


def runs(release: Path, tmp_path: Path, **replies: list[str]) -> list[Path]:
    made = []
    for name, said in replies.items():
        rows = {s.id: text for s, text in zip(SAMPLES, said, strict=True)}
        file = write_predictions(tmp_path / f"{name}.jsonl", rows)
        score(release, file, "test", tmp_path / "scores" / name, report=False)
        made.append(tmp_path / "scores" / name)
    return made


def test_every_kind_is_found_and_ranked(release: Path, tmp_path: Path) -> None:
    found = rank_errors(
        runs(
            release, tmp_path, a=["7", "8", "101"], b=["7", "7", "3"], c=["7", "7", "5"]
        ),
        release,
        tmp_path / "errors",
    )
    kinds = {case.id: list(case.why) for case in found}
    assert kinds == {
        "p-1.vision_only": ["one run against all", "flips between versions"],
        "p-2.text_lite": ["near miss"],
        "p-1.text_lite": ["flips between versions"],
    }
    weights = [case.weight for case in found]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 3
    assert found[0].why["one run against all"] == ["only a is wrong"]
    assert found[1].right == {"a": False, "b": False, "c": False}
    assert "near miss 1" in found.headline()
    with reading(tmp_path / "errors/errors.html") as page:
        assert shown(page).startswith("3 of 3")
        assert page.locator("article").first.locator(".run").count() == 3
        assert page.surprises == []


def test_runs_alone_need_no_release_but_a_page_does(
    release: Path, tmp_path: Path
) -> None:
    one = runs(release, tmp_path, a=["7", "7", "100"])
    assert rank_errors(one) == []
    with pytest.raises(UserError, match="the page"):
        rank_errors(one, out=tmp_path / "errors")


EVIL = r"\input{/etc/passwd} 50 % of a_b & $x$ #1"


def test_tables_are_the_same_in_every_form_and_no_text_is_markup(
    tmp_path: Path,
) -> None:
    table = ReportTable(["who", "n"], [[EVIL, 3], ["[2]|b", 4]], "T")
    write_papers(tmp_path, [Section("S", [], [table, table])], [])
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {
        f"s-t{number}.{suffix}"
        for number in ("", "-2")
        for suffix in ("tex", "csv", "md")
    }
    tex = (tmp_path / "tables/s-t.tex").read_text()
    assert (
        r"\textbackslash{}input\{/etc/passwd\} 50 \% of a\_b \& \$x\$ \#1 & 3 \\" in tex
    )
    assert r"{[2]|b} & 4 \\" in tex
    with (tmp_path / "tables/s-t.csv").open() as file:
        assert list(csv.reader(file)) == [["who", "n"], [EVIL, "3"], ["[2]|b", "4"]]
    assert r"\[2\]\|b" in (tmp_path / "tables/s-t.md").read_text()


def test_figures_have_the_same_bytes_and_hold_their_font(tmp_path: Path) -> None:
    names = [("A $B$", 0.25), ("C_D", 0.5), ("E", 1.0)]
    figures = [PaperFigure(kind, kind, {"x": names, "y": names[:2]})
               for kind in ("dots", "profile", "radar", "shares")]  # fmt: skip
    for folder in ("one", "two"):
        assert write_papers(tmp_path / folder, [], figures) == 8
    for path in (tmp_path / "one/figures").iterdir():
        data = path.read_bytes()
        assert data == (tmp_path / "two/figures" / path.name).read_bytes()
        if path.suffix == ".pdf":
            assert data.startswith(b"%PDF")
            assert b"DejaVuSans" in data
            assert b"CreationDate" not in data
        else:
            assert b"<svg" in data
            assert b"<dc:date>" not in data


def test_score_and_leaderboard_write_them_when_asked(
    release: Path, tmp_path: Path
) -> None:
    a, b = runs(release, tmp_path, a=["7", "8", "100"], b=["7", "7", "3"])
    assert not (a / "tables").exists()
    leaderboard([a, b], tmp_path / "board", papers=True)
    assert (tmp_path / "board/tables/runs.tex").exists()
    assert (tmp_path / "board/figures/accuracy-of-runs.pdf").exists()
    score(
        release,
        tmp_path / "a.jsonl",
        "test",
        tmp_path / "again",
        papers=True,
        report=False,
    )
    assert (
        (tmp_path / "again/tables/accuracy.csv")
        .read_text()
        .startswith("over,n,right,accuracy")
    )
    assert (tmp_path / "again/figures/accuracy-by-subject.svg").exists()
    with pytest.raises(UserError, match="need a place"):
        leaderboard([a, b], papers=True)


def test_a_leaderboard_shows_the_replies_of_all_runs(
    release: Path, tmp_path: Path
) -> None:
    folders = runs(
        release, tmp_path, a=["7", "8", "9"], b=["7", "7", "3"], c=["7", "7", "5"]
    )
    leaderboard(folders, tmp_path / "board", release=release)
    with reading(tmp_path / "board/leaderboard.html", "#right=2+of+3") as page:
        until(page, "document.querySelectorAll('article').length > 0")
        assert shown(page).startswith("1 of 3")
        assert page.locator("article .run").count() == 3
        assert page.surprises == []


def test_flips_are_counted_for_each_run() -> None:
    """A: one reply that only official rules call right, and one problem that flips; B: a judge."""
    official = Official(profile="math-v", correct=True)
    a = make_run("a", [make_result("p-1.text_lite", False, official=official),
                       make_result("p-1.vision_only", True)])  # fmt: skip
    b = make_run("b", [make_result("p-1.text_lite", True, decided_by="judge"),
                       make_result("p-1.vision_only", True)])  # fmt: skip
    whole, _ = comparison_sections([compare_runs(a, b)], [0.5], [a, b])
    told = [
        [cell if cell == 0 else str(cell) for cell in row]
        for row in whole.tables[-1].rows
    ]
    assert told == [
        ["flips between profiles", "1", 0],
        ["flips between judge and rules", 0, "1"],
        ["one reply, two verdicts", "1", "1"],
        ["flips between versions (problems)", "1", 0],
    ]
