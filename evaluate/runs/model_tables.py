"""The papers' tables of many models, as printed: a row a model, their columns in their order.

| paper | tables | from |
|---|---|---|
| MathVerse | 2 (versions), 3 (subfields), 3.2 (drops), figure 8 (CoT-E - Acc) | versions, cot |
| all | first errors, shares of the errors | process |
| We-Math | 2, 10, 12 (steps, areas), 3, 11, 13 (four dimensions) | the four-dimensional metric |
| MATH-V | 2 and 3 (subjects; table 4: `parts.py`), result files (levels by subjects) | labels |
| MM-MATH | 3 (difficulty, grade, areas) | labels, by the areas of knowledge points |

Accuracies are those of the benchmark's own rules where a run has them, as the papers' are; of
MathVerse those of its two models (`score --protocol wo`) where they were asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ...pages import ReportTable
from ...taxonomy import NO_ERROR
from ..metrics import OfficialTables, Result, Run, Scores, VersionScores
from ..report import PaperFigure

DRAWN = 24  # columns at most that a figure can show
NONE = "-"  # a cell of which nothing was counted
VERSIONS = {
    "All": "all",
    "Text Dominant": "text_dominant",
    "Text Lite": "text_lite",
    "Text Only": "text_only",
    "Vision Intensive": "vision_intensive",
    "Vision Dominant": "vision_dominant",
    "Vision Only": "vision_only",
}
SUBFIELDS = {
    "Plane Geometry": {"Len": "Length", "Area": "Area", "Angle": "Angle", "Anal": "Analytic",
                       "Apply": "Applied"},
    "Solid Geometry": {"Len": "Length", "Area": "Area", "Vol": "Volume"},
    "Functions": {"Coord": "Coordinate", "Prop": "Property", "Exp": "Expression",
                  "Apply": "Applied"},
}  # fmt: skip
STEPS = {"S1": "1", "S2": "2", "S3": "3"}
AREAS = {
    "UCU": "Understanding and Conversion of Units", "AL": "Angles and Length",
    "CPF": "Calculation of Plane Figures", "UPF": "Understanding of Plane Figures",
    "CSF": "Calculation of Solid Figures", "USF": "Understanding of Solid Figures",
    "BTF": "Basic Transformations of Figures", "CCF": "Cutting and Combining of Figures",
    "Dir": "Direction", "Pos": "Position", "RoM": "Route Map",
    "CCP": "Correspondence of Coordinates and Positions",
}  # fmt: skip
SUBJECTS = {
    "Alg": "algebra", "AnaG": "analytic geometry", "Ari": "arithmetic",
    "CombG": "combinatorial geometry", "Comb": "combinatorics", "Cnt": "counting",
    "DescG": "descriptive geometry", "GrphT": "graph theory", "Log": "logic",
    "Angle": "metric geometry - angle", "Area": "metric geometry - area",
    "Len": "metric geometry - length", "SolG": "solid geometry", "Stat": "statistics",
    "Topo": "topology", "TransG": "transformation geometry",
}  # fmt: skip
CLASSES = {
    "difficulty": {"Easy": "easy", "Medium": "medium", "Hard": "hard"},
    "grade": {"Seven": "7", "Eight": "8", "Nine": "9"},
    "area": {"Trans": "Transformations of Shapes", "Shape": "Properties of Shapes",
                  "Func": "Functions"},
}  # fmt: skip

Shares = dict[str, float | None]  # column -> fraction of one
PaperTable = tuple[str, int, Callable[[Run], Shares]]  # title, digits, a run's row


def model_tables(runs: Sequence[Run]) -> list[ReportTable]:
    """The tables of the papers that the runs have all figures for, in the runs' order.

    >>> model_tables([])
    []
    """
    if not runs:
        return []
    first = runs[0].scores
    labels = set(first.by)
    has_versions = first.versions is not None
    has_steps = first.four_dimensional is not None
    has_levels = {"level", "subject"} <= labels
    tables: list[PaperTable] = []
    if has_versions:
        tables.append(("MathVerse, table 2: six versions", 1, _versions))
    if has_versions and "subfield" in labels:
        tables.append(("MathVerse, table 3: subjects", 1, _subfields))
    if has_versions:
        tables.append(("MathVerse, 3.2: drops between versions", 1, _drops))
    if has_versions and any(_is_guarded(run) for run in runs):
        title = "MathVerse, table 2, CoT-E by the judge alone"
        tables.append((title, 1, _by_judge))
    if any(run.scores.process for run in runs):
        tables.append(("First errors: shares of the errors", 1, _first_errors))
    if has_versions and first.cot is not None:
        tables.append(("MathVerse, figure 8: CoT-E - Acc", 1, _gained))
    if has_steps:
        tables.append(("We-Math, tables 2, 10 and 12: steps and areas", 1, _steps))
        tables.append(("We-Math, tables 3, 11 and 13: four dimensions", 1, _dimensions))
    if has_levels:
        tables.append(("MATH-V, tables 2 and 3: subjects", 2, _subjects))
        tables.append(("MATH-V, result files: levels by subjects", 2, _cells))
    if {"difficulty", "knowledge"} <= labels:
        tables.append(("MM-MATH, table 3: classes", 1, _classes))
    return [
        _table(title, {run.name: shares(run) for run in runs}, digits)
        for title, digits, shares in tables
    ]


def figures_of(tables: Sequence[ReportTable]) -> list[PaperFigure]:
    """The tables as figures of all models: MathVerse's 8, We-Math's 4, 5 and 16 to 20, and others.

    A table of very many columns is none, and negative figures are not drawn.
    """
    figures = []
    for table in tables:
        columns = table.header[1:]
        series = {
            str(row[0]): [
                (name, float(cell) / 100)
                for name, cell in zip(columns, row[1:], strict=True)
                if cell != NONE and float(cell) >= 0
            ]
            for row in table.rows
        }
        if 1 < len(columns) <= DRAWN and any(series.values()):
            figures.append(PaperFigure(table.title, "profile", series))
    return figures


def _table(title: str, rows: Mapping[str, Shares], digits: int) -> ReportTable:
    def printed(share: float | None) -> str:
        return NONE if share is None else f"{100 * share:.{digits}f}"

    return ReportTable.sparse("Model", rows, printed, title)


def _own(run: Run) -> Scores | OfficialTables:
    """The benchmark's own rules where they were applied."""
    return run.scores.official or run.scores


def _value(rate: Any) -> float | None:
    """The figure of a rate, or of a part of the CoT evaluation; none where nothing was counted."""
    return rate.get("value") if isinstance(rate, dict) else getattr(rate, "value", None)


def _own_versions(run: Run) -> VersionScores | None:
    """By MathVerse's two models where they were asked: its primary figure; else by rules.

    None where the two models came to no verdict: the rules' figure is another one.
    """
    wo = run.scores.wo
    if wo is None:
        return _own(run).versions
    return msgspec.convert(wo["versions"], VersionScores | None)


def _versions(run: Run) -> Shares:
    own, cot = _own_versions(run), run.scores.cot
    shares: Shares = {}
    for column, name in VERSIONS.items():
        if cot is not None:
            part = cot["all"] if name == "all" else cot["versions"].get(name)
            shares[f"{column} CoT-E"] = _value(part)
        shares[f"{column} Acc"] = _value(getattr(own, name, None))
    if set(run.scores.not_run) - {"text_only"}:  # as the rows of text-only models
        shares |= {column: None for column in shares if column.startswith("All ")}
    return shares


def _drops(run: Run) -> Shares:
    """What each version costs, on the problems that have both."""
    own = _own(run).versions
    drops = {} if own is None else own.drops
    return {name: difference.value for name, difference in drops.items()}


def _is_guarded(run: Run) -> bool:
    cot = run.scores.cot or {}
    return bool(cot.get("by_judge", {}).get("refused"))


def _by_judge(run: Run) -> Shares:
    """CoT-E as the paper has it, where the rules left verdicts of the judge open."""
    by_judge = (run.scores.cot or {}).get("by_judge")
    if by_judge is None:
        return {}
    parts = {"all": by_judge["all"]} | by_judge["versions"]
    return {column: _value(parts.get(name)) for column, name in VERSIONS.items()}


def _first_errors(run: Run) -> Shares:
    """Several models side by side (MathVerse, figure 10; MATH-V, 7; We-Math, 7; MM-MATH, 4)."""
    process = run.scores.process or {"categories": {}}
    return {
        name: share
        for name, part in process["categories"].items()
        if (share := part["of_errors"]) is not None or name != NO_ERROR
    }


def _gained(run: Run) -> Shares:
    """How much the CoT evaluation gives above accuracy."""
    shares = _versions(run)
    gains: Shares = {}
    for name in VERSIONS:
        cot, accuracy = shares.get(f"{name} CoT-E"), shares[f"{name} Acc"]
        gains[name] = None
        if cot is not None and accuracy is not None:
            gains[name] = cot - accuracy
    return gains


def _subfields(run: Run) -> Shares:
    """By the CoT evaluation where there is one, as printed; else accuracies."""
    own, cot = _own_versions(run), run.scores.cot
    by: Mapping[str, Any] = {}
    whole: Any = None
    if cot:
        by, whole = cot["by"], cot["all"]
    elif own is not None:
        whole = own.all
        by = {
            label: {value: rates.get("all") for value, rates in groups.items()}
            for label, groups in own.by.items()
        }
    shares: Shares = {"All": _value(whole)}
    for subject, fields in SUBFIELDS.items():
        shares[f"{subject} All"] = _value(by.get("subject", {}).get(subject))
        for column, field in fields.items():
            name = f"{subject} / {field}"
            shares[f"{subject} {column}"] = _value(by.get("subfield", {}).get(name))
    return shares


def _steps(run: Run) -> Shares:
    four = _own(run).four_dimensional
    assert four is not None
    shares: Shares = {
        column: _value(four.steps.get(name)) for column, name in STEPS.items()
    }
    return shares | {
        column: _value(four.areas.get(name)) for column, name in AREAS.items()
    }


def _dimensions(run: Run) -> Shares:
    four = _own(run).four_dimensional
    assert four is not None
    shares: Shares = {}
    for strictness, table in (("Strict", four.strict), ("Loose", four.loose)):
        shares[f"{strictness} Avg"] = table.score
        for kind in ("IK", "IG", "CM", "RM"):
            shares[f"{strictness} {kind}"] = getattr(table, kind).rate
    return shares


def _subjects(run: Run) -> Shares:
    own = _own(run)
    by = own.by.get("subject", {})
    shares: Shares = {"Overall": own.accuracy.value}
    return shares | {column: _value(by.get(name)) for column, name in SUBJECTS.items()}


def _cells(run: Run) -> Shares:
    """Every level, and each of its subjects, as the repository's result files have them."""
    official = run.scores.official is not None
    groups: dict[str, list[bool]] = {}
    for result in run.results:
        level, right = f"level{result.labels.get('level')}", _right(result, official)
        for name in (level, f"{level}_{result.labels.get('subject')}"):
            groups.setdefault(name, []).append(right)
    return {name: sum(of) / len(of) for name, of in sorted(groups.items())}


def _classes(run: Run) -> Shares:
    """A problem of several areas counts in each of them."""
    own = _own(run)
    shares: Shares = {
        column: _value(own.by.get(label, {}).get(name))
        for label, classes in CLASSES.items()
        for column, name in classes.items()
    }
    return shares | {"Average": own.accuracy.value}


def _right(result: Result, official: bool) -> bool:
    return result.official.correct if official and result.official else result.correct
