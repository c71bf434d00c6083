"""CoT evaluation (MathVerse, section 2.3): extract key steps, score each, weigh with the answer.

Two calls for each reply: the first sees the reply alone and lists its key steps s_1 ... s_N, of
which the last states its answer s_A; the second sees question, picture, gold and diagram annotation
and gives 0 or 1 to each step and to the answer.

    score = alpha * mean(s_1 ... s_N) + (1 - alpha) * s_A,  alpha = 0.7 in the paper

So the answer is one of the N steps, too, as in the paper's figures 6, 7 and 23 to 34; a reply that
is a single step or answer is scored by its answer alone.

The judge's word on the answer is checked by the rules (`cross_check.py`): where they differ, the
reply has no score. The paper trusts its judge, so its figure without the check stands beside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self, get_args

import msgspec

from ...grading.extraction import final_answer
from ...llm import Request
from ...problem import Sample
from ..metrics import Result, mean_interval, versions_run
from ..prompts import fill, messages, sample_fields
from .cross_check import checked
from .judge import Judge, Judgement, JudgeStatus, Row, judge, tally, unread
from .judge_json import object_in
from .panel import ALPHA, Panel
from .printed_forms import average_and_final, listed_steps
from .wordings import Wording

ErrorKind = Literal["visual perception", "reasoning", "calculation", "knowledge"]
FUNCTIONS = "Functions"  # whose diagrams the paper annotates (figure 11)
CATEGORIES = tuple(
    f"{answer} answer, {steps} reasoning"
    for answer in ("right", "wrong")
    for steps in ("right", "partly right", "wrong")
)


class KeySteps(msgspec.Struct):
    """What the extraction call gives: the steps before the answer, and the answer ("" for none)."""

    steps: list[str]
    answer: str


class Extracted(msgspec.Struct, frozen=True):
    """The key steps as they are scored; the last of them states the answer where there is one."""

    listed: list[str]
    answer: str

    def before(self) -> int:
        """How many steps stand before the answer."""
        return len(self.listed) - bool(self.answer.strip())


class StepScore(msgspec.Struct, kw_only=True):
    """The judge's word on one step; a right step has no error."""

    score: Literal[0, 1]
    error: ErrorKind | None = None
    why: str = ""


class StepScores(msgspec.Struct):
    """What the scoring call gives."""

    steps: list[StepScore]
    answer: Literal[0, 1]


class Marks(msgspec.Struct, frozen=True):
    """What the scoring call comes to: right steps, of how many, the answer, a word on each step."""

    mean: float
    right: int
    answer: int
    steps: list[dict[str, Any]]


class CotResult(Row, kw_only=True):
    """The CoT score of one reply with its evidence: a line of cot.jsonl."""

    version: str
    score: float | None = None
    by_judge: float | None = None  # the score by the judge's words, whatever rules say
    answer: int | None = None
    steps: list[dict[str, Any]] = msgspec.field(default_factory=list)
    category: str | None = None

    def word(self) -> str:
        return str(self.category)

    def favourable(self) -> bool:
        return self.answer == 1

    def opened(self, status: JudgeStatus, cause: str) -> Self:
        gone: dict[str, Any] = {"score": None, "category": None}
        return msgspec.structs.replace(self, status=status, cause=cause, **gone)


def cot_score(steps: Sequence[int], answer: int, alpha: float = ALPHA) -> float:
    """The weighted score of one reply, in [0, 1]; the last of `steps` states the answer.

    >>> cot_score([1, 1, 1, 0], 0), cot_score([0, 1], 1), cot_score([1], 1)
    (0.525, 0.65, 1.0)
    """
    return weighted(sum(steps) / len(steps) if steps else 0, len(steps), answer, alpha)


def weighted(mean: float, count: int, answer: int, alpha: float = ALPHA) -> float:
    """The score from the mean of `count` steps and the answer; of fewer than two, the answer."""
    if count < 2:
        return float(answer)
    return round(alpha * mean + (1 - alpha) * answer, 9)


def category(right: int, count: int, answer: int) -> str:
    """One of the six answer-by-reasoning categories, from the `count` steps before the answer.

    No such steps count as the answer does.

    >>> category(2, 3, 1), category(0, 0, 0)
    ('right answer, partly right reasoning', 'wrong answer, wrong reasoning')
    """
    if count == 0:
        right, count = answer, 1
    reasoning = "partly right"
    if right == count:
        reasoning = "right"
    elif right == 0:
        reasoning = "wrong"
    return f"{'right' if answer else 'wrong'} answer, {reasoning} reasoning"


def evaluate_cot(
    samples: Sequence[Sample],
    replies: Mapping[str, str],
    release: Path,
    by: Judge,
    panel: Panel | None = None,
    right_by_rules: Collection[str] = (),
) -> list[CotResult]:
    """CoT results in the samples' order; a sample without reply scores 0 with status missing.

    `panel` says who extracts, alpha and the wording. An answer of a sample `right_by_rules` needs
    no second look where the judge calls it right, too, and is left open where the judge does not.
    """
    how = panel or Panel(judges=[by])
    extract = how.wording["cot-extract"]
    score = how.wording["cot-score"]
    read_steps = _printed_steps if extract.printed else _read_steps
    read_scores = _printed_scores if score.printed else _read_scores
    answered = [s for s in samples if replies.get(s.id, "").strip()]
    requests = [_extraction(s.id, replies[s.id], extract) for s in answered]
    extracted = judge(requests, how.extractor or by, read_steps)
    steps = {j.id: j.value for j in extracted if j.value is not None}
    scored = judge(
        [_scoring(s, steps[s.id], release, score) for s in answered if s.id in steps],
        by,
        lambda name, text: read_scores(text, steps[name]),
    )
    first = {j.id: j for j in extracted}
    second = {j.id: j for j in scored}
    results = []
    for sample in samples:
        name = sample.id
        judged = second.get(name) or first.get(name)
        result = _result(sample, steps.get(name), judged, name in replies, how.alpha)
        calls = [by_id[name] for by_id in (first, second) if name in by_id]
        result.repaired = any(call.repaired for call in calls)
        if name in second and result.status == "ok":
            is_right = name in right_by_rules
            result = _checked(result, sample, replies[name], steps[name], is_right)
        results.append(result)
    return results


def _checked(
    result: CotResult,
    sample: Sample,
    reply: str,
    steps: Extracted,
    right_by_rules: bool,
) -> CotResult:
    """The result, left open where the judge's word on the answer does not stand."""
    if right_by_rules and result.answer:
        return result
    if right_by_rules:
        cause = "answer 0, although the rules read the gold in the reply"
        return result.opened("contradicted", cause)
    verdict, cause = checked(sample, reply, steps.answer, bool(result.answer))
    return result.opened("contradicted", cause) if verdict == "contradicted" else result


def notes(result: CotResult) -> list[str]:
    """A result in lines for people: the score, and each step with its mark."""
    if result.score is None or not result.steps:
        line = f"chain of thought: {result.status} {result.cause}".rstrip()
        return [line, *unread(result)]
    lines = [f"chain of thought {result.score:.3f}: {result.category}"]
    for step in result.steps:
        wrong = ": ".join(filter(None, (step.get("error"), step.get("why"))))
        mark = {1: "✓", 0: "✗"}.get(step.get("score"), "·")  # type: ignore[arg-type]
        line = f"{mark} {step['text']}"
        lines.append(f"{line} ({wrong})" if step.get("error") else line)
    return lines


def _extraction(name: str, reply: str, wording: Wording) -> Request:
    text = fill(wording.text, reply=wording.shown(reply))
    return Request(id=name, messages=[{"role": "user", "content": text}])


def _read_steps(name: str, text: str) -> Extracted:
    key_steps = object_in(text, KeySteps)
    answer = key_steps.answer
    last = [f"The final answer is {answer}"] if answer.strip() else []
    return Extracted([*key_steps.steps, *last], answer)


def _printed_steps(name: str, text: str) -> Extracted:
    """In the paper's form the answer is the last step: what it says is found by the rules."""
    items = listed_steps(text)
    return Extracted(items, final_answer(items[-1]).answer or items[-1])


def _scoring(
    sample: Sample, steps: Extracted, release: Path, wording: Wording
) -> Request:
    lines = [f"{k}. {step}" for k, step in enumerate(steps.listed, 1)]
    annotated = sample.diagram and sample.labels.get("subject", FUNCTIONS) == FUNCTIONS
    template = wording.text
    if wording.printed and not annotated:
        # Table 7: only required for function problems.
        template = re.sub(r"(?m)^.*\$diagram\n", "", template)
    text = fill(
        template,
        **sample_fields(sample),
        diagram=sample.diagram or "(none)",
        steps=wording.shown("\n".join(lines) or "(none)"),
        count=len(steps.listed),
    )
    return Request(id=sample.id, messages=messages(text, sample, release))


def _read_scores(text: str, extracted: Extracted) -> Marks:
    scores = object_in(text, StepScores)
    count = len(extracted.listed)
    if len(scores.steps) != count:
        raise ValueError(f"{len(scores.steps)} scores for {count} steps")
    for number, step in enumerate(scores.steps, 1):
        if (step.score == 0) != (step.error is not None):
            raise ValueError(
                f"step {number}: a wrong step names its error, a right one none"
            )
    marks = [step.score for step in scores.steps]
    return Marks(
        mean=sum(marks) / count if count else 0.0,
        right=sum(marks[: extracted.before()]),
        answer=scores.answer,
        steps=[msgspec.to_builtins(step) for step in scores.steps],
    )


def _printed_scores(text: str, extracted: Extracted) -> Marks:
    """In the paper's form there is a mean and no mark for each step."""
    mean, answer = average_and_final(text)
    count = len(extracted.listed)
    right = round(mean * count)
    if extracted.before() < count:  # the last step is the answer
        right -= answer
    return Marks(
        mean=mean,
        right=min(max(right, 0), extracted.before()),
        answer=answer,
        steps=[{} for _ in extracted.listed],
    )


def _result(
    sample: Sample,
    extracted: Extracted | None,
    judged: Judgement[Any] | None,
    answered: bool,
    alpha: float,
) -> CotResult:
    result = CotResult(
        id=sample.id,
        problem_id=sample.problem_id,
        version=sample.version,
        status="missing",
    )
    if judged is None:  # no reply, or an empty one
        result.score, result.by_judge, result.answer = 0.0, 0.0, 0
        result.cause = "empty reply" if answered else "no prediction"
        return result
    result.status, result.cause, result.said = judged.status, judged.cause, judged.said
    if isinstance(judged.value, Marks) and extracted is not None:
        marks = judged.value
        result.score = weighted(marks.mean, len(extracted.listed), marks.answer, alpha)
        result.by_judge = result.score
        result.answer = marks.answer
        result.category = category(marks.right, extracted.before(), marks.answer)
        result.steps = [
            {"text": text} | step
            for text, step in zip(extracted.listed, marks.steps, strict=True)
        ]
    return result


def cot_summary(
    scored: Sequence[CotResult], results: Sequence[Result], alpha: float = ALPHA
) -> dict[str, Any]:
    """The `cot` of scores.json (MathVerse, tables 2 and 3, figures 9 and 10).

    CoT figures over all samples, per version, subject and subfield.

    `results` are the same samples' verdicts, which know labels and clusters. `all` and the groups
    of `by` leave Text Only out, as the paper does. Versions that were not asked count nowhere.
    """
    known = {result.id: result for result in versions_run(results)}
    asked = [r for r in scored if r.id in known]
    seen = [r for r in asked if r.version != "text_only"]
    open_ = sum(r.status == "contradicted" for r in asked)
    versions = sorted({r.version for r in asked if r.version})
    by: dict[str, dict[str, list[CotResult]]] = {}
    for one in seen:
        groups = known[one.id].group_values()
        for label in ("subject", "subfield"):
            for value in groups.get(label, []):
                by.setdefault(label, {}).setdefault(value, []).append(one)
    return {
        "alpha": alpha,
        "counts": tally(scored),
        "all": _part(seen, known),
        "by_judge": {
            "refused": open_,
            "all": _by_judge(seen, known),
            "versions": {
                v: _by_judge([r for r in asked if r.version == v], known)
                for v in versions
            },
        },
        "versions": {
            v: _part([r for r in asked if r.version == v], known) for v in versions
        },
        "by": {
            label: {
                value: _part(group, known) for value, group in sorted(groups.items())
            }
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
        "categories": {
            name: sum(r.category == name for r, _ in marks) for name in CATEGORIES
        },
        "errors": {kind: first[kind] for kind in get_args(ErrorKind)},
    }


def _by_judge(
    scored: Sequence[CotResult], known: Mapping[str, Result]
) -> dict[str, Any]:
    """Mean score by the judge's words alone, with its clustered 95 % interval."""
    trusted = ("ok", "missing", "contradicted")
    marks = [
        (r, r.by_judge)
        for r in scored
        if r.by_judge is not None and r.status in trusted
    ]
    if not marks:
        return {"n": 0, "value": None, "low": None, "high": None}
    clusters = [known[r.id].origin for r, _ in marks]
    value, _, low, high = mean_interval([mark for _, mark in marks], clusters)
    figures = {"value": value, "low": low, "high": high}
    return {"n": len(marks)} | {name: round(x, 6) for name, x in figures.items()}


def _first_error(result: CotResult) -> str | None:
    return next((step["error"] for step in result.steps if step.get("error")), None)
