"""errors.html: telling cases, the most telling first, with every run's reply side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...base.terminal import progress
from ...pages import Card, Headline, card_of, write_page
from ...problem import Sample
from ..metrics import Result, Run
from .html import by_sample, facets, runs_of
from .number_format import word

FEW = 4  # from so many runs on a title names none
OF_ONE_RUN = ("verdict", "status", "official and robust")  # facets of a single run
BySample = Mapping[str, Sequence[Result]]  # the results of each sample of a run
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
    about = ""
    if runs:
        scores = runs[0].scores
        about = f"{scores.release}, split {scores.split}, {len(runs)} runs."
    if 0 < len(runs) < FEW:
        title += f" of {', '.join(run.name for run in runs)}"
    write_page(
        path,
        title,
        headlines=[Headline(kind, f"{n:,}") for kind, n in counts.items()],
        about=about,
        cards=_cards(
            cases,
            runs,
            {sample.id: sample for sample in samples},
            [by_sample(run.results) for run in runs],
        ),
        noun="cases",
        release=release,
    )


def side_by_side(
    runs: Sequence[Run], samples: Sequence[Sample], by_run: Sequence[BySample]
) -> Iterator[Card]:
    """Every sample that a run has, with the replies of all; filters say which runs are right."""
    cases: list[Case] = [
        (sample.id, {})
        for sample in samples
        if any(sample.id in results for results in by_run)
    ]
    by_id = {sample.id: sample for sample in samples}
    for card in _cards(cases, runs, by_id, by_run):
        right = {
            run.name: run.verdict(results[card.id][0])
            for run, results in zip(runs, by_run, strict=True)
            if card.id in results
        }
        number = sum(right.values())
        how_many = "all" if number == len(right) else f"{number} of {len(right)}"
        by_name = {f"run {name}": [word(is_right)] for name, is_right in right.items()}
        card.facets = {"right": [how_many]} | by_name | card.facets
        yield card


def _cards(
    cases: Sequence[Case],
    runs: Sequence[Run],
    samples: Mapping[str, Sample],
    by_run: Sequence[BySample],
) -> Iterator[Card]:
    for name, why in progress(cases, "page", len(cases), "samples"):
        sample = samples[name]
        answers = [
            (run, results[name])
            for run, results in zip(runs, by_run, strict=True)
            if name in results
        ]
        kinds = {"kind": list(why)} if why else {}
        labels: dict[str, list[str]] = {}
        if answers:
            run, results = answers[0]
            labels = facets(results, run.verdict)
        shared = {k: v for k, v in labels.items() if k not in OF_ONE_RUN}
        card = card_of(sample, kinds | shared)
        card.rows += [(kind, line) for kind, lines in why.items() for line in lines]
        for run, results in answers:
            card.runs += runs_of(results, sample, run.verdict, run.name)
        yield card
