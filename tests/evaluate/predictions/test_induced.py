"""Prediction files of services that were never named to us: their fields are found, or refused."""

from __future__ import annotations

import csv
import json

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.predictions import read_predictions
from small_releases import make_sample

SAMPLES = [make_sample(f"mv-{k}", str(k)) for k in (41, 7, 12, 3, 28)]
REPLY = {s.id: f"Twice {k} and the rest, so the answer is {s.answer}."
         for k, s in enumerate(SAMPLES)}  # fmt: skip


def _openai_batch(name: str, text: str) -> object:
    choice = {"index": 0, "finish_reason": "length",
              "message": {"role": "assistant", "content": text}}  # fmt: skip
    body = {"id": f"chatcmpl-{name}", "model": "m", "choices": [choice]}
    return {
        "id": f"batch_{name}",
        "custom_id": name,
        "response": {"body": body},
        "error": None,
    }


def _messages_batch(name: str, text: str) -> object:
    parts = [{"type": "thinking", "thinking": "Let me see, perhaps 99, or rather something else."},
             {"type": "text", "text": text[:6]}, {"type": "text", "text": text[6:]}]  # fmt: skip
    return {
        "custom_id": name,
        "result": {"type": "succeeded", "message": {"content": parts}},
    }


def _with_the_prompt(name: str, text: str) -> object:
    question = next(s.question for s in SAMPLES if s.id == name)
    prompt = (
        f"You are a careful mathematician. {question} Think step by step, and answer."
    )
    return {"doc": {"uid": name}, "prompt": prompt, "generation": text}


@pytest.mark.parametrize("row", [_openai_batch, _messages_batch, _with_the_prompt])
def test_fields_are_found_by_what_they_hold(tmp_path, capsys, row) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        "\n".join(json.dumps(row(name, text)) for name, text in REPLY.items())
    )
    found = read_predictions(path, SAMPLES)
    assert {k: v.replace("\n", "") for k, v in found.replies.items()} == REPLY
    assert "samples are named in" in capsys.readouterr().err
    ended = {reply.ended for reply in found.rounds[0].values()}
    assert ended == {"truncated" if row is _openai_batch else ""}


def test_own_columns_an_object_by_id_and_a_path_are_read(tmp_path) -> None:
    table, by_id, nested = tmp_path / "p.csv", tmp_path / "i.json", tmp_path / "n.jsonl"
    with table.open("w") as file:
        csv.writer(file).writerows([["problem", "model output"], *REPLY.items()])
    by_id.write_text(json.dumps(REPLY))
    nested.write_text(
        "\n".join(json.dumps({"a": {"b": k}, "c": v}) for k, v in REPLY.items())
    )
    assert read_predictions(table, SAMPLES).replies == REPLY
    assert read_predictions(by_id, SAMPLES).replies == REPLY
    by_path = read_predictions(nested, SAMPLES, id_field="a.b", response_field="c")
    assert by_path.replies == REPLY


def test_choices_are_repeats_and_parts_are_one_text(tmp_path) -> None:
    path = tmp_path / "p.jsonl"
    rows = [{"key": s.id, "candidates": [
                {"content": {"parts": [{"text": f"I think of {s.id}"}, {"text": str(k)}]}}
                for k in range(2)]} for s in SAMPLES]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    rounds = read_predictions(path, SAMPLES).rounds
    assert [reply["mv-7"].text for reply in rounds] == [
        "I think of mv-7\n0",
        "I think of mv-7\n1",
    ]


@pytest.mark.parametrize(
    "row",
    [
        lambda k, s: {
            "uid": s.id,
            "first": f"The answer is {k}",
            "second": f"It may be {k + 1}",
        },
        lambda k, s: {
            "uid": s.id,
            "twin": SAMPLES[k - 1].id,
            "text": f"The answer is {k}",
        },
        lambda k, s: {"row": k + 1, "text": f"The answer is {k}"},
        lambda k, s: {
            "uid": s.id,
            "text": "AB"[k % 2],
            "at": f"2026-01-0{k + 1} 10:00",
        },
        lambda k, s: {
            "id": s.id,
            "response": {"first": f"It is {k}", "second": f"It was {k}"},
        },
    ],
)
def test_nobody_guesses(tmp_path, row) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(json.dumps(row(k, s)) for k, s in enumerate(SAMPLES)))
    with pytest.raises(UserError, match=r"no (id|response) field"):
        read_predictions(path, SAMPLES)
