"""errors.html: telling cases, the most telling first, with every run's reply side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...base.terminal import progress
from ...pages import Card, Headline, card_of, write_page
from ...problem import Sample
from ..metrics import Run
from .html import by_sample, facets, runs_of

FEW = 4  # runs that a title names
Case = tuple[str, Mapping[str, Sequence[str]]]  # sample, and what was seen by kind


def write_cases(
    path: Path,
    counts: Mapping[str, int],
    cases: Sequence[Case],
    runs: Sequence[Run],
    samples: Sequence[Sample],
    release: Path,
    title: str = "Telling cases",
) -> None:
    """Write the page and its data. Raises UserError when nothing can be written there."""
    known = {sample.id: sample for sample in samples}
    write_page(
        path,
        f"{title} of {', '.join(run.name for run in runs)}"
        if 0 < len(runs) < FEW
        else title,
        headlines=[Headline(kind, f"{n:,}") for kind, n in counts.items()],
        about=f"{runs[0].scores.release}, split {runs[0].scores.split}, {len(runs)} runs."
        if runs
        else "",
        cards=_cards(cases, runs, known),
        noun="cases",
        release=release,
    )


def side_by_side(runs: Sequence[Run], samples: Sequence[Sample]) -> Iterator[Card]:
    """Every sample that a run has, with the replies of all; filters say which runs are right."""
    results = [by_sample(run.results) for run in runs]
    cases: list[Case] = [
        (s.id, {}) for s in samples if any(s.id in found for found in results)
    ]
    for card in _cards(cases, runs, {sample.id: sample for sample in samples}):
        right = {
            run.name: run.verdict(found[card.id][0])
            for run, found in zip(runs, results, strict=True)
            if card.id in found
        }
        number = sum(right.values())
        told = {
            "right": ["all" if number == len(right) else f"{number} of {len(right)}"]
        }
        told |= {
            f"run {name}": ["right" if value else "wrong"]
            for name, value in right.items()
        }
        card.facets = told | card.facets
        yield card


def _cards(
    cases: Sequence[Case], runs: Sequence[Run], samples: Mapping[str, Sample]
) -> Iterator[Card]:
    replies = [by_sample(run.results) for run in runs]
    for name, why in progress(cases, "page", len(cases), "samples"):
        given = [
            (run, found[name])
            for run, found in zip(runs, replies, strict=True)
            if name in found
        ]
        labels = facets(given[0][1], given[0][0].verdict) if given else {}
        own = ("verdict", "status", "official and robust")
        found = {"kind": list(why)} if why else {}
        card = card_of(
            samples[name], found | {k: v for k, v in labels.items() if k not in own}
        )
        card.rows += [(kind, line) for kind, lines in why.items() for line in lines]
        card.runs = [
            shown
            for run, results in given
            for shown in runs_of(results, samples[name], run.verdict, run.name)
        ]
        yield card
