"""Logs of harnesses that number their own tables: each reply stands at the sample it is about."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.predictions import read_predictions
from small_releases import make_sample

GOLDS = "ABCDEBADCEABCEDBAC"
# raw ids from 1 on, as MATH-V has them; one question says nothing, two are the same
QUESTIONS = [
    f"How many of the {k} squares of the {k * k} are white?" for k in range(18)
]
QUESTIONS[4] = "<image1>"
QUESTIONS[9] = QUESTIONS[8]
SAMPLES = [
    make_sample(f"mv-{k + 1}", gold, question=QUESTIONS[k])
    for k, gold in enumerate(GOLDS)
]
SAID = [
    f"Counting row by row, number {k} of them says it is {g}."
    for k, g in enumerate(GOLDS)
]
PROMPTS = [f"Answer with a letter.\n\nQ: {q}\n(A) one (B) two\nA:" for q in QUESTIONS]
Row = dict[str, Any]


def _lm_eval(k: int, filter: str = "none") -> Row:
    return {"doc_id": k, "target": GOLDS[k], "doc": {"question": QUESTIONS[k]},
            "resps": [[SAID[k]]], "filtered_resps": [GOLDS[-k]], "filter": filter}  # fmt: skip


def _math_harness(k: int) -> Row:
    return {"idx": k, "question": QUESTIONS[k], "gt": GOLDS[k], "code": [SAID[k]],
            "pred": [GOLDS[-k]], "score": [False]}  # fmt: skip


def _details(k: int) -> Row:
    return {"doc": {"id": str(k), "query": PROMPTS[k], "choices": [GOLDS[k]]},
            "model_response": {"text": [SAID[k]], "input": PROMPTS[k]}}  # fmt: skip


def _chat(k: int) -> Row:
    message = {
        "message": {"content": SAID[k], "role": "assistant"},
        "stop_reason": "stop",
    }
    return {"index": k, "model": "m", "model_output": {"choices": [message]},
            "messages": [{"role": "user", "content": PROMPTS[k]}]}  # fmt: skip


def _without_a_number(k: int) -> Row:
    return {"question": QUESTIONS[k], "gold": GOLDS[k], "output": SAID[k]}


def _counted_from_one(k: int) -> Row:
    return {"id": k + 1, "question": QUESTIONS[k], "model_output": SAID[k]}


def _replies(path: Path) -> list[str]:
    found = read_predictions(path, SAMPLES).replies
    return [found[sample.id] for sample in SAMPLES]


@pytest.mark.parametrize(
    "row",
    [_lm_eval, _math_harness, _details, _chat, _without_a_number, _counted_from_one],
)
def test_rows_stand_at_their_samples(tmp_path: Path, row: Callable[[int], Row]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row(k)) for k in range(len(GOLDS))))
    assert _replies(path) == SAID


def test_objects_whose_rows_are_numbered_hold_them_at_any_depth(tmp_path: Path) -> None:
    """OpenCompass' predictions and details; ids of samples begin with 1, these with 0."""
    plain = {
        str(k): {"origin_prompt": PROMPTS[k], "prediction": SAID[k], "gold": GOLDS[k]}
        for k in range(len(GOLDS))
    }
    details = {
        str(k): {"prompt": PROMPTS[k], "origin_prediction": SAID[k], "predictions": "A"}
        for k in range(len(GOLDS))
    }
    states = [
        {
            "instance": {"id": f"id{k}", "input": {"text": QUESTIONS[k]}},
            "result": {"completions": [{"text": SAID[k]}]},
        }
        for k in range(len(GOLDS))
    ]
    for name, data in (
        ("plain", plain),
        ("details", {"accuracy": 3.0, "details": {"type": "GEN"} | details}),
        ("states", {"adapter": {"model": "m"}, "request_states": states}),
    ):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(data))
        assert _replies(path) == SAID, name


def test_shuffled_numbers_are_places_and_no_names(tmp_path: Path) -> None:
    """Number 3 is the fourth sample, though a sample is called 3."""
    path = tmp_path / "rows.jsonl"
    order = sorted(range(len(GOLDS)), key=lambda k: k * 7 % 19)
    path.write_text("\n".join(json.dumps(_math_harness(k)) for k in order))
    assert _replies(path) == SAID


def test_a_row_for_each_filter_is_one_reply(tmp_path: Path) -> None:
    path = tmp_path / "samples_x.jsonl"
    rows = [_lm_eval(k, name) for name in ("strict", "flexible") for k in range(18)]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert len(read_predictions(path, SAMPLES).rounds) == 1
    assert _replies(path) == SAID


def test_a_log_of_events_gives_those_that_hold_replies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows: list[Row] = [{"spec": {"eval_name": "x.dev.v0"}}]
    for k in range(len(GOLDS)):
        of = {"run_id": "r", "sample_id": f"x.dev.{k}"}
        prompt = [{"role": "user", "content": PROMPTS[k]}]
        rows.append(of | {"event_id": 2 * k, "type": "sampling",
                          "data": {"prompt": prompt, "sampled": [SAID[k]]}})  # fmt: skip
        rows.append(of | {"event_id": 2 * k + 1, "type": "match",
                          "data": {"correct": False, "expected": GOLDS[k]}})  # fmt: skip
    path = tmp_path / "events.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert _replies(path) == SAID
    assert "19 rows without data.sampled are left out" in capsys.readouterr().err


def test_a_row_that_holds_another_question_than_that_of_its_place_is_named(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [_without_a_number(k) for k in range(18)]
    rows[12] |= {"question": "Another question, of no sample here?", "gold": "Z"}
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(UserError, match=r"rows.jsonl:13: row 13"):
        read_predictions(path, SAMPLES)


def test_numbers_that_nothing_bears_out_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"row": k, "text": SAID[k]} for k in range(18)]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(UserError, match="unreadable row"):
        read_predictions(path, SAMPLES)
