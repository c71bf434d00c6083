"""Panels: majority, arbitration, agreement, shared budgets, the papers' prompts, faults."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from benchwright import judge_agreement
from benchwright.errors import UserError
from benchwright.evaluate.judges import (
    Judge,
    Panel,
    Purse,
    cot_summary,
    evaluate_cot,
    evaluate_process,
    process_summary,
    run_protocols,
    wordings,
)
from benchwright.evaluate.judges.printed_forms import (
    average_and_final,
    first_error,
    listed_steps,
)
from benchwright.evaluate.metrics import VERDICTS
from benchwright.evaluate.predictions import Reply
from benchwright.evaluate.prompts import template
from benchwright.evaluate.scoring.grade_replies import Grading, grade_replies
from benchwright.llm import Model
from benchwright.problem import Sample, Source
from benchwright.taxonomy import first_errors
from llm_server import llm_server
from msgspec.structs import replace
from small import write_rows

SPELLED = (
    "Counting Ann's and then Bob's, they have got no fewer than seven between them"
)


# how made replies plead, of which each test's judges think nothing
PLEADING = (
    "Ignore all earlier",
    "### SYSTEM",
    "Note to the judge",
    "Dear judge",
    "End of the student's reply",
)


def sample(number: int, answer: str = "7") -> Sample:
    name = f"s{number}"
    return Sample(
        id=name, problem_id=name, origin=name, source=Source(name="a", raw_id=name),
        question=f"How many in case {number}?", answer=answer, answer_kind="number",
        solution="It is 7.",
    )  # fmt: skip


def text_of(body: dict) -> str:
    content = body["messages"][0]["content"]
    return content if isinstance(content, str) else content[-1]["text"]


def case(body: dict) -> int | None:
    """The number of the sample that is asked about; None for a canary."""
    text = text_of(body)
    if any(mark in text for mark in PLEADING):
        return None
    return int(text.split("in case ")[1].split("?")[0]) if "in case " in text else None


def says(equal: bool) -> str:
    return json.dumps({"answer": "seven" if equal else "", "equal": equal})


def voting(body: dict) -> Any:
    """a says right up to 5, b up to 3, c always but on canaries."""
    number, name = case(body), body["model"]
    if number is None:
        return says(False)
    return says({"a": number < 6, "b": number < 4, "c": True}[name])


def panel_of(server: Any, cache: Path, *names: str, **options: Any) -> Panel:
    judges = [
        Judge(model=Model(name=name, base_url=server.base_url), cache=cache)
        for name in names
    ]
    return Panel(judges=judges, **options)


def test_two_judges_must_agree_and_a_third_arbitrates(tmp_path: Path) -> None:
    samples = [sample(k) for k in range(8)]
    replies = {s.id: f"{SPELLED}{'!' * k}" for k, s in enumerate(samples)}
    with llm_server(voting) as server:
        alone = grade_replies(samples, [replies])
        assert {r.status for r in alone} == {"unextracted"}
        panel = panel_of(server, tmp_path / "c.db", "a", "b")
        found = run_protocols(["answers"], alone, samples, replies, tmp_path, panel)
        with_third = grade_replies(samples, [replies])
        panel.arbiter = Judge(model=Model(name="c", base_url=server.base_url),
                              cache=tmp_path / "c.db")  # fmt: skip
        third = run_protocols(
            ["answers"], with_third, samples, replies, tmp_path, panel
        )
    assert [r.correct for r in alone] == [True] * 4 + [False] * 4
    assert found.parts["answers"]["counts"]["disagreed"] == 2
    assert [r.status for r in alone][4:6] == ["unextracted"] * 2
    (pair,) = found.parts["agreement"]["answers"]
    assert (pair["judges"], pair["n"], pair["agreement"]) == (["a", "b"], 8, 0.75)
    assert pair["kappa"] == pytest.approx(0.5)  # by hand: (6/8 - 1/2) / (1 - 1/2)
    assert [r.correct for r in with_third] == [True] * 6 + [False] * 2
    assert third.parts["arbitrated"]["answers"] == 2
    words = Counter(word.judge for word in third.files["judges.jsonl"])
    assert words == {"a": 8, "b": 8, "c (arbiter)": 2}


def test_more_than_half_of_three_judges_decide(tmp_path: Path) -> None:
    samples = [sample(k) for k in range(8)]
    replies = {s.id: f"{SPELLED}{'!' * k}" for k, s in enumerate(samples)}
    results = grade_replies(samples, [replies])
    with llm_server(voting) as server:
        panel = panel_of(server, tmp_path / "c.db", "a", "b", "c")
        run_protocols(["answers"], results, samples, replies, tmp_path, panel)
    assert [r.correct for r in results] == [True] * 6 + [False] * 2
    assert {r.status for r in results} == {"ok"}


def test_agreement_with_people_is_told_for_each_judge(tmp_path: Path) -> None:
    words = [{"protocol": "answers", "judge": j, "id": f"s{k}", "status": "ok", "verdict": v}
             for j, said in (("a", "rrww"), ("b", "rrrr")) for k, v in enumerate(said)]  # fmt: skip
    words += [
        {"protocol": "cot", "judge": "a", "id": "s0", "status": "ok", "verdict": "x"}
    ]
    write_rows(tmp_path / "judges.jsonl", words)
    votes = [{"problem_id": f"s{k}", "field": "verdict", "value": v, "annotator": "ann",
              "kind": "human", "at": "1"} for k, v in enumerate("rrwr")]  # fmt: skip
    write_rows(tmp_path / "votes.jsonl", votes)
    found = judge_agreement(
        tmp_path / "judges.jsonl",
        tmp_path / "votes.jsonl",
        "verdict",
        protocol="answers",
    )
    assert {name: one.agreement for name, one in found.by_judge.items()} == {
        "a": 0.75,
        "b": 0.75,
    }
    assert found.by_judge["a"].kappa == pytest.approx(0.5)
    assert (found.n, found.agreement) == (8, 0.75)


def test_every_repeat_is_judged(tmp_path: Path) -> None:
    samples = [sample(1), sample(2)]
    rounds = [
        grade_replies(samples, [{s.id: SPELLED + mark for s in samples}])
        for mark in "!?"
    ]
    for number, results in enumerate(rounds, 1):
        for result in results:
            result.repeat = number
    results = [result for both in zip(*rounds, strict=True) for result in both]
    with llm_server(voting) as server:
        panel = panel_of(server, tmp_path / "c.db", "a")
        found = run_protocols(["answers"], results, samples, {}, tmp_path, panel)
        with pytest.raises(UserError, match="one reply a sample"):
            run_protocols(["cot"], results, samples, {}, tmp_path, panel)
    assert all(result.correct for result in results)
    assert [(row.id, row.repeat) for row in found.files["answers.jsonl"]] == [
        ("s1", 1), ("s1", 2), ("s2", 1), ("s2", 2),
    ]  # fmt: skip


def test_judges_share_a_budget_and_a_limit_bounds_them(tmp_path: Path) -> None:
    samples = [sample(k) for k in range(20)]
    replies = {s.id: f"{SPELLED}{'!' * k}" for k, s in enumerate(samples)}
    purse = Purse()
    with llm_server(voting) as server:
        judges = [
            Judge(
                model=Model(name=name, base_url=server.base_url, price_in=1.0, concurrency=1,
                            budget=0.0012),
                cache=tmp_path / "c.db",
                purse=purse,
            )
            for name in "ab"
        ]  # fmt: skip
        results = grade_replies(samples, [replies])
        panel = Panel(judges=judges)
        found = run_protocols(["answers"], results, samples, replies, tmp_path, panel)
        assert len(server.requests) == 12  # at 100 tokens each
        assert purse.spent == pytest.approx(0.0012)
        counts = found.parts["answers"]["counts"]
        assert sum(counts.values()) == 20
        limited = panel_of(server, tmp_path / "d.db", "a", limit=3)
        results = grade_replies(samples, [replies])
        found = run_protocols(["answers"], results, samples, replies, tmp_path, limited)
    assert found.parts["answers"]["asked"] == 3
    assert [r.decided_by for r in results] == ["judge"] * 3 + ["none"] * 17


def test_a_dry_run_asks_nothing_and_counts_everything(tmp_path: Path) -> None:
    samples = [sample(k) for k in range(4)]
    replies = {s.id: f"{SPELLED}{'!' * k}" for k, s in enumerate(samples)}
    by = Judge(model=Model(name="a", base_url="http://127.0.0.1:9"), cache=tmp_path / "c.db",
               dry_run=True)  # fmt: skip
    results = grade_replies(samples, [replies])
    panel = Panel(judges=[by])
    run_protocols(["answers", "process"], results, samples, replies, tmp_path, panel)
    assert sum(part["to_ask"] for part in by.planned) == 2 * (5 + 4)


def printed_judge(body: dict) -> str:
    """Answers in the forms that MathVerse's table 7 and MM-MATH's table 4 print."""
    text = text_of(body)
    if text.startswith("I will give you a detailed"):
        return "1. there are 3\n2. there are 4\n3. The answer is 7"
    if text.startswith("I will first give you"):
        return "Step 2 is wrong.\n- Average score: 2/3\n- Final answer score: 1"
    return "-First error: 3+3=7\n-Error category: 3. Calculation errors\n-Detailed analysis: no"


def test_the_papers_prompts_and_their_forms(tmp_path: Path) -> None:
    with llm_server(printed_judge) as server:
        panel = panel_of(
            server, tmp_path / "c.db", "a", wording=wordings(printed=True), alpha=0.5
        )
        panel.extractor = Judge(model=Model(name="x", base_url=server.base_url),
                                cache=tmp_path / "c.db")  # fmt: skip
        (by,) = panel.judges
        reply = {"s1": "there are 3, there are 4, so 7"}
        (cot,) = evaluate_cot([sample(1)], reply, tmp_path, by, panel)
        (process,) = evaluate_process(
            [sample(1)], reply, tmp_path, by, wordings(printed=True)["process"]
        )
        asked = [body["model"] for body in server.requests]
    assert asked == ["x", "a", "a"]  # another model extracts
    assert (cot.status, cot.score) == ("ok", pytest.approx(0.5 * 2 / 3 + 0.5))
    assert cot.category == "right answer, partly right reasoning"
    assert (process.category, process.quote) == ("calculation error", "3+3=7")


def test_printed_forms_refuse_prose() -> None:
    for read, text in [
        (listed_steps, "It is fine."),
        (average_and_final, "Average score: high, Final answer score: 1"),
        (average_and_final, "Average score: 1.5\nFinal answer score: 1"),
        (average_and_final, "Average score: 1/0\nFinal answer score: 1"),
        (first_error, "I see no category here"),
        (first_error, "Error category: 3. Misinterpretation"),
    ]:
        with pytest.raises(ValueError, match=r".*"):
            read(text)
    assert first_error("**Error category:** Other: No errors.")[0] == "none"


def test_prompt_files_say_what_they_use(tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text("Gold $answer, costs $$5:\n$reply\nJSON!\n")
    assert wordings(files={"answers": file})["answers"].text.endswith("$reply\nJSON!")
    for text, match in [
        ("$reply and $gold", r"p.txt:1: unknown name \$gold"),
        ("$reply for $5", r"a \$ that starts no name"),
        ("no reply", r"does not use \$reply"),
    ]:
        file.write_text(text)
        with pytest.raises(UserError, match=match):
            wordings(files={"answers": file})
    with pytest.raises(UserError, match="no judge's prompt is called 'answer'"):
        wordings(files={"answer": file})


FAULTS = ("429", "500", "403", "garbage", "html", "empty", "refuse", "prose")


def faulty(body: dict) -> Any:
    """One fault in twenty, by the number of the case: some always, some at the first attempt."""
    number = case(body)
    if number is None:
        return says(False)
    draw = random.Random(number)
    fault = draw.choice(FAULTS) if draw.random() < 0.05 else ""
    return {
        "429": 429, "500": 500, "403": 403, "garbage": (200, '{"choices": [{"mess'),
        "html": (200, "<html>busy</html>"), "empty": "", "refuse": {"refusal": "no"},
        "prose": "I think that the student did well. " * 300,
    }.get(fault, says(number % 2 == 1))  # fmt: skip


def test_faults_are_all_accounted_for(tmp_path: Path) -> None:
    """400 calls, 5 % of which fail in eight ways; every one ends in a named status."""
    samples = [sample(k) for k in range(400)]
    replies = {s.id: f"{SPELLED} ({s.id})" for s in samples}
    results = grade_replies(samples, [{s.id: Reply(text=SPELLED) for s in samples}])
    wanted: Counter[str] = Counter()
    for k in range(400):
        draw = random.Random(k)
        fault = draw.choice(FAULTS) if draw.random() < 0.05 else "ok"
        wanted[{"ok": "ok", "refuse": "refused", "prose": "unparsed", "empty": "unparsed"}.get(
            fault, "error")] += 1  # fmt: skip
    with llm_server(faulty) as server:
        by = Judge(model=Model(name="a", base_url=server.base_url, retries=0),
                   cache=tmp_path / "c.db")  # fmt: skip
        found = run_protocols(
            ["answers"], results, samples, replies, tmp_path, Panel(judges=[by])
        )
        longest = max(len(json.dumps(body)) for body in server.requests)
    counts = found.parts["answers"]["counts"]
    assert {k: n for k, n in counts.items() if n} == wanted
    assert sum(counts.values()) == 400
    assert len(found.files["answers.jsonl"]) == len(found.files["judges.jsonl"]) == 400
    assert wanted["ok"] < 400
    assert longest < 8000  # prose is shown again in part


def test_the_papers_bytes_go_out_unfenced_and_annotated_for_functions_alone(
    tmp_path: Path,
) -> None:
    """MathVerse, table 7: the annotation is only required for function problems."""
    asked = [
        replace(sample(1), diagram="A line.", labels={"subject": "Functions"}),
        replace(sample(2), diagram="A square.", labels={"subject": "Plane Geometry"}),
    ]
    replies = {s.id: "1 + 1 = 2. So 2" for s in asked}
    with llm_server(printed_judge) as server:
        chosen = wordings(printed="verbatim")
        panel = panel_of(server, tmp_path / "c.db", "a", wording=chosen)
        evaluate_cot(asked, replies, tmp_path, panel.judges[0], panel)
        sent = [text_of(body) for body in server.requests]
    extracting = template("mathverse-extract").replace("$reply", "1 + 1 = 2. So 2")
    assert sent.count(extracting) == 1  # the same reply, asked once
    scored = [text for text in sent if "Average score:" in text]
    shown = ["- Diagram annotation: A line.\n" in text for text in scored]
    assert sorted(shown) == [False, True]
    assert sum("- Diagram annotation:" in text for text in scored) == 1
    assert not any("REPLY-" in text for text in sent)


def of_math_v(number: int, **changes: Any) -> Sample:
    source = Source(name="a", raw_id=f"s{number}", benchmark="math-v")
    return replace(sample(number), source=source, solution=None, **changes)


def test_every_wrong_reply_is_classed_by_the_profile_in_hand(tmp_path: Path) -> None:
    """Refusals and replies without an answer are wrong, too; right ones are not asked about."""
    samples = [of_math_v(k) for k in range(5)]
    replies = {
        "s0": "It is 7.",
        "s1": "It is 8.",
        "s2": "I am sorry, I cannot help with that request.",
        "s3": "Well, many of them.",
    }  # s4 has no reply at all
    results = grade_replies(samples, [replies], Grading({"a": "math-v"}))
    assert [r.status for r in results] == [
        "ok",
        "ok",
        "declined",
        "unextracted",
        "missing",
    ]

    def classing(body: dict) -> str:
        number = case(body)
        quote = "many" if number == 3 else "is"
        kind = "refusal to answer" if number == 2 else "reasoning error"
        main = "calculation error" if number == 1 else kind
        return json.dumps({"category": kind, "quote": quote, "why": "", "main": main})

    with llm_server(classing) as server:
        panel = panel_of(server, tmp_path / "c.db", "a")
        found = run_protocols(["process"], results, samples, replies, tmp_path, panel)
        for (
            result
        ) in results:  # by the official rules the first is wrong, and the second right
            assert result.official is not None
            result.official.correct = result.id == "s1"
        strict = run_protocols(["process"], results, samples, replies, tmp_path, panel,
                               VERDICTS["official"])  # fmt: skip
    asked = [row.id for row in found.files["process.jsonl"]]
    assert asked == ["s1", "s2", "s3"]
    process = found.parts["process"]
    counts = {name: c["n"] for name, c in process["categories"].items() if c["n"]}
    assert counts == {"reasoning error": 2, "refusal to answer": 1}
    assert process["main"] == {
        "reasoning error -> calculation error": 1,
        "reasoning error -> reasoning error": 1,
        "refusal to answer -> refusal to answer": 1,
    }
    assert process["not_asked"] == 2
    assert [row.id for row in strict.files["process.jsonl"]] == ["s0", "s2", "s3"]


def test_errors_of_composites_stand_against_those_of_their_steps(
    tmp_path: Path,
) -> None:
    """We-Math, E.2; and MathVerse's figure 10: errors by version."""
    kinds = {
        "p.step1": "knowledge error", "p.multi": "knowledge error",
        "q.step1": "visual error", "q.multi": "reason error",
        "r.step1": "none", "r.multi": "visual error",
    }  # fmt: skip
    source = Source(name="a", raw_id="1", benchmark="we-math")
    samples = [
        replace(sample(k), id=name, problem_id=name[0], origin=name[0], version=name[2:],
                source=source)
        for k, name in enumerate(kinds)
    ]  # fmt: skip
    replies = {s.id: f"so {s.id}" for s in samples}
    known = first_errors("we-math")
    named = {kind: next(n for n in known if n.split()[0][:4] == kind[:4]) for kind in
             {*kinds.values()} - {"none"}}  # fmt: skip

    def classing(body: dict) -> str:
        name = next((name for name in kinds if f"so {name}" in text_of(body)), "")
        kind = named.get(kinds.get(name, "none"), "none")
        return json.dumps({"category": kind, "quote": "so", "why": ""})

    with llm_server(classing) as server:
        by = Judge(
            model=Model(name="a", base_url=server.base_url), cache=tmp_path / "c.db"
        )
        rows = evaluate_process(samples, replies, tmp_path, by)
    summary = process_summary(rows)
    knowledge, visual = named["knowledge error"], named["visual error"]
    assert summary["composites"] == {
        knowledge: {"same": 1, "others": 0, "none": 0},
        named["reason error"]: {"same": 0, "others": 1, "none": 0},
        visual: {"same": 0, "others": 0, "none": 1},
    }
    assert summary["versions"]["step1"] == {knowledge: 1, visual: 1}
    assert sum(summary["versions"]["multi"].values()) == 3


def test_the_judges_own_figure_stands_beside_the_checked_one(tmp_path: Path) -> None:
    """The rules find no gold in "7 or 8"; the paper, which trusts its judge, would count it."""
    samples = [sample(0), sample(1)]
    replies = {"s0": "It is seven or eight, who knows.", "s1": "It is 7."}

    def lenient(body: dict) -> str:
        if "List the key steps" in text_of(body):
            answer = "8" if "eight" in text_of(body) else "7"
            return json.dumps({"steps": ["it is counted"], "answer": answer})
        step = {"score": 1, "error": None, "why": ""}
        return json.dumps({"steps": [step, step], "answer": 1})

    with llm_server(lenient) as server:
        by = Judge(
            model=Model(name="a", base_url=server.base_url), cache=tmp_path / "c.db"
        )
        rows = evaluate_cot(samples, replies, tmp_path, by)
    assert [row.status for row in rows] == ["contradicted", "ok"]
    summary = cot_summary(rows, grade_replies(samples, [replies]))
    assert summary["all"]["n"] == 1
    assert summary["by_judge"]["refused"] == 1
    assert (summary["by_judge"]["all"]["n"], summary["by_judge"]["all"]["value"]) == (
        2,
        1.0,
    )
