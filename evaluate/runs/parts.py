"""A part of a split beside the whole, as the papers show testmini (MATH-V, table 4).

The whole is a run on `testmini+test`; the part are its samples that lie in one split. Where the
papers print tables of models, these are cut the same way; other labels follow as one table each.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.files import read_lines, write_text
from ...errors import UserError
from ...pages import ReportTable, Section
from ...release import read_samples, split_names
from ..metrics import Run, Scores, headline, natural, read_results, scores_of
from ..predictions import Coverage, read_rows
from ..report import percent, points, report_markdown, write_papers
from .leaderboard import LABELS
from .model_tables import NONE, model_tables
from .read import read_run, require_alike


def parts(
    runs: Sequence[str | Path],
    release: str | Path,
    part: str,
    out: str | Path | None = None,
    *,
    answers: str | Path | None = None,
) -> list[ReportTable]:
    """Each run on a whole, its samples of one split, and the difference, label by label.

    Args:
        runs: Folders that `score` wrote for several splits together: --split testmini+test.
        release: Folder of the release.
        part: The split that is looked at by itself; or a file with ids of problems, one a line or
            JSON lines, such as the published testmini, which tears relatives apart as no split may.
        out: Folder for parts.md, and tables/ as LaTeX, CSV and Markdown.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.

    Raises UserError for a run that has no sample of the split, or no other.

    Example: `parts(["scores/gpt"], "out/math-v-1.0.0", "testmini")[0].rows`
    """
    cut: list[Run] = []
    for folder in map(Path, runs):
        whole = read_run(folder)
        inside = _inside(Path(release), part, whole.scores.split, answers)
        cut += [whole, _part_of(whole, folder, inside, Path(part).stem)]
    if not cut:
        raise UserError("no runs", "give folders written by 'benchwright score'")
    require_alike(cut[::2])
    tables = [_with_differences(table) for table in model_tables(cut)] + _labels(cut)
    if out is not None:
        section = Section(
            f"{part} beside the whole", ["Percent; differences in points."], tables
        )
        write_text(Path(out) / "parts.md", report_markdown(section.title, [section]))
        write_papers(Path(out), [section], [])
    return tables


def _inside(
    release: Path, part: str, whole: str, answers: str | Path | None
) -> set[str]:
    """The samples of a split, or of the problems that a file names."""
    if part in split_names(release) or not Path(part).is_file():
        return {sample.id for sample in read_samples(release, part, answers)}
    named = {
        line.decode("utf-8", "replace").strip() for _, line in read_lines(Path(part))
    }
    named |= (
        {
            str(row.get("id"))
            for _, row in read_rows(Path(part))
            if isinstance(row, dict)
        }
        if Path(part).suffix == ".jsonl"
        else set()
    )
    samples = read_samples(release, whole, answers)
    return {s.id for s in samples if named & {s.id, s.problem_id, s.source.raw_id}}


def _part_of(whole: Run, folder: Path, inside: set[str], part: str) -> Run:
    """The run's figures over the samples of one split."""
    every = read_results(folder)
    kept = [result for result in every if result.id in inside]
    if not 0 < len(kept) < len(every):
        raise UserError(
            f"{folder} holds {len(kept)} samples of {part!r} and {len(every) - len(kept)} others",
            f"score both together: --split {part}+OTHER",
        )
    of = whole.scores
    scores = scores_of(
        kept,
        release=of.release,
        split=part,
        profile=of.profile,
        coverage=Coverage(),
        provenance=of.provenance,
    )
    return Run(f"{whole.name}, {part}", scores, headline(kept))


def _with_differences(table: ReportTable) -> ReportTable:
    """Below each run and its part, how much the part has more."""
    rows: list[list[Any]] = []
    for whole, part in zip(table.rows[::2], table.rows[1::2], strict=True):
        gaps = [
            NONE
            if NONE in pair
            else f"{float(pair[1]) - float(pair[0]):+.{_digits(pair[0])}f}"
            for pair in zip(whole[1:], part[1:], strict=True)
        ]
        rows += [whole, part, ["difference", *gaps]]
    return ReportTable(table.header, rows, table.title)


def _digits(cell: str) -> int:
    return len(cell.partition(".")[2])


def _labels(cut: Sequence[Run]) -> list[ReportTable]:
    """Every label's groups: whole, part and difference."""
    tables = []
    for label in ("", *LABELS):
        rows: list[list[Any]] = []
        for whole, part in zip(cut[::2], cut[1::2], strict=True):
            ours, theirs = _rates(whole.scores, label), _rates(part.scores, label)
            for value in sorted(ours.keys() & theirs.keys(), key=natural):
                a, b = ours[value], theirs[value]
                gap = (
                    ""
                    if a.value is None or b.value is None
                    else points(b.value - a.value)
                )
                rows.append(
                    [
                        whole.name,
                        value,
                        a.n,
                        percent(a.value, 2),
                        b.n,
                        percent(b.value, 2),
                        gap,
                    ]
                )
        if rows:
            header = [
                "run",
                label or "samples",
                "n",
                "whole",
                "of the part",
                "part",
                "difference",
            ]
            tables.append(
                ReportTable(header, rows, f"By {label}" if label else "Overall")
            )
    return tables


def _rates(scores: Scores, label: str) -> dict[str, Any]:
    own = scores.official or scores
    return own.by.get(label, {}) if label else {"all": own.accuracy}
