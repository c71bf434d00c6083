"""A judge for the replies from which no rule could extract an answer; it only ever adds.

Rules first, judge second: replies that a rule decided are not asked about, and what the judge
decided is marked `decided_by: judge`, so that both counts stay apart.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ...llm import Request
from ...problem import Sample
from ..metrics import Result
from ..prompts import fill, sample_fields
from .judge import Judge, judge, only_json, tally

UNDECIDED = ("unextracted", "declined", "timeout", "refused", "unparsed")


class JudgedAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What the judge says: the answer it found, and whether it equals the gold."""

    answer: str
    equal: bool


def judge_undecided(results: list[Result], samples: list[Sample], by: Judge) -> dict[str, Any]:
    """Let the judge decide what rules left open; changes `results`, returns counts."""
    by_id = {sample.id: sample for sample in samples}
    open_ = {r.id: r for r in results if r.status in UNDECIDED and (r.response or "").strip()}
    requests = [_request(by_id[name], result) for name, result in open_.items()]
    judgements = judge(requests, by, _read)
    for judgement in judgements:
        if judgement.value is None:
            continue
        result = open_[judgement.id]
        result.status, result.decided_by = "ok", "judge"
        result.correct = judgement.value.equal
        result.extracted = judgement.value.answer or None
        result.rule, result.how = "judge", by.model.name
    return {"asked": len(requests), "counts": tally(judgements)}


def _request(sample: Sample, result: Result) -> Request:
    text = fill(
        "answer-match",
        **sample_fields(sample),
        reply=result.response,
    )
    return Request(id=sample.id, messages=[{"role": "user", "content": text}])


def _read(name: str, text: str) -> JudgedAnswer:
    return msgspec.convert(only_json(text), JudgedAnswer)
