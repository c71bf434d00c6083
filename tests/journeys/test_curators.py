"""Journeys of curators and annotators: from raw rows and votes to releases and their statistics."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import yaml
from benchwright.cli import cli
from click.testing import CliRunner
from layouts import two_sources
from msgspec import to_builtins
from small import png, write_recipe, write_rows


def command(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert done.exit_code == code, f"{arguments}\n{done.output}\n{done.exception!r}"
    return done.stdout


def samples(release: Path, split: str = "test") -> list[dict[str, Any]]:
    lines = (release / f"jsonl/{split}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def statistics(release: Path, like: str) -> dict[str, float]:
    rows = json.loads(command("statistics", release, "--like", like, "--json"))["rows"]
    return {row["statistic"]: row["value"] for row in rows}


def test_a_table_becomes_two_versions_of_a_release(tmp_path: Path) -> None:
    """Look over, build, prove, mend a gold, withdraw a problem, build again, say what changed."""
    (tmp_path / "images").mkdir()
    rows = []
    for k in range(1, 21):
        (tmp_path / f"images/{k}.png").write_bytes(png(80 + k, 70, 10 * k))
        rows.append([k, f"<image1> A farmer counts {k} sheep and {k} goats; how many animals?",
                     2 * k, f"images/{k}.png", ("algebra", "counting")[k % 2]])  # fmt: skip
    with (tmp_path / "raw.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["nr", "text", "key", "figure", "topic"], *rows])
    fields = {"id": "nr", "question": "text", "answer": "key", "images": "figure",
              "labels.subject": "topic"}  # fmt: skip
    source = {
        "name": "farm",
        "reader": "csv",
        "path": "raw.csv",
        "license": "MIT",
        "fields": fields,
    }
    plan: dict[str, Any] = {
        "name": "farm", "version": "1.0.0", "seed": 3, "sources": [source],
        "stages": ["latex", "check"],
        "splits": {"testmini": {"size": 4, "by": ["subject"], "per_stratum": "equal"},
                   "test": "rest"},
        "withhold_answers": ["test"],
    }  # fmt: skip
    recipe = write_recipe(tmp_path / "recipe.yaml", plan)
    command("build-release", recipe, "--check", "-o", tmp_path / "out")
    command("build-release", recipe, "-o", tmp_path / "out")
    first = tmp_path / "out/farm-1.0.0"
    command("verify", first)
    mini = samples(first, "testmini")
    assert Counter(row["labels"]["subject"] for row in mini) == {
        "algebra": 2,
        "counting": 2,
    }
    assert all(row["answer"] is None for row in samples(first, "test"))
    assert len(samples(first, "test")) == 16
    wrong = mini[0]
    errata = [{"id": wrong["problem_id"], "field": "answer", "old": wrong["answer"], "new": "1000",
               "reason": "a herd was missed"}]  # fmt: skip
    (tmp_path / "errata.yaml").write_text(yaml.safe_dump(errata), "utf-8")
    gone = mini[1]["problem_id"]
    plan |= {"version": "1.0.1", "errata": "errata.yaml", "previous": "out/farm-1.0.0",
             "withdraw": [{"id": gone, "reason": "its owner asked for it"}]}  # fmt: skip
    plan["splits"]["testmini"] = {"size": 3}  # published samples stay where they are
    write_recipe(recipe, plan)
    command("build-release", recipe, "-o", tmp_path / "out")
    second = tmp_path / "out/farm-1.0.1"
    command("verify", second)
    now = {row["id"]: row["answer"] for row in samples(second, "testmini")}
    assert now[wrong["id"]] == "1000"
    assert gone not in {
        row["problem_id"] for row in [*samples(second, "testmini"), *samples(second)]
    }
    change = command("diff", first, second, "--json")
    assert wrong["problem_id"] in change
    assert gone in change


def test_votes_of_three_people_become_the_labels_of_a_release(tmp_path: Path) -> None:
    """MATH-V, 3.2: the majority of three; who agrees with nobody is open, and then decided."""
    rows = [{"id": str(k), "question": f"How many ways are there to put {k} books in a row?",
             "answer": str(k)} for k in range(6)]  # fmt: skip
    write_rows(tmp_path / "raw.jsonl", rows)
    labels = ["algebra", "counting", "arithmetic"]

    def given(k: int, person: int) -> str:
        return labels[person] if k == 5 else labels[0 if person < 2 else k % 3]

    votes = [{"problem_id": f"s-{k}", "field": "subject", "value": given(k, person),
              "annotator": name, "at": "2026-01-01"}
             for k in range(6) for person, name in enumerate(("ada", "bo", "cy"))]  # fmt: skip
    write_rows(tmp_path / "votes.jsonl", votes)
    label = {
        "field": "subject",
        "votes": "votes.jsonl",
        "policy": "mathv",
        "tree": "math-v",
    }
    source = {"name": "s", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}
    recipe = write_recipe(tmp_path / "recipe.yaml", {
        "name": "books", "version": "1.0.0", "sources": [source], "stages": [{"label": label}],
        "splits": {"test": "rest"},
    })  # fmt: skip
    agreed = json.loads(command("annotate", "agreement", tmp_path / "votes.jsonl", "--field",
                                "subject", "--json"))  # fmt: skip
    pairs = [
        (given(k, a), given(k, b))
        for k in range(6)
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    share = sum(a == b for a, b in pairs) / len(pairs)
    assert f'"raw": {share}' in json.dumps(agreed)
    command("build-release", recipe, "-o", tmp_path / "out")
    released = samples(tmp_path / "out/books-1.0.0")
    assert {row["labels"]["subject"] for row in released} == {"algebra"}
    assert {row["problem_id"] for row in released} == {f"s-{k}" for k in range(5)}
    final = {"problem_id": "s-5", "field": "subject.adjudicated", "value": "counting",
             "annotator": "dora", "at": "2026-01-02"}  # fmt: skip
    write_rows(tmp_path / "votes.jsonl", [*votes, final])
    command("build-release", recipe, "-o", tmp_path / "out", "--force")
    by_id = {
        row["problem_id"]: row["labels"]["subject"]
        for row in samples(tmp_path / "out/books-1.0.0")
    }
    assert by_id["s-5"] == "counting"


def test_a_remark_of_an_annotator_is_mended_and_asked_again(tmp_path: Path) -> None:
    """A text changes after the vote: nothing is published until the person has voted anew."""
    write_rows(
        tmp_path / "raw.jsonl",
        [{"id": "1", "question": "How many days has May?", "answer": "31"}],
    )
    source = {"name": "s", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}
    label = {
        "field": "subject",
        "votes": "votes.jsonl",
        "policy": "mathv",
        "tree": "math-v",
    }
    recipe = write_recipe(tmp_path / "recipe.yaml", {
        "name": "days", "version": "1.0.0", "sources": [source], "stages": [{"label": label}],
        "splits": {"test": "rest"},
    })  # fmt: skip
    from benchwright.base.about import about
    from benchwright.release import read_problem_file

    (tmp_path / "votes.jsonl").touch()
    command("build-release", recipe, "-o", tmp_path / "out", "--until", "read")
    (problem,) = read_problem_file(tmp_path / "out/work/00-read/problems.jsonl")
    vote = {"problem_id": "s-1", "field": "subject", "value": "counting", "annotator": "ada",
            "at": "2026-01-01", "about": about(problem)}  # fmt: skip
    others = [vote | {"annotator": name} for name in ("bo", "cy")]
    write_rows(tmp_path / "votes.jsonl", [vote, *others])
    command("build-release", recipe, "-o", tmp_path / "out")
    write_rows(
        tmp_path / "raw.jsonl",
        [{"id": "1", "question": "How many days has June?", "answer": "30"}],
    )
    done = CliRunner().invoke(
        cli, ["build-release", str(recipe), "-o", str(tmp_path / "out"), "--force"]
    )
    assert done.exit_code == 1
    assert not samples(tmp_path / "out/days-1.0.0")[0]["question"].endswith("June?")


def test_chinese_questions_become_open_and_are_counted(tmp_path: Path) -> None:
    """MM-MATH, 2.2 and B: choices and composites opened, difficulty by pass rates, its tables."""
    choice = "如图，则 $CE$ 的长为（  ）"
    chain = "如图，$AB=6$。（1）求 $AC$ 的长；（2）求 $BC$ 的长。"
    rows = [
        {"id": "1", "question": choice, "options": ["3", "4", "5", "6"], "answer": "C",
         "labels": {"pass_rate": 0.9, "grade": 7}, "solution": "易得长为 5，故选 C。"},
        {"id": "2", "question": chain, "answer": "（1）8；（2）10",
         "labels": {"pass_rate": 0.5, "grade": 8}, "solution": "勾股定理。"},
        {"id": "3", "question": "求证：$AB=CD$", "answer": "证明略",
         "labels": {"pass_rate": 0.8, "grade": 9}},
    ]  # fmt: skip
    write_rows(tmp_path / "raw.jsonl", rows)
    source = {"name": "s", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT",
              "language": "zh", "benchmark": "mm-math"}  # fmt: skip
    recipe = write_recipe(tmp_path / "recipe.yaml", {
        "name": "zh", "version": "1.0.0", "sources": [source],
        "stages": ["open-ended", "difficulty"], "splits": {"test": "rest"},
    })  # fmt: skip
    command("build-release", recipe, "-o", tmp_path / "out")
    released = {row["id"]: row for row in samples(tmp_path / "out/zh-1.0.0")}
    assert set(released) == {"s-1", "s-2-1", "s-2-2"}
    assert (released["s-1"]["answer"], released["s-1"]["options"]) == ("5", [])
    assert (released["s-2-1"]["answer"], released["s-2-2"]["answer"]) == ("8", "10")
    assert "8" in released["s-2-2"]["question"]
    difficulties = [released[name]["labels"]["difficulty"] for name in ("s-1", "s-2-1")]
    assert difficulties == ["easy", "hard"]


def test_we_maths_steps_are_released_counted_and_measured(tmp_path: Path) -> None:
    """We-Math, 4.1, 4.2, table 5: every step is a sample; who knows only steps is IG."""
    problems = two_sources("we-math", tmp_path)
    write_rows(tmp_path / "p.jsonl", [to_builtins(problem) for problem in problems])
    source = {"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT",
              "benchmark": "we-math"}  # fmt: skip
    recipe = write_recipe(tmp_path / "recipe.yaml", {
        "name": "steps", "version": "1.0.0", "sources": [source], "splits": {"test": "rest"},
    })  # fmt: skip
    command("build-release", recipe, "-o", tmp_path / "out")
    release = tmp_path / "out/steps-1.0.0"
    rows = samples(release)
    assert len(rows) == sum(len(problem.steps) + 1 for problem in problems)
    assert statistics(release, "we-math")["total samples"] == len(rows)
    replies = []
    for row in rows:
        letter = "H" if row["version"] == "multi" else row["answer"]
        replies.append({"id": row["id"], "response": f"Answer: {letter}"})
    write_rows(tmp_path / "m.jsonl", replies)
    command(
        "score",
        release,
        tmp_path / "m.jsonl",
        "--split",
        "test",
        "--out",
        tmp_path / "s",
    )
    four = json.loads((tmp_path / "s/scores.json").read_bytes())["four_dimensional"]
    assert four["strict"]["IG"]["n"] == len(problems)
    assert four["strict"]["score"] == 0.5  # CM + 0.5 IG


def test_a_release_comes_back_in_the_papers_own_rows(tmp_path: Path) -> None:
    """MATH-V's layout out and in again: the same golds, and the same tables."""
    problems = two_sources("math-v", tmp_path)
    write_rows(tmp_path / "p.jsonl", [to_builtins(problem) for problem in problems])
    source = {"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT",
              "benchmark": "math-v"}  # fmt: skip
    recipe = write_recipe(tmp_path / "recipe.yaml", {
        "name": "one", "version": "1.0.0", "sources": [source], "splits": {"test": "rest"},
    })  # fmt: skip
    command("build-release", recipe, "-o", tmp_path / "out")
    one = tmp_path / "out/one-1.0.0"
    command("export", "math-v", one, "--out", tmp_path / "rows")
    again = {
        "name": "b",
        "reader": "math-v",
        "path": "rows/test.jsonl",
        "license": "MIT",
    }
    other = write_recipe(tmp_path / "again.yaml", {
        "name": "two", "version": "1.0.0", "sources": [again], "splits": {"test": "rest"},
    })  # fmt: skip
    command("build-release", other, "-o", tmp_path / "out2")
    two = tmp_path / "out2/two-1.0.0"
    golds = [
        sorted(str(row["answer"]) for row in samples(release)) for release in (one, two)
    ]
    assert golds[0] == golds[1] == sorted(problem.answer for problem in problems)
    first, second = statistics(one, "math-v"), statistics(two, "math-v")
    for name in (
        "total questions",
        "multiple-choice questions",
        "unique answers",
        "subjects",
    ):
        assert first[name] == second[name], name
