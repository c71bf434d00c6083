"""Process evaluation (MM-MATH, section 4.3): the first error of a reply and its category.

The categories are those of the sample's benchmark; We-Math counts them by concept (figure 7) and
holds those of composites against those of their steps (E.2), MathVerse counts them by version
(figure 10). The first error need not be the main one (MM-MATH, appendix D): both are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...llm import Request
from ...problem import Sample
from ...taxonomy import NO_ERROR, error_scheme, first_errors
from ..metrics import mean_interval
from ..prompts import fill, messages, sample_fields
from . import printed_forms
from .judge import Judge, Judgement, Row, judge, tally, unread
from .judge_json import object_in
from .wordings import Wording, wordings

PRINTED = "mm-math"  # whose classes the printed prompt names


class FirstError(msgspec.Struct, forbid_unknown_fields=True):
    """What the judge says: the category, the words in which the error occurs, and why.

    `main` is the category of the error that the reply fails by, where that is said.
    """

    category: str
    quote: str = ""
    why: str = ""
    main: str = ""


class ProcessResult(Row, kw_only=True):
    """The first error of one reply: a line of process.jsonl. `at` is its place in characters."""

    scheme: str = "mm-math"  # whose categories
    knowledge: list[str] = msgspec.field(default_factory=list)  # concepts of the sample
    category: str | None = None
    quote: str = ""
    at: int | None = None
    why: str = ""
    main: str = ""
    version: str = ""

    def word(self) -> str:
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
    asked: Collection[str] = (),
) -> list[ProcessResult]:
    """First errors, in the samples' order, of replies beside a solution, wrong and `asked` ones.

    A reply without error cannot have an answer that is `wrong_by_rules`: such a word stays open.
    """
    wording = wording or wordings()["process"]
    named = {*wrong_by_rules, *asked}
    classed = [s for s in samples if s.solution or s.id in named]
    answered = [s for s in classed if replies.get(s.id, "").strip()]
    requests = [_request(s, replies[s.id], release, wording) for s in answered]
    schemes = {s.id: error_scheme(s.source.benchmark) for s in answered}

    def read(name: str, text: str) -> FirstError:
        scheme = schemes[name]
        reader = _printed if wording.printed and scheme == PRINTED else _read
        return reader(text, [*first_errors(scheme), NO_ERROR])

    judgements = {j.id: j for j in judge(requests, by, read)}
    results = [_result(s, replies.get(s.id, ""), judgements.get(s.id)) for s in classed]
    cause = "no error, although the rules call the answer wrong"
    return [
        result.opened("contradicted", cause)
        if result.id in wrong_by_rules and result.status == "ok" and result.favourable()
        else result
        for result in results
    ]


def is_classed(sample: Sample, wrong: bool) -> bool:
    """Whether a reply to the sample is asked about.

    MM-MATH's judge sees every reply beside its solution, and may find no error; the other papers
    class wrong replies (MATH-V 4.3, We-Math figure 7), for which the gold suffices.
    """
    every = error_scheme(sample.source.benchmark) == PRINTED and bool(sample.solution)
    return every or wrong


def notes(result: ProcessResult) -> list[str]:
    """A result in one line for people."""
    if result.status != "ok":
        line = f"first error: {result.status} {result.cause}".rstrip()
        return [line, *unread(result)]
    quoted = f" in “{result.quote}”" if result.quote else ""
    return [f"first error: {result.category}{quoted} {result.why}".rstrip()]


def _request(sample: Sample, reply: str, release: Path, wording: Wording) -> Request:
    scheme = error_scheme(sample.source.benchmark)
    classes = wording.classes.get(scheme) or first_errors(scheme)
    if wording.printed and scheme != PRINTED:
        wording = wordings()["process"]  # no other paper prints a prompt
    text = fill(
        wording.text,
        kinds=", ".join(f'"{name}" ({meaning})' for name, meaning in classes.items()),
        **sample_fields(sample),
        solution=sample.solution or "(there is none; the correct answer stands alone)",
        reply=wording.shown(reply),
    )
    return Request(id=sample.id, messages=messages(text, sample, release))


def _read(text: str, categories: list[str]) -> FirstError:
    error = object_in(text, FirstError)
    if error.category not in categories:
        raise ValueError(
            f"category {error.category!r} is none of {', '.join(categories)}"
        )
    if error.main and error.main not in categories:
        raise ValueError(f"main {error.main!r} is none of {', '.join(categories)}")
    if error.category != NO_ERROR and not error.quote.strip():
        raise ValueError("an error needs the words in which it occurs")
    return error


def _printed(text: str, categories: list[str]) -> FirstError:
    """In the paper's form the first error is told in the judge's words."""
    kind, quote, why = printed_forms.first_error(text)
    if kind not in categories:
        raise ValueError(f"no category {kind!r}; it is one of {', '.join(categories)}")
    return msgspec.convert({"category": kind, "quote": quote, "why": why}, FirstError)


def _result(
    sample: Sample, reply: str, judged: Judgement[FirstError] | None
) -> ProcessResult:
    concepts = sample.labels.get("knowledge") or []
    result = ProcessResult(
        id=sample.id,
        problem_id=sample.problem_id,
        status="missing",
        scheme=error_scheme(sample.source.benchmark),
        knowledge=concepts if isinstance(concepts, list) else [str(concepts)],
        version=sample.version,
    )
    if judged is None:
        result.cause = "no reply"
        return result
    result.status, result.cause = judged.status, judged.cause
    result.repaired, result.said = judged.repaired, judged.said
    if judged.value is not None:
        error = judged.value
        result.category = error.category
        result.quote = error.quote
        result.why = error.why
        result.main = error.main
        quote = error.quote.strip()
        if quote and quote in reply:
            result.at = reply.find(quote)
    return result


def process_summary(results: Sequence[ProcessResult]) -> dict[str, Any]:
    """The `process` part of scores.json: counts, and the distribution of first errors.

    `share` is of the judged replies, with its 95 % interval clustered by problem, `of_errors` of
    those with an error (MM-MATH, figure 4), `by_judge` counts its words before rules left some
    open;
    `concepts` counts the errors of each concept (We-Math, figure 7), `versions` those of each
    version (MathVerse, figure 10), `main` the pairs of first and main error (MM-MATH, appendix D).
    """
    judged = [r for r in results if r.status == "ok"]
    words = Counter(r.category for r in results if r.status in ("ok", "contradicted"))
    counts = Counter(r.category for r in judged)
    wrong = len(judged) - counts[NO_ERROR]
    return {
        "counts": tally(results),
        "n": len(judged),
        "categories": {
            name: {
                "n": counts[name],
                "share": _share(counts[name], len(judged)),
                **_interval(judged, name),
                "of_errors": None if name == NO_ERROR else _share(counts[name], wrong),
                "by_judge": words[name],
            }
            for name in [*_categories(results), NO_ERROR]
        },
        "concepts": _by_concept(judged),
        "versions": _by_version(judged),
        "composites": _composites(judged),
        "main": _first_and_main(judged),
        "located": sum(r.at is not None for r in judged),
    }


def _interval(judged: Sequence[ProcessResult], name: str) -> dict[str, float | None]:
    """Both ends of the interval of a category's share."""
    if not judged:
        return {"low": None, "high": None}
    hits = [float(r.category == name) for r in judged]
    _, _, low, high = mean_interval(hits, [r.problem_id for r in judged])
    return {"low": round(low, 6), "high": round(high, 6)}


def _share(count: int, total: int) -> float | None:
    return round(count / total, 6) if total else None


def _categories(results: Sequence[ProcessResult]) -> list[str]:
    """The categories of all schemes in question, each once."""
    schemes = dict.fromkeys(r.scheme for r in results) or {"mm-math": None}
    names = [name for scheme in schemes for name in first_errors(scheme)]
    return list(dict.fromkeys(names))


def _by_concept(judged: list[ProcessResult]) -> dict[str, dict[str, int]]:
    """Errors of each concept by category; a reply counts for every concept of its sample."""
    concepts: dict[str, Counter[str]] = {}
    for result in judged:
        if result.category is None or result.category == NO_ERROR:
            continue
        for concept in result.knowledge:
            concepts.setdefault(concept, Counter())[result.category] += 1
    return {
        name: dict(sorted(count.items())) for name, count in sorted(concepts.items())
    }


def _has_error(result: ProcessResult) -> bool:
    return result.category not in (None, NO_ERROR)


def _by_version(judged: list[ProcessResult]) -> dict[str, dict[str, int]]:
    """Errors of each version by category."""
    versions: dict[str, Counter[str]] = {}
    for result in filter(_has_error, judged):
        if result.version:
            versions.setdefault(result.version, Counter())[str(result.category)] += 1
    return {name: dict(sorted(count.items())) for name, count in versions.items()}


def _composites(judged: list[ProcessResult]) -> dict[str, dict[str, int]]:
    """The error of each composite against those of its steps: by category, how often a step has the
    same one, only others, or none."""
    steps: dict[str, set[str]] = {}
    for result in filter(_has_error, judged):
        if result.version.startswith("step"):
            steps.setdefault(result.problem_id, set()).add(str(result.category))
    counts: dict[str, Counter[str]] = {}
    for result in filter(_has_error, judged):
        if result.version != "multi":
            continue
        category = str(result.category)
        of_steps = steps.get(result.problem_id, set())
        what = "others" if of_steps else "none"
        if category in of_steps:
            what = "same"
        counts.setdefault(category, Counter())[what] += 1
    return {
        name: {what: count[what] for what in ("same", "others", "none")}
        for name, count in sorted(counts.items())
    }


def _first_and_main(judged: list[ProcessResult]) -> dict[str, int]:
    """How often a first error of a category goes with a main error of another, or the same."""
    pairs = Counter(
        f"{r.category} -> {r.main}" for r in filter(_has_error, judged) if r.main
    )
    return dict(sorted(pairs.items()))
