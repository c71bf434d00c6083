"""Exports made by hand of a project that is not ours: each of three forms gives the votes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from benchwright import take
from benchwright.annotate.votes import Remark, remarks_path
from benchwright.base.about import about
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.problem import Source, Vote
from click.testing import CliRunner
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
    proposed = take(export, problems, out, check=True)
    assert (proposed.new_votes, out.exists()) == (0, False)
    fields = {row.control: row.field for row in proposed.controls if row.field}
    assert fields == {"topic": "subject", "skills": "skills"}
    pasted = shlex.split(proposed.command.replace("=skills", "=knowledge"))[1:]
    people = [word for pair in person.items() for word in ("--person", "=".join(pair))]
    done = CliRunner().invoke(cli, [*pasted, *people])
    assert (done.exit_code, "5 new votes" in done.output) == (0, True)
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


def annotated(
    data: dict[str, Any], *results: dict[str, Any], **more: Any
) -> dict[str, Any]:
    given = {"completed_by": {"email": "ben@uni.edu"}, "result": list(results)} | more
    return {"id": 7, "data": data, "annotations": [given]}


BY_TEXT = [annotated({"text": "What is  $1+1$?", "n": 1}, chosen("text", "hard"))]
BY_PICTURE = [
    {"id": 2, "image": "/data/upload/3/fde6c3c6-fig_2.png", "annotator": 1, "class": "axes"},
    {"id": 1, "image": "/data/upload/3/0b1e3483-fig_1.png", "annotator": 1, "class": "graph"},
]  # fmt: skip
BY_SOURCE = "annotation_id\tannotator\tid\tkey\tkinds\tsource\n" + "".join(
    f'{k}\t4\t{3 - k}\tfig_{k}\t"{{""choices"":[""x"",""y{k}""]}}"\tbook\n'
    for k in (1, 2)
)
OURS = [  # the server's number has taken the place of our id
    {"id": 60 + k, "about": about(problem(k)), "characters": 9 + k, "question": f"What is ${k}+1$?",
     "question_html": "<div>What</div>", "note_html": "", "needed": verdict, "annotator": who}
    for k, who, verdict in ((1, 2, "no"), (2, 3, "yes"))
]  # fmt: skip
OF_MANY_KINDS = [
    annotated(
        {"key": "a-1"},
        chosen("topic", "algebra"),
        {"from_name": "why", "type": "textarea", "value": {"text": ["odd picture"]}},
        {"from_name": "box", "type": "rectanglelabels", "value": {"rectanglelabels": ["q"]}},
    ),
    annotated(
        {"key": "a-2"},
        {"from_name": "why", "type": "textarea", "value": {"text": ["cut off"]}},
        was_cancelled=True,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("export", "key", "votes", "remarks"),
    [
        (BY_TEXT, "text", {("a-1", "text"): "hard"}, []),
        (BY_PICTURE, "image", {("a-1", "class"): "graph", ("a-2", "class"): "axes"}, []),
        (BY_SOURCE, "key",
         {("a-1", "kinds"): ["x", "y1"], ("a-2", "kinds"): ["x", "y2"]}, []),
        (OURS, "about", {("a-1", "needed"): "no", ("a-2", "needed"): "yes"}, []),
        (OF_MANY_KINDS, "key", {("a-1", "subject"): "algebra"}, ["odd picture", "cut off"]),
    ],
    ids=["text", "picture", "source", "ours", "kinds"],
)  # fmt: skip
def test_a_map_that_was_proposed_holds_when_it_is_pasted(
    tmp_path: Path,
    export: Any,
    key: str,
    votes: dict[tuple[str, str], Any],
    remarks: list[str],
) -> None:
    """Of projects of others, by whatever names the problems there."""
    source = [Source(name="s", raw_id=f"fig_{k}") for k in (1, 2)]
    problems = [problem(k, source=source[k - 1]) for k in (1, 2)]
    write_jsonl(tmp_path / "problems.jsonl", problems)
    text = export if isinstance(export, str) else json.dumps(export)
    (tmp_path / "export").write_text(text, "utf-8")
    out = tmp_path / "votes.jsonl"
    words = [str(tmp_path / "export"), str(tmp_path / "problems.jsonl"), "-o", str(out)]
    shown = CliRunner().invoke(cli, ["annotate", "take", *words, "--check"])
    assert (shown.exit_code, f"'{key}' names the problems" in shown.output) == (0, True)
    [pasted] = [line for line in shown.output.splitlines() if line.startswith("benchw")]
    assert CliRunner().invoke(cli, shlex.split(pasted)[1:]).exit_code == 0
    taken = {(v.problem_id, v.field): v.value for v in read_jsonl(out, Vote)}
    assert taken == votes
    place = remarks_path(out)
    written = list(read_jsonl(place, Remark)) if place.exists() else []
    assert [remark.text for remark in written] == remarks


def test_numbers_of_the_server_name_no_problem(tmp_path: Path) -> None:
    """Ids of a source that are numbers look like those that the server gives."""
    problems = [problem(k) for k in (1, 2)]
    write_jsonl(tmp_path / "problems.jsonl", problems)
    rows = [{"id": k, "annotator": 1, "annotation_id": k, "topic": "x"} for k in (1, 2)]
    (tmp_path / "export").write_text(json.dumps(rows), "utf-8")
    with pytest.raises(UserError, match="nothing names the problems"):
        take(tmp_path / "export", problems, tmp_path / "votes.jsonl", check=True)


def test_what_is_no_export_is_named(tmp_path: Path) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, [problem(1)])
    export = tmp_path / "export.json"
    for text, message in (
        ("[{", "no JSON"),
        ("[1]", "is no export of tasks"),
        ("[]", "holds no answers"),
        (
            json.dumps([{"id": 3, "topic": "x", "annotator": 1}]),
            "nothing names the problems",
        ),
    ):
        export.write_text(text, "utf-8")
        with pytest.raises(UserError, match=message):
            take(export, problems, tmp_path / "votes.jsonl", map=MAP)
