"""report.html: figures first, then every sample with its whole reply and the evidence in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from ...base.terminal import progress
from ...pages import (
    Card,
    Headline,
    Rich,
    Run,
    Section,
    card_of,
    formula,
    parts,
    reply,
    rich,
    samples_of,
    write_page,
)
from ...problem import Sample
from ..metrics import VERDICTS, IsCorrect, Rate, Result, Scores
from .number_format import interval, percent, short, word

NOTES = 30  # lines of a judge for one sample


def write_report(
    path: Path,
    title: str,
    sections: Sequence[Section],
    scores: Scores,
    results: Sequence[Result],
    samples: Iterable[Sample],
    release: Path,
    notes: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write the page and its data; `notes` are a judge's lines by sample.

    Pictures are the release's, linked beside the page. Raises UserError when the folder cannot be
    written.
    """
    write_page(
        path,
        title,
        sections,
        headlines=headlines(scores),
        about=f"What was said, sample by sample, and what it is worth. Tables follow the "
        f"{scores.profile} rules.",
        cards=_cards(results, samples, VERDICTS[scores.profile], notes or {}),
        release=release,
    )


def headlines(scores: Scores) -> list[Headline]:
    """What a reader wants to know first: accuracy, the official rules beside it, what was lost."""
    c = scores.counts
    right = samples_of(verdict="right")
    figures = [_rate(f"accuracy, {scores.profile} rules", scores.accuracy, right)]
    if scores.versions is not None and scores.versions.all is not None:
        figures.append(_rate("all versions but Text Only", scores.versions.all))
    if scores.official is not None and scores.profile != "official":
        figures.append(
            _rate(
                f"official rules ({'+'.join(scores.official.profiles)})",
                scores.official.accuracy,
                samples_of(**{"official and robust": "only official right"}),
            )
        )
    if (four := scores.four_dimensional) is not None:
        note = f"loose {percent(four.loose.score)}, {four.groups} problems"
        figures.append(
            Headline("four-dimensional score, strict", percent(four.strict.score), note)
        )
    if scores.cot is not None:
        figures.append(
            Headline("chain of thought", percent(scores.cot["all"]["value"]))
        )
    lost = c["answered"] - c["ok"]
    silent = c["missing"] + c["failed"]
    figures.append(
        Headline(
            "replies read",
            f"{c['ok']:,}",
            f"of {c['samples']:,}; {lost:,} not read, {silent:,} missing or failed: all wrong",
            address=samples_of(status="ok"),
        )
    )
    return figures


def _rate(of: str, rate: Rate, address: str = "") -> Headline:
    note = f"{interval(rate)} · {rate.correct:,} of {rate.n:,}"
    return Headline(
        of, percent(rate.value), note, rate.low, rate.value, rate.high, address=address
    )


def _cards(
    results: Sequence[Result],
    samples: Iterable[Sample],
    verdict: IsCorrect,
    notes: Mapping[str, Sequence[str]],
) -> Iterator[Card]:
    """The cards of samples, whose results come in the same order, a sample's one after another."""
    total = sum(result.repeat == 1 for result in results)
    groups = groupby(results, lambda result: result.id)
    for sample, (_, group) in zip(
        samples, progress(groups, "page", total, "samples"), strict=True
    ):
        replies = list(group)
        card = card_of(sample, facets(replies, verdict))
        # Equal texts, and held already: a page of many samples takes less memory.
        card.id = replies[0].id
        card.problem = replies[0].problem_id
        card.runs = runs_of(replies, sample, verdict)
        card.runs[0].said = list(notes.get(sample.id, ()))[:NOTES]
        yield card


def by_sample(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results of each sample; a sample may have been asked several times."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.id, []).append(result)
    return groups


def facets(replies: Sequence[Result], verdict: IsCorrect) -> dict[str, list[str]]:
    """What a sample can be filtered by: verdicts on its replies first, then labels."""
    first = replies[0]
    by_facet = {
        "verdict": _each(word(verdict(r)) for r in replies),
        "status": _each(r.status for r in replies),
        "official and robust": _each(
            _agreement(r.correct, r.official.correct)
            for r in replies
            if r.official is not None
        ),
        "file's own verdict": _each(
            _beside_ours(r.own.correct, verdict(r))
            for r in replies
            if r.own is not None
        ),
        "reply ended": _each(r.ended for r in replies if r.ended),
        "decided by": _each(r.decided_by for r in replies if r.decided_by != "none"),
        "person": _each(r.person for r in replies if r.person is not None),
    }
    told = {name: values for name, values in by_facet.items() if values}
    return told | first.group_values()


def _beside_ours(theirs: bool, ours: bool) -> str:
    return "agrees" if theirs == ours else f"{word(theirs)}, ours not"


def _each(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _agreement(robust: bool, official: bool) -> str:
    if robust == official:
        return "agree"
    return "only robust right" if robust else "only official right"


def runs_of(
    replies: Sequence[Result], sample: Sample, verdict: IsCorrect, name: str = ""
) -> list[Run]:
    """All replies to a sample; where there are several, each says which it is."""
    if len(replies) == 1:
        return [_run(replies[0], sample, verdict, name)]
    return [
        _run(r, sample, verdict, f"{name} reply {r.repeat}".strip()) for r in replies
    ]


def _run(result: Result, sample: Sample, verdict: IsCorrect, name: str) -> Run:
    """One reply as the viewer shows it: what was read, by which rule, and what decided."""
    nothing = "no reply" if result.response is None else "nothing"
    rows: list[tuple[str, Rich]] = [
        ("read", nothing if result.extracted is None else formula(result.extracted))
    ]
    if by := " · ".join(filter(None, (result.rule, result.how))):
        rows.append(("by", by))
    if result.status != "ok":
        rows.append(("status", result.status))
    if (official := result.official) is not None:
        verdict_text: list[object] = [word(official.correct)]
        if official.extracted:
            verdict_text += [", read ", *parts(formula(short(official.extracted)))]
        rows.append(("robust", word(result.correct)))
        rows.append(("official", verdict_text))
    if result.ended:
        rows.append(("reply", result.ended))
    if result.own is not None and result.own.correct != verdict(result):
        text = word(result.own.correct)
        if result.own.extracted:
            text += f", read {short(result.own.extracted)}"
        rows.append((f"the file ({result.own.field})", text))
    return Run(
        name=name,
        right=verdict(result),
        rows=rows,
        reply=reply(result.response, result.extracted, sample.options, result.span),
        thoughts=rich(result.thoughts) if result.thoughts else None,
        cells=[
            short(result.extracted),
            result.status if result.status != "ok" else "",
            result.tokens,
            result.seconds,
        ],
        seen=result.about(),
    )
