"""report.html: figures first, then every sample with its whole reply and the evidence in it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from ...pages import (
    Card,
    Headline,
    Page,
    Rich,
    Round,
    Run,
    Section,
    card_of,
    formula,
    parts,
    reply,
    samples_of,
    unset,
    verbatim,
    write_page,
)
from ...problem import Sample
from ..metrics import IsCorrect, Rate, Result, Scores, how_often
from .number_format import interval, percent, short, word

IN_ACCURACY = "in the accuracy"
RIGHT_REPLIES = "right replies"
OVER_REPLIES = "over its replies"
NOTES = 30  # lines of a judge for one sample


def write_report(
    path: Path,
    title: str,
    sections: Sequence[Section],
    scores: Scores,
    pages: Iterable[Page],
    release: Path,
) -> None:
    """Write the page and its data, of samples in `pages`.

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
        pages=pages,
        release=release,
    )


def headlines(scores: Scores) -> list[Headline]:
    """What a reader wants to know first: accuracy, the official rules beside it, what was lost."""
    c = scores.counts
    right = samples_of(verdict="right", **in_accuracy(scores))
    figures = [_rate(f"accuracy, {scores.profile} rules", scores.accuracy, right)]
    if scores.asked is not None:
        figures.append(_rate("accuracy of those asked", scores.asked, right))
    if scores.versions is not None and scores.versions.all is not None:
        figures.append(_rate("all versions but Text Only", scores.versions.all))
    if scores.official is not None and scores.profile != "official":
        figures.append(
            _rate(
                f"official rules ({'+'.join(scores.official.profiles)})",
                scores.official.accuracy,
                samples_of(**{"by official rules": "right"}, **in_accuracy(scores)),
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
    # One problem has no interval, and none is drawn.
    span = (
        (None, None, None) if rate.clusters == 1 else (rate.low, rate.value, rate.high)
    )
    return Headline(of, percent(rate.value), note, *span, address=address)


def scored_card(
    sample: Sample,
    replies: Sequence[Result],
    verdict: IsCorrect,
    uncounted: Container[str] = (),
    notes: Sequence[str] = (),
) -> Card:
    """The card of a sample with all replies to it; versions that are `uncounted` are told apart."""
    card = card_of(sample, over_replies(replies, verdict) | replies[0].group_values())
    card.rounds = [round_of(reply, verdict) for reply in replies]
    if uncounted:
        is_out = sample.version in uncounted
        card.facets[IN_ACCURACY] = ["no" if is_out else "yes"]
    card.runs = runs_of(replies, sample, verdict)
    card.runs[0].said = list(notes)[:NOTES]
    return card


def by_sample(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results of each sample; a sample may have been asked several times."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.id, []).append(result)
    return groups


def in_accuracy(scores: Scores) -> dict[str, str]:
    """The facet of what the accuracy is over, where that is not every reply."""
    return {IN_ACCURACY: "yes"} if scores.accuracy.n < scores.counts["samples"] else {}


def over_replies(replies: Sequence[Result], verdict: IsCorrect) -> dict[str, list[str]]:
    """How often a sample was right over its replies; nothing where it has one."""
    if len(replies) == 1:
        return {}
    right = sum(map(verdict, replies))
    return {
        RIGHT_REPLIES: [f"{right} of {len(replies)}"],
        OVER_REPLIES: [how_often(right, len(replies))],
    }


def round_of(result: Result, verdict: IsCorrect) -> Round:
    """What a reply can be filtered and compared by."""
    numbers = {
        "tokens": result.tokens,
        "tokens of thoughts": result.thought_tokens,
        "tokens of the prompt": result.prompt_tokens,
        "seconds": result.seconds,
        "cost": result.cost,
        "characters": None if result.response is None else len(result.response),
    }
    own = {"reply": [str(result.repeat)]}
    return Round(
        facets=facets_of_reply(result, verdict) | own,
        numbers={name: float(n) for name, n in numbers.items() if n is not None},
    )


def facets_of_reply(result: Result, verdict: IsCorrect) -> dict[str, list[str]]:
    """What one reply can be filtered by: verdicts on it first."""
    official, own = result.official, result.own
    pictures = result.pictures
    decided = result.decided_by if result.decided_by != "none" else ""
    told = {
        "verdict": word(verdict(result)),
        "status": result.status,
        "by official rules": word(official.correct) if official else "",
        "official and robust": (
            _agreement(result.correct, official.correct) if official else ""
        ),
        "file's own verdict": _beside_ours(own.correct, verdict(result)) if own else "",
        "reply ended": result.ended,
        "stopped by": result.finish,
        "decided by": decided,
        "person": result.person or "",
        "pictures sent": "" if pictures is None else str(pictures),
    }
    return {name: [value] for name, value in told.items() if value}


def _beside_ours(theirs: bool, ours: bool) -> str:
    return "agrees" if theirs == ours else f"{word(theirs)}, ours not"


def _agreement(robust: bool, official: bool) -> str:
    if robust == official:
        return "agree"
    return "only robust right" if robust else "only official right"


def runs_of(
    replies: Sequence[Result], sample: Sample, verdict: IsCorrect, name: str = ""
) -> list[Run]:
    """All replies to a sample, each with its number among them."""
    runs = []
    for number, result in enumerate(replies, 1):
        run = _run(result, sample, verdict, name)
        run.round = number
        runs.append(run)
    return runs


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
    rows += _spent(result)
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
        thoughts=unset(result.thoughts) if result.thoughts else None,
        asked=verbatim(result.asked, []) if result.asked else None,
        cells=[
            short(result.extracted),
            result.status if result.status != "ok" else "",
            result.finish,
            result.tokens,
            result.thought_tokens,
            result.prompt_tokens,
            result.seconds,
            result.cost,
        ],
        seen=result.about(),
    )


def _spent(result: Result) -> list[tuple[str, Rich]]:
    """What a reply took: tokens, seconds, cost, and why it stopped."""
    rows: list[tuple[str, Rich]] = []
    if result.finish:
        rows.append(("stopped by", result.finish))
    if result.tokens is not None:
        thoughts = result.thought_tokens
        more = "" if thoughts is None else f" ({thoughts:,} of thoughts)"
        rows.append(("tokens", f"{result.tokens:,}{more}"))
    if result.prompt_tokens is not None:
        rows.append(("of the prompt", f"{result.prompt_tokens:,}"))
    if result.seconds is not None:
        rows.append(("seconds", f"{result.seconds:g}"))
    if result.cost is not None:
        rows.append(("cost", f"{result.cost:.3g}"))
    return rows
