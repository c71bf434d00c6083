"""Spans drafted by a model: placed by their words, held by the rules, bound to their problem."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.errors import UserError
from benchwright.llm import Answer, Model
from benchwright.pipeline import Context, Engine, load_stage, run_stage
from benchwright.problem import Problem, Source
from benchwright.render.versions.draft_spans import draft_spans, read_draft
from llm_server import llm_server

QUESTION = "As shown, AB is tangent to circle O, angle A = 50°, find angle O."
GOOD = [
    {"text": "AB is tangent to circle O,", "role": "IP", "alt": ""},
    {"text": "angle A = 50°,", "role": "EC", "alt": ""},
]
BAD = [{"text": "find angle O", "role": "DI", "alt": ""}]


def problem(name: str, question: str = QUESTION) -> Problem:
    return Problem(id=name, origin=name, source=Source(name="a", raw_id="1"), question=question)


def said(spans: Any) -> str:
    return "Here: " + json.dumps({"spans": spans}, ensure_ascii=False)


def marked(question: str, spans: Any) -> list[tuple[str, str, str | None]]:
    found = read_draft(question, Answer(id="1", text=said(spans)))
    return [(question[s.start : s.end], s.role, s.alt) for s in found]


def test_pieces_stand_where_their_words_do() -> None:
    assert marked(QUESTION, GOOD) == [(p["text"], p["role"], None) for p in GOOD]
    twice = "The cone is 5 cm high. The cone is 3 cm wide. Find the volume of the cone."
    inner = {"text": "cone", "role": "IP", "alt": "solid"}
    outer = [{"text": "The cone is 5 cm high.", "role": "EC", "alt": ""}, inner, inner, inner]
    spans = read_draft(twice, Answer(id="1", text=said(outer)))
    starts = [span.start for span in spans if span.role == "IP"]
    assert starts == [k for k in range(len(twice)) if twice.startswith("cone", k)]


@pytest.mark.parametrize(
    ("spans", "why"),
    [
        ([{"text": "angle A = 60°", "role": "EC", "alt": ""}], "does not stand in the question"),
        ([{"text": "circle O, angle", "role": "EC", "alt": ""}, *GOOD], "crosses"),
        ([{"text": "angle A = 50°,", "role": "XX", "alt": ""}], "not as asked for"),
        ([{"text": "50°", "role": "EC", "alt": ""}], "reads"),
        ([], "nothing is marked"),
    ],
)
def test_a_reply_that_is_no_draft_is_refused_with_the_reason(spans: Any, why: str) -> None:
    with pytest.raises(UserError, match=why):
        marked(QUESTION, spans)


def test_a_refused_draft_is_asked_for_once_more_and_drafts_are_taken_by_the_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    rows = [problem("a"), problem("b", QUESTION.replace("50", "40"))]
    write_jsonl(tmp_path / "problems.jsonl", rows)

    def reply(body: dict[str, Any]) -> str:
        told = json.dumps(body["messages"], ensure_ascii=False)
        if "40°" in told:
            return "I cannot."
        return said(GOOD) if "is refused" in told else said([{**GOOD[0], "text": "AB is tangled"}])

    drafts = tmp_path / "drafts.jsonl"
    with llm_server(reply) as server:
        model = Model(name="m", base_url=server.base_url, retries=0)
        drafted = draft_spans(tmp_path / "problems.jsonl", model, drafts)
        assert len(server.requests) == 4
    assert list(drafted.refused) == ["b"]
    assert [vote.problem_id for vote in drafted.votes] == ["a"]
    again = draft_spans(rows, model, drafts, offline=True)
    assert again.votes == drafted.votes

    rows.append(problem("c"))
    changed = [problem("a", QUESTION + " Say why."), *rows[1:]]
    for name, given, roles, stale in (
        ("same", rows, ["IP", "EC"], 0),
        ("changed", changed, None, 1),
    ):
        write_jsonl(tmp_path / f"{name}.jsonl", given)
        context = Context(recipe_folder=tmp_path, work=tmp_path, engine=Engine(1))
        options = {"drafts": str(drafts)}
        run_stage(
            load_stage("spans"), options, tmp_path / f"{name}.jsonl", tmp_path / name, context
        )
        kept = {p.id: p for p in read_jsonl(tmp_path / name / "problems.jsonl", Problem)}
        assert kept["c"].spans
        assert roles is None or [s.role for s in kept["a"].spans] == roles
        table = tmp_path / name / "stale.jsonl"
        assert len(table.read_text().splitlines() if table.exists() else []) == stale
