"""Several runs on one split, best first, and which of them are really apart."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.display import Display, Table
from ...base.files import path_or_none, pretty, write_bytes, write_text
from ...base.statement import signed_by
from ...errors import UserError
from ...pages import Card, Cell, Column, Headline, ReportTable, Section, write_page
from ...problem import Record
from ..metrics import (
    FourDimensional,
    Rate,
    ResultsBySample,
    Run,
    natural,
    without_numbers,
)
from ..metrics import places as places_of
from ..predictions import differences, read_material
from ..report import (
    PaperFigure,
    interval,
    p_value,
    percent,
    points,
    report_markdown,
    run_sections,
    runs_figures,
    side_by_side,
    write_papers,
)
from ..scoring import Reported, is_reported, read_hub_results
from .described_models import (
    Facts,
    fact_tables,
    generation,
    in_groups,
    on_other_sets,
    picture_gains,
    read_models,
)
from .model_tables import figures_of, model_tables
from .read import (
    Tallies,
    cluster_gaps,
    gaps_of_pairs,
    read_run,
    read_runs,
    record_of,
    replies_to_a_sample,
    tallies,
    uneven,
    without_verdicts,
)

PRINTED = (
    "Percent, by the benchmark's own rules where they were applied. "
    "A dash: nothing was counted."
)
BOARD = (
    Column("ranks"),
    Column("run"),
    Column("n"),
    Column("accuracy", percent),
    Column("95 %", interval),
    Column("behind", points),
    Column("p", p_value),
    Column("official", percent),
    Column("missing"),
)
FIGURES = (
    "run",
    "n",
    "accuracy",
    "low",
    "high",
    "best_rank",
    "worst_rank",
    "may_be_best",
    "behind",
    "p_adjusted",
    "missing",
)
SIGNED = Column("signed")
FIRST_ERRORS = "First errors"  # a table of shares: none is the best
LABELS = ("version", "subject", "subfield", "level", "difficulty", "grade", "knowledge")


class RankedRun(Record, kw_only=True):
    """One run.

    `ranks` are the best and the worst rank it may have: the intervals of all runs hold together
    with 95 %, from exact tests of all pairs. `may_be_best`: with 95 % the best run is among these.
    `behind` is the first run's accuracy minus this one's on the `shared` samples, `p_adjusted`
    the corrected test of that pair. `missing` are samples without a reply, `asked` is what was
    asked otherwise than of the first run, `report` the address of the run's own page, `signed` by
    which key its scores are signed ("no": by none).
    """

    run: str
    accuracy: Rate
    official: Rate | None
    missing: int
    report: str = ""
    asked: dict[str, list[str]] = msgspec.field(default_factory=dict)
    unextracted: int
    by: dict[str, dict[str, Rate]]
    four_dimensional: dict[str, float | None]  # score, strict and loose
    cot: dict[str, float | None]  # mean score, all but Text Only and per version
    first_errors: dict[str, float | None]  # share of each category
    ranks: tuple[int, int] = (1, 1)
    may_be_best: bool = True
    behind: float | None = None
    shared: int | None = None
    p_adjusted: float | None = None
    signed: str = "no"


class Leaderboard(Display, Record, kw_only=True):
    """Runs from best to worst; those on other samples stand `apart`, without a rank.

    `remarks` name runs that came to no verdict.
    """

    release: str
    split: str
    profile: str
    entries: list[RankedRun]
    apart: list[RankedRun] = msgspec.field(default_factory=list)
    reported: list[Reported] = msgspec.field(
        default_factory=list
    )  # by others, on a hub
    remarks: list[str] = msgspec.field(default_factory=list)

    def headline(self) -> str:
        return f"{len(self.entries)} runs on {self.release} / {self.split}"

    def table(self) -> Table:
        rows = [_figures_of(entry) for entry in self.entries]
        return list(FIGURES), [[row[name] for name in FIGURES] for row in rows]


def _figures_of(entry: RankedRun) -> dict[str, Any]:
    best, worst = entry.ranks
    return {
        "run": entry.run,
        "n": entry.accuracy.n,
        "accuracy": entry.accuracy.value,
        "low": entry.accuracy.low,
        "high": entry.accuracy.high,
        "best_rank": best,
        "worst_rank": worst,
        "may_be_best": entry.may_be_best,
        "behind": entry.behind,
        "p_adjusted": entry.p_adjusted,
        "missing": entry.missing,
    }


def leaderboard(
    runs: Sequence[str | Path],
    out: str | Path | None = None,
    *,
    release: str | Path | None = None,
    answers: str | Path | None = None,
    papers: bool = False,
    models: str | Path | None = None,
    beside: Sequence[str | Path] = (),
    keys: Sequence[str | Path] = (),
) -> Leaderboard:
    """Rank folders written by `score` (or `evaluate humans`).

    A run is called what `score --name` says, or as its folder; its ranks come from exactly the
    verdicts of the accuracy it shows. Runs on other samples stand apart and have none.

    Args:
        runs: Folders that `score` or `evaluate humans` wrote; and folders of .eval_results, whose
            figures stand below, as what somebody reports.
        out: Folder for leaderboard.{json,md,html}.
        release: Show every sample of this release, or of what was scored in its place, the replies
            of all runs side by side.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        papers: Add the papers' own tables of models, and write tables/ (LaTeX, CSV, Markdown) and
            figures/ (SVG, PDF).
        models: A table (CSV) with the column `run` and what is known of each model: release,
            source, encoder, size (MathVerse, table 4; We-Math, tables 7 to 9). Of each `group` the
            best is marked in every table; `best: no` leaves a run out of that.
        beside: Folder of a run on another set: a table shows models of one name on all sets.
        keys: File with a public key of those who sign scores: the board says by whom each row is.

    Raises UserError when runs are of different releases, builds, splits or profiles, or
    share a name.

    Example: `leaderboard(["scores/gpt", "scores/qwen"]).entries[0].run`
    """
    if papers and out is None:
        raise UserError("tables and figures need a place", "give an output folder")
    hub_folders = [Path(folder) for folder in runs if is_reported(Path(folder))]
    reported = [entry for folder in hub_folders for entry in read_hub_results(folder)]
    folders = [Path(folder) for folder in runs if Path(folder) not in hub_folders]
    every = read_runs(folders, texts=False)
    places = {run.name: folder for run, folder in zip(every, folders, strict=True)}
    every.sort(key=lambda run: (-(run.scores.accuracy.value or 0.0), run.name))
    counted = {run.name: tallies(run) for run in every}
    shared = max((one.keys() for one in counted.values()), key=len)
    alike = [run for run in every if counted[run.name].keys() == shared]
    others = [run for run in every if run not in alike]
    first = alike[0]
    board = Leaderboard(
        release=first.scores.release,
        split=first.scores.split,
        profile=first.scores.profile,
        entries=[_entry(run, first, places[run.name], out) for run in alike],
        apart=[_entry(run, first, places[run.name], out) for run in others],
        reported=sorted(
            reported,
            key=lambda entry: (entry.dataset.task_id, -entry.share, entry.file),
        ),
        remarks=[
            *(remark for run in every for remark in without_verdicts(run)),
            *uneven(every),
        ],
    )
    adjusted, gaps = _named_pairs(
        _rank(board.entries, [counted[run.name] for run in alike]), alike
    )
    for entry, run in zip(board.apart, others, strict=True):
        entry.may_be_best = False
        _behind(entry, counted[first.name], counted[run.name])
    for entry in (*board.entries, *board.apart):
        entry.signed = signed_by(places[entry.run], keys, "scores.json")
    if out is not None:
        facts = read_models(models, every)
        parts = _sections(board)
        with_samples = release is not None
        parts += run_sections(alike, adjusted, gaps, with_samples=with_samples)
        printed = model_tables(every) if papers else []
        if printed:
            parts.append(Section("As the papers print them", [PRINTED], printed))
        _mark_groups(parts, facts)
        elsewhere = [read_run(Path(folder), texts=False) for folder in beside]
        about = [
            *fact_tables(facts, every),
            *generation(every),
            *picture_gains(every),
            *on_other_sets(every, elsewhere),
        ]
        if about:
            parts.append(Section("Models", [], about))
        view = _pairs_of([run.name for run in alike], adjusted)
        _write(
            board,
            parts,
            Path(out),
            every,
            places,
            path_or_none(release),
            answers,
            view,
        )
        if papers:
            write_papers(Path(out), parts, [*_figures(board), *figures_of(printed)])
    return board


def _mark_groups(parts: Sequence[Section], facts: Facts) -> None:
    """In every table of figures the models of a group together, its best marked."""
    for part in parts:
        part.tables = [
            table if table.title == FIRST_ERRORS else in_groups(table, facts)
            for table in part.tables
        ]


def _entry(run: Run, first: Run, folder: Path, out: str | Path | None) -> RankedRun:
    scores = run.scores
    return RankedRun(
        run=run.name,
        accuracy=scores.accuracy,
        official=scores.official.accuracy if scores.official else None,
        missing=scores.counts["missing"] + scores.counts["failed"],
        report=_report_address(folder, out),
        asked=differences([record_of(first), record_of(run)]),
        unextracted=scores.counts["unextracted"],
        by={label: scores.by[label] for label in LABELS if label in scores.by},
        four_dimensional=_four_dimensional(scores.four_dimensional),
        cot=_cot(scores.cot) if scores.cot else {},
        first_errors=_first_errors(scores.process) if scores.process else {},
    )


def _report_address(folder: Path, out: str | Path | None) -> str:
    """How the board in `out` leads to a run's own page; "" where there is none."""
    report = folder / "report.html"
    if out is None or not report.exists():
        return ""
    return Path(os.path.relpath(report.resolve(), Path(out).resolve())).as_posix()


def _four_dimensional(table: FourDimensional | None) -> dict[str, float | None]:
    if table is None:
        return {}
    return {"strict": table.strict.score, "loose": table.loose.score}


def _first_errors(process: Mapping[str, Any]) -> dict[str, float | None]:
    return {name: part["share"] for name, part in process["categories"].items()}


def _cot(cot: Mapping[str, Any]) -> dict[str, float | None]:
    versions = cot["versions"]
    parts = {"all": cot["all"]}
    parts |= {name: versions[name] for name in sorted(versions, key=natural)}
    return {name: part["value"] for name, part in parts.items()}


Pairs = dict[tuple[str, str], float]


def _named_pairs(
    adjusted: Mapping[tuple[int, int], float], runs: Sequence[Run]
) -> tuple[Pairs, Pairs]:
    """The corrected p of each pair of runs by their names, and its difference."""
    names = [run.name for run in runs]
    values = [run.scores.accuracy.value or 0.0 for run in runs]
    return (
        {(names[i], names[j]): p for (i, j), p in adjusted.items()},
        {(names[i], names[j]): values[i] - values[j] for i, j in adjusted},
    )


def _rank(
    entries: list[RankedRun], runs: Sequence[Tallies]
) -> dict[tuple[int, int], float]:
    """Rank intervals from all pairs, and the gap to the first run, on the samples of both.

    Returns the corrected p of each pair, by the runs' places.
    """
    gaps = gaps_of_pairs(runs)
    found, family = places_of(gaps, len(runs))
    adjusted = dict(zip(gaps, family.adjusted, strict=True))
    for k, (entry, place) in enumerate(zip(entries, found, strict=True)):
        entry.ranks, entry.may_be_best = (place.best, place.worst), place.may_be_best
        if k:
            _behind(entry, runs[0], runs[k])
            entry.p_adjusted = adjusted[0, k]
    return adjusted


def _behind(entry: RankedRun, ours: Tallies, theirs: Tallies) -> None:
    """How far a run is behind the first, on the samples of both."""
    meetings = sum(
        n * theirs[name][1] for name, (_, n, _) in ours.items() if name in theirs
    )
    entry.shared = sum(name in theirs for name in ours)
    gap = int(cluster_gaps(ours, theirs).sum())
    entry.behind = round(gap / meetings, 6) if meetings else None


def _write(
    board: Leaderboard,
    parts: Sequence[Section],
    out: Path,
    runs: Sequence[Run],
    places: Mapping[str, Path],
    release: Path | None,
    answers: str | Path | None,
    view: Mapping[str, Any],
) -> None:
    title = f"Leaderboard on {board.release}, {board.split}"
    write_bytes(out / "leaderboard.json", pretty(board))
    write_text(out / "leaderboard.md", report_markdown(title, parts))
    cards: Iterable[Card] = ()
    if release is not None:
        material = read_material(release, board.split, answers)
        by_run = [
            ResultsBySample(places[run.name], {result.id for result in run.results})
            for run in runs
        ]
        cards = side_by_side(runs, material.samples, by_run)
        release = material.root
    write_page(
        out / "leaderboard.html",
        title,
        parts,
        headlines=_headlines(board, runs),
        cards=cards,
        release=release,
        view=view,
    )


def _pairs_of(names: Sequence[str], adjusted: Pairs) -> dict[str, Any]:
    """The corrected p of pairs for the page, on which a base may be chosen: a row a run, of the
    runs behind it."""
    rows = [
        [float(f"{adjusted[name, other]:.3g}") for other in names[k + 1 :]]
        for k, name in enumerate(names)
    ]
    return {"pairs": {"names": list(names), "p": rows}}


def _figures(board: Leaderboard) -> list[PaperFigure]:
    runs = {entry.run: entry.by for entry in board.entries}
    accuracy = [(entry.run, entry.accuracy) for entry in board.entries]
    return [
        PaperFigure("accuracy of runs", "dots", {"accuracy": accuracy}),
        *runs_figures(runs),
    ]


def _headlines(board: Leaderboard, runs: Sequence[Run]) -> list[Headline]:
    best = board.entries[0]
    a = best.accuracy
    others = sum(entry.may_be_best for entry in board.entries[1:])
    results = {run.name: run.results for run in runs}[best.run]
    samples = len({result.id for result in without_numbers(results)})
    most = max(replies_to_a_sample(run) for run in runs)
    replies = f"up to {most} replies to each" if most > 1 else ""
    first = Headline("first run", best.run, f"others that may be best: {others}")
    figure = Headline(
        "its accuracy", percent(a.value), f"95 % {interval(a)}", a.low, a.value, a.high
    )
    return [
        first,
        figure,
        Headline("runs", str(len(board.entries))),
        Headline("samples", f"{samples:,}", replies),
    ]


def _rates(rates: Sequence[Rate | None]) -> list[Cell | str]:
    """Accuracies with their intervals; of several the highest stands out."""
    values = [r.value or 0.0 for r in rates if r is not None]
    highest = max(values) if len(values) > 1 else None
    return [
        ""
        if r is None
        else Cell(percent(r.value), interval(r), best=highest == r.value != 0)
        for r in rates
    ]


def rows(board: Leaderboard) -> tuple[list[str], list[list[Any]]]:
    """Header and rows of the board; a star marks the runs among which the best one is."""
    table = _board_table(board)
    return table.header, table.rows


def _board_table(board: Leaderboard) -> ReportTable:
    ranked = [_board_record(entry, _ranks(entry)) for entry in board.entries]
    apart = [_board_record(entry, "apart") for entry in board.apart]
    records = [*ranked, *apart, *map(_reported_record, board.reported)]
    columns = [*BOARD]
    if any(entry.signed != "no" for entry in (*board.entries, *board.apart)):
        columns.append(SIGNED)
    else:
        for record in records:
            del record[SIGNED.name]
    return ReportTable.of(columns, records)


def _board_record(entry: RankedRun, ranks: str) -> dict[str, Any]:
    return {
        "ranks": ranks,
        "run": Cell(entry.run, address=entry.report),
        "n": entry.accuracy.n,
        "accuracy": entry.accuracy.value,
        "95 %": entry.accuracy,
        "behind": "" if entry.behind is None else entry.behind,
        "p": "" if entry.p_adjusted is None else entry.p_adjusted,
        "official": "" if entry.official is None else entry.official.value,
        "missing": entry.missing,
        "signed": entry.signed,
    }


def _ranks(entry: RankedRun) -> str:
    best, worst = entry.ranks
    ranks = str(best) if best == worst else f"{best}-{worst}"
    return f"{ranks}*" if entry.may_be_best else ranks


def _reported_record(entry: Reported) -> dict[str, Any]:
    """A figure that somebody reports; nothing else is known of it."""
    blank = dict.fromkeys([*(column.name for column in BOARD), SIGNED.name], "")
    who = f"{entry.file} ({entry.dataset.id}, {entry.dataset.task_id})"
    return blank | {"ranks": "reported", "run": who, "accuracy": entry.share}


def _sections(board: Leaderboard) -> list[Section]:
    entries = board.entries
    tables = [
        _board_table(board),
        *_figures_table(
            "Four-dimensional score", {e.run: e.four_dimensional for e in entries}
        ),
        *_figures_table("Chain-of-thought score", {e.run: e.cot for e in entries}),
        *_figures_table(FIRST_ERRORS, {e.run: e.first_errors for e in entries}),
    ]
    for label in LABELS:
        tables += _label_table(board, label)
    tables += _asked_table(board)
    note = (
        f"By the {board.profile} profile. Ranks are intervals that hold together with 95 %: exact "
        "tests of all pairs on shared samples, corrected for being many. With 95 % confidence the "
        "best run is among those with a star. “Behind” is the first run's accuracy minus this "
        "run's on the samples of both, p the corrected test of that pair. A sample without a reply "
        "is a wrong answer; runs that are judged on other samples stand apart, without a rank."
    )
    if board.reported:
        note += " What is “reported” somebody wrote on a hub; nothing of it was computed here."
    return [Section("Runs", [note, *board.remarks], tables)]


def _figures_table(
    title: str, figures: Mapping[str, Mapping[str, float | None]]
) -> list[ReportTable]:
    """The runs' figures by name; no table where no run has any."""
    if not any(figures.values()):
        return []
    return [ReportTable.sparse("run", figures, percent, title)]


def _label_table(board: Leaderboard, label: str) -> list[ReportTable]:
    """The runs' accuracies by the values of a label; in each column the highest stands out."""
    groups = {entry.run: entry.by.get(label, {}) for entry in board.entries}
    values = sorted(
        {value for rates in groups.values() for value in rates}, key=natural
    )
    if not values:
        return []
    columns = {
        value: _rates([rates.get(value) for rates in groups.values()])
        for value in values
    }
    by_run = {
        run: {value: cells[place] for value, cells in columns.items()}
        for place, run in enumerate(groups)
    }
    title = f"By {label}, with 95 % intervals"
    return [ReportTable.matrix("run", values, by_run, title=title)]


def _asked_table(board: Leaderboard) -> list[ReportTable]:
    columns = (
        Column("run"),
        Column("asked otherwise"),
        Column("the first run"),
        Column("this run"),
    )
    records = [
        {"run": entry.run, "asked otherwise": what, "the first run": a, "this run": b}
        for entry in (*board.entries, *board.apart)
        for what, (a, b) in entry.asked.items()
    ]
    if not records:
        return []
    return [ReportTable.of(columns, records, "How runs were asked otherwise")]
