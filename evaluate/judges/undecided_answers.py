"""A judge for the replies from which no rule could extract an answer; it only ever adds.

Rules first, judge second: replies that a rule decided are not asked about, and what the judge
decided is marked `decided_by: judge`, so that both counts stay apart. The judge finds the answer,
the rules compare it (`cross_check.py`): where they differ, the verdict stays open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import msgspec

from ...llm import Request
from ...problem import Sample
from ..metrics import Result
from ..prompts import fill, sample_fields
from .cross_check import checked
from .judge import Judge, Judgement, JudgeStatus, Row, judge, tally, unread
from .judge_json import object_in
from .wordings import Wording


class JudgedAnswer(msgspec.Struct):
    """What the judge says: the answer it found, and whether it equals the gold."""

    answer: str
    equal: bool


class AnswerResult(Row, kw_only=True):
    """A judge's word on one reply: a line of answers.jsonl. `verdict` is None while it is open."""

    repeat: int = 1
    verdict: Literal["right", "wrong"] | None = None
    answer: str = ""
    equal: bool | None = None

    def word(self) -> str:
        return str(self.verdict)

    def favourable(self) -> bool:
        return self.equal is True

    def opened(self, status: JudgeStatus, cause: str) -> Self:
        return msgspec.structs.replace(self, status=status, cause=cause, verdict=None)


def judge_answers(
    samples: Sequence[Sample], replies: Mapping[str, str], by: Judge, wording: Wording
) -> list[AnswerResult]:
    """What the judge says of each reply, checked by the rules, in the samples' order."""
    requests = [_request(s, replies[s.id], wording) for s in samples]
    judgements = judge(requests, by, _read)
    golds = [s.answer or "" for s in samples if s.answer_kind == "text"]
    return [
        _result(s, replies[s.id], j, golds)
        for s, j in zip(samples, judgements, strict=True)
    ]


def _request(sample: Sample, reply: str, wording: Wording) -> Request:
    text = fill(wording.text, **sample_fields(sample), reply=wording.shown(reply))
    return Request(id=sample.id, messages=[{"role": "user", "content": text}])


def _read(name: str, text: str) -> JudgedAnswer:
    return object_in(text, JudgedAnswer)


def _result(
    sample: Sample, reply: str, judged: Judgement[JudgedAnswer], golds: Sequence[str]
) -> AnswerResult:
    result = AnswerResult(
        id=sample.id,
        problem_id=sample.problem_id,
        status=judged.status,
        repaired=judged.repaired,
        cause=judged.cause,
        said=judged.said,
    )
    if judged.value is not None:
        result.answer, result.equal = judged.value.answer, judged.value.equal
        verdict, result.cause = checked(
            sample, reply, result.answer, result.equal, golds
        )
        if verdict == "contradicted":
            result.status = "contradicted"
        else:
            result.verdict = verdict
    return result


def settle(results: Sequence[Result], judged: Sequence[AnswerResult]) -> None:
    """Give the results that a judge decided their verdict; both are in the same order."""
    for result, word in zip(results, judged, strict=True):
        if word.status == "ok":
            result.status, result.decided_by = "ok", "judge"
            result.correct = word.verdict == "right"
            result.extracted = word.answer or None
            result.rule, result.how = "judge", word.judge


def notes(result: AnswerResult) -> list[str]:
    """A result in one line for people."""
    said = result.verdict or result.status
    return [f"judge {result.judge}: {said} {result.cause}".rstrip(), *unread(result)]


def answers_summary(judged: Sequence[AnswerResult]) -> dict[str, Any]:
    """The `judge.answers` of scores.json: how many were asked, and how they ended."""
    verdicts = Counter(word.verdict for word in judged if word.status == "ok")
    return {
        "asked": len(judged),
        "counts": tally(judged),
        "right": verdicts["right"],
        "wrong": verdicts["wrong"],
    }
