"""comparison.html: figures of A against others, then every sample with all replies side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from ...base.terminal import progress
from ...pages import (
    Card,
    Cell,
    Headline,
    ReportTable,
    Section,
    card_of,
    difference_plot,
    samples_of,
    write_page,
)
from ...problem import Sample
from ..metrics import Comparison, Rate, Result, Run, by_label
from .html import by_sample, facets, runs_of
from .number_format import interval, p_value, percent, points
from .paper_figures import runs_figures
from .papers import PaperFigure
from .sections import PLOTTED, link_of

VERSIONS = "flips between versions"
PROFILES = "flips between profiles"
JUDGES = "flips between judge and rules"
TWO_JUDGES = "flips between judges"
ONE_REPLY = "one reply, two verdicts"


def write_comparison(
    path: Path,
    comparisons: Sequence[Comparison],
    p_adjusted: Sequence[float],
    runs: Sequence[Run],
    samples: Sequence[Sample],
    release: Path,
) -> None:
    """Write the page of `runs`, the first against each other one, and its data.

    `p_adjusted` are the comparisons' p, corrected for their number.

    Raises UserError when nothing can be written there.
    """
    sections = comparison_sections(comparisons, p_adjusted, runs)
    write_page(
        path,
        " against ".join((runs[0].name, ", ".join(run.name for run in runs[1:]))),
        sections,
        headlines=_headlines(comparisons),
        about=f"On the whole split, {'; '.join(map(_verdict, comparisons, ascii_uppercase[1:]))}.",
        cards=_cards(runs, {sample.id: sample for sample in samples}),
        release=release,
    )


def comparison_sections(
    comparisons: Sequence[Comparison], p_adjusted: Sequence[float], runs: Sequence[Run]
) -> list[Section]:
    """The figures of each comparison, and which samples flip."""
    sections = [_against_each(comparisons, p_adjusted)] if len(comparisons) > 1 else []
    for k, c in enumerate(comparisons, 1):
        whose = f": A, {ascii_uppercase[k]}" if len(runs) > 2 else ""
        sections += [_whole(c, whose), _labels(c, whose)]
    flips = _flips(runs)
    sections[0].tables += [flips] if flips.rows else []
    return sections


def comparison_figures(runs: Sequence[Run]) -> list[PaperFigure]:
    """All runs beside each other, as a paper shows them."""
    return runs_figures({run.name: by_label(run.results, run.verdict) for run in runs})


def _verdict(c: Comparison, letter: str) -> str:
    if c.verdict == "tied":
        return f"A and {letter} are tied"
    better, other = ("A", letter) if c.verdict == "A is better" else (letter, "A")
    return f"{better} is better than {other}"


def _against_each(
    comparisons: Sequence[Comparison], p_adjusted: Sequence[float]
) -> Section:
    rows = [
        [
            f"{letter}: {c.b}",
            points(c.difference.value),
            interval(c.difference),
            p_value(p),
        ]
        for letter, c, p in zip(
            ascii_uppercase[1:], comparisons, p_adjusted, strict=False
        )
    ]
    header = ["against", "A minus it", "95 %", "p (corrected)"]
    note = f"p is corrected for {len(rows)} comparisons (Tarone-Holm): read claims from it."
    return Section(
        f"A: {comparisons[0].a} against each", [note], [ReportTable(header, rows)]
    )


def _headlines(comparisons: Sequence[Comparison]) -> list[Headline]:
    others = list(zip(ascii_uppercase[1:], comparisons, strict=False))
    shown = [rate_headline(f"A: {comparisons[0].a}", comparisons[0].accuracy_a)]
    shown += [rate_headline(f"{letter}: {c.b}", c.accuracy_b) for letter, c in others]
    return shown + [_gap(letter, c) for letter, c in others]


def _gap(letter: str, c: Comparison) -> Headline:
    """How far A is before another run, and on how many samples only one of them is right."""
    d, o = c.difference, c.outcomes
    right = f"only A right {o.only_first:,}, only {letter} {o.only_second:,}"
    return Headline(
        f"A − {letter}, points", points(d.value), f"{interval(d)} · {right}"
    )


def rate_headline(of: str, rate: Rate) -> Headline:
    """An accuracy with its interval."""
    return Headline(
        of, percent(rate.value), interval(rate), rate.low, rate.value, rate.high
    )


def _whole(c: Comparison, whose: str) -> Section:
    m, letter = c.outcomes, whose[-1:] or "B"
    names = ("both", "only A", "only B", "neither")
    pairs = [(x, y) for x in ("right", "wrong") for y in ("right", "wrong")]

    def link(name: str, ours: str, theirs: str) -> str:
        several = {f"A: {c.a}": ours, f"{letter}: {c.b}": theirs}
        return samples_of(**(several if whose else {"right": name}))

    both, only_a, only_b, neither = (
        Cell(f"{n:,}", address=link(name, *pair))
        for n, name, pair in zip(
            (m.both, m.only_first, m.only_second, m.neither), names, pairs, strict=True
        )
    )
    right: list[Any] = ["A right", both, only_a]
    wrong: list[Any] = ["A wrong", only_b, neither]
    tables = [
        ReportTable(["samples", f"{letter} right", f"{letter} wrong"], [right, wrong])
    ]
    if c.transitions:
        moves = [[move, n] for move, n in c.transitions.items()]
        header = [f"class, A -> {letter}", "problems"]
        tables.append(ReportTable(header, moves, "Four-dimensional classes"))
    if c.living:
        living = [
            [what, points(d.value), interval(d), p_value(d.p or 1.0)]
            for what, d in c.living.items()
        ]
        header = ["over seeds", f"A - {letter}", "95 %", "p"]
        tables.append(ReportTable(header, living, "Living problems, paired by seed"))
    if c.asked:
        asked = [[what, *sides] for what, sides in c.asked.items()]
        tables.append(
            ReportTable(["asked otherwise", "A", letter], asked, "How they were asked")
        )
    return Section(f"Both together{whose}", c.notes, tables)


def _labels(c: Comparison, whose: str) -> Section:
    letter = whose[-1:] or "B"
    header = ["n", f"A - {letter}", "95 %", "p (corrected)"]
    tables: list[ReportTable] = []
    plots: list[str] = []
    for label, values in c.by.items():
        if len(values) == 1:
            continue
        few, link = len(values) <= PLOTTED, link_of(label)
        rows = [
            [
                Cell(v, address=link(v)),
                x.difference.n,
                points(x.difference.value),
                interval(x.difference),
                p_value(x.p_adjusted),
            ]
            for v, x in values.items()
        ]
        tables.append(
            ReportTable(
                [_named(label), *header], rows, f"By {_named(label)}", False, few
            )
        )
        if few:
            rates = [(value, x.difference) for value, x in values.items()]
            notes = [f"p {p_value(x.p_adjusted)}" for x in values.values()]
            title = f"A − {letter} by {_named(label)}, points"
            plots.append(difference_plot(title, rates, link, notes))
    note = (
        "p is corrected over all groups of all labels here: read claims from it alone."
    )
    return Section(f"By label{whose}", [note], tables, plots)


def _named(label: str) -> str:
    return label.replace("_", " ")


def _cards(runs: Sequence[Run], samples: Mapping[str, Sample]) -> Iterator[Card]:
    by_run = [by_sample(run.results) for run in runs]
    both_ways = [_right_by_problem(run) for run in runs]
    for name, ours in progress(by_run[0].items(), "page", len(by_run[0]), "samples"):
        sample, replies = samples[name], [groups[name] for groups in by_run]
        right = [
            run.verdict(given[0]) for run, given in zip(runs, replies, strict=True)
        ]
        found = {"right": [who_is_right(right)]}
        if len(runs) > 2:
            found |= {
                f"{letter}: {run.name}": ["right" if value else "wrong"]
                for letter, run, value in zip(
                    ascii_uppercase, runs, right, strict=False
                )
            }
        for kind, flips in (
            (VERSIONS, [len(by[sample.problem_id]) == 2 for by in both_ways]),
            (PROFILES, [any(map(between_profiles, given)) for given in replies]),
            (JUDGES, [any(map(between_judge_and_rules, given)) for given in replies]),
            (TWO_JUDGES, [between_judges(run, name) for run in runs]),
            (ONE_REPLY, two_verdicts([given[0].response for given in replies], right)),
        ):
            if any(flips):
                found[kind] = [
                    k for k, flip in zip(ascii_uppercase, flips, strict=False) if flip
                ]
        labels = facets(ours, runs[0].verdict)
        own = ("verdict", "status", "official and robust", "decided by")
        card = card_of(
            sample, found | {k: v for k, v in labels.items() if k not in own}
        )
        for letter, run, given in zip(ascii_uppercase, runs, replies, strict=False):
            shown = runs_of(given, sample, run.verdict, f"{letter}: {run.name}")
            shown[0].said = [
                f"{judge}: {word}" for judge, word in run.words.get(name, {}).items()
            ]
            card.runs += shown
        yield card


def who_is_right(right: Sequence[bool]) -> str:
    """Which runs are right, by their letters.

    >>> who_is_right([True, False]), who_is_right([True, False, True]), who_is_right([True, True])
    ('only A', 'A, C', 'both')
    """
    letters = [
        letter for letter, value in zip(ascii_uppercase, right, strict=False) if value
    ]
    if len(letters) == len(right):
        return "both" if len(right) == 2 else "all"
    if not letters:
        return "neither" if len(right) == 2 else "none"
    return ", ".join(letters) if len(letters) > 1 else f"only {letters[0]}"


def between_profiles(result: Result) -> bool:
    """Do the robust and the official rules disagree?"""
    return result.official is not None and result.official.correct != result.correct


def between_judge_and_rules(result: Result) -> bool:
    """Did a judge call a reply right that the rules had left open, and so counted as wrong?"""
    return result.decided_by == "judge" and result.correct


def between_judges(run: Run, name: str) -> bool:
    """Did one of a run's judges call the reply right and another one wrong?"""
    return {"right", "wrong"} <= set(run.words.get(name, {}).values())


def two_verdicts(replies: Sequence[str | None], right: Sequence[bool]) -> list[bool]:
    """For each run: has another the very same reply, judged otherwise?

    >>> two_verdicts(["4", "4", "5"], [True, False, False])
    [True, True, False]
    """
    pairs = list(zip(replies, right, strict=True))
    return [text is not None and (text, not value) in pairs for text, value in pairs]


def _flips(runs: Sequence[Run]) -> ReportTable:
    """How many samples flip, by kind and run."""
    rows: list[list[Any]] = []
    for kind, flips in (
        (PROFILES, between_profiles),
        (JUDGES, between_judge_and_rules),
    ):
        rows.append([kind, *(sum(map(flips, run.results)) for run in runs)])
    judges = [sum(between_judges(run, name) for name in run.words) for run in runs]
    rows.append([TWO_JUDGES, *judges])
    same = [0] * len(runs)
    by_run = [by_sample(run.results) for run in runs]
    for name in by_run[0]:
        given = [groups[name][0] for groups in by_run]
        right = [run.verdict(result) for run, result in zip(runs, given, strict=True)]
        for k, flip in enumerate(
            two_verdicts([result.response for result in given], right)
        ):
            same[k] += flip
    rows.append([ONE_REPLY, *same])
    problems = [
        sum(len(v) == 2 for v in _right_by_problem(run).values()) for run in runs
    ]
    rows.append([f"{VERSIONS} (problems)", *problems])
    letters = ascii_uppercase[: len(runs)]

    def cell(kind: str, letter: str, n: int) -> Any:
        counts_samples = n and "(" not in kind
        return (
            Cell(f"{n:,}", address=samples_of(**{kind: letter}))
            if counts_samples
            else n
        )

    linked = [
        [
            kind,
            *(cell(kind, letter, n) for letter, n in zip(letters, counts, strict=True)),
        ]
        for kind, *counts in rows
        if any(counts)
    ]
    return ReportTable(["kind", *letters], linked, "Flips")


def _right_by_problem(run: Run) -> dict[str, set[bool]]:
    """Which verdicts the samples of a problem have: both, where versions flip."""
    found: dict[str, set[bool]] = {}
    for result in run.results:
        found.setdefault(result.problem_id, set()).add(run.verdict(result))
    return found
