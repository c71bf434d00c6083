"""Push, answers, pull on a real Label Studio."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright.annotate.kinds import problem_task, roles_task
from benchwright.annotate.projects import (
    append_new,
    make_project,
    open_project,
    pull_answers,
    push_tasks,
)
from benchwright.annotate.server import Client
from benchwright.annotate.votes import latest, read_votes
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.problem import Problem, Source, Span, Vote
from benchwright.taxonomy import load_tree
from click.testing import CliRunner
from httpx import HTTPStatusError
from label_studio import ENVIRONMENT, PEOPLE, Answering, LabelStudio, picked, plain

SUBJECTS = [leaf.name for leaf in load_tree("math-v").leaves]


def test_serve_tells_where_and_how(
    studio: LabelStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [line.split(":")[0] for line in studio.said[:3]] == [
        f"annotator {n}" for n in PEOPLE
    ]
    assert studio.said[3] == f"Label Studio: {studio.site.url}\n"
    assert studio.site.admin.email in studio.said[4]
    secrets = [
        studio.site.token,
        *(p.password for p in [studio.site.admin, *studio.people]),
    ]
    assert not any(secret in line for secret in secrets for line in studio.said)
    assert (studio.data / "site.json").stat().st_mode & 0o077 == 0
    there = ["--server", str(tmp_path), "--environment", str(ENVIRONMENT)]
    busy = CliRunner().invoke(
        cli, ["annotate", "serve", *there, "--port", str(studio.port)]
    )
    assert isinstance(busy.exception, UserError)
    assert "is taken" in str(busy.exception)
    second = CliRunner().invoke(cli, ["annotate", "serve", *studio.options, "--port", "1",
                                      "--environment", str(ENVIRONMENT)])  # fmt: skip
    assert "another server runs on" in str(second.exception)
    assert studio.data.stat().st_mode & 0o077 == 0
    assert (studio.data / "label_studio.sqlite3").stat().st_mode & 0o077 == 0
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", studio.site.token)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    here = ["--server", studio.site.url]
    added = CliRunner().invoke(cli, ["annotate", "serve", *here, "--annotator", "dora",
                                     "--annotator", "anna"])  # fmt: skip
    assert added.output.split()[:3] == ["annotator", "dora:", "dora@annotators.example"]
    assert "anna" not in added.output
    assert "dora" in studio.users().values()


def planted(
    problems: list[Problem],
) -> tuple[dict[str, list[tuple[str, Any]]], list[Vote]]:
    """Answers of three people, and the votes that they are by construction.

    Every tenth problem is a three-way tie, every eleventh has an abstention, every thirteenth a
    label that is in no tree (by the first person).
    """
    draw = random.Random(5)
    answers: dict[str, list[tuple[str, Any]]] = {}
    votes = []
    for k, problem in enumerate(problems):
        truth = problem.labels["truth"]
        others = draw.sample([s for s in SUBJECTS if s != truth], 2)
        labels = [truth, truth, truth if draw.random() < 0.7 else others[0]]
        if k % 10 == 0:
            labels = [truth, *others]
        if k % 11 == 0:
            labels[1] = "pending"
        if k % 13 == 0:
            labels[0] = "alchemy"
        for person, label in zip(PEOPLE, labels, strict=True):
            level = problem.labels["level"]
            results = [picked("label", label), picked("level", str(level))]
            answers.setdefault(problem.id, []).append(
                (f"{person}@annotators.example", results)
            )
            if label != "alchemy":
                for field, value in (("subject", label), ("level", level)):
                    votes.append(
                        Vote(
                            problem_id=problem.id,
                            field=field,
                            value=value,
                            annotator=person,
                        )
                    )
    return answers, votes


def advised(problems: list[Problem]) -> list[Vote]:
    """Two model advisers: right on two of three problems, otherwise at random or pending."""
    draw = random.Random(6)
    return [
        Vote(problem_id=problem.id, field="subject", annotator=model, kind="model",
             value=problem.labels["truth"] if draw.random() < 0.65
             else draw.choice([*SUBJECTS, "pending"]))
        for model in ("adviser-1", "adviser-2")
        for problem in problems
    ]  # fmt: skip


def expected_labels(votes: list[Vote]) -> dict[str, str]:
    """The labels by the stated rule, written down without the package: two people decide; in a
    full tie of people the one label that most advisers back; otherwise none."""
    last: dict[tuple[str, str], Vote] = {}
    for vote in votes:
        key = (vote.problem_id, vote.annotator)
        if vote.field == "subject" and (key not in last or vote.at >= last[key].at):
            last[key] = vote
    labels = {}
    for name in {vote.problem_id for vote in last.values()}:
        own = [
            v for v in last.values() if v.problem_id == name and v.value != "pending"
        ]
        people = [v.value for v in own if v.kind == "human"]
        pairs = {value for value in people if people.count(value) >= 2}
        backers = {
            v: sum(m.value == v for m in own if m.kind == "model") for v in people
        }
        best = [v for v in backers if backers[v] == max(backers.values()) > 0]
        if pairs:
            (labels[name],) = pairs
        elif len(people) >= 2 and len(best) == 1:
            labels[name] = best[0]
    return labels


def release_labels(
    problems: list[Problem], images: Path, votes: Path, folder: Path
) -> dict[str, str]:
    """Build a release from the votes; the subject of every problem in it."""
    bare = [msgspec.structs.replace(problem, labels={}) for problem in problems]
    write_jsonl(folder / "problems.jsonl", bare)
    (folder / "recipe.yaml").write_text(
        "name: labelled\nversion: 1.0.0\n"
        "sources: [{name: math-v, reader: problems, path: problems.jsonl, license: MIT, "
        f"images: '{images}'}}]\n"
        "stages:\n  - label: {field: subject, policy: adjudicate, tree: math-v, "
        f"votes: '{votes.relative_to(folder)}'}}\n"
    )
    recipe, out = str(folder / "recipe.yaml"), str(folder / "out")
    result = CliRunner().invoke(cli, ["build-release", recipe, "-o", out])
    assert result.exit_code == 0, (result.output, result.exception)
    lines = (folder / "out/labelled-1.0.0/jsonl/test.jsonl").read_text().splitlines()
    return {
        (row := json.loads(line))["problem_id"]: row["labels"]["subject"]
        for line in lines
    }


def triples(votes: list[Vote]) -> set[tuple[Any, ...]]:
    return {(v.problem_id, v.field, v.value, v.annotator) for v in votes}


def test_real_problems_and_three_people_to_votes(
    studio: LabelStudio, math_v: tuple[list[Problem], Path], tmp_path: Path
) -> None:
    problems, images = math_v
    size = len(problems)
    project = make_project(tmp_path / "subject", "subject", "math-v")
    tasks = [problem_task(p) for p in problems]
    client = Answering(studio.site.url, studio.site.token)
    client.answers, expected = planted(problems)
    done = push_tasks(project, tasks, client, images, studio.files)
    assert (done.added, done.there, done.skipped) == (size, 0, [])
    again = push_tasks(
        open_project(project.folder), tasks, studio.client, images, studio.files
    )
    assert (again.added, again.there, again.project) == (0, size, done.project)

    found = pull_answers(open_project(project.folder), studio.client)
    votes = read_votes(project.folder / "votes.jsonl")
    assert triples(votes) == triples(expected)
    assert len(votes) == len(expected) == found.new_votes
    outside = {p.id for p in problems[::13]}
    assert {r.problem_id for r in found.refused} == outside
    assert all("'alchemy' is no choice" in r.reason for r in found.refused)
    assert found.people == dict.fromkeys(PEOPLE, size)

    bytes_before = (project.folder / "votes.jsonl").read_bytes()
    assert pull_answers(open_project(project.folder), studio.client).new_votes == 0
    assert (project.folder / "votes.jsonl").read_bytes() == bytes_before

    first = problems[
        1
    ].id  # a second, conflicting answer; and a correction of a refused one
    studio.answer(
        done.project, first, "anna", [picked("label", "logic"), picked("level", "1")]
    )
    studio.answer(done.project, problems[0].id, "anna", [picked("label", "topology")])
    found = pull_answers(open_project(project.folder), studio.client)
    assert (found.new_votes, found.superseded) == (3, 2)
    after = (project.folder / "votes.jsonl").read_bytes()
    assert after.startswith(bytes_before)
    counting, superseded = latest(read_votes(project.folder / "votes.jsonl"))
    key = (first, "subject", "anna")
    assert [
        v.value for v in counting if (v.problem_id, v.field, v.annotator) == key
    ] == ["logic"]
    assert {(v.problem_id, v.annotator) for v in superseded} == {(first, "anna")}

    append_new(project.folder / "votes.jsonl", advised(problems))
    everything = read_votes(project.folder / "votes.jsonl")
    labels = expected_labels(everything)
    assert (
        size * 2 / 3 < len(labels) < size
    )  # ties that advisers do not break stay open
    assert (
        release_labels(problems, images, project.folder / "votes.jsonl", tmp_path)
        == labels
    )


def test_an_interface_edited_by_hand(studio: LabelStudio, tmp_path: Path) -> None:
    project = make_project(tmp_path / "edited", "alignment", None)
    number = push_tasks(project, plain(2), studio.client).project
    xml = studio.http.get(f"/api/projects/{number}")["label_config"]
    edited = xml.replace("</View>\n</View>", '<Choices name="mood" toName="question">'
                         '<Choice value="good"/></Choices></View>\n</View>')  # fmt: skip
    edited = edited.replace('value="incomplete"', 'value="half"')
    assert edited != xml
    studio.http.patch(f"/api/projects/{number}", {"label_config": edited})
    studio.answer(number, "p-0", "anna", [picked("alignment", "half")])
    studio.answer(
        number, "p-1", "anna", [picked("alignment", "yes"), picked("mood", "good")]
    )
    found = pull_answers(project, studio.client)
    assert (found.new_votes, len(found.refused), len(found.remarks)) == (0, 2, 1)
    reasons = {r.problem_id: r.reason for r in found.refused}
    assert "'half' is no choice" in reasons["p-0"]
    assert "unknown field 'mood'" in reasons["p-1"]
    with pytest.raises(UserError, match="edited by hand"):
        push_tasks(project, plain(2), studio.client)


def test_withdrawn_and_skipped_answers(studio: LabelStudio, tmp_path: Path) -> None:
    project = make_project(tmp_path / "withdrawn", "alignment", None)
    number = push_tasks(project, plain(2), studio.client).project
    given = studio.answer(number, "p-0", "ben", [picked("alignment", "yes")])
    assert pull_answers(project, studio.client).new_votes == 1
    studio.http.delete(f"/api/annotations/{given}")
    studio.http.post(
        f"/api/tasks/{studio.tasks(number)['p-1']}/annotations",
        {"result": [], "was_cancelled": True},
    )
    found = pull_answers(project, studio.client)
    assert (found.new_votes, found.votes, found.withdrawn, found.passed) == (0, 1, 1, 1)


def test_three_people_get_every_task_and_see_no_others(
    studio: LabelStudio, tmp_path: Path
) -> None:
    project = make_project(tmp_path / "blind", "alignment", None, people=2)
    number = push_tasks(project, plain(1), studio.client).project
    for name in PEOPLE[:2]:
        person = studio.person(name)
        task = person.get(f"/api/projects/{number}/next")
        assert (task["data"]["id"], task["annotations"], task["predictions"]) == (
            "p-0",
            [],
            [],
        )
        person.post(
            f"/api/tasks/{task['id']}/annotations",
            {"result": [picked("alignment", "yes")]},
        )
    with pytest.raises(HTTPStatusError):  # two answers were wanted
        studio.person("chris").get(f"/api/projects/{number}/next")
    assert pull_answers(project, studio.client).people == {"anna": 1, "ben": 1}


def test_proposed_spans_are_corrected(studio: LabelStudio, tmp_path: Path) -> None:
    """The form of a person starts with the problem's spans; sent as it is, it gives them back."""
    question = "In triangle ABC, AB = 3. Find BC."
    spans = [
        Span(start=0, end=15, role="DI", alt="In it"),
        Span(start=17, end=23, role="EC"),
    ]
    source = Source(name="s", raw_id="1")
    problem = Problem(
        id="s-1", origin="s-1", source=source, question=question, spans=spans
    )
    project = make_project(tmp_path / "roles", "roles", None)
    number = push_tasks(project, [roles_task(problem)], studio.client).project
    task = studio.person("chris").get(f"/api/projects/{number}/next")
    proposed = task["predictions"][0]["result"]
    studio.person("chris").post(
        f"/api/tasks/{task['id']}/annotations", {"result": proposed}
    )
    pull_answers(project, studio.client)
    (vote,) = read_votes(project.folder / "votes.jsonl")
    assert vote.value == [
        {"start": 0, "end": 15, "role": "DI", "alt": "In it"},
        {"start": 17, "end": 23, "role": "EC", "alt": None},
    ]


def test_unreachable_server_and_wrong_tokens(
    studio: LabelStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = CliRunner().invoke
    where = ["annotate", "pull", str(tmp_path)]
    for server, token, message in [
        (studio.site.url, "0" * 40, "refuses the legacy token"),
        (studio.site.url, "a.b.c", "refuses the personal access token"),
        (studio.site.url, "", "no token"),
        ("http://127.0.0.1:nonsense", "x", "not an address"),
        (str(tmp_path / "none"), "x", "no Label Studio in"),
    ]:
        monkeypatch.setenv("LABEL_STUDIO_API_KEY", token)
        result = run(cli, [*where, "--server", server])
        assert isinstance(result.exception, UserError), result.output
        assert message in str(result.exception)
    with pytest.raises(UserError, match="no answer from Label Studio"):
        Client("http://127.0.0.1:1", "x", patience=0.1).whoami()


def test_a_10_mb_question_is_named_and_the_rest_pushed(
    studio: LabelStudio, tmp_path: Path
) -> None:
    problems = [
        Problem(
            id=key, origin=key, source=Source(name="k", raw_id=key), question=question
        )
        for key, question in [("huge", "x" * 10_000_000), ("fine", "What is $1+1$?")]
    ]
    write_jsonl(tmp_path / "problems.jsonl", problems)
    result = CliRunner().invoke(
        cli, ["annotate", "push", str(tmp_path / "problems.jsonl"), "-o", str(tmp_path / "p"),
              "--kind", "alignment", *studio.options])  # fmt: skip
    assert result.exit_code == 1
    assert "huge: not pushed: 10,000,000 characters" in result.output
    assert "1 tasks added" in result.output


def test_counts_of_planted_cases(math_v: tuple[list[Problem], Path]) -> None:
    problems, _ = math_v
    answers, votes = planted(problems)
    assert Counter(len(found) for found in answers.values()) == {3: len(problems)}
    assert len(votes) == 2 * (3 * len(problems) - len(problems[::13]))
