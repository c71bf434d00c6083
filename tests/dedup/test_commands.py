"""`benchwright dedup`: JSON lines out, one key per decision, exit codes, no traceback."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchwright.cli import cli, main
from benchwright.dedup.classes import compare
from benchwright.dedup.decisions import Decision, append_decision, read_decisions
from benchwright.dedup.in_terminal import half_blocks
from benchwright.dedup.items import Item
from benchwright.dedup.review import review as review_in_terminal
from click.testing import CliRunner, Result
from PIL import Image
from rich.console import Console

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


def test_review_takes_back_and_keeps_notes(raw: Path) -> None:
    result, decisions = review(raw, "u3n same as in the book\n1u2q")
    assert "undone" in result.stderr
    made = list(read_decisions(decisions).values())
    book = "same as in the book"
    assert [(d.verdict, d.note) for d in made] == [
        ("not duplicate", ""),
        ("variant", book),
    ]
    result, decisions = review(raw, "n look\x7fked\n3q")
    assert [d.note for d in read_decisions(decisions).values()] == ["", book, "looked"]


def test_undo_takes_nothing_out_that_others_have_decided(tmp_path: Path) -> None:
    decisions = tmp_path / "decisions.jsonl"
    items = {k: Item(id=k, question=f"What is {k}?") for k in "abc"}
    pairs = [
        compare(items["a"], items["b"], ["text"]),
        compare(items["b"], items["c"], ["text"]),
    ]

    def keys() -> Iterator[str]:
        yield "3"
        append_decision(
            decisions, Decision(a="b", b="c", verdict="variant", annotator="eve")
        )
        yield from "u2q"

    typed = keys()
    screen = Console(file=io.StringIO())
    assert (
        review_in_terminal(pairs, items, decisions, "ann", lambda: next(typed), screen)
        == 1
    )
    made = {
        key: (d.verdict, d.annotator) for key, d in read_decisions(decisions).items()
    }
    assert made == {("a", "b"): ("variant", "ann"), ("b", "c"): ("variant", "eve")}


def test_a_picture_is_drawn_in_half_blocks(tmp_path: Path) -> None:
    page = Image.new("RGB", (40, 20), "white")
    page.paste("#ff0000", (0, 0, 40, 10))
    page.save(tmp_path / "a.png")
    text = half_blocks(tmp_path / "a.png", 4)
    assert text.plain == "▀▀▀▀\n"
    assert {str(span.style) for span in text.spans} == {"#ff0000 on #ffffff"}
    assert half_blocks(tmp_path / "none.png", 4).plain == "cannot be read"


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


def test_review_asks_again_when_a_text_changed(raw: Path) -> None:
    review(raw, "33333")
    text = raw.read_text(encoding="utf-8")
    raw.write_text(text.replace("gave Ben", "gave Eve"), encoding="utf-8")
    result, _ = review(raw, "", "--json")
    report = json.loads(result.stdout)
    assert (report["left"], len(report["stale"])) == (3, 3)
    assert "has changed since" in report["stale"][0]


def test_review_shows_hostile_text_as_text(raw: Path) -> None:
    rows = [
        *ROWS,
        {"id": "6", "question": "Draw [red]a circle[/red]\u001b[31m!", "options": []},
    ]
    raw.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result, _ = review(raw, "q", "--class", "options-differ")
    assert "[red]a circle[/red]" in result.stderr
    assert "\u001b" not in result.stderr


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
    assert len(rows_of(run("against", raw, other, "--json", "--most", "1"))) == 1


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


def test_pairs_of_problems_that_have_changed_or_gone_are_told_not_asked(
    raw: Path,
) -> None:
    pairs, decisions = raw.with_name("pairs.jsonl"), raw.with_name("decisions.jsonl")
    pairs.write_text(run("pairs", raw).stdout)
    rows = [dict(row) for row in ROWS if row["id"] != "3"]
    rows[1]["question"] += " How many are left?"  # of problem 2
    raw.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = run("review", pairs, raw, "--decisions", decisions, "--json")
    assert (
        "3 pairs are about problems that are not there, the first 1 / 3"
        in result.stderr
    )
    assert "2 pairs are out of date, the first 1 / 2" in result.stderr
    assert json.loads(result.stdout)["left"] == 0
    told = run("evidence", pairs, raw, "-o", raw.with_name("evidence")).stderr
    assert "2 pairs are out of date" in told
