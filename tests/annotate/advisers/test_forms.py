"""Models that fill in the forms of people, against a small OpenAI-compatible server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import advise
from benchwright.annotate.kinds import load_kind
from benchwright.annotate.projects import tasks_of
from benchwright.base.files import write_jsonl
from benchwright.base.pictures import store_picture
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.llm import Model
from benchwright.problem import Problem, Source, Vote
from benchwright.release import read_problem_file
from benchwright.taxonomy import load_tree
from click.testing import CliRunner
from llm_server import llm_server

QUESTION = (
    "As shown, AB is a chord of circle O. The radius is 5. Find AB where AB = AC."
)
SPANS = [
    {"text": "As shown,", "label": "DI", "alt": None},
    {"text": "AB is a chord of circle O.", "label": "IP", "alt": ""},
    {"text": "The radius is 5.", "label": "EC", "alt": "The radius is drawn."},
    {"text": "Find AB where AB = AC.", "label": "Question", "alt": None},
]


def problem(key: str, **fields: Any) -> Problem:
    return Problem(
        id=key,
        origin=key,
        source=Source(name="a", raw_id=key),
        question=QUESTION,
        **fields,
    )


def problems(folder: Path, *rows: Problem) -> Path:
    write_jsonl(folder / "problems.jsonl", rows)
    return folder / "problems.jsonl"


def voted(folder: Path, said: Any, tree: str | None = None, **options: Any) -> Any:
    """The advice that comes of one reply, and its votes as {field: value}."""
    votes = folder / "votes.jsonl"
    with llm_server(lambda body: json.dumps(said)) as server:
        model = Model(name="m", base_url=server.base_url, price_in=1.0, price_out=2.0)
        path = folder / "problems.jsonl"
        advice = advise(path, tree, models=[model], votes=votes, **options)
        body = server.requests[0]
    lines = votes.read_text("utf-8").splitlines() if votes.exists() else []
    return advice, {row["field"]: row["value"] for row in map(json.loads, lines)}, body


def test_a_draft_of_spans_starts_the_form_of_people(tmp_path: Path) -> None:
    path = problems(tmp_path, problem("p"))
    advice, votes, body = voted(tmp_path, {"role": SPANS}, kind="roles")
    assert (advice.refused, advice.failed) == ([], 0)
    cut = [
        (QUESTION[s["start"] : s["end"]], s["role"], s["alt"]) for s in votes["spans"]
    ]
    assert cut == [(s["text"], s["label"], s["alt"] or None) for s in SPANS[:3]]
    assert "Descriptive information" in body["messages"][0]["content"]
    kind = load_kind("roles")
    (task,) = tasks_of(kind, None, read_problem_file(path), tmp_path / "votes.jsonl")
    marked = [
        r["value"]["text"].strip() for r in task.proposal if r["type"] == "labels"
    ]
    assert marked == [span["text"] for span in SPANS]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"role": SPANS[:3]}, "no role for 'Find AB"),
        (
            {"role": [*SPANS, {"text": "AD = 7", "label": "EC", "alt": ""}]},
            "is not in the text",
        ),
        ({"role": [{**SPANS[0], "label": "XX"}, *SPANS[1:]]}, "'XX' is no choice"),
        (
            {
                "role": [
                    *SPANS[:3],
                    {"text": "5. Find", "label": "EC", "alt": ""},
                    SPANS[3],
                ]
            },
            "cross",
        ),
        ({"role": ["As shown"]}, "is no part"),
        ({}, "no role for"),
        (["role"], "no JSON object"),
    ],
)
def test_a_draft_that_people_could_not_give_is_refused(
    tmp_path: Path, said: Any, why: str
) -> None:
    problems(tmp_path, problem("p"))
    advice, votes, _ = voted(tmp_path, said, kind="roles")
    assert votes == {}
    assert why in advice.refused[0].reason


def test_a_draft_whose_texts_read_badly_is_kept_and_named(tmp_path: Path) -> None:
    problems(tmp_path, problem("p"))
    cut = [*SPANS[:2], {"text": "5", "label": "EC", "alt": ""},
           {"text": "The radius is", "label": "Question", "alt": ""}, SPANS[3]]  # fmt: skip
    cut[2], cut[3] = cut[3], cut[2]
    advice, votes, _ = voted(tmp_path, {"role": cut}, kind="roles")
    assert len(votes["spans"]) == 3
    assert any(
        "vision_dominant: left hanging" in doubt for _, _, doubt in advice.doubts
    )


def test_levels_checks_and_first_errors(tmp_path: Path) -> None:
    problems(tmp_path, problem("p", answer="8", labels={"grade": 5}))
    advice, votes, body = voted(
        tmp_path, {"level": "4", "why": "three steps"}, "math-v", kind="level"
    )
    assert votes == {"level": 4}
    assert "(grade 5)" in body["messages"][1]["content"][0]["text"]
    assert advice.usage["m"]["cost"] > 0

    aspects = {
        "answer": "no",
        "consistency": "yes",
        "category": "yes",
        "suitable": "pending",
    }
    said = aspects | {"correct_answer": "6", "correct_question": None}
    _, votes, body = voted(tmp_path, said, kind="mathverse-checks")
    assert votes["checks.answer"] == "no"
    assert votes["checks"] == "no"
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["answer"]["enum"] == ["yes", "no", "pending"]
    assert schema["required"] == list(schema["properties"])

    solution = "AB = 5 and so AB = 8."
    write_jsonl(tmp_path / "replies.jsonl", [{"id": "p", "response": solution}])
    said = {
        "place": [{"text": "AB = 5", "label": "first error"}],
        "error": "calculation error",
    }
    _, votes, _ = voted(
        tmp_path,
        said,
        "mm-math",
        kind="first-error",
        material=tmp_path / "replies.jsonl",
    )
    assert votes["first_error"] == "calculation error"
    assert votes["first_error_at"] == {"start": 0, "end": 6}


def test_a_refused_reply_is_asked_for_again_and_a_vote_is_not(tmp_path: Path) -> None:
    path = problems(tmp_path, problem("good"), problem("bad", diagram="other"))
    perhaps = '{"alignment": "perhaps"}'
    replies = iter(['{"alignment": "yes", "defects": []}', perhaps, perhaps,
                    '{"alignment": "no", "defects": ["picture cropped"]}'])  # fmt: skip
    with llm_server(lambda body: next(replies)) as server:
        command = ["annotate", "advise", str(path), "--kind", "alignment", "--model", "m",
                   "--base-url", server.base_url, "--set", "concurrency=1", "--set", "price-in=1",
                   "--votes", str(tmp_path / "v.jsonl")]  # fmt: skip
        rows = [problem("good"), Problem(id="bad", origin="bad", question="Other?",
                                         source=Source(name="a", raw_id="b"))]  # fmt: skip
        write_jsonl(path, rows)
        first = CliRunner().invoke(cli, command)
        again = CliRunner().invoke(cli, command)
        asked = len(server.requests)
        told = server.requests[2]["messages"][-1]["content"]
    assert "'perhaps' is no choice" in told
    assert (first.exit_code, again.exit_code, asked) == (1, 0, 4)
    assert "'perhaps' is no choice" in first.output
    assert "2 votes (" not in first.output
    assert "prompt and" in again.output
    votes = [
        json.loads(line) for line in (tmp_path / "v.jsonl").read_text().splitlines()
    ]
    values = {(row["problem_id"], row["field"]): row["value"] for row in votes}
    assert values["bad", "alignment"] == "no"
    assert values["bad", "defects"] == ["picture cropped"]
    assert all(row["at"] and len(row["instructions"]) == 16 for row in votes)


def test_what_is_drawn_is_left_to_people(tmp_path: Path) -> None:
    path = problems(tmp_path, problem("p"))
    with pytest.raises(UserError, match="drawing"):
        advise(path, kind="placement", models=["m"], votes=tmp_path / "v.jsonl")
    with pytest.raises(UserError, match="need a tree"):
        advise(path, kind="level", models=["m"], votes=tmp_path / "v.jsonl")
    with pytest.raises(UserError, match="need responses"):
        advise(path, kind="first-error", models=["m"], votes=tmp_path / "v.jsonl")


@pytest.mark.parametrize(
    "name", ["subject", "concepts", "steps", "review", "suitability"]
)
def test_every_form_becomes_a_schema(tmp_path: Path, name: str) -> None:
    """Whatever can be chosen on the page can be chosen in the reply, and nothing else."""
    from benchwright.annotate.advisers.forms import form_questionnaire
    from benchwright.annotate.kinds import controls_of

    kind, tree = load_kind(name), load_tree("we-math")
    suggestions = tmp_path / "s.jsonl"
    write_jsonl(suggestions, [
        Vote(problem_id="p", field=tree.field, value="x", annotator="m", kind="model")
    ])  # fmt: skip
    tasks = tasks_of(kind, tree, [problem("p")], suggestions)
    request = form_questionnaire(kind, tree, tasks, None).request("p")
    assert request.schema is not None
    fields = request.schema["properties"]
    for control, values in controls_of(kind.interface(tree)).items():
        if control in fields and values is not None:
            assert json.dumps(values)[1:-1] in json.dumps(fields[control])


def test_pictures_go_along(tmp_path: Path) -> None:
    from io import BytesIO

    from PIL import Image as Pillow

    buffer = BytesIO()
    Pillow.new("RGB", (9, 9), "red").save(buffer, "PNG")
    image = store_picture(buffer.getvalue(), tmp_path)
    problems(tmp_path, problem("p", images=[image]))
    _, votes, body = voted(
        tmp_path, {"alignment": "yes", "defects": []}, kind="alignment"
    )
    assert votes == {"alignment": "yes"}
    parts = body["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url"]
