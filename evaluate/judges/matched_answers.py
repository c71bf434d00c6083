"""MathVerse's accuracy without CoT, its primary figure (w/o): two calls for each reply.

The first sees the reply alone and extracts its answer, `null` where it has none; the second holds
this against question and gold, and says 1 or 0. Whatever rules could decide is asked about, too:
the figure is the models', and stands beside ours with how far the two agree. The authors' prompts
and their code (evaluation/prompts.py, extract_answer_s1.py, score_answer_s2.py) are a wording file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import msgspec
from msgspec.structs import replace

from ...llm import Request
from ...problem import Sample
from ..metrics import Result, accuracy, headline, version_scores
from ..prompts import fill, row_fields
from .human_agreement import cohen_kappa
from .judge import Judge, JudgeStatus, Row, judge, tally, unread
from .panel import Panel

# Models repeat how their prompt ends: taken away as the authors do.
PROMPT_END = "Extracted Answer: "
VERDICT = "Judgement:"


class MatchedAnswer(Row, kw_only=True):
    """The two words on one reply: a line of wo.jsonl. `verdict` is None while it is open."""

    extraction: str = ""
    verdict: Literal[0, 1] | None = None

    def word(self) -> str:
        return str(self.verdict)

    def favourable(self) -> bool:
        return self.verdict == 1

    def opened(self, status: JudgeStatus, cause: str) -> Self:
        return replace(self, status=status, cause=cause, verdict=None)


def match_answers(
    samples: Sequence[Sample], replies: Mapping[str, str], by: Judge, panel: Panel
) -> list[MatchedAnswer]:
    """The models' words in the samples' order; a sample without reply is wrong, and not asked."""
    extract = panel.wording["wo-extract"]
    match = panel.wording["wo-match"]
    answered = [s for s in samples if replies.get(s.id, "").strip()]
    requests = []
    for sample in answered:
        reply = extract.shown(last_words(replies[sample.id], panel.last_words))
        requests.append(_request(sample, fill(extract.text, reply=reply)))
    extractor = panel.extractor or by
    first = judge(requests, extractor, _extraction, repaired=_once_more)
    extractions = {j.id: j.value for j in first if j.value is not None}
    requests = []
    for sample in answered:
        if sample.id in extractions:
            extraction = match.shown(extractions[sample.id])
            text = fill(match.text, **row_fields(sample), extraction=extraction)
            requests.append(_request(sample, text))
    second = judge(requests, by, _verdict, repaired=_once_more)
    extracted = {j.id: j for j in first}
    matched = {j.id: j for j in second}
    rows = []
    for sample in samples:
        name = sample.id
        row = MatchedAnswer(id=name, problem_id=sample.problem_id, status="missing")
        last = matched.get(name) or extracted.get(name)
        if last is not None:
            row.status, row.cause, row.repaired = last.status, last.cause, last.repaired
            row.said = last.said
            row.extraction = extractions.get(name, "")
        if name in matched:
            row.verdict = matched[name].value  # type: ignore[assignment]
        rows.append(row)
    return rows


def last_words(reply: str, count: int | None) -> str:
    """The last words of a reply, as the authors' `--trunk_response` counts them.

    >>> last_words("so the answer is 4", 2), last_words("so it is 4", None)
    ('is 4', 'so it is 4')
    """
    return " ".join(reply.split(" ")[-count:]) if count else reply


def _request(sample: Sample, text: str) -> Request:
    return Request(id=sample.id, messages=[{"role": "user", "content": text}])


def _once_more(request: Request, *_: object) -> Request:
    """The same question for another reply, as the authors' code repeats it."""
    return replace(request, sample=2)


def _extraction(name: str, text: str) -> str:
    extraction = text.replace(PROMPT_END, "").strip()
    if not extraction:
        raise ValueError("the extraction is empty")
    return extraction


def _verdict(name: str, text: str) -> int:
    verdict = text.replace(VERDICT, "").strip()
    if verdict not in ("0", "1"):
        raise ValueError(f"the judgement is {verdict[:80]!r}, not 1 or 0")
    return int(verdict)


def wo_summary(
    rows: Iterable[MatchedAnswer], results: Sequence[Result]
) -> dict[str, Any]:
    """The `wo` of scores.json: accuracy by version, subject and subfield (MathVerse, table 2).

    A missing reply is wrong; a word that stays open counts in no figure. `accuracy` leaves Text
    Only out, `agreement` is with the rules' verdicts on the same replies.
    """
    said = {row.id: row for row in rows}
    known = [
        r
        for r in results
        if r.id in said
        and (said[r.id].verdict is not None or said[r.id].status == "missing")
    ]

    def right(result: Result) -> bool:
        return said[result.id].verdict == 1

    pairs = [(str(r.correct), str(right(r))) for r in known]
    kappa = cohen_kappa(pairs)
    return {
        "counts": tally(said.values()),
        "null": sum(row.extraction.casefold() == "null" for row in said.values()),
        "accuracy": msgspec.to_builtins(accuracy(headline(known), right)),
        "versions": msgspec.to_builtins(version_scores(known, right)),
        "agreement": {
            "n": len(pairs),
            "same": sum(a == b for a, b in pairs),
            "kappa": None if kappa is None else round(kappa, 6),
            "only_models": [r.id for r in known if right(r) and not r.correct],
            "only_rules": [r.id for r in known if r.correct and not right(r)],
        },
    }


def notes(row: MatchedAnswer) -> list[str]:
    """A row in one line for people."""
    if row.status != "ok":
        return [f"w/o: {row.status} {row.cause}".rstrip(), *unread(row)]
    return [f"w/o: {row.verdict} for {row.extraction!r}"]
