"""Process evaluation (MM-MATH, section 4.3): the first error of a reply and its category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from ...llm import Request
from ...problem import Sample
from ..prompts import fenced, fill, messages, sample_fields
from . import printed_forms
from .judge import Judge, Judgement, Row, judge, only_json, tally
from .wordings import Wording, wordings

Category = Literal[
    "diagram misinterpretation",
    "reasoning error",
    "calculation error",
    "textual condition misunderstanding",
    "none",
]


class FirstError(msgspec.Struct, forbid_unknown_fields=True):
    """What the judge says: the category, the words in which the error occurs, and why."""

    category: Category
    quote: str = ""
    why: str = ""


class ProcessResult(Row, kw_only=True):
    """The first error of one reply: a line of process.jsonl. `at` is its place in characters."""

    category: str | None = None
    quote: str = ""
    at: int | None = None
    why: str = ""

    def said(self) -> str:
        return str(self.category)

    def favourable(self) -> bool:
        return self.category == "none"


def evaluate_process(
    samples: Sequence[Sample],
    replies: Mapping[str, str],
    release: Path,
    by: Judge,
    wording: Wording | None = None,
    wrong_by_rules: Collection[str] = (),
) -> list[ProcessResult]:
    """First errors, in the samples' order, of the replies to samples with a reference solution.

    A reply without error cannot have an answer that is `wrong_by_rules`: such a word stays open.
    """
    wording = wording or wordings()["process"]
    known = [s for s in samples if s.solution]
    answered = [s for s in known if replies.get(s.id, "").strip()]
    requests = [_request(s, replies[s.id], release, wording) for s in answered]
    read = _printed if wording.printed else _read
    judgements = {j.id: j for j in judge(requests, by, read)}
    results = [_result(s, replies.get(s.id, ""), judgements.get(s.id)) for s in known]
    return [
        result.opened("contradicted", "no error, although the rules call the answer wrong")
        if result.id in wrong_by_rules and result.status == "ok" and result.favourable()
        else result
        for result in results
    ]


def note(result: ProcessResult) -> str:
    """A result in one line for people."""
    if result.status != "ok":
        return f"first error: {result.status} {result.cause}".rstrip()
    quoted = f" in “{result.quote}”" if result.quote else ""
    return f"first error: {result.category}{quoted} {result.why}".rstrip()


def _request(sample: Sample, reply: str, release: Path, wording: Wording) -> Request:
    text = fill(
        wording.text,
        **sample_fields(sample),
        solution=sample.solution,
        reply=fenced(reply),
    )
    return Request(id=sample.id, messages=messages(text, sample, release))


def _read(name: str, text: str) -> FirstError:
    error = msgspec.convert(only_json(text), FirstError)
    if error.category != "none" and not error.quote.strip():
        raise ValueError("an error needs the words in which it occurs")
    return error


def _printed(name: str, text: str) -> FirstError:
    """In the paper's form the first error is told in the judge's words."""
    kind, quote, why = printed_forms.first_error(text)
    return msgspec.convert({"category": kind, "quote": quote, "why": why}, FirstError)


def _result(sample: Sample, reply: str, judged: Judgement[FirstError] | None) -> ProcessResult:
    result = ProcessResult(id=sample.id, problem_id=sample.problem_id, status="missing")
    if judged is None:
        result.cause = "no reply"
        return result
    result.status, result.cause = judged.status, judged.cause
    result.repaired = judged.repaired
    if judged.value is not None:
        error = judged.value
        result.category, result.quote, result.why = error.category, error.quote, error.why
        at = reply.find(error.quote.strip()) if error.quote.strip() else -1
        result.at = at if at >= 0 else None
    return result


def process_summary(results: Sequence[ProcessResult]) -> dict[str, Any]:
    """The `process` part of scores.json: counts, and the distribution of first errors."""
    judged = [r for r in results if r.status == "ok"]
    counts = Counter(r.category for r in judged)
    return {
        "counts": tally(results),
        "n": len(judged),
        "categories": {
            name: {
                "n": counts[name],
                "share": round(counts[name] / len(judged), 6) if judged else None,
            }
            for name in get_args(Category)
        },
        "located": sum(r.at is not None for r in judged),
    }
