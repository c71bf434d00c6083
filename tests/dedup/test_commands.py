"""`benchwright dedup`: JSON lines out, one key per decision, exit codes, no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright.cli import cli, main
from benchwright.dedup.decisions import read_decisions
from click.testing import CliRunner, Result

ROWS = [
    {"id": "1", "question": "Ann has 12 apples and gives Ben 5 of them.", "answer": "7"},
    {"id": "2", "question": "Ann has 12 apples and gave Ben 5 of them.", "answer": "7"},
    {"id": "3", "question": "Ann has 15 apples and gives Ben 5 of them.", "answer": "10"},
    {"id": "4", "question": "Ann has 12 apples and gives Ben 5 of them.", "answer": "7"},
    {"id": "5", "question": "Draw [red]a circle[/red]\u001b[31m.", "options": ["x", "y"]},
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
    assert [r["score"] for r in rows] == sorted((r["score"] for r in rows), reverse=True)
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


def review(raw: Path, keys: str, *options: str) -> tuple[Result, Path]:
    pairs, decisions = raw.with_name("pairs.jsonl"), raw.with_name("decisions.jsonl")
    pairs.write_text(run("pairs", raw).stdout)
    options = ("--decisions", str(decisions), "--annotator", "ann", *options)
    return run("review", pairs, raw, *options, keys=keys), decisions


def test_review_takes_one_key_per_pair_and_goes_on_where_it_stopped(raw: Path) -> None:
    result, decisions = review(raw, "3x2q")
    assert result.exit_code == 1
    assert "2 decided, 3 left" in result.stdout
    result, decisions = review(raw, "ab1")
    assert result.exit_code == 0
    made = read_decisions(decisions).values()
    assert [d.verdict for d in made] == [
        "not duplicate", "variant", "duplicate", "duplicate", "duplicate",
    ]  # fmt: skip
    third, fourth, fifth = list(made)[2:]
    assert (third.keep, fourth.keep, fifth.keep) == (third.a, fourth.b, fifth.a)
    assert all(d.annotator == "ann" and d.a_hash and d.b_hash for d in made)


def test_review_asks_again_when_a_text_changed(raw: Path) -> None:
    review(raw, "33333")
    text = raw.read_text(encoding="utf-8")
    raw.write_text(text.replace("gave Ben", "gave Eve"), encoding="utf-8")
    result, _ = review(raw, "", "--json")
    report = json.loads(result.stdout)
    assert (report["left"], len(report["stale"])) == (3, 3)
    assert "has changed since" in report["stale"][0]


def test_review_shows_hostile_text_as_text(raw: Path) -> None:
    rows = [*ROWS, {"id": "6", "question": "Draw [red]a circle[/red]\u001b[31m!", "options": []}]
    raw.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result, _ = review(raw, "q", "--class", "options-differ")
    assert "[red]a circle[/red]" in result.stderr
    assert "\u001b" not in result.stderr


def test_against_reports_and_exits_with_1_on_findings(raw: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"id": "x", "question": ROWS[2]["question"].upper()}) + "\n")
    assert run("against", raw, other).exit_code == 1  # capitals hide nothing
    other.write_text(json.dumps({"id": "x", "question": ROWS[2]["question"]}) + "\n")
    result = run("against", raw, other, "--json")
    assert result.exit_code == 1
    hits = {row["id"]: row for row in rows_of(result)}
    assert set(hits) == {"1", "2", "3", "4"}
    assert hits["3"]["same_key"]
    assert hits["3"]["similarity"] == 1.0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["pairs", "RAW", "--threshold", "0.333"], "give a whole percentage"),
        (["pairs", "EMPTY"], "holds no readable question"),
        (["review", "RAW", "RAW"], "raw.jsonl:1"),
        (["review", "EMPTY", "RAW", "--class", "edit"], "did you mean 'edited'?"),
    ],
)
def test_bad_input_is_told_without_a_traceback(
    raw: Path, args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = raw.with_name("empty.jsonl")
    empty.write_text("")
    names = {"RAW": str(raw), "EMPTY": str(empty)}
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
