"""Booklets that hold one version each, and labels that nobody has."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.people import booklets, humans
from benchwright.evaluate.people.booklets import hands
from benchwright.problem import VERSIONS
from benchwright.release import read_samples
from layouts import released, two_sources
from msgspec import to_builtins
from small import write_rows


@pytest.fixture
def versioned(tmp_path: Path) -> Path:
    problems = two_sources("mathverse", tmp_path)
    write_rows(tmp_path / "p.jsonl", [to_builtins(p) for p in problems])
    return released(tmp_path, name="a", reader="problems", path="p.jsonl")


def test_each_booklet_holds_one_version(versioned: Path, tmp_path: Path) -> None:
    """MathVerse, appendix B: each student answers the questions of one version."""
    dealt = booklets(versioned, "test", tmp_path / "b", number=13, per="version")
    held = [{name.rpartition(".")[2] for name in part} for part in dealt]
    assert len(held) == 13
    assert all(len(names) == 1 for names in held)
    assert {name for names in held for name in names} == set(VERSIONS)
    ids = sorted(name for part in dealt for name in part)
    assert ids == sorted(s.id for s in read_samples(versioned, "test"))
    with pytest.raises(UserError, match="5 booklets for 6 values of version"):
        booklets(versioned, "test", tmp_path / "b", number=5, per="version")


def test_a_label_that_nobody_has_is_refused(versioned: Path, tmp_path: Path) -> None:
    for options in ({"by": ["levle"]}, {"per": "verzion"}):
        with pytest.raises(UserError, match="no sample has the label"):
            booklets(versioned, "test", tmp_path / "b", **options)


def test_thirty_people_get_two_of_ten_booklets_each() -> None:
    """MATH-V, G.3: ten subsets, two for each of 30 people, so each subset has six."""
    dealt = hands(10, 30, 2, seed=7)
    assert all(len(set(hand)) == 2 for hand in dealt)
    assert Counter(k for hand in dealt for k in hand) == dict.fromkeys(range(1, 11), 6)
    assert dealt == hands(10, 30, 2, seed=7) != hands(10, 30, 2, seed=8)
    assert len(set(map(tuple, dealt))) > 10  # drawn, and not the same pairs again


def test_people_have_a_sheet_with_their_time(versioned: Path, tmp_path: Path) -> None:
    booklets(versioned, "test", tmp_path / "b", number=4, people=3, each=2, minutes=70)
    rows = list(
        csv.DictReader((tmp_path / "b/people.csv").read_text("utf-8").splitlines())
    )
    assert {(row["person"], row["minutes"]) for row in rows} == {
        (f"person-{k:02}", "70") for k in (1, 2, 3)
    }
    assert all((tmp_path / f"b/{row['booklet']}.html").is_file() for row in rows)
    assert "may take 70 minutes" in (tmp_path / "b/booklet-01.html").read_text("utf-8")
    with pytest.raises(UserError, match="5 booklets each, and there are 4"):
        booklets(versioned, "test", tmp_path / "b", number=4, people=3, each=5)


def answered(folder: Path, versioned: Path) -> tuple[Path, list[str]]:
    """Three people: the first question one is right, the second two, the third nobody."""
    samples = read_samples(versioned, "test")[:3]
    rows = ["id,person,answer"]
    for sample, right in zip(samples, (1, 2, 0), strict=True):
        for k, person in enumerate(("ada", "bo", "cy")):
            said = sample.answer if k < right else "none of these"
            rows.append(f'{sample.id},{person},"{said}"')
    (folder / "sheet.csv").write_text("\n".join(rows), "utf-8")
    return folder / "sheet.csv", [sample.id for sample in samples]


def test_one_verdict_a_question(versioned: Path, tmp_path: Path) -> None:
    """MATH-V's row of people: every cell is so many of 19 questions, not of answers."""
    sheet, _ = answered(tmp_path, versioned)
    pooled = humans(versioned, sheet, "test").scores.accuracy
    assert (pooled.correct, pooled.n) == (3, 9)
    for how, right in (("majority", 1), ("any", 2)):
        found = humans(versioned, sheet, "test", tmp_path / how, one_verdict=how)
        assert (found.scores.accuracy.correct, found.scores.accuracy.n) == (right, 3)
        assert (
            found.by_person["ada"].correct == 2
        )  # a person's own answers stay as they are
        samples = (tmp_path / how / "samples.jsonl").read_text("utf-8")
        assert "1 of 3 people right" in samples


def test_who_took_longer_than_given_is_named(
    versioned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, _ = answered(tmp_path, versioned)
    times = tmp_path / "people.csv"
    times.write_text(
        "person,booklet,minutes,started,ended\n"
        "ada,booklet-01,70,2024-05-01T10:00,2024-05-01T10:40\n"
        "ada,booklet-02,70,2024-05-02T10:00,2024-05-02T10:31\n"
        "bo,booklet-01,70,2024-05-01T10:00,2024-05-01T11:10\n"
        "cy,booklet-01,70,,\n", "utf-8",
    )  # fmt: skip
    humans(versioned, sheet, "test", tmp_path / "out", times=times)
    assert "over time: ada: 71 of 70 minutes" in capsys.readouterr().err
    report = (tmp_path / "out/report.md").read_text("utf-8")
    assert ("ada: 71 of 70" in report, "bo: 70" in report) == (True, False)
    times.write_text(
        "person,booklet,minutes,started,ended\nada,b,70,ten,eleven\n", "utf-8"
    )
    with pytest.raises(UserError, match=r"people\.csv:2"):
        humans(versioned, sheet, "test", times=times)
