"""Journeys of evaluators: documented commands alone, to a board that somebody would publish.

The models answer by rules that the test knows, so every figure at the end is counted apart.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.cli import cli
from benchwright.problem import Sample
from benchwright.release import read_samples
from click.testing import CliRunner
from layouts import released, two_sources
from llm_server import llm_server
from msgspec import to_builtins
from small import write_rows


def command(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert done.exit_code == code, f"{arguments}\n{done.output}\n{done.exception!r}"
    return done.stdout


def release_of(layout: str, folder: Path) -> Path:
    rows = [to_builtins(problem) for problem in two_sources(layout, folder)]
    write_rows(folder / "p.jsonl", rows)
    where = {"name": "a", "reader": "problems", "path": "p.jsonl"}
    return released(folder, **where, benchmark=layout)


def share(samples: list[Sample], right: Callable[[Sample], bool]) -> str:
    return f"{100 * sum(map(right, samples)) / len(samples):.1f}"


def table(folder: Path, name: str) -> dict[str, dict[str, str]]:
    """A table of a board: run -> column -> cell."""
    (path,) = (folder / "tables").glob(f"*{name}*.csv")
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    place = next(k for k, column in enumerate(header) if column in ("Model", "run"))
    return {row[place]: dict(zip(header, row, strict=True)) for row in rows}


def text_of(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


@pytest.fixture
def mathverse(tmp_path: Path) -> tuple[Path, list[Sample]]:
    release = release_of("mathverse", tmp_path)
    return release, read_samples(release, "test")


def weak(model: str, sample: Sample) -> bool:
    """Whether a model is right: each of three has its own third of the samples wrong."""
    shift = {"one": 0, "two": 1, "three": 2}[model]
    return (sum(map(ord, sample.problem_id)) + len(sample.version) + shift) % 3 > 0


def replies(folder: Path, samples: list[Sample], sentence: str) -> list[Path]:
    files = []
    for model in ("one", "two", "three"):
        said = [
            {
                "id": s.id,
                "response": sentence.format(s.answer if weak(model, s) else 99),
            }
            for s in samples
        ]
        files.append(folder / f"{model}.jsonl")
        write_rows(files[-1], said)
    return files


def test_three_models_are_scored_compared_and_ranked(
    mathverse: tuple[Path, list[Sample]], tmp_path: Path
) -> None:
    """MathVerse, tables 2 and 3, of models in groups."""
    release, samples = mathverse
    files = replies(tmp_path, samples, "{}")  # as MathVerse's own rules take it
    runs = [tmp_path / "scores" / file.stem for file in files]
    for file, run in zip(files, runs, strict=True):
        command("score", release, file, "--split", "test", "--out", run)
    models = tmp_path / "models.csv"
    models.write_text(
        "run,group,size\none,open,7B\ntwo,open,13B\nthree,closed,\n", "utf-8"
    )
    board = tmp_path / "board"
    command("evaluate", "leaderboard", *runs, "--out", board, "--papers",
            "--models", models, "--release", release)  # fmt: skip
    printed = table(board, "six-versions")
    for model in ("one", "two", "three"):
        for column, version in (
            ("Text Only", "text_only"),
            ("Vision Only", "vision_only"),
        ):
            of = [s for s in samples if s.version == version]
            expected = share(of, lambda s, m=model: weak(m, s))
            assert printed[model][f"{column} Acc"] == expected
        seen = [s for s in samples if s.version != "text_only"]
        assert printed[model]["All Acc"] == share(seen, lambda s, m=model: weak(m, s))
        assert printed[model]["group"] == ("closed" if model == "three" else "open")
    compared = json.loads(
        command("compare", release, *runs[:2], "--split", "test", "--json")
    )
    seen = [s for s in samples if s.version != "text_only"]
    only = sum(weak("one", s) and not weak("two", s) for s in seen)
    assert compared["outcomes"]["only_first"] == only
    why = json.loads(command("explain", runs[0], runs[1], "--json"))
    gap = sum(weak("one", s) - weak("two", s) for s in seen) / len(seen)
    assert sum(one["points"] for one in why["shares"]) == pytest.approx(gap, abs=1e-9)


def test_judged_models_stand_on_one_board(
    mathverse: tuple[Path, list[Sample]], tmp_path: Path
) -> None:
    """Three protocols of two models by one judge: their names, and figure 8."""
    release, samples = mathverse
    files = replies(tmp_path, samples, "The answer is {}.")[:2]

    def judge(body: dict[str, Any]) -> str:
        text = text_of(body)
        if "Extracted Answer:" in text:
            return f"Extracted Answer: {99 if ' 99' in text else 1}"
        if "Judgement:" in text:
            return "Judgement: 0"
        if "List the key steps" in text:
            return json.dumps({"steps": ["it is read"], "answer": ""})
        if "one entry for each of the" in text:
            step = {"score": 1, "error": None, "why": ""}
            return json.dumps({"steps": [step], "answer": 0})
        kind = "calculation error" if "99" in text else "reasoning error"
        return json.dumps(
            {"category": kind, "quote": "answer", "why": "", "main": kind}
        )

    runs = [tmp_path / "judged" / file.stem for file in files]
    with llm_server(judge) as server:
        for file, run in zip(files, runs, strict=True):
            command("score", release, file, "--split", "test", "--out", run, "--judge", "j",
                    "--base-url", server.base_url, "--protocol", "wo", "--protocol", "cot",
                    "--protocol", "process", "--no-report")  # fmt: skip
    command("evaluate", "leaderboard", *runs, "--out", tmp_path / "board", "--papers")
    errors = table(tmp_path / "board", "shares-of-the-errors")
    assert errors.keys() == {"one", "two"}
    assert {row["calculation error"] for row in errors.values()} == {"100.0"}
    for run, file in zip(runs, files, strict=True):
        scores = json.loads((run / "scores.json").read_bytes())
        wrong = sum(not weak(file.stem, s) for s in samples)
        assert (
            sum(scores["process"]["counts"][k] for k in ("ok", "contradicted")) == wrong
        )
        assert scores["process"]["not_asked"] == len(samples) - wrong


def test_an_exported_split_is_asked_scored_and_ranked_without_a_release(
    tmp_path: Path,
) -> None:
    """The owner's words: evaluators run the bundled scorer on exported splits."""
    release = release_of("math-v", tmp_path)
    samples = read_samples(release, "test")
    command("export", "inspect", release, "--out", tmp_path / "export")
    golds = {" ".join(s.question.split()): s.answer for s in samples}

    def model(body: dict[str, Any]) -> str:
        text = " ".join(text_of(body).split())
        gold = next(answer for question, answer in golds.items() if question in text)
        return (
            f"So it is \\boxed{{{gold}}}" if body["model"] == "good" else "\\boxed{99}"
        )

    export = tmp_path / "export"
    for path in release.rglob("*"):  # nobody has the release
        if path.is_file():
            path.unlink()
    with llm_server(model) as server:
        for name in ("good", "bad"):
            command("predict", export, "--split", "test", "--model", name,
                    "--out", tmp_path / f"{name}.jsonl", "--base-url", server.base_url)  # fmt: skip
            command("score", export, tmp_path / f"{name}.jsonl", "--split", "test",
                    "--out", tmp_path / "s" / name)  # fmt: skip
    runs = [tmp_path / "s" / name for name in ("good", "bad")]
    board = json.loads(command("evaluate", "leaderboard", *runs, "--release", export,
                               "--out", tmp_path / "board", "--json"))  # fmt: skip
    correct = [entry["accuracy"]["correct"] for entry in board["entries"]]
    assert correct == [len(samples), 0]
    assert [entry["run"] for entry in board["entries"]] == ["good", "bad"]
    page = (tmp_path / "board/leaderboard.data").rglob("*.png")
    assert len(list(page)) == len({i.path for s in samples for i in s.images})
    cases = json.loads(command("evaluate", "errors", *runs, "--release", export,
                               "--out", tmp_path / "errors", "--json"))  # fmt: skip
    assert all(case["right"] == {"good": True, "bad": False} for case in cases)


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    """Half of the requests fail; the same command asks the other half and nothing twice."""
    release = release_of("mm-math", tmp_path)
    samples = read_samples(release, "test")
    asked: list[str] = []
    down = True

    def model(body: dict[str, Any]) -> Any:
        text = text_of(body)
        asked.append(text)
        place = sum(map(ord, text))
        return 403 if down and place % 2 else "\\boxed{5}"

    words = ["predict", release, "--split", "test", "--model", "m",
             "--out", tmp_path / "m.jsonl", "--set", "retries=0"]  # fmt: skip
    with llm_server(model) as server:
        command(*words, "--base-url", server.base_url, code=1)  # it says what is left
        first = [text for text in asked if not sum(map(ord, text)) % 2]
        down = False
        asked.clear()
        command(*words, "--base-url", server.base_url)
    assert 0 < len(first) < len(samples)
    assert len(asked) == len(samples) - len(first)
    assert not set(asked) & set(first)
    run = tmp_path / "s"
    command("score", release, tmp_path / "m.jsonl", "--split", "test", "--out", run,
            "--profile", "official")  # fmt: skip
    scores = json.loads((run / "scores.json").read_bytes())
    assert scores["counts"]["missing"] == scores["counts"]["failed"] == 0
    assert scores["official"]["accuracy"]["correct"] == sum(
        s.answer == "5" for s in samples
    )


def test_with_and_without_pictures_and_by_other_golds(tmp_path: Path) -> None:
    """MM-MATH, 4.1; and a figure explained by the profile."""
    release = release_of("mm-math", tmp_path)
    samples = read_samples(release, "test")

    def model(body: dict[str, Any]) -> str:
        sees = "image_url" in json.dumps(body["messages"])
        return "\\boxed{5}" if sees else "\\boxed{7}"

    runs = []
    with llm_server(model) as server:
        for name, more in (("seeing", []), ("blind", ["--pictures", "none"])):
            file = tmp_path / f"{name}.jsonl"
            command("predict", release, "--split", "test", "--model", "m", "--out", file,
                    "--base-url", server.base_url, *more)  # fmt: skip
            runs.append(tmp_path / "s" / name)
            command("score", release, file, "--split", "test", "--out", runs[-1])
    command("evaluate", "leaderboard", *runs, "--out", tmp_path / "board")
    text = (tmp_path / "board/leaderboard.md").read_text("utf-8")
    row = text.split("### What the picture gives each model")[1].strip().splitlines()[2]
    right = sum(s.answer == "5" for s in samples)
    assert f"| {100 * right / len(samples):+.1f} |" in row
    assert "| m | seeing |" in row


def test_people_and_a_model_stand_on_one_board(tmp_path: Path) -> None:
    """Booklets are dealt, filled in and scored; a model joins the board."""
    release = release_of("math-v", tmp_path)
    samples = read_samples(release, "test")
    command("evaluate", "booklets", release, "--split", "test", "--number", "3",
            "--out", tmp_path / "booklets")  # fmt: skip
    sheets = sorted((tmp_path / "booklets").glob("*.csv"))
    assert len(sheets) == 3
    golds = {s.id: s.answer for s in samples}
    filled = []
    for k, sheet in enumerate(sheets):
        with sheet.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            knows = k != 2  # the third person knows nothing
            filled.append([row["id"], f"p{k}", golds[row["id"]] if knows else "none"])
    assert {row[0] for row in filled} == golds.keys()
    with (tmp_path / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "person", "answer"], *filled])
    people = tmp_path / "s/people"
    command("evaluate", "humans", release, tmp_path / "answers.csv", "--split", "test",
            "--out", people)  # fmt: skip
    command("predict", release, "--split", "test", "--baseline", "most-frequent",
            "--out", tmp_path / "often.jsonl")  # fmt: skip
    command("score", release, tmp_path / "often.jsonl", "--split", "test",
            "--out", tmp_path / "s/often")  # fmt: skip
    board = json.loads(
        command("evaluate", "leaderboard", people, tmp_path / "s/often", "--json")
    )
    by_run = {entry["run"]: entry["accuracy"]["correct"] for entry in board["entries"]}
    assert by_run["people"] == sum(row[2] != "none" for row in filled)
    letters = [s.answer for s in samples if s.options]
    others = [s.answer for s in samples if not s.options]
    often = sum(max(map(some.count, some)) for some in (letters, others))
    assert by_run["often"] == often


def test_results_go_to_the_hubs_form_and_come_back(tmp_path: Path) -> None:
    """score --results writes what a model's repository holds; a board reads it as reported."""
    release = release_of("math-v", tmp_path)
    samples = read_samples(release, "test")
    right = [{"id": s.id, "response": f"\\boxed{{{s.answer}}}"} for s in samples]
    write_rows(tmp_path / "m.jsonl", right)
    run = tmp_path / "s/m"
    command("score", release, tmp_path / "m.jsonl", "--split", "test", "--out", run,
            "--results", "me/x")  # fmt: skip
    model = tmp_path / "model"
    (run / ".eval_results").rename(tmp_path / ".eval_results")
    model.mkdir()
    (tmp_path / ".eval_results").rename(model / ".eval_results")
    board = json.loads(command("evaluate", "leaderboard", run, model, "--json"))
    assert [one["value"] for one in board["reported"]] == [100.0] * len(
        board["reported"]
    )
    assert board["reported"]
    assert board["entries"][0]["accuracy"]["correct"] == len(samples)


def test_a_run_has_one_name_wherever_it_stands(
    mathverse: tuple[Path, list[Sample]], tmp_path: Path
) -> None:
    """Given by `--name`, else the folder's; judge, protocols, boards and statements keep it."""
    release, samples = mathverse
    files = replies(tmp_path, samples, "So it is {}.")
    names = {
        "one": "Ours 7B",
        "two": "Theirs",
        "three": "three",
    }  # three has none given

    def judge(body: dict[str, Any]) -> str:
        text = text_of(body)
        if "Extracted Answer:" in text:
            return "Extracted Answer: 1"
        return (
            "Judgement: 0"
            if "Judgement:" in text
            else '{"category": "reasoning error"}'
        )

    runs = [tmp_path / "judged" / ("r" + file.stem) for file in files[:2]]
    runs.append(tmp_path / "judged" / "three")
    with llm_server(judge) as server:
        for file, run in zip(files, runs, strict=True):
            given = ["--name", names[file.stem]] if file.stem != "three" else []
            command("score", release, file, "--split", "test", "--out", run, *given,
                    "--judge", "j", "--base-url", server.base_url, "--protocol", "wo",
                    "--protocol", "process")  # fmt: skip
    called = [names[file.stem] for file in files]
    for run, name in zip(runs, called, strict=True):
        assert f"<title>{name} on " in (run / "report.html").read_text("utf-8")
    compared = json.loads(
        command("compare", release, *runs[:2], "--split", "test", "--json")
    )
    assert [compared["a"], compared["b"]] == called[:2]
    why = json.loads(command("explain", runs[0], runs[1], "--json"))
    assert [why["a"], why["b"]] == called[:2]
    own = json.loads(command("explain", runs[0], "robust", "--json"))
    assert (own["a"], own["b"]) == ("Ours 7B", "Ours 7B, robust")

    board = tmp_path / "board"
    models = tmp_path / "models.csv"
    models.write_text("run,group\nOurs 7B,open\nTheirs,open\nthree,closed\n", "utf-8")
    ranked = json.loads(command("evaluate", "leaderboard", *runs, "--out", board, "--papers",
                                "--models", models, "--release", release, "--json"))  # fmt: skip
    assert {entry["run"] for entry in ranked["entries"]} == {*called}
    for name in ("six-versions", "shares-of-the-errors"):
        assert table(board, name).keys() == {*called}
    cases = json.loads(command("evaluate", "errors", *runs, "--release", release,
                               "--out", tmp_path / "errors", "--json"))  # fmt: skip
    assert {name for case in cases for name in case["right"]} == {*called}
    command("site", release, *runs, "--out", tmp_path / "site")
    page = (tmp_path / "site/leaderboard/leaderboard.md").read_text("utf-8")
    assert all(f"| {name} |" in page for name in called)
    statement = json.loads((runs[0] / "statement.json").read_bytes())
    assert (
        statement["predicate"]["buildDefinition"]["externalParameters"]["name"]
        == "Ours 7B"
    )
