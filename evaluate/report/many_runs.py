"""Many runs at once: how many are right on a sample, which pairs differ, what accuracy costs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from ...pages import Cell, Column, ReportTable, Section, samples_of, scatter_plot
from ..metrics import Rate, Result, Run, accuracy, numbers_of, without_numbers
from .letters import letters
from .number_format import interval, p_value, percent, points

SPELLED = 24  # runs up to which the cells of the matrix say how large a difference is
PLOTTED = 25  # runs up to which the histogram has a bar each
FEWEST = 5  # runs from which a sample can separate them
SHOWN = 30  # of the samples that separate runs best
SPENDING = (
    ("cost", "cost"),
    ("tokens", "tokens of a reply"),
    ("thought_tokens", "tokens of thoughts"),
    ("seconds", "seconds"),
)
RULES = (
    Column("run"),
    Column("rules alone", percent),
    Column("95 %", interval),
    Column("with judge", percent),
    Column("decided by judge"),
)


def run_sections(
    runs: Sequence[Run],
    adjusted: Mapping[tuple[str, str], float],
    gaps: Mapping[tuple[str, str], float],
    *,
    with_samples: bool,
) -> list[Section]:
    """What many runs on the same samples say together; links where the page has the samples.

    `adjusted` are corrected p of pairs of runs, `gaps` the first's accuracy minus the second's.
    """
    parts = [spending_section(runs)]
    if len(runs) > 1:
        parts = [pairs_section(runs, adjusted, gaps), *parts]
        parts.append(histogram_section(runs, with_samples=with_samples))
    if len(runs) >= FEWEST:
        parts.append(separating_section(runs, with_samples=with_samples))
    parts.append(rules_section(runs))
    return [part for part in parts if part.tables or part.plots]


def right_runs(runs: Sequence[Run]) -> dict[str, tuple[int, int]]:
    """Of each sample how many runs are right, in all their replies, and how many have it."""
    counts: dict[str, list[int]] = {}
    for run in runs:
        verdicts: defaultdict[str, bool] = defaultdict(lambda: True)
        for result in without_numbers(run.results):
            verdicts[result.id] &= run.verdict(result)
        for name, is_right in verdicts.items():
            count = counts.setdefault(name, [0, 0])
            count[0] += is_right
            count[1] += 1
    return {name: (right, n) for name, (right, n) in counts.items()}


def how_many_right(right: int, runs: int) -> str:
    """
    >>> how_many_right(2, 3), how_many_right(3, 3)
    ('2 of 3', 'all')
    """
    return "all" if right == runs else f"{right} of {runs}"


def histogram_section(runs: Sequence[Run], *, with_samples: bool) -> Section:
    """How many samples 0, 1, ... all of the runs get right."""
    counts = Counter(how_many_right(*pair) for pair in right_runs(runs).values())
    n = len(runs)
    names = [how_many_right(k, n) for k in range(n + 1)]
    names += sorted(counts.keys() - set(names))  # samples that not all runs have
    most = max(counts.values())

    def bar(number: int) -> str:
        return "█" * math.ceil(20 * number / most)

    records = [
        {
            "right": name,
            "samples": _linked(counts[name], name, with_samples),
            "share": bar(counts[name]),
        }
        for name in names
        if counts[name] or n <= PLOTTED
    ]
    columns = (Column("right"), Column("samples"), Column("share", heading=""))
    several = any(
        len({r.id for r in without_numbers(run.results)}) < len(run.results)
        for run in runs
    )
    note = (
        "A run with several replies is right where all of them are." if several else ""
    )
    table = ReportTable.of(columns, records)
    return Section("Samples by how many runs get them right", [note] * several, [table])


def _linked(n: int, name: str, with_samples: bool) -> Any:
    return Cell(f"{n:,}", address=samples_of(right=name)) if n and with_samples else n


def pairs_section(
    runs: Sequence[Run],
    adjusted: Mapping[tuple[str, str], float],
    gaps: Mapping[tuple[str, str], float],
) -> Section:
    """Each run against each other one: points, and whether corrected tests tell them apart."""
    names = [run.name for run in runs]
    heads = letters(len(names))
    rows = {}
    for head, name in zip(heads, names, strict=True):
        cells: dict[str, Any] = {}
        for other_head, other in zip(heads, names, strict=True):
            cells[other_head] = _pair(name, other, adjusted, gaps, len(names))
        rows[f"{head}: {name}"] = cells
    note = (
        "Points by which the run of the row is before that of the column; bold where it is by a "
        "test corrected for all pairs (Tarone-Holm, p < .05)."
    )
    if len(names) > SPELLED:
        note += " ▲ before, ▼ behind by that test, · tied."
    table = ReportTable.matrix("run", heads, rows, title="All pairs")
    table.folded = len(names) > SPELLED
    return Section("Which runs differ", [note], [table])


def _pair(
    name: str,
    other: str,
    adjusted: Mapping[tuple[str, str], float],
    gaps: Mapping[tuple[str, str], float],
    runs: int,
) -> Any:
    if name == other:
        return ""
    sign = 1.0 if (name, other) in gaps else -1.0
    pair = (name, other) if sign > 0 else (other, name)
    if pair not in gaps:
        return "–"
    gap, p = sign * gaps[pair], adjusted[pair]
    if runs > SPELLED:
        return "·" if p >= 0.05 else "▲" if gap > 0 else "▼"
    note = f"p {p_value(p)}" if p < 0.05 else ""
    return Cell(points(gap), note, best=p < 0.05)


class Spent(NamedTuple):
    """What a run took for a reply, on average, of the replies that say so."""

    mean: float
    known: int
    total: float


def spent(results: Sequence[Result], what: str) -> Spent | None:
    values = numbers_of(results, what)
    if not values:
        return None
    return Spent(math.fsum(values) / len(values), len(values), math.fsum(values))


def spending_section(runs: Sequence[Run]) -> Section:
    """Accuracy beside what it took: cost, tokens, thoughts, seconds; and by date."""
    rates = {run.name: accuracy(run.results, run.verdict) for run in runs}
    records: list[dict[str, Any]] = []
    plots: list[str] = []
    by_run = {
        run.name: {what: spent(run.results, what) for what, _ in SPENDING}
        for run in runs
    }
    for what, heading in SPENDING:
        found = [
            (name, value.mean, rates[name])
            for name, values in by_run.items()
            if (value := values[what]) and value.mean > 0
        ]
        if len(found) > 1:
            title = f"Accuracy, percent, by {heading}: mean of a reply"
            plots.append(scatter_plot(title, found, runs[0].scores.guessing))
    dated = [
        (run.name, day, rates[run.name])
        for run in runs
        if (day := _day(run)) is not None
    ]
    if len(dated) > 1 and len({day for _, day, _ in dated}) > 1:
        first = min(day for _, day, _ in dated)
        since = [(name, day - first + 1, rate) for name, day, rate in dated]
        title = "Accuracy, percent, by date: days from the first run's on"
        plots.append(scatter_plot(title, since, runs[0].scores.guessing))
    for run in runs:
        values = by_run[run.name]
        if not any(values.values()):
            continue
        right = rates[run.name].correct
        record: dict[str, Any] = {
            "run": run.name,
            "accuracy": rates[run.name].value,
            "95 %": rates[run.name],
            "date": _date(run),
        }
        for what, _ in SPENDING:
            value = values[what]
            record[what] = "" if value is None else f"{value.mean:,.4g}"
        for what in ("cost", "tokens"):
            value = values[what]
            told = value is not None and right and value.known == len(run.results)
            record[f"{what} a right reply"] = (
                f"{value.total / right:,.4g}" if told and value else ""
            )
        records.append(record)
    if not records:
        return Section("What accuracy costs")
    columns = [
        Column("run"),
        Column("accuracy", percent),
        Column("95 %", interval),
        *(Column(what, heading=heading, align="right") for what, heading in SPENDING),
        Column("cost a right reply", align="right"),
        Column("tokens a right reply", align="right"),
        Column("date"),
    ]
    unknown = [run.name for run in runs if not any(by_run[run.name].values())]
    notes = [
        "Means of a reply, of replies that say it; a right reply pays for all others."
    ]
    if unknown:
        notes.append(f"Nothing is known of {', '.join(unknown)}.")
    return Section(
        "What accuracy costs", notes, [ReportTable.of(columns, records)], plots
    )


def _date(run: Run) -> str:
    moments = [record.ended or record.started for record in run.scores.provenance.runs]
    return max(moments, default="")[:10]


def _day(run: Run) -> int | None:
    """The day of a run as a number; None where nobody recorded it."""
    try:
        return date.fromisoformat(_date(run)).toordinal()
    except ValueError:
        return None


class Separation(NamedTuple):
    """How far right replies to a sample go with being right elsewhere, with a 95 % interval."""

    value: float
    low: float
    high: float


def separations(runs: Sequence[Run]) -> dict[str, Separation]:
    """The discrimination of samples: item-rest correlation over runs, by Fisher's z.

    Samples on which all runs are alike separate nothing and are left out.
    """
    import numpy as np

    means = [_means(run) for run in runs]
    names = [name for name in means[0] if all(name in of for of in means)]
    table = np.array([[of[name] for name in names] for of in means])
    found = {}
    rest = table.sum(axis=1)
    for k, name in enumerate(names):
        own = table[:, k]
        others = rest - own
        if own.std() == 0 or others.std() == 0:
            continue
        r = float(np.corrcoef(own, others)[0, 1])
        z, reach = (
            math.atanh(max(-0.9999, min(0.9999, r))),
            1.96 / math.sqrt(max(1, len(runs) - 3)),
        )
        found[name] = Separation(r, math.tanh(z - reach), math.tanh(z + reach))
    return found


def _means(run: Run) -> dict[str, float]:
    """The share of a sample's replies that are right."""
    counts: dict[str, list[int]] = {}
    for result in without_numbers(run.results):
        count = counts.setdefault(result.id, [0, 0])
        count[0] += run.verdict(result)
        count[1] += 1
    return {name: right / n for name, (right, n) in counts.items()}


def separating_section(runs: Sequence[Run], *, with_samples: bool) -> Section:
    """The samples that tell strong runs from weak ones best, surest first; and those that err."""
    found = separations(runs)
    right = right_runs(runs)
    best = sorted(found, key=lambda name: (-found[name].low, name))[:SHOWN]
    odd = [name for name in found if found[name].high < 0]
    odd.sort(key=lambda name: (found[name].high, name))

    def table(names: Sequence[str], title: str) -> ReportTable:
        records = [
            {
                "sample": Cell(name, address=samples_of(sample=name))
                if with_samples
                else name,
                "right": how_many_right(*right[name]),
                "discrimination": f"{found[name].value:.2f}",
                "95 %": f"[{found[name].low:.2f}, {found[name].high:.2f}]",
            }
            for name in names
        ]
        columns = (
            Column("sample"),
            Column("right", heading="runs right"),
            Column("discrimination"),
            Column("95 %"),
        )
        return ReportTable.of(columns, records, title, folded=True)

    tables = [table(best, "Samples that separate runs best")]
    if odd:
        tables.append(
            table(odd[:SHOWN], "Samples that weaker runs get right more often")
        )
    notes = [
        "Correlation of being right on a sample with being right on all others, over "
        f"{len(runs)} runs; the interval is wide where runs are few."
    ]
    return Section("Samples that separate runs", notes, tables if best else [])


def rules_section(runs: Sequence[Run]) -> Section:
    """The runs that a judge helped: by rules alone beside with the judge."""
    records = []
    for run in runs:
        judged = sum(r.decided_by == "judge" for r in without_numbers(run.results))
        if judged:
            alone = accuracy(
                run.results, lambda r: r.correct and r.decided_by == "rule"
            )
            records.append(
                {
                    "run": run.name,
                    "rules alone": alone.value,
                    "95 %": alone,
                    "with judge": accuracy(run.results, run.verdict).value,
                    "decided by judge": judged,
                }
            )
    tables = [ReportTable.of(RULES, records)] if records else []
    return Section("Rules alone beside rules with a judge", [], tables)


def rules_alone(results: Sequence[Result]) -> Rate | None:
    """The accuracy of what rules decided; None where no judge decided anything."""
    if not any(result.decided_by == "judge" for result in results):
        return None
    return accuracy(results, lambda r: r.correct and r.decided_by == "rule")
