"""An evaluator has an exported split, and no release: the figures are those of the release."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import export
from benchwright.cli import cli
from benchwright.release import read_samples
from click.testing import CliRunner
from layouts import LAYOUTS, released, two_sources
from llm_server import llm_server
from msgspec import to_builtins
from small import write_rows
from small_releases import make_sample, write_predictions


def run(*args: object) -> tuple[int, str]:
    done = CliRunner().invoke(cli, [str(a) for a in args])
    said = f"{done.output}{done.exception or ''}"
    return done.exit_code, said


def scored(material: Path, replies: Path, out: Path, *more: object) -> dict[str, Any]:
    code, said = run("score", material, replies, "--split", "test", "--out", out, *more)
    assert code == 0, said
    scores: dict[str, Any] = json.loads((out / "scores.json").read_bytes())
    return scores


@pytest.fixture
def made(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Path, str]:
    layout = request.param
    rows = [to_builtins(problem) for problem in two_sources(layout, tmp_path)]
    write_rows(tmp_path / "p.jsonl", rows)
    where = {"name": "a", "reader": "problems", "path": "p.jsonl"}
    return released(tmp_path, **where, benchmark=layout), layout


def reply_to(gold: str, place: int) -> str:
    return f"So it is \\boxed{{{gold}}}" if place % 3 else "It is \\boxed{777}"


@pytest.mark.parametrize("made", LAYOUTS, indirect=True)
def test_an_exported_split_has_the_accuracy_of_its_release(
    made: tuple[Path, str], tmp_path: Path
) -> None:
    release, _ = made
    samples = read_samples(release, "test")
    said = {s.id: reply_to(s.answer or "", k) for k, s in enumerate(samples)}
    replies = write_predictions(tmp_path / "replies.jsonl", said)
    whole = scored(release, replies, tmp_path / "whole")
    shown = [k for k, s in enumerate(samples) if s.version != "text_only"]
    assert whole["accuracy"]["correct"] == sum(k % 3 > 0 for k in shown)
    for name in ("inspect", "lmms-eval"):
        export(name, release, tmp_path / name)
        other = scored(tmp_path / name, replies, tmp_path / f"s-{name}")
        assert other["accuracy"] == whole["accuracy"]
        assert other["versions"] == whole["versions"]
    lines = scored(release / "jsonl/test.jsonl", replies, tmp_path / "s-lines")
    assert lines["accuracy"] == whole["accuracy"]
    assert (lines["official"] is None) == (whole["official"] is None)


@pytest.mark.parametrize("made", LAYOUTS, indirect=True)
def test_a_benchmarks_own_layout_is_a_split(
    made: tuple[Path, str], tmp_path: Path
) -> None:
    """Replies name samples as the rows of the layout do; the release knows these names, too."""
    release, layout = made
    export(layout, release, tmp_path / layout)
    rows: list[dict[str, Any]] = []
    for file in sorted((tmp_path / layout).glob("test*.json*")):
        text = file.read_text("utf-8")
        array = file.suffix == ".json"
        rows += json.loads(text) if array else map(json.loads, text.splitlines())
    golds = {s.id: s.answer or "" for s in read_samples(release, "test")}
    assert len(rows) == len(golds)
    names = ("id", "ID", "key", "problem_index", "problem_version")
    replies = []
    for k, row in enumerate(rows):
        gold = row.get("answer") or row["solution"].split("\\boxed{")[1].rstrip(". }")
        said = {name: row[name] for name in names if name in row}
        replies.append(said | {"response": reply_to(gold, k)})
    write_rows(tmp_path / "replies.jsonl", replies)
    whole = scored(release, tmp_path / "replies.jsonl", tmp_path / "whole")
    part = scored(tmp_path / layout, tmp_path / "replies.jsonl", tmp_path / "part")
    for field in ("n", "correct", "value"):
        assert part["accuracy"][field] == whole["accuracy"][field], field
        assert (
            part["official"]["accuracy"][field] == whole["official"]["accuracy"][field]
        )


@pytest.mark.parametrize("made", ["math-v"], indirect=True)
def test_vlmevalkits_tables_are_a_split(made: tuple[Path, str], tmp_path: Path) -> None:
    release, _ = made
    samples = read_samples(release, "test")
    said = {s.id: reply_to(s.answer or "", k) for k, s in enumerate(samples)}
    replies = write_predictions(tmp_path / "replies.jsonl", said)
    whole = scored(release, replies, tmp_path / "whole")
    export("vlmevalkit", release, tmp_path / "lmu")
    part = scored(tmp_path / "lmu", replies, tmp_path / "part")
    assert part["accuracy"]["correct"] == whole["accuracy"]["correct"]
    assert part["accuracy"]["n"] == whole["accuracy"]["n"]


def test_a_table_of_ids_and_golds_is_enough(tmp_path: Path) -> None:
    golds = {"q1": "12", "q2": "B", "q3": "$\\frac{1}{2}$"}
    with (tmp_path / "golds.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerows([("qid", "gold"), *golds.items()])
    said = {"q1": "It is 12.", "q2": "The answer is (B)", "q3": "0.25"}
    replies = write_predictions(tmp_path / "r.jsonl", said)
    scores = scored(tmp_path / "golds.csv", replies, tmp_path / "s")
    assert (scores["accuracy"]["correct"], scores["accuracy"]["n"]) == (2, 3)
    code, text = run(
        "compare", tmp_path / "golds.csv", tmp_path / "s", replies, "--split", "test"
    )
    assert code == 0, text
    code, text = run("score", tmp_path / "golds.csv", replies, "--split", "test",
                     "--out", tmp_path / "t")  # fmt: skip
    assert "3 samples; what it does not say: pictures, clusters" in text
    assert "labels" in text


def test_what_cannot_be_scored_is_named(tmp_path: Path) -> None:
    bad = {
        "no gold": "id,question\nq1,How many?\n",
        "no id": "name,gold\nq1,3\n",
        "q1 stands in": "id,gold\nq1,3\nq1,4\n",
        "the answers of 1 samples are withheld": "id,gold\nq1,3\nq2,\n",
    }
    replies = write_predictions(tmp_path / "r.jsonl", {"q1": "3"})
    for cause, text in bad.items():
        (tmp_path / "golds.csv").write_text(text, "utf-8")
        code, said = run("score", tmp_path / "golds.csv", replies, "--split", "test",
                         "--out", tmp_path / "s")  # fmt: skip
        assert (code, cause in said) == (1, True), said


def test_an_export_of_another_split_and_two_exports_are_named(tmp_path: Path) -> None:
    for split in ("test", "dev"):
        rows = [to_builtins(make_sample(f"a-{split}"))]
        (tmp_path / "e/inspect/data").mkdir(parents=True, exist_ok=True)
        write_rows(tmp_path / f"e/inspect/data/{split}.jsonl", rows)
    (tmp_path / "e/inspect/tiny.export.json").write_text("{}", "utf-8")
    replies = write_predictions(tmp_path / "r.jsonl", {"a-1": "1"})
    to = ("--out", tmp_path / "s")
    code, said = run("score", tmp_path / "e", replies, "--split", "tset", *to)
    assert code == 1
    assert "known: dev, test" in said
    (tmp_path / "e/other").mkdir()
    (tmp_path / "e/other/tiny.export.json").write_text("{}", "utf-8")
    code, said = run("score", tmp_path / "e", replies, "--split", "test", *to)
    assert code == 1
    assert "several exports" in said


def laid_out(layout: str, release: Path, to: Path) -> Path:
    """The release in a layout of others, or one of its own files."""
    if layout == "lines":
        return release / "jsonl/test.jsonl"
    export(layout, release, to)
    return to


@pytest.mark.parametrize("made", LAYOUTS, indirect=True)
def test_a_model_is_asked_the_same_of_an_export(
    made: tuple[Path, str], tmp_path: Path
) -> None:
    """What is sent, pictures included, is what is sent of the release."""
    release, layout = made
    sent: dict[str, list[str]] = {}
    with llm_server(lambda _: "\\boxed{5}") as server:
        for name in ("release", "lines", "inspect", "lmms-eval"):
            material = release
            if name != "release":
                material = laid_out(name, release, tmp_path / name)
            out = tmp_path / f"{name}.jsonl"
            code, text = run("predict", material, "--split", "test", "--out", out, "--model", "m",
                             "--pictures", "held", "--base-url", server.base_url)  # fmt: skip
            assert code == 0, text
            bodies = [json.dumps(one["messages"]) for one in server.requests]
            server.requests.clear()
            sent[name] = sorted(bodies)
    assert "data:image/" in "".join(sent["release"])
    assert sent["lines"] == sent["inspect"] == sent["release"]
    if layout == "math-v":
        assert sent["lmms-eval"] == sent["release"]
    assert len(sent["lmms-eval"]) == len(sent["release"])


@pytest.mark.parametrize("made", ["math-v", "mm-math"], indirect=True)
def test_a_model_sees_the_pictures_of_a_benchmarks_own_layout(
    made: tuple[Path, str], tmp_path: Path
) -> None:
    release, layout = made
    export(layout, release, tmp_path / layout)
    with llm_server(lambda _: "\\boxed{5}") as server:
        code, text = run("predict", tmp_path / layout, "--split", "test", "--model", "m",
                         "--out", tmp_path / "r.jsonl", "--base-url", server.base_url)  # fmt: skip
        assert code == 0, text
        assert all("data:image/" in json.dumps(one) for one in server.requests)
        assert len(server.requests) == len(read_samples(release, "test"))
    scores = scored(tmp_path / layout, tmp_path / "r.jsonl", tmp_path / "s")
    assert scores["official"] is not None


@pytest.mark.parametrize("made", ["math-v"], indirect=True)
def test_what_looks_at_runs_takes_exports(
    made: tuple[Path, str], tmp_path: Path
) -> None:
    release, _ = made
    export("inspect", release, tmp_path / "e")
    samples = read_samples(release, "test")
    for name, shift in (("one", 0), ("two", 1), ("three", 2)):
        said = {
            s.id: reply_to(s.answer or "", k + shift) for k, s in enumerate(samples)
        }
        replies = write_predictions(tmp_path / f"{name}.jsonl", said)
        scored(tmp_path / "e", replies, tmp_path / "runs" / name)
    runs = [tmp_path / "runs" / name for name in ("one", "two", "three")]
    ids = tmp_path / "ids.txt"
    ids.write_text("\n".join(s.id for s in samples[:4]), "utf-8")
    to = ("--release", tmp_path / "e", "--out")
    commands: dict[str, list[object]] = {
        "errors": ["evaluate", "errors", *runs, *to, tmp_path / "o"],
        "leaderboard": ["evaluate", "leaderboard", *runs, *to, tmp_path / "o"],
        "suspects": ["suspects", tmp_path / "e", *runs, "--out", tmp_path / "o"],
    }
    for name, words in commands.items():
        code, text = run(*words)
        assert code == 0, text
        page = (tmp_path / f"o/{name}.html").read_text("utf-8")
        assert "<html" in page
        pictures = list((tmp_path / f"o/{name}.data").rglob("*.png"))
        assert pictures or name == "suspects"
    code, text = run("evaluate", "parts", runs[0], *to, tmp_path / "o", "--part", ids,
                     "--json")  # fmt: skip
    assert code == 0, text
    overall = next(t for t in json.loads(text) if t["title"] == "Overall")
    assert overall["rows"][0][overall["header"].index("of the part")] == 4


def test_a_source_says_what_its_columns_are_called(tmp_path: Path) -> None:
    rows = [("wer", "was", "loesung"), ("q1", "1+1?", "2"), ("q2", "2+2?", "4")]
    with (tmp_path / "fragen.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    source = tmp_path / "source.yaml"
    fields = "{id: wer, question: was, answer: loesung}"
    replies = write_predictions(tmp_path / "r.jsonl", {"q1": "2", "q2": "5"})
    for more, official in (("", None), ("benchmark: math-v\n", 1)):
        text = f"name: a\nreader: csv\npath: fragen.csv\nfields: {fields}\n{more}"
        source.write_text(text, "utf-8")
        scores = scored(source, replies, tmp_path / "s")
        assert (scores["accuracy"]["correct"], scores["accuracy"]["n"]) == (1, 2)
        by_rules = scores["official"] and scores["official"]["accuracy"]["correct"]
        assert by_rules == official


def test_a_source_that_cannot_be_meant_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,question,answer\nq1,1+1?,2\n,3+3?,6\n", "utf-8")
    replies = write_predictions(tmp_path / "r.jsonl", {"q1": "2"})
    bad = {
        "is a recipe": "name: x\nversion: 1.0.0\nsources: []\n",
        "no source": "name: x\nreader: csv\n",
        "unknown reader": "name: x\nreader: cvs\npath: t.csv\n",
        "t.csv:3: no field": "name: x\nreader: csv\npath: t.csv\nfields: {id: id}\n",
        "no column": "name: x\nreader: csv\npath: t.csv\nfields: {id: nr}\n",
    }
    for cause, text in bad.items():
        (tmp_path / "s.yaml").write_text(text, "utf-8")
        code, said = run("score", tmp_path / "s.yaml", replies, "--split", "test",
                         "--out", tmp_path / "o")  # fmt: skip
        assert (code, cause in said) == (1, True), said


def test_where_no_official_rules_apply_is_told(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("id,gold\nq1,2\n", "utf-8")
    replies = write_predictions(tmp_path / "r.jsonl", {"q1": "2"})
    args = ("score", tmp_path / "g.csv", replies, "--split", "test",
            "--out", tmp_path / "o")  # fmt: skip
    code, said = run(*args)
    assert (code, "no official rules apply" in said) == (0, True)
    code, said = run(*args, "--profile", "official")
    assert (code, "no official rules are known" in said) == (1, True)


def test_a_set_without_ids_is_scored_by_its_questions(tmp_path: Path) -> None:
    """GSM8K's rows have none, and neither have the results of others on them."""
    rows = [{"question": f"What is {k} and {k}?", "answer": f"They are.\n#### {2 * k}"}
            for k in range(1, 9)]  # fmt: skip
    write_rows(tmp_path / "test.jsonl", rows)
    said = [row | {"response": "#### 6"} for row in reversed(rows)]
    write_rows(tmp_path / "model.jsonl", said)
    out = tmp_path / "out"
    code, text = run(
        "score", tmp_path / "test.jsonl", tmp_path / "model.jsonl", "--split", "test", "--out", out
    )  # fmt: skip
    assert code == 0, text
    assert "ids (rows are called by their lines)" in text
    scores = json.loads((out / "scores.json").read_bytes())
    assert (scores["accuracy"]["correct"], scores["accuracy"]["n"]) == (1, 8)


def test_a_release_is_scored_from_inside_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [to_builtins(problem) for problem in two_sources("math-v", tmp_path)]
    write_rows(tmp_path / "p.jsonl", rows)
    where = {"name": "a", "reader": "problems", "path": "p.jsonl"}
    release = released(tmp_path, **where, benchmark="math-v")
    samples = read_samples(release, "test")
    replies = write_predictions(tmp_path / "r.jsonl", {s.id: s.answer for s in samples})
    monkeypatch.chdir(release)
    assert scored(Path(), replies, tmp_path / "s")["accuracy"]["value"] == 1
