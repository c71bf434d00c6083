"""Suggestions of a model: guards, review, use in a build; against the small test server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.cli import cli
from benchwright.convert.guards import findings
from benchwright.convert.suggestions import (
    Suggestion,
    SuggestionDecision,
    apply_suggestions,
    decide,
    read_decisions,
    read_reviewed,
)
from benchwright.convert.suggestions.ask import SCHEMA, TASKS, prompt, suggestions
from benchwright.convert.suggestions.review import queue
from benchwright.errors import UserError
from benchwright.llm import Model
from benchwright.problem import Problem
from click.testing import CliRunner
from llm_server import llm_server
from small import options, problem


@pytest.mark.parametrize(
    ("task", "before", "after", "found"),
    [
        ("punctuation", "如图,$x$=3.求y", "如图，$x$=3。求y", ""),
        ("punctuation", "Find $x$ ,now", "Find $x$, then", "letters"),
        ("punctuation", "Find $x$ ,now", "Find $y$, now", "letters"),
        ("translate", "已知$x=3$，求12的倍数", "Given $x=3$, find the multiples of 12", ""),
        ("translate", "已知$x=3$", "Given $x=3$ 求", "language"),
        ("translate", "已知$x=3$，共5个", "Given $x=3$, 6 in all", "number"),
        ("translate", "$\\text{面积}=3$", "$\\text{area}=3$", ""),
        ("rephrase", "Add $x$ and 3.", "What is 3 plus $x$?", ""),
        ("rephrase", "Add $x$ and 3.", "What is 3 plus $ x $ plus 0?", "number"),
        ("rephrase", "See <image1>.", "See the figure.", "picture"),
        ("rephrase", "Add $x$.", "Add $x$. " + "Think hard about it. " * 9, "length"),
        ("rephrase", "Add $x$.", "  ", "empty"),
        ("box", "So it is $5$.", "So it is $\\boxed{5}$.", ""),
        ("box", "So it is $5$.", "So it is $5$. The answer is $\\boxed{5}$.", ""),
        ("box", "So it is $5$.", "So it was $\\boxed{5}$.", "box"),
        ("box", "So it is $5$.", "So it is $5$.", "box"),
        ("box", "So it is $5$.", "So it is $\\boxed{5$.", "box"),
        ("rephrase", "Find the largest $x$.", "Find the smallest $x$.", ""),
        ("rephrase", "It is not $x$.", "It is $x$.", ""),
        ("rephrase", "Add three to $x$.", "Add four to $x$.", "number"),
        ("rephrase", "AB is parallel to $x$", "BC is parallel to $x$", ""),
        ("rephrase", "It is 3 cm long", "Its length: 3 km", ""),
        ("translate", "求最小的$x$", "Find the greatest $x$", ""),
        ("translate", "长3厘米，AB平行于CD", "It is 3 cm long, AB is parallel to CD", ""),
        ("translate", "直角三角形ABC中，$AB=3$", "In the right triangle ABC, $AB=3$", ""),
        ("rephrase", "小明骑车快，小红走路", "小明骑车慢，小红走路", ""),
        ("rephrase", "小明骑车快，求他的速度。", "小明骑车快，试求他的速度。", ""),
        ("rephrase", "Who weighs more than 40 kg?", "Who weighs less than 40 kg?", ""),
        ("translate", "D是BC的中点，AB=3", "D is a point of BC, AB=3", ""),
        ("translate", "八折后72元", "With 20% off it is 72 yuan", ""),
        ("open-ended", "If $x>0$, $x=$ ( )", "What is $x$?", "formula"),
        ("open-ended", "If $x>0$, then $x=$ ( )", "If $x>0$, what is it?", ""),
        ("open-ended", "The value of $x$ is ( )", "What is the value of $x$?", ""),
        ("open-ended", "What is $x$?", "What is $x$? (A) 1 (B) 2", "options"),
        ("open-ended", "What is $x$?", "What is $x$ if $y=2$?", "formula"),
    ],
)  # fmt: skip
def test_guards(task: str, before: str, after: str, found: str) -> None:
    objections = findings(task, before, after)
    assert [o.split(":")[0] for o in objections][:1] == ([found] if found else [])


def test_swapped_words_and_a_box_around_something_else(tmp_path: Path) -> None:
    asked = problem(
        question="Which?",
        options=options("red", "blue"),
        answer="A",
        answer_kind="choice",
    )
    [swapped] = suggested(
        replying("Which?", ["blue", "red"]), tmp_path, "rephrase", of=asked
    )
    assert swapped.rejected[-1] == "options: they were to be left as they are"
    solved = problem(solution="It is $5$ or $6$.", answer="6")
    [wrong] = suggested(
        replying(r"It is $\boxed{5}$ or $6$.", []), tmp_path, "box", of=solved
    )
    assert wrong.rejected == ["box: it holds '5', the answer is '6'"]


def test_every_task_has_a_prompt() -> None:
    assert all("JSON" in prompt(task) for task in TASKS)
    with pytest.raises(UserError, match="did you mean 'rephrase'"):
        prompt("rephrse")


ASKED = problem(
    question="What is $x$?",
    options=options("$1$", "2 cm"),
    answer="A",
    answer_kind="choice",
)


def replying(text: str, texts: list[str]) -> Callable[[dict[str, Any]], str]:
    return lambda body: json.dumps({"text": text, "options": texts})


def suggested(
    reply: Callable[[dict[str, Any]], Any],
    tmp_path: Path,
    task: str = "rephrase",
    **more: Any,
) -> list[Suggestion | None]:
    with llm_server(reply) as server:
        model = Model(name="m", base_url=server.base_url, retries=0)
        pairs = list(
            suggestions([more.get("of", ASKED)], task, model, tmp_path / "c.sqlite")
        )
        if server.requests:
            assert (
                server.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA
            )
    return [suggestion for suggestion, _ in pairs]


def test_a_good_suggestion_waits_for_a_person(tmp_path: Path) -> None:
    [made] = suggested(replying("Find $x$!", ["$1$", "2 cm"]), tmp_path)
    assert made is not None
    assert (made.original, made.text, made.rejected) == (
        "What is $x$?",
        "Find $x$!",
        [],
    )
    assert queue([made], {}) == [made]


@pytest.mark.parametrize(
    ("text", "texts", "found"),
    [
        ("Find $y$!", ["$1$", "2 cm"], "formula: 'x' is lost"),
        ("Find $x$!", ["$1$"], "options: 1 instead of 2"),
        ("Find $x$!", ["2 cm", "$1$"], "option A: number: '1' is lost"),
    ],
)
def test_a_bad_suggestion_is_rejected(
    text: str, texts: list[str], found: str, tmp_path: Path
) -> None:
    [made] = suggested(replying(text, texts), tmp_path)
    assert made is not None
    assert made.rejected[0] == found
    assert queue([made], {}) == []


def test_no_json_is_rejected_and_a_fence_is_not(tmp_path: Path) -> None:
    [made] = suggested(lambda body: "Sure! Here it is.", tmp_path)
    assert made is not None
    assert made.rejected[0].startswith("reply:")
    fenced = '```json\n{"text": "Find $x$!", "options": ["$1$", "2 cm"]}\n```'
    other = problem(2, options=ASKED.options, question="How large is $x$?")
    [made] = suggested(lambda body: fenced, tmp_path, of=other)
    assert made is not None
    assert made.rejected == []


def test_a_failing_endpoint_gives_no_suggestion(tmp_path: Path) -> None:
    assert suggested(lambda body: 400, tmp_path) == [None]


def test_only_chinese_is_translated_and_only_unboxed_is_boxed(tmp_path: Path) -> None:
    assert suggested(replying("x", []), tmp_path, "translate") == []
    done = problem(solution=r"$\boxed{2}$")
    assert suggested(replying("x", []), tmp_path, "box", of=done) == []


def ready(tmp_path: Path, *made: Suggestion) -> tuple[Path, Path]:
    file = tmp_path / "s.jsonl"
    write_jsonl(file, made)
    return file, tmp_path / "s.decisions.jsonl"


def one(**changes: Any) -> Suggestion:
    fields: dict[str, Any] = {
        "id": "s1", "problem_id": ASKED.id, "task": "rephrase", "field": "question",
        "original": ASKED.question, "original_options": ASKED.options, "text": "Find $x$!",
        "options": ASKED.options, "model": "m",
    }  # fmt: skip
    return Suggestion(**fields | changes)


def test_only_accepted_suggestions_count(tmp_path: Path) -> None:
    made = one()
    file, decisions = ready(tmp_path, made)
    assert read_reviewed(file, decisions, False) == []
    assert read_reviewed(file, decisions, True) == [made]
    decide(
        decisions,
        [made],
        SuggestionDecision(suggestion="s1", verdict="accept", reviewer="ada"),
    )
    assert read_reviewed(file, decisions, False) == [made]
    decide(
        decisions,
        [made],
        SuggestionDecision(suggestion="s1", verdict="reject", reviewer="bob"),
    )
    assert read_reviewed(file, decisions, True) == []
    assert [d.reviewer for d in read_jsonl(decisions, SuggestionDecision)] == [
        "ada",
        "bob",
    ]
    assert read_decisions(decisions)["s1"].verdict == "reject"


def test_a_rejected_suggestion_needs_a_corrected_text(tmp_path: Path) -> None:
    made = one(rejected=["formula: 'x' is lost"])
    file, decisions = ready(tmp_path, made)
    with pytest.raises(UserError, match="it is rejected"):
        decide(
            decisions,
            [made],
            SuggestionDecision(suggestion="s1", verdict="accept", reviewer="ada"),
        )
    mine = SuggestionDecision(
        suggestion="s1", verdict="accept", reviewer="ada", text="Give $x$."
    )
    decide(decisions, [made], mine)
    assert [s.text for s in read_reviewed(file, decisions, False)] == ["Give $x$."]


def test_applied_to_the_text_it_was_made_for_only() -> None:
    rows: list[tuple[str, Any]] = []
    changed = apply_suggestions(
        ASKED, [one()], lambda name, row: rows.append((name, row))
    )
    assert (changed.question, rows[0][0]) == ("Find $x$!", "suggested")
    new = problem(question="New?")
    assert (
        apply_suggestions(new, [one()], lambda name, row: rows.append((name, row)))
        == new
    )
    assert rows[1][0] == "stale"
    assert "another question: 'What is $x$?', not 'New?'" in rows[1][1]["why"]


def test_an_opened_question_takes_its_answer_from_the_problem() -> None:
    opened = one(task="open-ended", text="Give $x$.", options=[])
    changed = apply_suggestions(ASKED, [opened], lambda name, row: None)
    assert (changed.answer, changed.answer_kind, changed.options) == ("1", "number", [])


def command(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["convert", "assist", *arguments])


def test_commands_from_question_to_build(tmp_path: Path) -> None:
    problems, out = tmp_path / "p.jsonl", tmp_path / "s.jsonl"
    write_jsonl(problems, [ASKED])
    with llm_server(replying("Find $x$!", ["$1$", "2 cm"])) as server:
        base = ["ask", str(problems), "--task", "rephrase", "--model", "m", "-o", str(out),
                "--base-url", server.base_url, "--cache", str(tmp_path / "c.sqlite"), "--json",
                "--rules-only", "--set", "price-in=1", "--set", "price-out=2"]  # fmt: skip
        assert json.loads(command(*base, "--dry-run").stdout)["to_ask"] == 1
        assert (server.requests, out.exists()) == ([], False)
        first, second = (json.loads(command(*base).stdout) for _ in range(2))
    assert (first["to_review"], first["cost"], second["cached"]) == (1, 0.00012, 1)
    assert len(server.requests) == 1
    [waiting] = json.loads(command("queue", str(out), "--json").stdout)
    chosen = command(
        "decide", str(out), waiting["id"][:6], "accept", "--reviewer", "ada"
    )
    assert chosen.exit_code == 0
    assert "0 of 1" in command("queue", str(out)).stdout
    assert len(read_reviewed(out, out.with_suffix(".decisions.jsonl"), False)) == 1


def test_a_batch_file_instead_of_asking(tmp_path: Path) -> None:
    problems, batch = tmp_path / "p.jsonl", tmp_path / "b.jsonl"
    write_jsonl(problems, [ASKED])
    base = ["ask", str(problems), "--task", "rephrase", "--model", "m", "-o", str(tmp_path / "s"),
            "--cache", str(tmp_path / "c.sqlite")]  # fmt: skip
    assert command(*base, "--set", f"write-batch={batch}").exit_code == 0
    [line] = [json.loads(text) for text in batch.read_text().splitlines()]
    content = json.dumps({"text": "Find $x$!", "options": ["$1$", "2 cm"]})
    body = {
        "choices": [{"message": {"content": content}, "finish_reason": "stop"}],
        "usage": {},
    }
    reply = {
        "custom_id": line["custom_id"],
        "response": {"status_code": 200, "body": body},
    }
    (tmp_path / "r.jsonl").write_text(json.dumps(reply))
    done = command(
        *base, "--set", f"read-batch={tmp_path / 'r.jsonl'}", "--offline", "--json"
    )
    assert json.loads(done.stdout)["to_review"] == 1


def test_problems_are_read_strictly(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text("{}\n")
    result = command(
        "ask", str(tmp_path / "p.jsonl"), "--task", "box", "--model", "m", "-o", "x"
    )
    assert isinstance(result.exception, UserError)
    assert isinstance(ASKED, Problem)
