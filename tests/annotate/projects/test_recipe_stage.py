"""A recipe stops before a label, people label what stands there, and the build goes on."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from benchwright import push as give
from benchwright.annotate.votes import latest, read_votes
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from click.testing import CliRunner, Result
from label_studio import LabelStudio, picked
from small import problem, write_recipe, write_rows

LABEL = {
    "field": "subject",
    "votes": "votes/subject.jsonl",
    "tree": "math-v",
    "unvoted": "drop",
}


def curator(folder: Path) -> Path:
    texts = ["How many primes are below $\\dfrac{20}{2}$?", "How many ways has a die to fall?",
             "What is the area of a square of side 2?"]  # fmt: skip
    rows = [
        {"id": str(k), "question": text, "answer": "4"} for k, text in enumerate(texts)
    ]
    write_rows(folder / "raw.jsonl", rows)
    return write_recipe(
        folder / "recipe.yaml",
        {
            "name": "mine",
            "version": "1.0.0",
            "sources": [
                {"name": "a", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}
            ],
            "stages": ["latex", {"label": LABEL}],
        },
    )


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)))


def dropped(folder: Path) -> dict[str, str]:
    lines = (folder / "dropped.jsonl").read_text("utf-8").splitlines()
    return {(row := json.loads(line))["id"]: row["reason"] for line in lines}


def test_stop_label_and_go_on(studio: LabelStudio, tmp_path: Path) -> None:
    recipe, out = curator(tmp_path), tmp_path / "out"
    build = ("build-release", recipe, "-o", out)
    early = run(*build)
    assert isinstance(early.exception, UserError)
    assert f"annotate push {recipe} --field subject" in early.exception.remedy

    push = ("annotate", "push", recipe, "--field", "subject", "--build", out, "--json")
    pushed = json.loads(run(*push, *studio.options).stdout)
    assert (pushed["added"], pushed["folder"]) == (
        3,
        str(tmp_path / "labels" / "subject"),
    )
    labels = ["arithmetic", "counting", "metric geometry - area"]
    for k, label in enumerate(labels):
        for person in ("anna", "ben"):
            studio.answer(
                pushed["project"],
                f"a-{k}",
                person,
                [picked("label", label), picked("level", "1")],
            )
    assert run("annotate", "pull", pushed["folder"], *studio.options).exit_code == 0
    built = run(*build)
    assert built.exit_code == 0, built.output
    lines = (out / "mine-1.0.0/jsonl/test.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["labels"]["subject"] for line in lines] == labels

    raw = tmp_path / "raw.jsonl"
    raw.write_text(raw.read_text("utf-8").replace("side 2?", "diagonal 2?"), "utf-8")
    stopped = run(*build)
    assert isinstance(stopped.exception, UserError)
    assert "label 1" in stopped.exception.message
    again = run(*build, "--on-stale", "tell")
    assert isinstance(again.exception, UserError)
    assert "raw.jsonl changed" in again.exception.message
    assert "stage 02-label has other kept (3, now 2)" in again.exception.message
    reason = dropped(out / "work/02-label")["a-2"]
    assert reason.startswith(
        "stale: subject: the votes of anna, ben were given for another text"
    )
    assert reason.endswith("benchwright annotate push recipe.yaml --field subject")

    pushed = json.loads(run(*push, "--yes", *studio.options).stdout)
    assert (pushed["added"], pushed["there"]) == (1, 2)
    ((name, why),) = pushed["again"]
    assert (name, why.split(":")[0]) == ("a-2", "Asked again")
    votes = read_votes(tmp_path / "votes/subject.jsonl")
    assert len(votes) == 12  # what people gave for the old text stays on file
    level = picked("level", "2")
    for person in ("anna", "ben"):
        answer = [picked("label", "analytic geometry"), level]
        studio.answer(pushed["project"], "a-2", person, answer)
    run("annotate", "pull", pushed["folder"], *studio.options)
    assert run(*build, "--force").exit_code == 0
    lines = (out / "mine-1.0.0/jsonl/test.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[2])["labels"]["subject"] == "analytic geometry"

    raw.write_text(raw.read_text("utf-8").replace("a die", "a coin"), "utf-8")
    anew = json.loads(run(*push, "-o", tmp_path / "anew", *studio.options).stdout)
    assert (anew["added"], anew["settled"]) == (
        1,
        2,
    )  # only what the votes on file do not decide
    assert list(studio.tasks(anew["project"])) == ["a-1"]


def test_withdrawn_cleared_and_refused_answers(
    studio: LabelStudio, tmp_path: Path
) -> None:
    recipe, out = curator(tmp_path), tmp_path / "out"
    push = ("annotate", "push", recipe, "--field", "subject", "--build", out, "--json")
    pushed = json.loads(run(*push, *studio.options).stdout)
    number = pushed["project"]
    whole = [picked("label", "logic"), picked("level", "1")]
    given = studio.answer(number, "a-0", "anna", whole)
    cleared = studio.answer(number, "a-1", "anna", whole)
    studio.answer(
        number, "a-2", "anna", [picked("label", "alchemy"), picked("level", "1")]
    )
    pull = ("annotate", "pull", pushed["folder"], "--json", *studio.options)
    assert json.loads(run(*pull).stdout)["withdrawn"] == 0

    studio.http.delete(f"/api/annotations/{given}")
    studio.person("anna").patch(f"/api/annotations/{cleared}", {"result": whole[:1]})
    pulled = json.loads(run(*pull).stdout)
    assert pulled["withdrawn"] == 3  # subject and level of one, the level of the other
    votes = read_votes(tmp_path / "votes/subject.jsonl")
    assert {(v.problem_id, v.field) for v in votes if v.withdrawn} == {
        ("a-0", "subject"), ("a-0", "level"), ("a-1", "level")
    }  # fmt: skip
    ledger = json.loads(
        run("annotate", "vote", tmp_path / "votes/subject.jsonl", "--field", "subject",
            "--policy", "majority", "--json").stdout
    )  # fmt: skip
    assert ledger["decided"] == 1
    assert json.loads(run(*pull).stdout)["new_votes"] == 0

    again = dict(json.loads(run(*push, "--yes", *studio.options).stdout)["again"])
    assert sorted(again) == ["a-0", "a-1", "a-2"]
    assert again["a-0"] == "Asked again: an answer was taken back. anna"
    assert again["a-1"] == "half an answer: nothing given for level"
    assert "alchemy" in again["a-2"]
    task = studio.http.get(f"/api/tasks/{studio.tasks(number)['a-2']}")
    assert task["annotations"] == []
    assert "alchemy" in task["data"]["note_html"]
    assert json.loads(run(*push, *studio.options).stdout)["again"] == []
    refused = (Path(pushed["folder"]) / "refused.jsonl").read_bytes().splitlines()
    assert sorted(msgspec.json.decode(row)["problem_id"] for row in refused) == [
        "a-1",
        "a-2",
    ]

    pulled = json.loads(
        run(*pull).stdout
    )  # what the half answer gave counts until it is whole
    assert (pulled["new_votes"], pulled["withdrawn"]) == (0, 3)
    waiting = studio.person("anna").get(f"/api/projects/{number}/next")["data"]["id"]
    assert waiting in ("a-0", "a-1", "a-2")
    studio.answer(
        number, "a-1", "anna", [picked("label", "counting"), picked("level", "2")]
    )
    run(*pull)
    counting, _ = latest(read_votes(tmp_path / "votes/subject.jsonl"))
    assert {(v.problem_id, v.field, v.value) for v in counting} == {
        ("a-1", "subject", "counting"), ("a-1", "level", 2)
    }  # fmt: skip


def test_what_cannot_be_pushed_is_named(studio: LabelStudio, tmp_path: Path) -> None:
    recipe = curator(tmp_path)
    push = ("annotate", "push", recipe, *studio.options, "--build", tmp_path / "out")
    for extra, message, remedy in [
        ((), "is a recipe", "--field"),
        (
            ("--field", "subjects"),
            "no stage labels 'subjects'",
            "did you mean 'subject'",
        ),
    ]:
        error = run(*push, *extra).exception
        assert isinstance(error, UserError)
        assert message in error.message
        assert remedy in error.remedy
    write_jsonl(tmp_path / "problems.jsonl", [problem(1)])
    write_jsonl(tmp_path / "pairs.jsonl", [])
    before = studio.client.projects()
    with pytest.raises(UserError, match="gives no task of kind 'duplicates'"):
        give(tmp_path / "problems.jsonl", tmp_path / "none", "duplicates",
             material=tmp_path / "pairs.jsonl", server=studio.server)  # fmt: skip
    assert studio.client.projects() == before


def test_problems_without_a_vote_are_said(tmp_path: Path) -> None:
    recipe = curator(tmp_path)
    recipe.write_text(recipe.read_text("utf-8").replace("drop", "keep"), "utf-8")
    votes = [{"problem_id": "a-0", "field": "subject", "value": "arithmetic",
              "annotator": "ada"}]  # fmt: skip
    (tmp_path / "votes").mkdir()
    write_rows(tmp_path / "votes/subject.jsonl", votes)
    done = run("build-release", recipe, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "subject: 2 of 3 have no vote and keep what label they have" in done.output
