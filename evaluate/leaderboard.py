"""Several runs on one split, best first, and which of them are really apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..display import Display, Table
from ..errors import UserError
from ..files import pretty, write_bytes, write_text
from ..pages import Headline, ReportTable, Section, dot_plot, write_page
from ..problem import Record
from .metrics import (
    Difference,
    Rate,
    Result,
    Scores,
    holm,
    natural,
    paired_difference,
    read_results,
)
from .report import interval, percent, points, report_markdown

LABELS = ("version", "subject", "subfield", "level", "difficulty", "grade", "knowledge")


class RankedRun(Record, kw_only=True):
    """One run. `behind_best` is the best run's accuracy minus this one's, on shared samples;
    `tied` runs do not differ from the best after Holm's correction over all runs."""

    run: str
    accuracy: Rate
    official: Rate | None
    missing: int
    unextracted: int
    by: dict[str, dict[str, Rate]]
    four_dimensional: dict[str, float | None]  # score, strict and loose
    cot: dict[str, float | None]  # mean score, all but Text Only and per version
    first_errors: dict[str, float | None]  # share of each category
    behind_best: Difference | None = None
    p_holm: float | None = None
    tied: bool = True


class Leaderboard(Display, Record, kw_only=True):
    """Runs from best to worst."""

    release: str
    split: str
    entries: list[RankedRun]

    def headline(self) -> str:
        return f"{len(self.entries)} runs on {self.release} / {self.split}"

    def table(self) -> Table:
        header = ["run", "accuracy", "low", "high", "behind_best", "p_holm", "tied", "missing"]
        rows = []
        for e in self.entries:
            behind = None if e.behind_best is None else e.behind_best.value
            a = e.accuracy
            rows.append([e.run, a.value, a.low, a.high, behind, e.p_holm, e.tied, e.missing])
        return header, rows


def leaderboard(runs: Sequence[str | Path], out: str | Path | None = None) -> Leaderboard:
    """Rank folders written by `score` (or `evaluate humans`); with `out`, write the board there.

    A run is named after its folder. Raises UserError when runs are on different splits.

    Example: `leaderboard(["scores/gpt", "scores/qwen"]).entries[0].run`
    """
    read = [(run.name, _scores(run), read_results(run)) for run in map(Path, runs)]
    if not read:
        raise UserError("no runs to rank", "give folders written by 'benchwright score'")
    first = read[0][1]
    for name, scores, _ in read:
        if (scores.release, scores.split) != (first.release, first.split):
            raise UserError(
                f"{name} is on {scores.release}/{scores.split}, "
                f"{read[0][0]} on {first.release}/{first.split}",
                "rank runs on the same release and split",
            )
        if scores.profile != first.profile:
            raise UserError(
                f"{name} has the {scores.profile} profile, {read[0][0]} the {first.profile} one",
                "score all runs with the same --profile",
            )
    read.sort(key=lambda run: (-(run[1].accuracy.value or 0.0), run[0]))
    entries = [_entry(name, scores) for name, scores, _ in read]
    _compare_with_best(entries, [results for _, _, results in read])
    board = Leaderboard(release=first.release, split=first.split, entries=entries)
    if out is not None:
        _write(board, Path(out))
    return board


def _scores(run: Path) -> Scores:
    path = run / "scores.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Scores)
    except OSError as error:
        raise UserError(f"no scores in {run}", "give a folder written by 'score'") from error
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: {error}", "score the predictions again") from error


def _entry(name: str, scores: Scores) -> RankedRun:
    four, cot, process = scores.four_dimensional, scores.cot, scores.process
    return RankedRun(
        run=name,
        accuracy=scores.accuracy,
        official=scores.official.accuracy if scores.official else None,
        missing=scores.counts["missing"],
        unextracted=scores.counts["unextracted"],
        by={label: scores.by[label] for label in LABELS if label in scores.by},
        four_dimensional={"strict": four.strict.score, "loose": four.loose.score} if four else {},
        cot=_cot(cot) if cot else {},
        first_errors={k: c["share"] for k, c in process["categories"].items()} if process else {},
    )


def _cot(cot: Mapping[str, Any]) -> dict[str, float | None]:
    versions = cot["versions"]
    parts = {"all": cot["all"]} | {name: versions[name] for name in sorted(versions, key=natural)}
    return {name: part["value"] for name, part in parts.items()}


def _compare_with_best(entries: list[RankedRun], results: Sequence[list[Result]]) -> None:
    """Paired over the samples that both answered; people may have answered only some."""
    best = _by_id(results[0])
    for entry, other in zip(entries[1:], map(_by_id, results[1:]), strict=True):
        shared = [name for name in best if name in other]
        entry.behind_best = paired_difference(
            [best[name].correct for name in shared],
            [other[name].correct for name in shared],
            [best[name].origin for name in shared],
        )
    gaps = [entry.behind_best for entry in entries[1:] if entry.behind_best is not None]
    corrected = holm([1.0 if gap.p is None else gap.p for gap in gaps])
    for entry, p in zip(entries[1:], corrected, strict=True):
        entry.p_holm, entry.tied = p, p >= 0.05


def _by_id(results: Sequence[Result]) -> dict[str, Result]:
    """One result per sample: of several people's answers the first."""
    firsts: dict[str, Result] = {}
    for result in results:
        firsts.setdefault(result.id, result)
    return firsts


def _write(board: Leaderboard, out: Path) -> None:
    title = f"Leaderboard on {board.release}, {board.split}"
    parts = _sections(board)
    write_bytes(out / "leaderboard.json", pretty(board))
    write_text(out / "leaderboard.md", report_markdown(title, parts))
    write_page(out / "leaderboard.html", title, parts, headlines=_headlines(board))


def _headlines(board: Leaderboard) -> list[Headline]:
    best = board.entries[0]
    a = best.accuracy
    tied = [entry.run for entry in board.entries[1:] if entry.tied]
    first = Headline("best run", best.run, f"not told apart from it: {len(tied)}")
    figure = Headline(
        "its accuracy", percent(a.value), f"95 % {interval(a)}", a.low, a.value, a.high
    )
    return [
        first,
        figure,
        Headline("runs", str(len(board.entries))),
        Headline("samples", f"{a.n:,}"),
    ]


def rows(board: Leaderboard) -> tuple[list[str], list[list[str | int]]]:
    """Header and rows of the board; tied runs share the best one's rank."""
    header = ["rank", "run", "accuracy", "95 %", "behind", "p (Holm)", "official", "missing"]
    cells: list[list[str | int]] = []
    for place, e in enumerate(board.entries, 1):
        cells.append(
            [
                "1" if e.tied else str(place),
                e.run,
                percent(e.accuracy.value),
                interval(e.accuracy),
                "" if e.behind_best is None else points(e.behind_best.value),
                "" if e.p_holm is None else f"{e.p_holm:.2g}",
                "" if e.official is None else percent(e.official.value),
                e.missing,
            ]
        )
    return header, cells


def _sections(board: Leaderboard) -> list[Section]:
    header, cells = rows(board)
    tables = [ReportTable(header, cells)]
    for title, figures in (
        ("Four-dimensional score", {e.run: e.four_dimensional for e in board.entries}),
        ("Chain-of-thought score", {e.run: e.cot for e in board.entries}),
        ("First errors", {e.run: e.first_errors for e in board.entries}),
    ):
        if columns := list(dict.fromkeys(k for values in figures.values() for k in values)):
            cells = [[run, *map(percent, map(v.get, columns))] for run, v in figures.items()]
            tables.append(ReportTable(["run", *columns], cells, title))
    for label in LABELS:
        values = sorted({v for e in board.entries for v in e.by.get(label, {})}, key=natural)
        if values:
            cells = [
                [v, *(percent(e.by[label][v].value) if v in e.by.get(label, {}) else ""
                      for e in board.entries)]
                for v in values
            ]  # fmt: skip
            tables.append(
                ReportTable([label, *(e.run for e in board.entries)], cells, f"By {label}")
            )
    note = (
        "“Behind” is the best run's accuracy minus this run's on the samples of both. Runs with "
        "rank 1 are not told apart from the best at 5 % after Holm's correction over all runs."
    )
    plot = dot_plot("Accuracy, percent", [(e.run, e.accuracy) for e in board.entries])
    return [Section("Runs", [note], tables, [plot])]
