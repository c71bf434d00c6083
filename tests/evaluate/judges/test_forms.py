"""Judges write the form that they were asked for in many shapes: all of them are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.evaluate.judges import (
    FirstError,
    Judge,
    JudgedAnswer,
    KeySteps,
    StepScores,
    evaluate_cot,
    judge_answers,
    wordings,
)
from benchwright.evaluate.judges.judge_json import object_in
from benchwright.llm import Model
from llm_server import llm_server
from small_releases import make_sample

OTHER = '{"answer": "5", "equal": false, "steps": [], "category": "none", "quote": ""}'
# Ten shapes in which judges wrap their JSON.
SHAPES = {
    "plain": "%s",
    "fenced": "```json\n%s\n```",
    "a sentence before": "Here is my judgement:\n%s",
    "a sentence after": "%s\nLet me know if you need more.",
    "fenced in prose": "The student is right.\n\n```json\n%s\n```\nDone.",
    "thoughts before": f"<think>Perhaps {OTHER}? No.</think>\n%s",
    "a draft before": f"First I thought {OTHER}.\nFinal: %s",
    "braces of LaTeX around": r"As $\frac{1}{2} \in \{x\}$: %s so $\sqrt{2}$.",
    "inside an object": '{"result": %s, "confidence": 0.9}',
    "in a list": "[%s]",
}
WORDS: dict[Any, dict[str, Any]] = {
    JudgedAnswer: {"answer": "x = 3", "equal": True},
    KeySteps: {"steps": ["a {b}", "c"], "answer": "3"},
    StepScores: {
        "steps": [{"score": 1}, {"score": 0, "error": "reasoning"}],
        "answer": 1,
    },
    FirstError: {"category": "none", "quote": "", "why": ""},
}


# As models write objects that are no JSON to the letter.
LOOSE = {
    "of Python": "{python}",
    "with comments": '{{\n  "answer": {answer},  // as it says\n  "equal": true\n}}',
    "with bare keys": "{{answer: {answer}, equal: true}}",
    "with Python's truth": '{{"answer": {answer}, "equal": True,}}',
    "with a line end": '{{"answer": {answer}, "why": "one\ntwo", "equal": true}}',
    "cut before its bracket": '{{"answer": {answer}, "equal": true',
}
ANSWERS = ("7", r"$\frac{1}{2}$", r"x \in \{1, 2\}", 'a "red" one', "−3 (not −2)")


@pytest.mark.parametrize("form", LOOSE)
def test_an_object_that_is_no_json_to_the_letter_is_read(form: str) -> None:
    for answer in ANSWERS:
        python = {"answer": answer, "equal": True}
        text = LOOSE[form].format(python=python, answer=json.dumps(answer))
        assert object_in(text, JudgedAnswer) == JudgedAnswer(answer=answer, equal=True)


def test_braces_without_the_keys_are_no_judgement() -> None:
    for text in ("equal: yes", '{"answer": "7"}', "{answer, equal}", '{"' * 9000):
        with pytest.raises(ValueError, match="no JSON object"):
            object_in(text, JudgedAnswer)


@pytest.mark.parametrize("more", [{}, {"confidence": 0.9, "note": "a } b"}])
@pytest.mark.parametrize("kind", list(WORDS))
@pytest.mark.parametrize("shape", list(SHAPES))
def test_a_form_is_read_in_every_shape(shape: str, kind: Any, more: Any) -> None:
    said = json.dumps(WORDS[kind] | more, indent=1)
    read = object_in(SHAPES[shape].replace("%s", said), kind)
    expected = WORDS[kind]
    if kind is StepScores:
        assert [step.score for step in read.steps] == [1, 0]
        assert read.answer == 1
    else:
        assert {name: getattr(read, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"answer": 7, "equal": "true"}', "7"),
        ('{"Answer": "7", "Equal": true}', "7"),
        ('{"answer": "7", "equal": true,}', "7"),
        (r'{"answer": "\sqrt{2}", "equal": true}', r"\sqrt{2}"),
        (r'{"answer": "\frac{1}{2}", "equal": true}', r"\frac{1}{2}"),
        ('{"answer": "7",\n"equal": true, "why": "two\nlines"}', "7"),
    ],
)
def test_small_faults_are_mended(text: str, answer: str) -> None:
    assert object_in(f"So: {text}", JudgedAnswer) == JudgedAnswer(answer, True)


def test_what_is_no_form_is_none() -> None:
    for text in ("It is right.", '{"answer": "7"}', "{" * 5000, '{"a":' * 5000, "null"):
        with pytest.raises(ValueError, match="no JSON object with the keys"):
            object_in(text, JudgedAnswer)


def judged(reply: Any, path: Path, said: str, again: bool = False) -> Any:
    with llm_server(reply) as server:
        by = Judge(
            model=Model(name="j", base_url=server.base_url), cache=path, again=again
        )
        sample = make_sample("a-1", "12")
        (row,) = judge_answers([sample], {"a-1": said}, by, wordings()["answers"])
        return row, len(server.requests)


def test_what_cannot_be_read_is_kept_and_asked_anew_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    row, asked = judged(lambda _: "It is right, I think.", path, "It is 12.")
    assert (row.status, row.said, asked) == ("unparsed", "It is right, I think.", 2)
    form = json.dumps({"answer": "12", "equal": True})
    row, asked = judged(lambda _: form, path, "It is 12.")
    assert (row.status, asked) == ("unparsed", 0)  # kept
    row, asked = judged(lambda _: form, path, "It is 12.", again=True)
    assert (row.status, row.verdict, asked) == ("ok", "right", 1)


def test_unfavourable_verdicts_are_checked_too(tmp_path: Path) -> None:
    form = json.dumps({"answer": "13", "equal": False})
    row, _ = judged(lambda _: form, tmp_path / "c.sqlite", "It is 12 or so.")
    assert row.status == "contradicted"
    assert "is not in the reply" in row.cause
    row, _ = judged(lambda _: form, tmp_path / "d.sqlite", "It is 13.")
    assert (row.status, row.verdict) == ("ok", "wrong")

    def cot(body: dict[str, Any]) -> str:
        if "You are not shown" in json.dumps(body):
            return json.dumps({"steps": [], "answer": "15"})
        wrong = {"score": 0, "error": "reasoning"}
        return json.dumps({"steps": [wrong], "answer": 0})

    with llm_server(cot) as server:
        by = Judge(
            model=Model(name="j", base_url=server.base_url), cache=tmp_path / "e.sqlite"
        )
        sample = make_sample("a-1", "12")
        replies = {"a-1": "So it is 12."}
        (row,) = evaluate_cot([sample], replies, tmp_path, by, right_by_rules={"a-1"})
    assert (row.status, row.score) == ("contradicted", None)
