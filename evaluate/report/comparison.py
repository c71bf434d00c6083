"""comparison.html: figures of A against B, then every sample with both replies side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...pages import Card, Headline, ReportTable, Section, card_of, radar_plot, write_page
from ...problem import Sample
from ...terminal import progress
from ..metrics import Rate, Result, by_label
from .html import by_sample, facets, runs_of
from .number_format import interval, percent, points
from .paper_figures import runs_figures
from .papers import PaperFigure

if TYPE_CHECKING:
    from ..compare import Comparison
    from ..runs import Run

VERSIONS = "flips between versions"
PROFILES = "flips between profiles"
JUDGES = "flips between judge and rules"


def write_comparison(
    path: Path,
    comparison: Comparison,
    first: Run,
    second: Run,
    samples: Sequence[Sample],
    release: Path,
) -> None:
    """Write the page and its data. Raises UserError when nothing can be written there."""
    c, known = comparison, {sample.id: sample for sample in samples}
    write_page(
        path,
        f"{c.a} against {c.b}",
        comparison_sections(c, first, second),
        headlines=_headlines(c),
        about=f"Verdict on the whole split: {c.verdict}.",
        cards=_cards(first, second, known),
        release=release,
    )


def comparison_sections(c: Comparison, first: Run, second: Run) -> list[Section]:
    """The figures of a comparison."""
    whole, flips = _whole(c), _flips(first, second)
    whole.tables += [flips] if flips.rows else []
    return [whole, _labels(c, first, second)]


def comparison_figures(first: Run, second: Run) -> list[PaperFigure]:
    """Both runs beside each other, as a paper shows them."""
    return runs_figures({run.name: _rates(run) for run in (first, second)})


def _rates(run: Run) -> dict[str, dict[str, Rate]]:
    return by_label(run.results, run.verdict)


def _headlines(c: Comparison) -> list[Headline]:
    d = c.difference
    return [
        _rate(f"A: {c.a}", c.accuracy_a),
        _rate(f"B: {c.b}", c.accuracy_b),
        Headline("A - B, points", points(d.value), f"95 % {interval(d)}"),
        Headline(
            "only A right", f"{c.outcomes.only_first:,}", f"only B {c.outcomes.only_second:,}"
        ),
    ]


def _rate(of: str, rate: Rate) -> Headline:
    return Headline(of, percent(rate.value), interval(rate), rate.low, rate.value, rate.high)


def _whole(c: Comparison) -> Section:
    m = c.outcomes
    right: list[Any] = ["A right", m.both, m.only_first]
    wrong: list[Any] = ["A wrong", m.only_second, m.neither]
    tables = [ReportTable(["", "B right", "B wrong"], [right, wrong])]
    if c.transitions:
        moves = [[move, n] for move, n in c.transitions.items()]
        tables.append(ReportTable(["class, A -> B", "problems"], moves, "Four-dimensional classes"))
    return Section("Both together", c.notes, tables)


def _labels(c: Comparison, first: Run, second: Run) -> Section:
    header = ["", "n", "A - B", "95 %", "p (corrected)"]
    tables = [
        ReportTable(
            [label, *header[1:]],
            [
                [v, x.difference.n, points(x.difference.value), interval(x.difference),
                 f"{x.p_adjusted:.3g}"]
                for v, x in values.items()
            ],
            f"By {label}",
        )
        for label, values in c.by.items()
        if len(values) > 1
    ]  # fmt: skip
    rates = [(run.name, by_label(run.results, run.verdict)) for run in (first, second)]
    subjects = {
        f"{letter}: {name}": list(found.get("subject", {}).items())
        for letter, (name, found) in zip("AB", rates, strict=True)
    }
    enough = all(3 <= len(found) <= 20 for found in subjects.values())
    plots = [radar_plot("Subjects, percent", subjects)] if enough else []
    return Section("By label", [], tables, plots)


def _cards(first: Run, second: Run, samples: Mapping[str, Sample]) -> Iterator[Card]:
    right = _right_by_problem(first), _right_by_problem(second)
    partner = by_sample(second.results)
    groups = by_sample(first.results)
    for name, ours in progress(groups.items(), "page", len(groups), "samples"):
        theirs, sample = partner[name], samples[name]
        a, b = first.verdict(ours[0]), second.verdict(theirs[0])
        found = {"right": [("both" if b else "only A") if a else ("only B" if b else "neither")]}
        for kind, sides in (
            (VERSIONS, [len(by[sample.problem_id]) == 2 for by in right]),
            (PROFILES, [any(map(between_profiles, replies)) for replies in (ours, theirs)]),
            (JUDGES, [any(map(between_judge_and_rules, replies)) for replies in (ours, theirs)]),
        ):
            if any(sides):
                found[kind] = [k for k, flips in zip("AB", sides, strict=True) if flips]
        own = ("verdict", "status", "official and robust", "decided by")
        card = card_of(
            sample, found | {k: v for k, v in facets(ours, first.verdict).items() if k not in own}
        )
        card.runs = runs_of(ours, sample, first.verdict, f"A: {first.name}")
        card.runs += runs_of(theirs, sample, second.verdict, f"B: {second.name}")
        yield card


def between_profiles(result: Result) -> bool:
    """Do the robust and the official rules disagree?"""
    return result.official is not None and result.official.correct != result.correct


def between_judge_and_rules(result: Result) -> bool:
    """Did a judge call a reply right that the rules had left open, and so counted as wrong?"""
    return result.decided_by == "judge" and result.correct


def _flips(first: Run, second: Run) -> ReportTable:
    """How many samples flip, by kind and run."""
    rows: list[list[Any]] = []
    for kind, flips in ((PROFILES, between_profiles), (JUDGES, between_judge_and_rules)):
        counts = [sum(map(flips, run.results)) for run in (first, second)]
        rows += [[kind, *counts]] if any(counts) else []
    problems = [sum(len(v) == 2 for v in _right_by_problem(r).values()) for r in (first, second)]
    rows += [[f"{VERSIONS} (problems)", *problems]] if any(problems) else []
    return ReportTable(["", "A", "B"], rows, "Flips")


def _right_by_problem(run: Run) -> dict[str, set[bool]]:
    """Which verdicts the samples of a problem have: both, where versions flip."""
    found: dict[str, set[bool]] = {}
    for result in run.results:
        found.setdefault(result.problem_id, set()).add(run.verdict(result))
    return found
