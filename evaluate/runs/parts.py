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
from ...pages import Column, ReportTable, Section
from ...release import split_names
from ..metrics import Run, Scores, headline, natural, read_results, scores_of
from ..predictions import Coverage, is_release, read_material, read_rows
from ..report import percent, points, report_markdown, write_papers
from .leaderboard import LABELS
from .model_tables import NONE, model_tables
from .read import read_run, require_alike

Pair = tuple[Run, Run]  # a whole and its part


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
        release: Folder of the release, or of an export of it.
        part: The split that is looked at by itself; or a file with ids of problems, one a line or
            JSON lines, such as the published testmini, which tears relatives apart as no split may.
        out: Folder for parts.md, and tables/ as LaTeX, CSV and Markdown.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.

    Raises UserError for a run that has no sample of the split, or no other.

    Example: `parts(["scores/gpt"], "out/math-v-1.0.0", "testmini")[0].rows`
    """
    pairs: list[Pair] = []
    for folder in map(Path, runs):
        whole = read_run(folder)
        inside = _inside(Path(release), part, whole.scores.split, answers)
        pairs.append((whole, _part_of(whole, folder, inside, Path(part).stem)))
    if not pairs:
        raise UserError("no runs", "give folders written by 'benchwright score'")
    require_alike([whole for whole, _ in pairs])
    printed = model_tables([run for pair in pairs for run in pair])
    tables = [_with_differences(table) for table in printed] + _labels(pairs)
    if out is not None:
        notes = ["Percent; differences in points."]
        section = Section(f"{part} beside the whole", notes, tables)
        write_text(Path(out) / "parts.md", report_markdown(section.title, [section]))
        write_papers(Path(out), [section], [])
    return tables


def _inside(
    release: Path, part: str, whole: str, answers: str | Path | None
) -> set[str]:
    """The samples of a split, or of the problems that a file names."""
    path = Path(part)
    is_split = is_release(release) and part in split_names(release)
    if is_split or not path.is_file():
        return {sample.id for sample in read_material(release, part, answers).samples}
    ids = {line.decode("utf-8", "replace").strip() for _, line in read_lines(path)}
    if path.suffix == ".jsonl":
        ids |= {
            str(row.get("id")) for _, row in read_rows(path) if isinstance(row, dict)
        }
    samples = read_material(release, whole, answers).samples
    return {s.id for s in samples if ids & {s.id, s.problem_id, s.source.raw_id}}


def _part_of(whole: Run, folder: Path, inside: set[str], part: str) -> Run:
    """The run's figures over the samples of one split."""
    every = read_results(folder)
    results = [result for result in every if result.id in inside]
    others = len(every) - len(results)
    if not results or not others:
        raise UserError(
            f"{folder} holds {len(results)} samples of {part!r} and {others} others",
            f"score both together: --split {part}+OTHER",
        )
    of = whole.scores
    scores = scores_of(
        results,
        release=of.release,
        split=part,
        profile=of.profile,
        coverage=Coverage(),
        provenance=of.provenance,
    )
    return Run(f"{whole.name}, {part}", scores, headline(results))


def _with_differences(table: ReportTable) -> ReportTable:
    """Below each run and its part, how much the part has more."""
    rows: list[list[Any]] = []
    for whole, part in zip(table.rows[::2], table.rows[1::2], strict=True):
        gaps = [_gap(a, b) for a, b in zip(whole[1:], part[1:], strict=True)]
        rows += [whole, part, ["difference", *gaps]]
    return ReportTable(table.header, rows, table.title)


def _gap(whole: str, part: str) -> str:
    """The difference of two printed figures, with as many digits as they have."""
    if NONE in (whole, part):
        return NONE
    return f"{float(part) - float(whole):+.{_digits(whole)}f}"


def _digits(cell: str) -> int:
    return len(cell.partition(".")[2])


def _labels(pairs: Sequence[Pair]) -> list[ReportTable]:
    """Every label's groups: whole, part and difference; all samples first."""
    tables = [
        _label_table(pairs, label, f"By {label}" if label else "Overall")
        for label in ("", *LABELS)
    ]
    return [table for table in tables if table.rows]


def _label_table(pairs: Sequence[Pair], label: str, title: str) -> ReportTable:
    columns = (
        Column("run"),
        Column("group", heading=label or "samples"),
        Column("n"),
        Column("whole", _precise),
        Column("of the part"),
        Column("part", _precise),
        Column("difference", points),
    )
    records: list[dict[str, Any]] = []
    for whole, part in pairs:
        ours, theirs = _rates(whole.scores, label), _rates(part.scores, label)
        for value in sorted(ours.keys() & theirs.keys(), key=natural):
            a, b = ours[value], theirs[value]
            has_both = a.value is not None and b.value is not None
            records.append(
                {
                    "run": whole.name,
                    "group": value,
                    "n": a.n,
                    "whole": a.value,
                    "of the part": b.n,
                    "part": b.value,
                    "difference": b.value - a.value if has_both else "",
                }
            )
    return ReportTable.of(columns, records, title)


def _precise(share: float | None) -> str:
    return percent(share, 2)


def _rates(scores: Scores, label: str) -> dict[str, Any]:
    own = scores.official or scores
    return own.by.get(label, {}) if label else {"all": own.accuracy}
