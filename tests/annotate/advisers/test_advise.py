"""Model advice against a small OpenAI-compatible server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.annotate.votes import read_votes
from benchwright.base.about import about
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.base.pictures import store_picture
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.problem import Option, Problem, Source, Vote
from click.testing import CliRunner
from llm_server import llm_server
from msgspec.structs import replace

REPLIES = {
    "clean": '{"label": "algebra"}',
    "fenced": '```json\n{"label": "Metric Geometry - Area"}\n```',
    "bare": "logic",
    "unsure": '{"label": "pending"}',
    "outside": '{"label": "algbra"}',
    "broken": '{"label": ',
    "two": '{"labels": ["algebra", "logic"]}',
    "empty": "",
    "list": "{[1]}",
}


def problems(folder: Path) -> Path:
    from io import BytesIO

    from PIL import Image as Pillow

    buffer = BytesIO()
    Pillow.new("RGB", (9, 9), "red").save(buffer, "PNG")
    image = store_picture(buffer.getvalue(), folder)
    write_jsonl(folder / "problems.jsonl", [
        Problem(id=key, origin=key, source=Source(name="a", raw_id=key), question=f"Q:{key}",
                images=[image], options=[Option(label="A", text="7")])
        for key in REPLIES
    ])  # fmt: skip
    return folder / "problems.jsonl"


def reply(body: dict[str, Any]) -> str:
    text = body["messages"][1]["content"][0]["text"]
    return REPLIES[text.split("\n")[0].removeprefix("Q:")]


def test_votes_of_two_models(tmp_path: Path) -> None:
    path, votes = problems(tmp_path), tmp_path / "advice.jsonl"
    with llm_server(reply) as server:
        command = ["annotate", "advise", str(path), "--tree", "math-v", "--model", "one",
                   "--model", "two", "--base-url", server.base_url, "--votes", str(votes),
                   "--json"]  # fmt: skip
        first = CliRunner().invoke(cli, command)
        asked = len(server.requests)
        again = CliRunner().invoke(cli, command)
        assert asked == 2 * (
            len(REPLIES) + 4 + 2
        )  # four are told why, an empty one is asked for
        assert len(server.requests) == asked + 2 * (
            4 + 4 + 3
        )  # thrice; the next run asks again
        body = server.requests[0]
    found = json.loads(first.stdout)
    assert (first.exit_code, found["votes"], found["new_votes"]) == (1, 8, 8)
    refused = {r["problem_id"]: r["reason"] for r in found["refused"]}
    assert refused.keys() == {"outside", "broken", "two", "empty", "list"}
    assert "did you mean 'algebra'" in refused["outside"]
    expected = {"clean": "algebra", "fenced": "metric geometry - area", "bare": "logic",
                "unsure": "pending"}  # fmt: skip
    shown = {problem.id: about(problem) for problem in read_jsonl(path, Problem)}
    cast = read_votes(votes)
    assert all(vote.at for vote in cast)
    assert [replace(vote, at="") for vote in cast] == [
        Vote(problem_id=key, field="subject", value=value, annotator=model, kind="model",
             about=shown[key], instructions=found["prompt"])
        for model in ("one", "two")
        for key, value in expected.items()
    ]  # fmt: skip
    assert json.loads(again.stdout)["new_votes"] == 0
    content = body["messages"][1]["content"]
    assert content[0]["text"].endswith("\n(A) 7")
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert "- topology: " in body["messages"][0]["content"]
    enum = body["response_format"]["json_schema"]["schema"]["properties"]["label"][
        "enum"
    ]
    assert len(enum) == 17


def test_several_concepts(tmp_path: Path) -> None:
    path, votes = problems(tmp_path), tmp_path / "advice.jsonl"
    said = '{"labels": ["Rotation", "area of circles", "Rotation"]}'
    with llm_server(lambda body: said) as server:
        command = ["annotate", "advise", str(path), "--tree", "we-math", "--model", "m",
                   "--several", "--base-url", server.base_url, "--votes", str(votes)]  # fmt: skip
        assert CliRunner().invoke(cli, command).exit_code == 0
    assert {json.dumps(v.value) for v in read_votes(votes)} == {
        '["Area of Circles", "Rotation"]'
    }


def test_a_failed_request_is_counted_and_asked_again(tmp_path: Path) -> None:
    path, votes = problems(tmp_path), tmp_path / "advice.jsonl"
    down = ["clean"]

    def answer(body: dict[str, Any]) -> Any:
        asked = body["messages"][1]["content"][0]["text"]
        return (
            400
            if any(asked.startswith(f"Q:{key}") for key in down)
            else '{"label": "logic"}'
        )

    with llm_server(answer) as server:
        command = ["annotate", "advise", str(path), "--tree", "math-v", "--model", "m",
                   "--base-url", server.base_url, "--votes", str(votes), "--json"]  # fmt: skip
        first = CliRunner().invoke(cli, command)
        assert (first.exit_code, json.loads(first.stdout)["failed"]) == (1, 1)
        down.clear()
        assert CliRunner().invoke(cli, command).exit_code == 0
    assert len(read_votes(votes)) == len(REPLIES)


def test_a_missing_picture_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    path = problems(tmp_path)
    for picture in (tmp_path / "images").iterdir():
        picture.unlink()
    command = ["annotate", "advise", str(path), "--tree", "math-v", "--model", "m",
               "--images", str(tmp_path), "--votes", str(tmp_path / "v.jsonl")]  # fmt: skip
    result = CliRunner().invoke(cli, command)
    assert isinstance(result.exception, UserError)
    assert "no picture" in str(result.exception)
    assert not (tmp_path / "v.jsonl").exists()


@pytest.mark.parametrize("tree", ["math-v", "mathverse", "mm-math", "we-math"])
def test_the_instruction_names_every_leaf(tree: str) -> None:
    from benchwright.annotate.advisers.labels import instruction
    from benchwright.taxonomy import load_tree

    text = instruction(load_tree(tree))
    found = load_tree(tree)
    assert all(
        f"- {found.label(leaf)}: {leaf.definition}\n" in text for leaf in found.leaves
    )


def test_a_papers_own_prompt_and_its_box(tmp_path: Path) -> None:
    path, votes = problems(tmp_path), tmp_path / "advice.jsonl"
    words = "words: a paper\nadvice: 'One of $labels, in \\boxed{}.'\n"
    (tmp_path / "words.yaml").write_text(words, "utf-8")

    def boxed(body: dict[str, Any]) -> str:
        (message,) = body["messages"]
        text, _ = message["content"]
        assert text["text"].startswith("One of algebra, analytic geometry, ")
        assert "pending, in \\boxed{}.\nQ:" in text["text"]
        return "It is first \\boxed{algebra}, no, \\boxed{\\text{logic}}"

    with llm_server(boxed) as server:
        command = ["annotate", "advise", str(path), "--tree", "math-v", "--model", "one",
                   "--base-url", server.base_url, "--votes", str(votes), "--json",
                   "--wording", str(tmp_path / "words.yaml")]  # fmt: skip
        done = CliRunner().invoke(cli, command)
    assert json.loads(done.stdout)["words"] == "a paper", done.output
    assert {vote.value for vote in read_votes(votes)} == {"logic"}
    (tmp_path / "words.yaml").write_text("words: a paper\n", "utf-8")
    assert "has no advice" in str(CliRunner().invoke(cli, command).exception)
