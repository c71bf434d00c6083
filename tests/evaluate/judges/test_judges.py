"""Judged protocols: the papers' formulas, strict parsing, one repair, nothing paid for twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import judge_agreement
from benchwright.evaluate.judges import (
    Judge,
    cohen_kappa,
    cot_score,
    cot_summary,
    evaluate_cot,
    evaluate_process,
    only_json,
    process_summary,
)
from benchwright.evaluate.judges.chain_of_thought import CATEGORIES, category
from benchwright.evaluate.judges.judge import judge
from benchwright.evaluate.scoring.grade_replies import grade_replies
from benchwright.llm import Model, Request
from benchwright.problem import Sample, Source
from hypothesis import given
from hypothesis import strategies as st
from llm_server import llm_server
from msgspec.structs import replace
from small import write_rows


def sample(number: int, **changes: Any) -> Sample:
    base = {"id": f"s{number}", "problem_id": f"s{number}", "origin": f"s{number}"}
    fields = {"question": "What is $1+1$?", "answer": "2", "solution": "It is 2."}
    return Sample(
        **base, **(fields | {"source": Source(name="a", raw_id=str(number))} | changes)
    )


def judged_by(server: Any, cache: Path, **options: Any) -> Judge:
    return Judge(
        model=Model(name="j", base_url=server.base_url, **options), cache=cache
    )


WORKED = json.loads(Path(__file__).with_name("mathverse_cot.json").read_text("utf-8"))[
    "rows"
]


@pytest.mark.parametrize("row", WORKED, ids=[f"figure {row[0]}" for row in WORKED])
def test_the_scores_of_the_papers_worked_examples(row: list[Any]) -> None:
    _, right, count, answer, multi_step, final = row
    steps = [1] * right + [0] * (count - right)

    def as_printed(value: float, text: str) -> bool:
        digits = len(text.partition(".")[2])
        return abs(value - float(text)) <= 0.5 * 10**-digits + 1e-9

    assert as_printed(right / count, multi_step)
    assert as_printed(cot_score(steps, answer), final)


def test_a_reply_of_one_step_or_none_is_scored_by_its_answer() -> None:
    assert [
        cot_score(steps, answer) for steps in ([], [0], [1]) for answer in (0, 1)
    ] == [0, 1] * 3


@given(st.lists(st.integers(0, 1), max_size=9), st.integers(0, 1))
def test_scores_are_shares_and_each_step_counts(steps: list[int], answer: int) -> None:
    assert 0 <= cot_score(steps, answer) <= 1
    assert category(sum(steps), len(steps), answer) in CATEGORIES
    if 0 in steps and len(steps) > 1:
        better = list(steps)
        better[better.index(0)] = 1
        assert cot_score(better, answer) > cot_score(steps, answer)


def text_of(body: dict) -> str:
    content = body["messages"][0]["content"]
    return content if isinstance(content, str) else content[-1]["text"]


def inside(text: str) -> str:
    """What stands between the two marks of a fence."""
    (mark,) = {line for line in text.splitlines() if line.startswith("REPLY-")}
    return text.split(f"\n{mark}\n")[1].removesuffix(f"\n{mark}")


def cot_judge(body: dict) -> str:
    """Extracts the reply's sentences; a step is wrong when it says so, and the answer is 2."""
    text = text_of(body)
    if "You are not shown the problem" in text:
        *steps, final = inside(text).split(". ")
        return json.dumps({"steps": steps, "answer": final})
    steps = inside(text).splitlines()
    right = steps[-1].endswith("The final answer is 2")
    marks = []
    for step in steps:
        wrong = "wrong" in step or ("The final answer is" in step and not right)
        kind = "calculation" if "wrong" in step else "reasoning"
        marks.append(
            {"score": int(not wrong), "error": kind if wrong else None, "why": ""}
        )
    return json.dumps({"steps": marks, "answer": int(right)})


def test_cot_evaluation_end_to_end(tmp_path: Path) -> None:
    samples = [
        sample(k, version=v, labels={"subject": "Functions", "subfield": "Property"})
        for k, v in enumerate(["text_lite", "text_lite", "text_only", "text_only"])
    ]
    replies = {"s0": "add. fine. 2", "s1": "add. wrong sum. 3", "s2": "2"}
    with llm_server(cot_judge) as server:
        by = judged_by(server, tmp_path / "c.db")
        results = evaluate_cot(samples, replies, tmp_path, by)
        asked = len(server.requests)
        again = evaluate_cot(samples, replies, tmp_path, by)
    assert (asked, len(server.requests)) == (6, 6)
    assert again == results
    assert [r.score for r in results] == [1.0, pytest.approx(0.7 / 3), 1.0, 0.0]
    assert [r.status for r in results] == ["ok", "ok", "ok", "missing"]
    assert [step["text"] for step in results[1].steps][-1] == "The final answer is 3"
    summary = cot_summary(results, grade_replies(samples, [replies]))
    part = summary["all"]  # without Text Only
    assert (part["n"], part["answer"]) == (2, 0.5)
    assert part["value"] == pytest.approx((1 + 0.7 / 3) / 2, abs=1e-6)
    assert part["low"] < part["value"] < part["high"]
    assert (
        part["errors"]["calculation"] == 1
    )  # the first wrong step counts, not its consequence
    assert part["errors"]["reasoning"] == 0
    assert part["categories"]["wrong answer, partly right reasoning"] == 1
    assert part["categories"]["right answer, right reasoning"] == 1
    assert summary["versions"]["text_only"]["value"] == 0.5
    assert summary["by"]["subfield"] == {"Functions / Property": part}


def test_a_version_that_was_not_asked_counts_nowhere(tmp_path: Path) -> None:
    """A text-only model sees two versions of six (MathVerse, table 2): a dash for the others."""
    versions = ["text_dominant", "text_only", "text_lite", "vision_only"]
    samples = [sample(k, version=v) for k, v in enumerate(versions)]
    replies = {"s0": "add. fine. 2", "s1": "2"}
    with llm_server(cot_judge) as server:
        by = judged_by(server, tmp_path / "c.db")
        results = evaluate_cot(samples, replies, tmp_path, by)
    summary = cot_summary(results, grade_replies(samples, [replies]))
    assert set(summary["versions"]) == {"text_dominant", "text_only"}
    assert (summary["all"]["n"], summary["all"]["value"]) == (1, 1.0)
    assert summary["counts"]["missing"] == 2


def test_right_reasoning_with_a_wrong_answer_is_a_category_of_its_own(
    tmp_path: Path,
) -> None:
    with llm_server(cot_judge) as server:
        by = judged_by(server, tmp_path / "c.db")
        (result,) = evaluate_cot([sample(1)], {"s1": "add. 3"}, tmp_path, by)
    assert result.category == "wrong answer, right reasoning"
    assert result.score == 0.35


def test_the_extraction_sees_the_reply_alone(tmp_path: Path) -> None:
    secret = sample(
        1, question="SECRET QUESTION", answer="SECRET GOLD", solution="SECRET"
    )
    with llm_server(cot_judge) as server:
        evaluate_cot(
            [secret], {"s1": "a. b"}, tmp_path, judged_by(server, tmp_path / "c")
        )
    first, second = (json.dumps(body) for body in server.requests)
    assert "SECRET" not in first
    assert "SECRET QUESTION" in second
    assert "SECRET GOLD" in second


BAD = {
    "prose": "I think the student did well.",
    "empty": "",
    "wrong shape": '{"score": 3}',
    "another category": '{"category": "typo", "quote": "x"}',
    "an error without a place": '{"category": "calculation error", "quote": ""}',
    "another key": '{"kind": "none"}',
    "a list": "[1]",
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_reply_is_repaired_once_and_then_counted(
    tmp_path: Path, kind: str
) -> None:
    for stubborn, status in ((False, "ok"), (True, "unparsed")):

        def reply(body: dict, stubborn: bool = stubborn) -> str:
            corrected = len(body["messages"]) > 1
            return '{"category": "none"}' if corrected and not stubborn else BAD[kind]

        with llm_server(reply) as server:
            by = judged_by(server, tmp_path / f"{status}.db")
            (result,) = evaluate_process([sample(1)], {"s1": "so 2"}, tmp_path, by)
        assert (result.status, result.repaired) == (status, not stubborn)
        tries = 3 if kind == "empty" else 1  # nothing at all is asked for again
        assert len(server.requests) == tries + (tries if stubborn else 1)
    assert process_summary([result])["counts"]["unparsed"] == 1


def test_refusals_and_failures_have_a_status_of_their_own(tmp_path: Path) -> None:
    def reply(body: dict) -> Any:
        return {"refusal": "no"} if "refuse" in text_of(body) else 403

    with llm_server(reply) as server:
        results = evaluate_process(
            [sample(1), sample(2), sample(3), sample(4, solution=None)],
            {"s1": "refuse me", "s2": "fail me", "s4": "no reference"},
            tmp_path,
            judged_by(server, tmp_path / "c.db", retries=0),
        )
    assert [(r.id, r.status) for r in results] == [
        ("s1", "refused"),
        ("s2", "error"),
        ("s3", "missing"),
    ]


def test_a_storm_of_429_and_a_restart_lose_and_repeat_nothing(tmp_path: Path) -> None:
    samples = [sample(k) for k in range(12)]
    replies = {s.id: f"so {s.id}" for s in samples}
    answer = '{"category": "calculation error", "quote": "so", "why": ""}'
    with llm_server(
        lambda body: answer, failures=["429", "500", "garbage"] * 4
    ) as server:
        by = judged_by(server, tmp_path / "c.db", retries=0)
        first = evaluate_process(samples, replies, tmp_path, by)
        paid = sum(r.status == "ok" for r in first)
        server.requests.clear()
        second = evaluate_process(samples, replies, tmp_path, by)
        asked = len(server.requests)
    assert {r.status for r in second} == {"ok"}
    assert asked == 12 - paid
    assert all(r.at == 0 for r in second)
    assert process_summary(second)["categories"]["calculation error"] == {
        "n": 12, "share": 1.0, "low": 0.735352, "high": 1.0, "of_errors": 1.0, "by_judge": 12,
    }  # fmt: skip


def test_every_benchmark_has_its_own_classes_of_errors(tmp_path: Path) -> None:
    """Shares of the errors leave out replies without one; We-Math counts by concept."""
    said = {
        "mv": '{"category": "knowledge error", "quote": "so", "why": ""}',
        "wm": '{"category": "hallucination", "quote": "so", "why": ""}',
        "ok": '{"category": "none"}',
        "mm": '{"category": "knowledge error", "quote": "so", "why": ""}',  # no class of MM-MATH
    }
    of = {"mv": "math-v", "wm": "we-math", "ok": "we-math", "mm": "mm-math"}
    samples = [
        replace(sample(1), id=name, source=Source(name=name, raw_id="1", benchmark=benchmark),
               labels={"knowledge": ["Area of Circles"]})
        for name, benchmark in of.items()
    ]  # fmt: skip
    replies = {name: f"so {name}" for name in of}

    def reply(body: dict) -> str:
        return next(
            text for name, text in said.items() if f"so {name}" in text_of(body)
        )

    with llm_server(reply) as server:
        results = evaluate_process(
            samples, replies, tmp_path, judged_by(server, tmp_path / "c.db")
        )
    assert [r.status for r in results] == ["ok", "ok", "ok", "unparsed"]
    summary = process_summary(results)
    hallucination, none = (
        summary["categories"][name] for name in ("hallucination", "none")
    )
    assert (hallucination["n"], hallucination["share"]) == (1, 0.333333)
    assert (hallucination["of_errors"], none["of_errors"]) == (0.5, None)
    assert none["n"] == 1
    assert none["low"] < none["share"] < none["high"]
    assert summary["concepts"]["Area of Circles"] == {
        "hallucination": 1,
        "knowledge error": 1,
    }


def test_only_json_takes_json_and_nothing_else() -> None:
    assert only_json(' {"a": 1}\n') == {"a": 1}
    for text in ('Here: {"a": 1}', '{"a": 1', "null", "```json\n{}\n``` and more"):
        with pytest.raises(ValueError, match=r".*"):
            only_json(text)


def test_judge_keeps_the_order(tmp_path: Path) -> None:
    requests = [
        Request(id=str(k), messages=[{"role": "user", "content": str(k)}])
        for k in range(30)
    ]
    with llm_server(
        lambda body: json.dumps({"n": body["messages"][0]["content"]})
    ) as server:
        by = judged_by(server, tmp_path / "c.db")
        judgements = judge(requests, by, lambda name, text: only_json(text)["n"])
    assert [j.value for j in judgements] == [str(k) for k in range(30)]


def test_kappa_of_the_textbook_table() -> None:
    """Wikipedia's 50 grant proposals: 20 + 15 agreed, 5 and 10 not; kappa 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)
    assert cohen_kappa([("y", "y")] * 5) is None
    assert cohen_kappa([("y", "n"), ("n", "y")]) == -1


def test_agreement_takes_the_human_majority_of_the_latest_votes(tmp_path: Path) -> None:
    write_rows(
        tmp_path / "judged.jsonl",
        [{"id": f"s{k}", "category": c} for k, c in enumerate("xxyyz")],
    )

    def vote(k: int, value: str, who: str, at: str = "1", kind: str = "human") -> dict:
        return {
            "problem_id": f"s{k}",
            "field": "category",
            "value": value,
            "annotator": who,
            "kind": kind,
            "at": at,
        }

    votes = [
        vote(0, "x", "ann"),
        vote(1, "x", "ann"), vote(1, "y", "ann", at="2"),
        vote(2, "y", "ann"), vote(2, "y", "bob"), vote(2, "x", "cyd"),
        vote(2, "x", "gpt", kind="model"),
        vote(3, "x", "ann"), vote(3, "y", "bob"),
    ]  # fmt: skip
    write_rows(tmp_path / "votes.jsonl", votes)
    result = judge_agreement(
        tmp_path / "judged.jsonl", tmp_path / "votes.jsonl", "category"
    )
    assert (result.n, result.only_judged) == (3, 2)  # s3 is tied
    assert result.disagreements == [{"id": "s1", "judge": "x", "people": "y"}]
    assert result.agreement == pytest.approx(2 / 3, abs=1e-6)


def test_people_name_the_category_in_the_forms_own_field(tmp_path: Path) -> None:
    """Votes of the kind first-error need no --human-field."""
    write_rows(tmp_path / "process.jsonl",
               [{"id": "s1", "status": "ok", "category": "calculation error"}])  # fmt: skip
    write_rows(tmp_path / "votes.jsonl", [
        {"problem_id": "s1", "field": "first_error", "value": "calculation error",
         "annotator": "ada"}])  # fmt: skip
    result = judge_agreement(
        tmp_path / "process.jsonl", tmp_path / "votes.jsonl", "category"
    )
    assert (result.n, result.agreement) == (1, 1.0)
