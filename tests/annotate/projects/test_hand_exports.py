"""Exports made by hand of a project that is not ours: each of three forms gives the votes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.annotate.projects.hand_exports import take
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.errors import UserError
from benchwright.problem import Vote
from label_studio import LabelStudio
from small import problem

XML = """<View><Text name="t" value="$text"/>
<Choices name="topic" toName="t" choice="single">
<Choice value="algebra"/><Choice value="logic"/></Choices>
<Choices name="skills" toName="t" choice="multiple">
<Choice value="sums"/><Choice value="powers"/></Choices>
<TextArea name="why" toName="t"/></View>"""
MAP = {"topic": "subject", "skills": "knowledge"}


def chosen(name: str, *values: str) -> dict[str, Any]:
    return {
        "from_name": name, "to_name": "t", "type": "choices", "value": {"choices": list(values)}
    }  # fmt: skip


@pytest.mark.parametrize("form", ["JSON", "JSON_MIN", "CSV"])
def test_a_strangers_project_gives_its_votes(
    studio: LabelStudio, tmp_path: Path, form: str
) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, [problem(1), problem(2)])
    made = studio.client.create_project(title=f"theirs {form}", label_config=XML)
    rows = [{"data": {"text": "?", "key": name}} for name in ("a-1", "a-2")]
    studio.http.post(f"/api/projects/{made['id']}/import", rows)
    tasks = {row["data"]["key"]: row["id"] for row in studio.client.tasks(made["id"])}
    users = {name: number for number, name in studio.users().items()}
    given = {
        ("a-1", "anna"): [
            chosen("topic", "algebra"),
            chosen("skills", "sums", "powers"),
        ],
        ("a-2", "anna"): [chosen("topic", "logic"), chosen("skills", "sums")],
        ("a-2", "ben"): [chosen("topic", "algebra")],
    }
    for (task, name), result in given.items():
        body = {"result": result, "completed_by": users[name]}
        studio.http.post(f"/api/tasks/{tasks[task]}/annotations", body)
    reply = studio.http.http.get(
        f"/api/projects/{made['id']}/export", params={"exportType": form}
    )
    export = tmp_path / "export"
    export.write_bytes(reply.raise_for_status().content)
    person = {str(users[name]): name for name in ("anna", "ben")}
    out = tmp_path / "votes.jsonl"
    with pytest.raises(UserError, match=r"topic \((algebra|logic), "):
        take(export, problems, out)
    with pytest.raises(UserError, match="no control 'topik'"):
        take(export, problems, out, map={"topik": "subject"})
    assert take(export, problems, out, map=MAP, person=person).new_votes == 5
    votes = {
        (vote.problem_id, vote.annotator, vote.field): vote.value
        for vote in read_jsonl(out, Vote)
    }
    assert votes == {
        ("a-1", "anna", "subject"): "algebra",
        ("a-1", "anna", "knowledge"): ["powers", "sums"],
        ("a-2", "anna", "subject"): "logic",
        ("a-2", "anna", "knowledge"): ["sums"],
        ("a-2", "ben", "subject"): "algebra",
    }
    assert take(export, problems, out, map=MAP, person=person).new_votes == 0


def test_what_is_no_export_is_named(tmp_path: Path) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, [problem(1)])
    export = tmp_path / "export.json"
    for text, message in (
        ("[{", "no JSON"),
        ("[1]", "is no export of tasks"),
        ("[]", "holds no answers"),
        (json.dumps([{"id": 3, "topic": "x", "annotator": 1}]), "no column holds ids"),
    ):
        export.write_text(text, "utf-8")
        with pytest.raises(UserError, match=message):
            take(export, problems, tmp_path / "votes.jsonl", map=MAP)
