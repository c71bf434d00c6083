"""`benchwright dedup`: JSON lines out, exit codes, no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright import find_contamination
from benchwright.cli import cli, main
from click.testing import CliRunner, Result
from PIL import Image

ROWS = [
    {
        "id": "1",
        "question": "Ann has 12 apples and gives Ben 5 of them.",
        "answer": "7",
    },
    {"id": "2", "question": "Ann has 12 apples and gave Ben 5 of them.", "answer": "7"},
    {
        "id": "3",
        "question": "Ann has 15 apples and gives Ben 5 of them.",
        "answer": "10",
    },
    {
        "id": "4",
        "question": "Ann has 12 apples and gives Ben 5 of them.",
        "answer": "7",
    },
    {
        "id": "5",
        "question": "Draw [red]a circle[/red]\u001b[31m.",
        "options": ["x", "y"],
    },
]


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def run(*args: object, keys: str = "") -> Result:
    return CliRunner().invoke(cli, ["dedup", *map(str, args)], input=keys)


def rows_of(result: Result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_pairs_are_json_lines_on_stdout(raw: Path) -> None:
    result = run("pairs", raw)
    assert result.exit_code == 0
    rows = rows_of(result)
    assert [r["score"] for r in rows] == sorted(
        (r["score"] for r in rows), reverse=True
    )
    assert sorted((r["a"], r["b"], r["class"]) for r in rows) == [
        ("1", "2", "edited"),
        ("1", "3", "numbers-differ"),
        ("1", "4", "exact"),
        ("2", "3", "numbers-differ"),
        ("2", "4", "edited"),
        ("3", "4", "numbers-differ"),
    ]
    assert "5 questions, 6 pairs" in result.stderr


def test_join_only_gives_groups_and_distances(raw: Path) -> None:
    rows = rows_of(run("pairs", raw, "--join-only", "--threshold", "0.9"))
    assert rows[0] == {"group": ["1", "4"]}
    assert {(r["a"], r["b"], r["distance"]) for r in rows[1:]} == {
        ("1", "2", 2), ("1", "3", 1), ("2", "3", 3),
    }  # fmt: skip


def test_evidence_holds_texts_pictures_and_what_differs(tmp_path: Path) -> None:
    for name, place in (("1", 10), ("2", 60)):
        page = Image.new("RGB", (100, 80), "white")
        page.paste("black", (place, 20, place + 20, 40))
        page.save(tmp_path / f"{name}.png")
    rows = [
        {
            "id": k,
            "question": f"What is <b>{w}</b> in the drawing here?",
            "image": f"{k}.png",
        }
        for k, w in (("1", "left"), ("2", "right"))
    ]
    raw = tmp_path / "raw.jsonl"
    raw.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(run("pairs", raw).stdout)
    out = tmp_path / "evidence"
    assert run("evidence", pairs, raw, "-o", out).exit_code == 0
    (row,) = [
        json.loads(line) for line in (out / "evidence.jsonl").read_text().splitlines()
    ]
    assert "".join(text for text, _ in row["a"]["question"]) == rows[0]["question"]
    assert any(differs for _, differs in row["b"]["question"])
    assert row["a"]["hash"] == row["pair"]["a_hash"]
    difference = Image.open(out / row["differences"][0])
    assert difference.getpixel((20, 30)) == (0, 0, 255)
    assert difference.getpixel((70, 30)) == (255, 0, 0)
    assert difference.getpixel((45, 60)) == (255, 255, 255)
    assert "not empty" in run("evidence", pairs, raw, "-o", out).exception.message


def test_families_go_to_a_file(tmp_path: Path) -> None:
    raw = tmp_path / "raw.jsonl"
    rows = [
        {"id": k, "question": f"What is {k} and {k + 5} in all?"} for k in range(12)
    ]
    raw.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = run("pairs", raw, "--families", tmp_path / "families.jsonl")
    assert result.stdout == ""
    assert "1 families of questions that differ only in numbers" in result.stderr
    assert json.loads((tmp_path / "families.jsonl").read_text())["size"] == 12


def test_against_reports_and_exits_with_1_on_findings(
    raw: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(
        json.dumps({"id": "x", "question": ROWS[2]["question"].upper()}) + "\n"
    )
    assert run("against", raw, other).exit_code == 1  # capitals hide nothing
    other.write_text(json.dumps({"id": "x", "question": ROWS[2]["question"]}) + "\n")
    result = run("against", raw, other, "--json")
    assert result.exit_code == 1
    hits = {row["id"]: row for row in rows_of(result)}
    assert {row["other"] for row in hits.values()} == {"x"}
    assert hits["3"]["text"] == "identical"
    assert hits["3"]["linked"]
    assert len(find_contamination(raw, other, most=1)) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["pairs", "RAW", "--threshold", "0.333"], "give a whole percentage"),
        (["pairs", "EMPTY"], "holds no readable question"),
        (["evidence", "RAW", "RAW", "-o", "OUT"], "raw.jsonl:1"),
    ],
)
def test_bad_input_is_told_without_a_traceback(
    raw: Path, args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = raw.with_name("empty.jsonl")
    empty.write_text("")
    names = {"RAW": str(raw), "EMPTY": str(empty), "OUT": str(raw.with_name("out"))}
    with pytest.raises(SystemExit) as stop:
        main(["dedup", *(names.get(arg, arg) for arg in args)])
    assert stop.value.code == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_unreadable_lines_are_named_and_give_exit_1(raw: Path) -> None:
    raw.write_text(raw.read_text(encoding="utf-8") + "{broken\n", encoding="utf-8")
    result = run("pairs", raw)
    assert result.exit_code == 1
    assert f"unreadable: {raw}:6" in result.stderr
    assert len(rows_of(result)) == 6


def test_pairs_of_problems_that_have_changed_or_gone_are_told_and_left_out(
    raw: Path,
) -> None:
    pairs = raw.with_name("pairs.jsonl")
    pairs.write_text(run("pairs", raw).stdout)
    rows = [dict(row) for row in ROWS if row["id"] != "3"]
    rows[1]["question"] += " How many are left?"  # of problem 2
    raw.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = run("evidence", pairs, raw, "-o", raw.with_name("evidence"))
    assert (
        "3 pairs are about problems that are not there, the first 1 / 3"
        in result.stderr
    )
    assert "2 pairs are out of date, the first 1 / 2" in result.stderr
    assert result.stdout.startswith("1 pairs: ")


def test_the_retired_review_says_where_duplicates_are_decided_now(
    raw: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["dedup", "review", str(raw), str(raw)])
    (line,) = capsys.readouterr().err.splitlines()
    assert "`dedup evidence`" in line
    assert "annotate push --kind duplicates" in line
