"""report.html: figures first, then every sample with its whole reply and the evidence in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...pages import Card, Headline, Rich, Run, Section, card_of, formula, reply, write_page
from ...problem import Sample
from ..metrics import Rate, Result, Scores
from .number_format import interval, percent

NOTES = 30  # lines of a judge for one sample


def write_report(
    path: Path,
    title: str,
    sections: Sequence[Section],
    scores: Scores,
    results: Sequence[Result],
    samples: Sequence[Sample],
    release: Path,
    notes: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write the page and its data; `notes` are a judge's lines by sample.

    Pictures are the release's, linked beside the page. Raises UserError when the folder cannot be
    written.
    """
    by_id = {sample.id: sample for sample in samples}
    write_page(
        path,
        title,
        sections,
        headlines=headlines(scores),
        about=f"{scores.release}, split {scores.split}, {scores.profile} rules in the tables.",
        cards=_cards(results, by_id, notes or {}),
        release=release,
    )


def headlines(scores: Scores) -> list[Headline]:
    """What a reader wants to know first: accuracy, the official rules beside it, what was lost."""
    c = scores.counts
    figures = [_rate(f"accuracy, {scores.profile} rules", scores.accuracy)]
    if scores.versions is not None and scores.versions.all is not None:
        figures.append(_rate("all versions but Text Only", scores.versions.all))
    if scores.official is not None and scores.profile != "official":
        figures.append(
            _rate(
                f"official rules ({'+'.join(scores.official.profiles)})", scores.official.accuracy
            )
        )
    if (four := scores.four_dimensional) is not None:
        note = f"loose {percent(four.loose.score)}, {four.groups} problems"
        figures.append(Headline("four-dimensional score, strict", percent(four.strict.score), note))
    if scores.cot is not None:
        figures.append(Headline("chain of thought", percent(scores.cot["all"]["value"])))
    lost = c["unextracted"] + c["timeout"] + c["refused"] + c["unparsed"]
    figures.append(
        Headline(
            "replies read",
            f"{c['ok']:,}",
            f"of {scores.accuracy.n:,}; {lost:,} not read, {c['missing']:,} missing: all wrong",
        )
    )
    return figures


def _rate(of: str, rate: Rate) -> Headline:
    note = f"{interval(rate)} · {rate.correct:,} of {rate.n:,}"
    return Headline(of, percent(rate.value), note, rate.low, rate.value, rate.high)


def _cards(
    results: Sequence[Result], samples: Mapping[str, Sample], notes: Mapping[str, Sequence[str]]
) -> Iterator[Card]:
    for result in results:
        sample = samples[result.id]
        card = card_of(sample, facets(result))
        card.runs = [run_of(result, sample, said=list(notes.get(result.id, ()))[:NOTES])]
        yield card


def facets(result: Result) -> dict[str, list[str]]:
    """What samples can be filtered by: verdicts first, then labels."""
    found: dict[str, list[str]] = {
        "verdict": ["right" if result.correct else "wrong"],
        "status": [str(result.status)],
    }
    if result.official is not None:
        found["official and robust"] = [_agreement(result.correct, result.official.correct)]
    if result.decided_by == "judge":
        found["decided by"] = ["judge"]
    if result.person is not None:
        found["person"] = [result.person]
    return found | result.group_values()


def _agreement(robust: bool, official: bool) -> str:
    if robust == official:
        return "agree"
    return "only robust right" if robust else "only official right"


def run_of(result: Result, sample: Sample, name: str = "", said: Sequence[str] = ()) -> Run:
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
        verdict = "right" if official.correct else "wrong"
        read = f", read {official.extracted}" if official.extracted else ""
        rows.append(("official", f"{verdict}{read}"))
    return Run(
        name=name,
        right=result.correct,
        rows=rows,
        reply=reply(result.response, result.extracted, sample.options),
        said=list(said),
    )
