"""CoT evaluation (MathVerse, section 2.3): extract key steps, score each, weigh with the answer.

Two calls for each reply: the first sees the reply alone and lists its key steps s_1 ... s_N, of
which the last states its answer s_A; the second sees question, picture, gold and diagram annotation
and gives 0 or 1 to each step and to the answer.

    score = alpha * mean(s_1 ... s_N) + (1 - alpha) * s_A,  alpha = 0.7

So the answer is one of the N steps, too, as in the paper's figures 6, 7 and 23 to 34; a reply that
is a single step or answer is scored by its answer alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from ...llm import Request
from ...problem import Sample
from ..metrics import Result, mean_interval
from ..prompts import fill, messages, sample_fields
from .judge import Judge, Judgement, JudgeStatus, judge, only_json, tally

ALPHA = 0.7
ErrorKind = Literal["visual perception", "reasoning", "calculation", "knowledge"]
CATEGORIES = tuple(
    f"{answer} answer, {steps} reasoning"
    for answer in ("right", "wrong")
    for steps in ("right", "partly right", "wrong")
)


class KeySteps(msgspec.Struct, forbid_unknown_fields=True):
    """What the extraction call gives: the steps before the answer, and the answer ("" for none)."""

    steps: list[str]
    answer: str

    def listed(self) -> list[str]:
        """The key steps with the answer as the last of them."""
        last = [f"The final answer is {self.answer}"] if self.answer.strip() else []
        return [*self.steps, *last]


class StepScore(msgspec.Struct, kw_only=True):
    """The judge's word on one step; a right step has no error."""

    score: Literal[0, 1]
    error: ErrorKind | None = None
    why: str = ""


class StepScores(msgspec.Struct):
    """What the scoring call gives."""

    steps: list[StepScore]
    answer: Literal[0, 1]


class CotResult(msgspec.Struct, kw_only=True):
    """The CoT score of one reply with its evidence: a line of cot.jsonl."""

    id: str
    problem_id: str
    version: str
    status: JudgeStatus
    repaired: bool = False
    score: float | None = None
    answer: int | None = None
    steps: list[dict[str, Any]] = []
    category: str | None = None
    cause: str = ""


def cot_score(steps: Sequence[int], answer: int, alpha: float = ALPHA) -> float:
    """The weighted score of one reply, in [0, 1]; the last of `steps` states the answer.

    >>> cot_score([1, 1, 1, 0], 0), cot_score([0, 1], 1), cot_score([1], 1)
    (0.525, 0.65, 1.0)
    """
    if len(steps) < 2:
        return float(answer)
    return round(alpha * sum(steps) / len(steps) + (1 - alpha) * answer, 9)


def category(steps: Sequence[int], answer: int) -> str:
    """One of the six answer-by-reasoning categories, from the steps before the answer.

    No such steps count as the answer does.
    """
    right, count = (sum(steps), len(steps)) if steps else (answer, 1)
    reasoning = "right" if right == count else "wrong" if right == 0 else "partly right"
    return f"{'right' if answer else 'wrong'} answer, {reasoning} reasoning"


def evaluate_cot(
    samples: list[Sample], replies: dict[str, str], release: Path, by: Judge
) -> list[CotResult]:
    """CoT results in the samples' order; a sample without reply scores 0 with status missing."""
    answered = [s for s in samples if replies.get(s.id, "").strip()]
    extracted = judge([_extraction(s.id, replies[s.id]) for s in answered], by, _read_steps)
    steps = {j.id: j.value for j in extracted if j.value is not None}
    scored = judge(
        [_scoring(s, steps[s.id], release) for s in answered if s.id in steps],
        by,
        lambda name, text: _read_scores(text, len(steps[name].listed())),
    )
    first, second = {j.id: j for j in extracted}, {j.id: j for j in scored}
    results = []
    for sample in samples:
        name = sample.id
        judged = second.get(name) or first.get(name)
        result = _result(sample, steps.get(name), judged, name in replies)
        result.repaired = any(name in calls and calls[name].repaired for calls in (first, second))
        results.append(result)
    return results


def notes(result: CotResult) -> list[str]:
    """A result in lines for people: the score, and each step with its mark."""
    if result.score is None or not result.steps:
        return [f"chain of thought: {result.status} {result.cause}".rstrip()]
    lines = [f"chain of thought {result.score:.3f}: {result.category}"]
    for step in result.steps:
        wrong = ": ".join(filter(None, (step["error"], step["why"])))
        lines.append(f"✗ {step['text']} ({wrong})" if step["error"] else f"✓ {step['text']}")
    return lines


def _extraction(name: str, reply: str) -> Request:
    text = fill("cot-extract", reply=reply)
    return Request(id=name, messages=[{"role": "user", "content": text}])


def _read_steps(name: str, text: str) -> KeySteps:
    return msgspec.convert(only_json(text), KeySteps)


def _scoring(sample: Sample, key_steps: KeySteps, release: Path) -> Request:
    steps = key_steps.listed()
    text = fill(
        "cot-score",
        **sample_fields(sample),
        diagram=sample.diagram or "(none)",
        steps="\n".join(f"{k}. {step}" for k, step in enumerate(steps, 1)) or "(none)",
        final=key_steps.answer or "(none)",
        count=len(steps),
    )
    return Request(id=sample.id, messages=messages(text, sample, release))


def _read_scores(text: str, count: int) -> StepScores:
    scores = msgspec.convert(only_json(text), StepScores)
    if len(scores.steps) != count:
        raise ValueError(f"{len(scores.steps)} scores for {count} steps")
    for number, step in enumerate(scores.steps, 1):
        if (step.score == 0) != (step.error is not None):
            raise ValueError(f"step {number}: a wrong step names its error, a right one none")
    return scores


def _result(
    sample: Sample, key_steps: KeySteps | None, judged: Judgement[Any] | None, answered: bool
) -> CotResult:
    result = CotResult(
        id=sample.id, problem_id=sample.problem_id, version=sample.version, status="missing"
    )
    if judged is None:  # no reply, or an empty one
        result.score, result.answer = 0.0, 0
        result.cause = "empty reply" if answered else "no prediction"
        return result
    result.status, result.cause = judged.status, judged.cause
    scores: StepScores | None = judged.value
    if scores is not None and key_steps is not None:
        marks = [step.score for step in scores.steps]
        result.score = cot_score(marks, scores.answer)
        result.answer = scores.answer
        result.category = category(marks[: len(key_steps.steps)], scores.answer)
        result.steps = [
            {"text": text} | msgspec.to_builtins(step)
            for text, step in zip(key_steps.listed(), scores.steps, strict=True)
        ]
    return result


def cot_summary(scored: Sequence[CotResult], results: Sequence[Result]) -> dict[str, Any]:
    """The `cot` of scores.json (MathVerse, tables 2 and 3, figures 9 and 10).

    CoT figures over all samples, per version, subject and subfield.

    `results` are the same samples' verdicts, which know labels and clusters. `all` and the groups
    of `by` leave Text Only out, as the paper does.
    """
    known = {result.id: result for result in results}
    seen = [r for r in scored if r.version != "text_only"]
    versions = sorted({r.version for r in scored if r.version})
    by: dict[str, dict[str, list[CotResult]]] = {}
    for one in seen:
        groups = known[one.id].group_values()
        for label in ("subject", "subfield"):
            for value in groups.get(label, []):
                by.setdefault(label, {}).setdefault(value, []).append(one)
    return {
        "alpha": ALPHA,
        "counts": tally(scored),
        "all": _part(seen, known),
        "versions": {v: _part([r for r in scored if r.version == v], known) for v in versions},
        "by": {
            label: {value: _part(group, known) for value, group in sorted(groups.items())}
            for label, groups in sorted(by.items())
        },
    }


def _part(scored: Sequence[CotResult], known: Mapping[str, Result]) -> dict[str, Any]:
    """Mean score with its clustered 95 % interval, mean answer, and what went wrong.

    Judgements that failed have no score and count in none of these; `n` says how many have one. A
    reply with wrong steps counts once, under the kind of the first of them, its cause.
    """
    marks = [(r, r.score) for r in scored if r.score is not None]
    value = low = high = answer = None
    if marks:
        clusters = [known[r.id].origin for r, _ in marks]
        value, _, low, high = mean_interval([score for _, score in marks], clusters)
        answer = sum(r.answer or 0 for r, _ in marks) / len(marks)
    figures = {"value": value, "low": low, "high": high, "answer": answer}
    first = Counter(_first_error(r) for r, _ in marks)
    return {
        "n": len(marks),
        **{name: None if x is None else round(x, 6) for name, x in figures.items()},
        "categories": {name: sum(r.category == name for r, _ in marks) for name in CATEGORIES},
        "errors": {kind: first[kind] for kind in get_args(ErrorKind)},
    }


def _first_error(result: CotResult) -> str | None:
    return next((step["error"] for step in result.steps if step["error"]), None)
