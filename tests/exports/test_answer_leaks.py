"""Withheld answers told in words: found where they are told, and hardly ever where they are not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest
from benchwright import build_release
from benchwright.exports import verify
from benchwright.exports.answer_leaks import (
    announcement,
    answers_of,
    telling_labels,
    texts_of,
)
from benchwright.problem import Image, Problem, Span, Step, sample_of
from benchwright.release import private_folder
from real_data import RealData
from small import options, problem, write_recipe, write_rows


@pytest.mark.parametrize("answer", ["12", "B", r"\frac{1}{2}", "-3", "x=2", "Monday"])
@pytest.mark.parametrize(
    "text",
    ["The answer is %s.", "(Answer: %s)", "answer = $%s$", "Key: %s", "Ans. %s", "ANSWER - %s",
     "The correct option is (%s)", "so \\boxed{%s}", "答案：%s", "答案是%s。", "故选%s",
     "The answer to part (a) is **%s**", "Lösung: %s"],
)  # fmt: skip
def test_what_announces_the_answer_tells_it(text: str, answer: str) -> None:
    assert announcement(f"Find it. {text.replace('%s', answer)}", [answer])


@pytest.mark.parametrize(
    ("text", "answer"),
    [("Is the answer 12 or 15?", "12"), ("The answer is 12.5", "12"), ("The answer is 120", "12"),
     ("The answer is a whole number.", "A"), ("Give the answer as a fraction.", "a fraction"),
     ("In triangle ABC, B is the right angle", "C"), ("The answer is $12x$", "12"),
     ("12 answers were given", "12"), ("Write your answer: ____", "12"), ("x is 12", "12")],
)  # fmt: skip
def test_other_words_do_not(text: str, answer: str) -> None:
    assert not announcement(text, [answer])


def test_real_questions_announce_no_answer(data: RealData) -> None:
    rows = [
        json.loads(line)
        for line in data.math_v("test.jsonl").read_text("utf-8").splitlines()
    ]
    assert not [
        row["id"] for row in rows if announcement(row["question"], [row["answer"]])
    ]


def keyed(
    keys: list[str], golds: list[str]
) -> tuple[list[Problem], dict[str, list[str]]]:
    problems = [
        problem(k, labels={"key": key, "level": k % 3 + 1})
        for k, key in enumerate(keys, 1)
    ]
    return problems, {p.id: [gold] for p, gold in zip(problems, golds, strict=True)}


def test_a_label_that_is_the_key_is_found() -> None:
    golds = list("ABDCABDCCA")
    assert telling_labels(*keyed(golds, golds)) == {"key": (10, 10)}
    most = [*golds[:8], "D", "B"]
    assert telling_labels(*keyed(most, golds)) == {"key": (8, 10)}


def test_a_label_that_has_nothing_to_do_with_it_is_called_one_once_in_a_thousand() -> (
    None
):
    chance, found = random.Random(1), 0
    for _ in range(300):
        golds = chance.choices("ABCDE", k=chance.choice([5, 8, 12]))
        found += bool(telling_labels(*keyed(chance.sample(golds, len(golds)), golds)))
    assert found <= 3


def test_answers_are_those_of_options_too() -> None:
    p = problem(1, options=options("3", "$4$"), answer="", answer_kind="choice")
    assert answers_of(p, {"a-1": {"answer": "B"}}) == ["B", "4"]


def test_verify_finds_what_a_release_tells_of_its_withheld_answers(
    tmp_path: Path,
) -> None:
    golds = "ABDCABDCCA"
    rows = [
        problem(k, options=options("3", "4", "5", "6"), answer=gold, answer_kind="choice",
                labels={"key": gold, "level": k % 3},
                question="Which?" + " (The answer is (D).)" * (k == 3))
        for k, gold in enumerate(golds, 1)
    ]  # fmt: skip
    write_rows(tmp_path / "p.jsonl", list(map(msgspec.to_builtins, rows)))
    source = {"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT"}
    recipe = {
        "name": "x",
        "version": "1.0.0",
        "sources": [source],
        "withhold_answers": ["test"],
    }
    release = build_release(
        write_recipe(tmp_path / "r.yaml", recipe), tmp_path / "out"
    ).release
    assert verify(release) == [], "who does not know the answers cannot tell"
    found = [
        (d.code, d.where, d.what) for d in verify(release, private_folder(release))
    ]
    key = "the label 'key' is the answer of 10 of 10 problems"
    assert found == [
        ("answer-announced", "problems/test.jsonl", key),
        ("answer-announced", "problems/test.jsonl: a-3", "it says 'answer is (D'"),
    ]


def test_every_text_of_a_problem_is_looked_at() -> None:
    """Also of its versions, steps, pictures and spans."""
    picture = Image(
        path="images/a.png", sha256="0" * 64, width=1, height=1, caption="caption"
    )
    one = problem(1, question="What?", diagram="diagram", placement="placement", images=[picture],
                  labels={"subject": "label"}, spans=[Span(start=0, end=4, role="EC", alt="alt")],
                  steps=[Step(question="step", condition="of step")])  # fmt: skip
    one.source.url = "url"
    sample = sample_of(one)
    one.samples = [
        msgspec.structs.replace(sample, question="version", condition="of version")
    ]
    said = {"What?", "version", "of version", "step", "of step", "caption", "alt", "diagram",
            "placement", "url", "label"}  # fmt: skip
    assert said <= set(texts_of(one))


def test_words_about_a_withheld_problem_stay_at_home(tmp_path: Path) -> None:
    """Whatever a column is called: a sentence about a problem may tell its answer."""
    told = ("Oben vier, unten vier: das sind 8 Ecken.", "先乘后加得十四。", "Halve it.")
    rows = [
        {"id": k, "question": f"How many, {k}?", "answer": "8", "note": text,
         "topic": "Volume of a solid", "level": k}
        for k, text in enumerate(told, 1)
    ]  # fmt: skip
    write_rows(tmp_path / "d.jsonl", rows)
    fields = {"labels.note": "note", "labels.topic": "topic", "labels.level": "level"}
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    recipe = {
        "name": "x",
        "version": "1.0.0",
        "sources": [source | {"fields": fields}],
        "withhold_answers": ["test"],
        "splits": {"test": "rest"},
    }
    built = build_release(write_recipe(tmp_path / "r.yaml", recipe), tmp_path / "out")
    public = b"".join(p.read_bytes() for p in built.release.rglob("*") if p.is_file())
    for text in told[:2]:
        assert text.encode() not in public
        assert json.dumps(text)[1:-1].encode() not in public
    assert b"Volume of a solid" in public
    kept = private_folder(built.release) / "problems" / "test.jsonl"
    assert all(text in kept.read_text("utf-8") for text in told)
    assert not verify(built.release, answers=private_folder(built.release))
