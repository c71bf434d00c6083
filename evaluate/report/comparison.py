"""comparison.html: figures of A against others, then every sample with all replies side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...base.terminal import progress
from ...pages import (
    Card,
    Cell,
    Column,
    Headline,
    ReportTable,
    Round,
    Section,
    card_of,
    difference_plot,
    samples_of,
    write_page,
)
from ...problem import VERSIONS as ASKED_VERSIONS
from ...problem import Sample
from ..metrics import Comparison, LabelDifference, Rate, Result, Run, by_label
from .html import RIGHT_REPLIES, by_sample, over_replies, runs_of
from .letters import letters
from .number_format import interval, p_value, percent, points, word
from .paper_figures import runs_figures
from .papers import PaperFigure
from .sections import PLOTTED, link_of

SEVERAL = 3  # runs that A is compared with each in sections of their own
LISTED = 6  # letters of runs that a filter's value lists
VERSIONS = "flips between versions"
PROFILES = "flips between profiles"
JUDGES = "flips between judge and rules"
TWO_JUDGES = "flips between judges"
ONE_REPLY = "one reply, two verdicts"
AGAINST = (
    Column("against"),
    Column("accuracy", percent),
    Column("A minus it", points),
    Column("95 %", interval),
    Column("p (corrected)", p_value),
    Column("only A right"),
    Column("only it right"),
)


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
    others = letters(len(runs))[1:]
    write_page(
        path,
        _title(runs),
        sections,
        headlines=_headlines(comparisons),
        about=""
        if len(comparisons) > SEVERAL
        else f"On the whole split, {'; '.join(map(_verdict, comparisons, others))}.",
        cards=_cards(runs, {sample.id: sample for sample in samples}),
        release=release,
    )


def _title(runs: Sequence[Run]) -> str:
    others = [run.name for run in runs[1:]]
    if len(others) > SEVERAL:
        return f"{runs[0].name} against {len(others)} runs"
    return f"{runs[0].name} against {', '.join(others)}"


def comparison_sections(
    comparisons: Sequence[Comparison], p_adjusted: Sequence[float], runs: Sequence[Run]
) -> list[Section]:
    """The figures of each comparison, and which samples flip."""
    if len(comparisons) > SEVERAL:
        sections = [
            _against_each(comparisons, p_adjusted),
            _labels_of_many(comparisons),
        ]
        flips = _flips(runs)
        sections[0].tables += [flips] if flips.rows else []
        return [section for section in sections if section.tables]
    sections = [_against_each(comparisons, p_adjusted)] if len(comparisons) > 1 else []
    for letter, c in zip(letters(len(runs))[1:], comparisons, strict=True):
        whose = f": A, {letter}" if len(runs) > 2 else ""
        sections += [_whole(c, whose, letter), _labels(c, whose, letter)]
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
    records = [
        {
            "against": f"{letter}: {c.b}",
            "accuracy": c.accuracy_b.value,
            "A minus it": c.difference.value,
            "95 %": c.difference,
            "p (corrected)": p,
            "only A right": _only(c, letter, "right", "wrong", c.outcomes.only_first),
            "only it right": _only(c, letter, "wrong", "right", c.outcomes.only_second),
        }
        for letter, c, p in zip(
            letters(len(comparisons) + 1)[1:], comparisons, p_adjusted, strict=True
        )
    ]
    note = f"p is corrected for {len(records)} comparisons (Tarone-Holm): read claims from it."
    title = f"A: {comparisons[0].a} against each"
    return Section(title, [note], [ReportTable.of(AGAINST, records)])


def _only(c: Comparison, letter: str, ours: str, theirs: str, n: int) -> Cell | int:
    """A number of samples that one side alone has right, as a link to them."""
    sides = {f"A: {c.a}": ours, f"{letter}: {c.b}": theirs}
    return Cell(f"{n:,}", address=samples_of(**sides)) if n else 0


def _labels_of_many(comparisons: Sequence[Comparison]) -> Section:
    """A minus each other run in every group; a note where a corrected test tells them apart."""
    names = letters(len(comparisons) + 1)[1:]
    tables = []
    for label, groups in comparisons[0].by.items():
        if len(groups) == 1:
            continue
        rows: dict[str, dict[str, Any]] = {}
        for value, group in groups.items():
            cells = {
                letter: _gap_in_group(c.by[label][value])
                for letter, c in zip(names, comparisons, strict=True)
                if value in c.by.get(label, {})
            }
            blank = dict.fromkeys(names, "")
            rows[f"{value} ({group.difference.n:,})"] = blank | cells
        title = f"By {_named(label)}: A minus each"
        tables.append(
            ReportTable.matrix(_named(label), names, rows, points, title=title)
        )
    note = (
        "Points, bold where p corrected over all groups of the pair is below .05; the number of "
        "replies stands behind each group."
    )
    return Section("By label", [note], tables)


def _gap_in_group(group: LabelDifference) -> Cell | str:
    value = group.difference.value
    if value is None:
        return ""
    return Cell(points(value), best=group.p_adjusted < 0.05)


def _headlines(comparisons: Sequence[Comparison]) -> list[Headline]:
    if len(comparisons) > SEVERAL:  # the table says the rest
        first = rate_headline(f"A: {comparisons[0].a}", comparisons[0].accuracy_a)
        better = sum(c.verdict == "B is better" for c in comparisons)
        worse = sum(c.verdict == "A is better" for c in comparisons)
        return [
            first,
            Headline("runs that are better than A", f"{better}"),
            Headline("tied with A", f"{len(comparisons) - better - worse}"),
            Headline("worse than A", f"{worse}"),
        ]
    others = list(zip(letters(len(comparisons) + 1)[1:], comparisons, strict=True))
    rates = [rate_headline(f"A: {comparisons[0].a}", comparisons[0].accuracy_a)]
    rates += [rate_headline(f"{letter}: {c.b}", c.accuracy_b) for letter, c in others]
    return rates + [_gap(letter, c) for letter, c in others]


def _gap(letter: str, c: Comparison) -> Headline:
    """How far A is before another run, and on how many samples only one of them is right."""
    d = c.difference
    o = c.outcomes
    right = f"only A right {o.only_first:,}, only {letter} {o.only_second:,}"
    return Headline(
        f"A − {letter}, points", points(d.value), f"{interval(d)} · {right}"
    )


def rate_headline(of: str, rate: Rate) -> Headline:
    """An accuracy with its interval."""
    return Headline(
        of, percent(rate.value), interval(rate), rate.low, rate.value, rate.high
    )


def _whole(c: Comparison, whose: str, letter: str) -> Section:
    tables = [_right_and_wrong(c, letter, len(whose) > 0)]
    if c.transitions:
        columns = (Column("move", heading=f"class, A -> {letter}"), Column("problems"))
        moves = [{"move": move, "problems": n} for move, n in c.transitions.items()]
        tables.append(ReportTable.of(columns, moves, "Four-dimensional classes"))
    if c.living:
        tables.append(_living(c, letter))
    if c.asked:
        sides = ["A", letter]
        settings = {
            what: dict(zip(sides, values, strict=True))
            for what, values in c.asked.items()
        }
        title = "How they were asked"
        tables.append(
            ReportTable.matrix("asked otherwise", sides, settings, title=title)
        )
    return Section(f"Both together{whose}", c.notes, tables)


def _right_and_wrong(c: Comparison, letter: str, among_several: bool) -> ReportTable:
    """How many samples both get right, one alone, or none; each number leads to its samples."""

    def cell(n: int, name: str, ours: str, theirs: str) -> Cell:
        facets = {"right": name}
        if among_several:
            facets = {f"A: {c.a}": ours, f"{letter}: {c.b}": theirs}
        return Cell(f"{n:,}", address=samples_of(**facets))

    counts = c.outcomes
    right = f"{letter} right"
    wrong = f"{letter} wrong"
    rows = {
        "A right": {
            right: cell(counts.both, "both", "right", "right"),
            wrong: cell(counts.only_first, "only A", "right", "wrong"),
        },
        "A wrong": {
            right: cell(counts.only_second, "only B", "wrong", "right"),
            wrong: cell(counts.neither, "neither", "wrong", "wrong"),
        },
    }
    return ReportTable.matrix("replies", [right, wrong], rows)


def _living(c: Comparison, letter: str) -> ReportTable:
    columns = (
        Column("over seeds"),
        Column("gap", points, heading=f"A - {letter}"),
        Column("95 %", interval),
        Column("p", p_value),
    )
    records = [
        {"over seeds": what, "gap": d.value, "95 %": d, "p": d.p or 1.0}
        for what, d in c.living.items()
    ]
    return ReportTable.of(columns, records, "Living problems, paired by seed")


def _labels(c: Comparison, whose: str, letter: str) -> Section:
    tables: list[ReportTable] = []
    plots: list[str] = []
    for label, groups in c.by.items():
        if len(groups) == 1:
            continue  # says what the whole says
        is_plotted = len(groups) <= PLOTTED
        tables.append(_by_label(label, groups, letter, is_plotted))
        if is_plotted:
            rates = [(value, group.difference) for value, group in groups.items()]
            notes = [f"p {p_value(group.p_adjusted)}" for group in groups.values()]
            title = f"A − {letter} by {_named(label)}, points"
            plots.append(difference_plot(title, rates, link_of(label), notes))
    note = (
        "p is corrected over all groups of all labels here: read claims from it alone."
    )
    return Section(f"By label{whose}", [note], tables, plots)


def _by_label(
    label: str, groups: Mapping[str, LabelDifference], letter: str, is_plotted: bool
) -> ReportTable:
    columns = (
        Column("group", heading=_named(label)),
        Column("n"),
        Column("gap", points, heading=f"A - {letter}"),
        Column("95 %", interval),
        Column("p (corrected)", p_value),
    )
    link = link_of(label)
    records = [
        {
            "group": Cell(value, address=link(value)),
            "n": group.difference.n,
            "gap": group.difference.value,
            "95 %": group.difference,
            "p (corrected)": group.p_adjusted,
        }
        for value, group in groups.items()
    ]
    title = f"By {_named(label)}"
    return ReportTable.of(columns, records, title, plotted=is_plotted)


def _named(label: str) -> str:
    return label.replace("_", " ")


def _cards(runs: Sequence[Run], samples: Mapping[str, Sample]) -> Iterator[Card]:
    """A card a sample, a row of it for each number of the runs' replies."""
    by_run = [by_sample(run.results) for run in runs]
    flipping = [flips_between_versions(run) for run in runs]
    names = [f"{letter}: {run.name}" for letter, run in _lettered(runs)]
    for name, ours in progress(by_run[0].items(), "page", len(by_run[0]), "samples"):
        sample = samples[name]
        answers = [groups[name] for groups in by_run]
        card = card_of(sample, ours[0].group_values())
        for label, run, results in zip(names, runs, answers, strict=True):
            for value in over_replies(results, run.verdict).get(RIGHT_REPLIES, []):
                card.facets[f"{label}, {RIGHT_REPLIES}"] = [value]
        for number, together in enumerate(zip(*answers, strict=True), 1):
            is_flip = [name in flips[number] for flips in flipping]
            card.rounds.append(_round(runs, names, together, is_flip))
        for label, run, results in zip(names, runs, answers, strict=True):
            replies = runs_of(results, sample, run.verdict, label)
            for result, reply in zip(results, replies, strict=True):
                said = run.words.get((name, result.repeat), {})
                reply.said = [f"{judge}: {verdict}" for judge, verdict in said.items()]
            card.runs += replies
        yield card


def _lettered(runs: Sequence[Run]) -> list[tuple[str, Run]]:
    return list(zip(letters(len(runs)), runs, strict=True))


def _round(
    runs: Sequence[Run],
    names: Sequence[str],
    results: Sequence[Result],
    versions: Sequence[bool],
) -> Round:
    """What the runs' replies of one number can be filtered by."""
    right = [run.verdict(result) for run, result in zip(runs, results, strict=True)]
    sides = {"right": [who_is_right(right)]}
    if len(runs) > 2:
        sides |= {
            name: [word(is_right)] for name, is_right in zip(names, right, strict=True)
        }
    numbers = {
        f"{name}, {of}": value
        for name, result in zip(names, results, strict=True)
        for of, value in (("tokens", result.tokens), ("cost", result.cost))
        if value is not None
    }
    sides |= _flips_of_round(runs, results, right, versions)
    return Round(facets=sides | {"reply": [str(results[0].repeat)]}, numbers=numbers)


def _flips_of_round(
    runs: Sequence[Run],
    results: Sequence[Result],
    right: Sequence[bool],
    versions: Sequence[bool],
) -> dict[str, list[str]]:
    """By kind the letters of the runs that flip on a reply."""
    texts = [result.response for result in results]
    flips_of_kind = {
        VERSIONS: versions,
        PROFILES: [between_profiles(result) for result in results],
        JUDGES: [between_judge_and_rules(result) for result in results],
        TWO_JUDGES: [
            between_judges(run, result)
            for run, result in zip(runs, results, strict=True)
        ],
        ONE_REPLY: two_verdicts(texts, right),
    }
    return {
        kind: [
            letter
            for letter, flip in zip(letters(len(runs)), flips, strict=True)
            if flip
        ]
        for kind, flips in flips_of_kind.items()
        if any(flips)
    }


def who_is_right(right: Sequence[bool]) -> str:
    """Which runs are right, by their letters.

    >>> who_is_right([True, False]), who_is_right([True, False, True]), who_is_right([True, True])
    ('only A', 'A, C', 'both')
    """
    who = [
        letter
        for letter, value in zip(letters(len(right)), right, strict=True)
        if value
    ]
    if len(who) == len(right):
        return "both" if len(right) == 2 else "all"
    if not who:
        return "neither" if len(right) == 2 else "none"
    if len(who) > LISTED:
        return f"{len(who)} of {len(right)}"
    return ", ".join(who) if len(who) > 1 else f"only {who[0]}"


def between_profiles(result: Result) -> bool:
    """Do the robust and the official rules disagree?"""
    return result.official is not None and result.official.correct != result.correct


def between_judge_and_rules(result: Result) -> bool:
    """Did a judge call a reply right that the rules had left open, and so counted as wrong?"""
    return result.decided_by == "judge" and result.correct


def between_judges(run: Run, result: Result) -> bool:
    """Did one of a run's judges call the reply right and another one wrong?"""
    words = run.words.get((result.id, result.repeat), {})
    return {"right", "wrong"} <= set(words.values())


def two_verdicts(replies: Sequence[str | None], right: Sequence[bool]) -> list[bool]:
    """For each run: has another the very same reply, judged otherwise?

    >>> two_verdicts(["4", "4", "5"], [True, False, False])
    [True, True, False]
    """
    pairs = list(zip(replies, right, strict=True))
    return [text is not None and (text, not value) in pairs for text, value in pairs]


def _flips(runs: Sequence[Run]) -> ReportTable:
    """How many replies flip, by kind and run; of versions, how many problems."""
    problems = f"{VERSIONS} (problems)"
    counts = {
        PROFILES: [sum(map(between_profiles, run.results)) for run in runs],
        JUDGES: [sum(map(between_judge_and_rules, run.results)) for run in runs],
        TWO_JUDGES: [
            sum(between_judges(run, result) for result in run.results) for run in runs
        ],
        ONE_REPLY: _one_reply_two_verdicts(runs),
        problems: [_flipping_problems(run) for run in runs],
    }
    names = letters(len(runs))

    def cell(kind: str, letter: str, n: int) -> Cell | int:
        if n == 0 or kind == problems:
            return n
        return Cell(f"{n:,}", address=samples_of(**{kind: letter}))

    rows = {
        kind: {
            letter: cell(kind, letter, n)
            for letter, n in zip(names, numbers, strict=True)
        }
        for kind, numbers in counts.items()
        if any(numbers)
    }
    return ReportTable.matrix("kind", names, rows, title="Flips")


def _one_reply_two_verdicts(runs: Sequence[Run]) -> list[int]:
    """For each run on how many samples another has its very reply, judged otherwise."""
    counts = [0] * len(runs)
    by_run = [by_sample(run.results) for run in runs]
    for name in by_run[0]:
        for results in zip(*(groups[name] for groups in by_run), strict=True):
            right = [
                run.verdict(result) for run, result in zip(runs, results, strict=True)
            ]
            texts = [result.response for result in results]
            for k, flips in enumerate(two_verdicts(texts, right)):
                counts[k] += flips
    return counts


def flips_between_versions(run: Run) -> dict[int, set[str]]:
    """By the number of the reply the samples whose problem is right in some of its versions and
    wrong in others."""
    verdicts: defaultdict[tuple[str, int], dict[str, bool]] = defaultdict(dict)
    for result in run.results:
        if result.version in ASKED_VERSIONS:
            key = (result.problem_id, result.repeat)
            verdicts[key][result.id] = run.verdict(result)
    flips: defaultdict[int, set[str]] = defaultdict(set)
    for (_, repeat), by_version in verdicts.items():
        if len(set(by_version.values())) == 2:
            flips[repeat] |= set(by_version)
    return flips


def _flipping_problems(run: Run) -> int:
    flips = flips_between_versions(run)
    names = {name for names in flips.values() for name in names}
    return len({result.problem_id for result in run.results if result.id in names})
