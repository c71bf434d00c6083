"""A second model's word on suggestions: what it may overrule, and what it adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.cli import cli
from benchwright.convert.guards.guards import findings
from benchwright.convert.suggestions.compare import DOUBTS, compare_suggestions, requests_of
from benchwright.convert.suggestions.review import Suggestion, review_queue
from benchwright.llm import Model
from click.testing import CliRunner
from llm_server import llm_server
from small import options

TOLD = "A farmer has 12 hens and sells half of them. How many hens are left?"


def made(number: int, text: str, original: str = TOLD, **changes: Any) -> Suggestion:
    fields: dict[str, Any] = {
        "id": f"s{number}", "problem_id": f"p{number}", "task": "rephrase", "field": "question",
        "original": original, "text": text, "model": "m",
        "rejected": findings("rephrase", original, text),
    }  # fmt: skip
    return Suggestion(**fields | changes)


GOOD = made(1, "A farmer owns 12 hens. Half of them are sold. Find how many hens remain.")
DOUBTED = made(2, GOOD.text, rejected=["sense: 'sell' became 'give'", "option B: term: 'x' is new"])
LOST = made(3, "A farmer owns 21 hens. Half of them are sold. Find how many hens remain.")
OTHER = made(4, "A farmer owns 12 hens. Half of them hatch. Find how many hens there are then.",
             rejected=[])  # fmt: skip


def says_same(body: dict[str, Any]) -> str:
    asked = json.loads(body["messages"][-1]["content"])
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["same", "difference"]
    if "hatch" in asked["suggestion"]:
        return '{"same": false, "difference": "Hens hatch instead of being sold."}'
    return '```json\n{"same": true, "difference": ""}\n```'


def compared(tmp_path: Path, reply: Any, *suggestions: Suggestion) -> tuple[Any, list[Any]]:
    with llm_server(reply) as server:
        model = Model(name="second", base_url=server.base_url, retries=0)
        done = compare_suggestions(suggestions, model, cache=tmp_path / "c.sqlite")
        return done, server.requests


def test_doubts_are_cleared_and_changes_of_meaning_are_found(tmp_path: Path) -> None:
    same = made(7, TOLD)
    done, asked = compared(tmp_path, says_same, GOOD, DOUBTED, LOST, OTHER, same)
    good, doubted, lost, other, untouched = done
    assert untouched == same, "what changes nothing is not asked about"
    assert (good.rejected, good.doubts, good.compared_by) == ([], [], "second")
    assert (doubted.rejected, doubted.doubts) == ([], DOUBTED.rejected)
    assert lost == LOST, "what the guards are sure of is not asked about"
    assert other.rejected == ["meaning: Hens hatch instead of being sold."]
    assert len(asked) == 2, "the same texts are asked about once"
    assert done.counts() == {"suggestions": 5, "rejected": 2, "to_review": 2}


@pytest.mark.parametrize("reply", [400, "I think so.", '{"same": "perhaps"}', '{"difference": ""}'])
def test_without_an_answer_a_suggestion_stays_and_is_told(tmp_path: Path, reply: Any) -> None:
    done, _ = compared(tmp_path, lambda body: reply, DOUBTED, OTHER)
    assert list(done) == [DOUBTED, OTHER]
    assert [answer.id for answer in done.failed()] == ["s2", "s4"]


def test_options_are_compared_with_the_text() -> None:
    choice = made(5, "Which?", "Which one?", original_options=options("red"), options=options("r"))
    opened = made(6, "How many?", "It is ( )", original_options=options("red"), task="open-ended")
    texts = [json.loads(r.messages[-1]["content"]) for r in requests_of([choice, opened])]
    assert (texts[0]["original"], texts[0]["suggestion"]) == (
        "Which one?\n(A) red",
        "Which?\n(A) r",
    )
    assert (texts[1]["original"], texts[1]["suggestion"]) == ("It is ( )", "How many?")


def test_markup_boxes_and_what_must_be_kept_are_no_doubts() -> None:
    sure = ["markup", "formula", "number", "picture", "box", "letters", "options", "language",
            "length", "empty", "reply", "meaning"]  # fmt: skip
    assert DOUBTS.isdisjoint(sure)


def test_the_command_writes_what_people_then_review(tmp_path: Path) -> None:
    file, out = tmp_path / "s.jsonl", tmp_path / "compared.jsonl"
    write_jsonl(file, [DOUBTED, LOST, OTHER])
    with llm_server(says_same) as server:
        base = ["convert", "assist", "compare", str(file), "--model", "second", "-o", str(out)]
        base += ["--base-url", server.base_url, "--cache", str(tmp_path / "c.sqlite"), "--json"]
        assert json.loads(CliRunner().invoke(cli, [*base, "--dry-run"]).stdout)["to_ask"] == 2
        counts = json.loads(CliRunner().invoke(cli, base).stdout)
    assert (counts["rejected"], counts["to_review"]) == (2, 1)
    assert [s.id for s in review_queue(out)] == ["s2"]
    assert next(read_jsonl(out, Suggestion)).compared_by == "second"
    shown = CliRunner().invoke(cli, ["convert", "assist", "queue", str(out)]).stdout
    assert "? sense: 'sell' became 'give'" in shown
