"""What a table says of each model, and what follows from it: groups and their best, sizes, dates.

| column | what it does |
|---|---|
| run | names the scored run |
| group | models of one group stand together; in each column the best of a group is marked |
| best | `no`: not in the running, as chance and people in the papers' tables |
| size, parameters | `7B`, `1.3B`: the board is ranked by size, too |
| release, date | the board is ranked by date, too |
| any other | is shown |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...pages import Cell, Column, ReportTable
from ..metrics import Run, paired_difference
from ..predictions import RunRecord, read_rows
from ..report import interval, p_value, percent, points
from .read import record_of

Facts = Mapping[str, Mapping[str, Any]]  # run -> column -> what is known
SIZES = ("size", "parameters")
DATES = ("release", "date")
UNRANKED = ("no", "false", "0")  # of the column `best`
# Figures of We-Math's four dimensions of which less is better (table 3's arrows).
_LESS_IS_BETTER = re.compile(r"(?:Strict|Loose) (?:IK|IG|RM)")
_SIZE = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[KMBT]?)", re.IGNORECASE)
_UNITS = {"": 1.0, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_FIGURE = re.compile(r"-?\d+\.\d+(?: %)?")  # printed shares have a point, counts none


def read_models(path: str | Path | None, runs: Sequence[Run]) -> Facts:
    """What a table says of the runs' models. Raises UserError where a run has no row."""
    if path is None:
        return {}
    rows = [row for _, row in read_rows(Path(path)) if isinstance(row, dict)]
    by_run = {str(row.get("run")): row for row in rows}
    if missing := [run.name for run in runs if run.name not in by_run]:
        raise UserError(
            f"{path}: no row of {missing[0]!r}", "its column `run` has the runs' names"
        )
    columns = list(dict.fromkeys(name for row in rows for name in row if name != "run"))
    return {
        run.name: {name: by_run[run.name].get(name, "") for name in columns}
        for run in runs
    }


def fact_tables(facts: Facts, runs: Sequence[Run]) -> list[ReportTable]:
    """What is known of the models, and the runs by size and by date of their models."""
    if not facts:
        return []
    columns = [*next(iter(facts.values()))]
    title = "Models as they are described"
    tables = [ReportTable.matrix("run", columns, facts, title=title)]
    keys = ((SIZES, _size, "Models by size"), (DATES, str, "Models by date"))
    for names, key, title in keys:
        column = next((name for name in columns if name in names), None)
        if column is not None:
            tables += _ranked(facts, runs, column, key, title)
    return tables


def _ranked(
    facts: Facts, runs: Sequence[Run], column: str, key: Any, title: str
) -> Iterator[ReportTable]:
    """The runs by a column of their models, from the smallest or oldest; unknown ones are none."""
    keys = {run.name: key(facts[run.name][column]) for run in runs}
    known = [run for run in runs if keys[run.name] not in (None, "", "None")]
    if not known:
        return
    columns = (
        Column(column),
        Column("run"),
        Column("accuracy", percent),
        Column("95 %", interval),
        Column("official", percent),
    )
    records = [
        {
            column: facts[run.name][column],
            "run": run.name,
            "accuracy": run.scores.accuracy.value,
            "95 %": run.scores.accuracy,
            "official": run.scores.official.accuracy.value
            if run.scores.official
            else "",
        }
        for run in sorted(known, key=lambda run: keys[run.name])
    ]
    yield ReportTable.of(columns, records, title)


def _size(text: Any) -> float | None:
    """The parameters of a model as a number.

    >>> _size("1.3B"), _size("7b"), _size("MoE 8x7B"), _size("-")
    (1300000000.0, 7000000000.0, None, None)
    """
    match = _SIZE.fullmatch(str(text).strip())
    return float(match["number"]) * _UNITS[match["unit"].upper()] if match else None


def in_groups(table: ReportTable, facts: Facts) -> ReportTable:
    """The table with the models of a group together, and the best of each group marked.

    A table whose rows are no runs stays as it is, and so does any without groups.

    >>> facts = {"a": {"group": "open"}, "b": {"group": "closed"}, "c": {"group": "open"}}
    >>> table = ReportTable(["Model", "All"], [["a", "1.0"], ["b", "3.0"], ["c", "2.0"]])
    >>> [(row[0], row[1], row[2].best) for row in in_groups(table, facts).rows]
    [('open', 'a', False), ('open', 'c', True), ('closed', 'b', True)]
    """
    groups = {name: str(fact.get("group", "")) for name, fact in facts.items()}
    place = _place_of_runs(table, groups)
    if place is None or not any(groups.values()):
        return table
    by_group = {
        group: [row for row in table.rows if groups[str(row[place])] == group]
        for group in dict.fromkeys(groups.values())
    }
    marked: dict[str, list[Any]] = {}
    for members in by_group.values():
        ranked = [row for row in members if _is_ranked(facts[str(row[place])])]
        best = [
            _best(column, [row[k] for row in ranked])
            for k, column in enumerate(table.header)
        ]
        for row in members:
            cells = _marked(row, best) if row in ranked else row
            marked[str(row[place])] = cells
    # A board's rows stand by their ranks; others group by group.
    rows = table.rows if place else [row for rows in by_group.values() for row in rows]
    aligned = ["", *table.aligned] if table.aligned else []
    return msgspec.structs.replace(
        table,
        header=["group", *table.header],
        rows=[[groups[str(row[place])], *marked[str(row[place])]] for row in rows],
        aligned=aligned,
    )


def _place_of_runs(table: ReportTable, groups: Mapping[str, str]) -> int | None:
    """The column of the runs' names: the first, or the second of a board; None without one."""
    for place in range(min(2, len(table.header))):
        names = [str(row[place]) for row in table.rows]
        if names and groups.keys() >= set(names) and len(set(names)) == len(names):
            return place
    return None


def _is_ranked(fact: Mapping[str, Any]) -> bool:
    return str(fact.get("best", "")).strip().casefold() not in UNRANKED


def _best(column: str, cells: Iterable[Any]) -> float | None:
    values = [value for value in map(_figure, cells) if value is not None]
    if _LESS_IS_BETTER.fullmatch(column):
        return min(values, default=None)
    return max(values, default=None)


def _marked(row: Sequence[Any], best: Sequence[float | None]) -> list[Any]:
    marked = []
    for cell, top in zip(row, best, strict=True):
        value = _figure(cell)
        old = cell if isinstance(cell, Cell) else Cell(str(cell))
        is_best = value is not None and value == top
        marked.append(
            cell if value is None else msgspec.structs.replace(old, best=is_best)
        )
    return marked


def _figure(cell: Any) -> float | None:
    text = str(cell)
    return float(text.removesuffix(" %")) if _FIGURE.fullmatch(text) else None


def generation(runs: Sequence[Run]) -> list[ReportTable]:
    """What each model was asked with (We-Math, tables 6 and 8), as its record has it."""
    records = []
    for run in runs:
        record = record_of(run)
        if record is None or not record.parameters:
            continue
        params = [
            f"{name} = {value}" for name, value in sorted(record.parameters.items())
        ]
        records.append(
            {"run": run.name, "model": record.model, "generation": ", ".join(params)}
        )
    if not records:
        return []
    columns = (Column("run"), Column("model"), Column("generation"))
    return [ReportTable.of(columns, records, "How they were asked")]


def picture_gains(runs: Sequence[Run]) -> list[ReportTable]:
    """What the picture gives each model: a run that saw it against one of the same model that did
    not, or had it in words (MathVerse, figure 1b; MM-MATH, 4.1), on the samples of both."""
    known = [(run, record_of(run)) for run in runs]
    pairs = [
        (seeing, other, record)
        for seeing, sees in known
        if sees is not None and sees.model and not _without_picture(sees)
        for other, record in known
        if record is not None and record.model == sees.model
        if _without_picture(record)
    ]
    records = [_gain(seeing, other, record) for seeing, other, record in pairs]
    columns = (
        Column("model"),
        Column("with the picture"),
        Column("seeing", percent),
        Column("without"),
        Column("instead"),
        Column("not seeing", percent),
        Column("n"),
        Column("gain", points),
        Column("95 %", interval),
        Column("p", p_value),
    )
    title = "What the picture gives each model"
    return [ReportTable.of(columns, records, title)] if records else []


def _without_picture(record: RunRecord) -> bool:
    return record.blind or record.in_words


def _gain(seeing: Run, other: Run, record: RunRecord) -> dict[str, Any]:
    theirs = {r.id: r for r in other.results if r.repeat == 1}
    shared = [r for r in seeing.results if r.repeat == 1 and r.id in theirs]
    a = [seeing.verdict(result) for result in shared]
    b = [other.verdict(theirs[result.id]) for result in shared]
    difference = paired_difference(a, b, [result.origin for result in shared])
    return {
        "model": record.model,
        "with the picture": seeing.name,
        "seeing": sum(a) / len(a) if a else None,
        "without": other.name,
        "instead": "captions" if record.in_words else "no picture",
        "not seeing": sum(b) / len(b) if b else None,
        "n": len(shared),
        "gain": difference.value,
        "95 %": difference,
        "p": "" if difference.p is None else difference.p,
    }


def on_other_sets(runs: Sequence[Run], beside: Sequence[Run]) -> list[ReportTable]:
    """The same models on other sets (MATH-V, figure 5): a column a set, matched by the runs' names.

    No test: these are other samples.
    """
    if not beside:
        return []
    of_set: dict[str, dict[str, float | None]] = {}
    for run in (*runs, *beside):
        name = f"{run.scores.release}, {run.scores.split} ({run.scores.profile})"
        of_set.setdefault(name, {})[run.name] = run.scores.accuracy.value
    names = list(dict.fromkeys(run.name for run in (*runs, *beside)))
    cells = {
        name: {
            column: percent(values[name]) if name in values else ""
            for column, values in of_set.items()
        }
        for name in names
    }
    title = "The same models on other sets"
    return [ReportTable.matrix("run", [*of_set], cells, title=title)]
