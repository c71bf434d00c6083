"""errors.html: telling cases, the most telling first, with every run's reply side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ...base.terminal import progress
from ...pages import Card, Headline, Rich, card_of, samples_of, write_page
from ...problem import Sample
from ..metrics import Result, Run, how_often
from .html import by_sample, runs_of
from .number_format import word

FEW = 4  # from so many runs on a title names none
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
    facts: Mapping[str, Sequence[tuple[str, Rich]]] | None = None,
) -> None:
    """Write the page and its data; `facts` are what cards say by sample before what was seen.

    Raises UserError when nothing can be written there.
    """
    about = ""
    if runs:
        scores = runs[0].scores
        about = f"{scores.release}, split {scores.split}, {len(runs)} runs."
    if 0 < len(runs) < FEW:
        title += f" of {', '.join(run.name for run in runs)}"
    write_page(
        path,
        title,
        headlines=[
            Headline(kind, f"{n:,}", address=samples_of(kind=kind) if n else "")
            for kind, n in counts.items()
        ],
        about=about,
        cards=_cards(
            cases,
            runs,
            {sample.id: sample for sample in samples},
            [by_sample(run.results) for run in runs],
            facts or {},
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
        right: dict[str, list[bool]] = {}
        for one in card.runs:
            right.setdefault(one.name, []).append(bool(one.right))
        card.facets = facets_of_runs(right) | card.facets
        yield card


def facets_of_runs(right: Mapping[str, Sequence[bool]]) -> dict[str, list[str]]:
    """Which runs are right on a sample, and how many; of several replies, how many of these.

    >>> facets_of_runs({"a": [True], "b": [False]})
    {'right': ['1 of 2'], 'run a': ['right'], 'run b': ['wrong']}
    >>> facets_of_runs({"a": [True, False]})["run a"], facets_of_runs({"a": [True, False]})["right"]
    (['1 of 2', 'sometimes right'], ['0 of 1'])
    """
    always = sum(all(verdicts) for verdicts in right.values())
    how_many = "all" if always == len(right) else f"{always} of {len(right)}"
    return {"right": [how_many]} | {
        f"run {name}": (
            [word(verdicts[0])]
            if len(verdicts) == 1
            else [
                f"{sum(verdicts)} of {len(verdicts)}",
                how_often(sum(verdicts), len(verdicts)),
            ]
        )
        for name, verdicts in right.items()
    }


def _cards(
    cases: Sequence[Case],
    runs: Sequence[Run],
    samples: Mapping[str, Sample],
    by_run: Sequence[BySample],
    facts: Mapping[str, Sequence[tuple[str, Rich]]] = MappingProxyType({}),
) -> Iterator[Card]:
    for name, why in progress(cases, "page", len(cases), "samples"):
        sample = samples[name]
        answers = [
            (run, results[name])
            for run, results in zip(runs, by_run, strict=True)
            if name in results
        ]
        kinds = {"kind": list(why)} if why else {}
        labels = answers[0][1][0].group_values() if answers else {}
        card = card_of(sample, kinds | labels)
        card.rows += facts.get(name, ())
        card.rows += [(kind, line) for kind, lines in why.items() for line in lines]
        for run, results in answers:
            card.runs += runs_of(results, sample, run.verdict, run.name)
        yield card
