"""Votes from an export that somebody made by hand in Label Studio, also of a project not ours.

JSON holds tasks with annotations; JSON_MIN and CSV a row an answer, in which the server's number of
a task takes the place of an `id` in its data. Which column holds our ids is seen from the problems.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...base.display import and_more
from ...base.files import read_bytes
from ...errors import UserError, nearest
from ...problem import Problem, Vote
from ...release import read_problem_file
from ..server import name_of
from .pull import append_new

# what Label Studio itself writes into a row of JSON_MIN and CSV
OF_SERVER = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")
SHOWN = 4  # values of a control that a message names


class HandExport(msgspec.Struct, kw_only=True):
    """What was taken from an export: new votes, answers to problems that are not there."""

    answers: int
    new_votes: int
    unknown: list[str]  # ids that no problem has
    skipped: int  # tasks that somebody passed on


class _Answer(msgspec.Struct):
    """One person's answer to one task: the task's data, and a value by control."""

    data: dict[str, Any]
    values: dict[str, list[Any]]
    annotator: str
    at: str
    seconds: float | None
    skipped: bool = False


def take(
    export: str | Path,
    problems: str | Path | Iterable[Problem],
    out: str | Path,
    *,
    map: Mapping[str, str] | None = None,
    person: Mapping[str, str] | None = None,
) -> HandExport:
    """Add the votes in an export of Label Studio to `out`, a votes.jsonl.

    Args:
        export: The export: JSON, JSON_MIN or CSV.
        problems: The problems that were shown.
        out: Append the votes to this file.
        map: Which field of votes a control of the form gives: CONTROL=FIELD.
        person: Who a number of the server is: NUMBER=NAME [default: user NUMBER, or the e-mail].

    Raises UserError for a file that is no export, naming the controls to choose from where `map`
    names none of them.

    Example: `take("export.json", "problems.jsonl", "votes.jsonl", map={"topic": "subject"})`
    """
    answers = _read(Path(export), person or {})
    known = {problem.id: problem for problem in read_problem_file(problems)}
    key = _id_key(answers, known, Path(export))
    fields = _checked_map(map or {}, answers, key)
    several = {control: _gives_several(answers, control) for control in fields}
    votes: list[Vote] = []
    unknown: dict[str, None] = {}
    for answer in answers:
        name = str(answer.data.get(key, ""))
        if name not in known:
            unknown[name] = None
        elif not answer.skipped:
            votes += _votes(answer, known[name], fields, several)
    return HandExport(
        answers=len(answers),
        new_votes=append_new(Path(out), votes),
        unknown=list(unknown),
        skipped=sum(answer.skipped for answer in answers),
    )


def _read(file: Path, people: Mapping[str, str]) -> list[_Answer]:
    """The answers of an export, whichever of the three it is."""
    text = read_bytes(file).decode("utf-8-sig", "replace")
    if not text.lstrip().startswith(("[", "{")):
        rows: Any = list(csv.DictReader(io.StringIO(text)))
    else:
        try:
            rows = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise UserError(f"{file}: no JSON: {error}", "export it again") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UserError(f"{file} is no export of tasks", "JSON, JSON_MIN or CSV")
    answers = [answer for row in rows for answer in _answers(row, people)]
    if not answers:
        raise UserError(f"{file} holds no answers", "export annotated tasks")
    return answers


def _answers(row: dict[str, Any], people: Mapping[str, str]) -> Iterator[_Answer]:
    annotations = row.get("annotations")
    if not isinstance(annotations, list):
        yield _of_flat_row(row, people)
        return
    given = row.get("data")
    data: dict[str, Any] = given if isinstance(given, dict) else {}
    for annotation in annotations:
        values: dict[str, list[Any]] = {}
        for result in annotation.get("result") or []:
            values.setdefault(str(result.get("from_name")), []).extend(_given(result))
        yield _Answer(
            data=data | {"id": data.get("id", row.get("id"))},
            values=values,
            annotator=_name(annotation.get("completed_by"), people),
            at=str(annotation.get("updated_at") or annotation.get("created_at") or ""),
            seconds=annotation.get("lead_time"),
            skipped=bool(annotation.get("was_cancelled")),
        )


def _of_flat_row(row: dict[str, Any], people: Mapping[str, str]) -> _Answer:
    seconds = row.get("lead_time")
    return _Answer(
        data=row,
        values={
            name: _flat(value)
            for name, value in row.items()
            if name not in OF_SERVER and value not in (None, "")
        },
        annotator=_name(row.get("annotator"), people),
        at=str(row.get("updated_at") or row.get("created_at") or ""),
        seconds=float(seconds) if seconds else None,
    )


def _given(result: dict[str, Any]) -> list[Any]:
    """The values of one result: choices, leaves of a tree, texts, a number."""
    value = result.get("value")
    if not isinstance(value, dict):
        return []
    given = value.get(str(result.get("type")))
    if result.get("type") == "textarea":
        given = value.get("text")
    if result.get("type") == "taxonomy" and isinstance(given, list):
        given = [path[-1] for path in given if path]
    if given is None:
        return []
    return list(given) if isinstance(given, list) else [given]


def _flat(value: Any) -> list[Any]:
    """Values of a cell: choices, `{"choices": [...]}`, paths of a tree; in CSV as JSON text."""
    if isinstance(value, str) and value[:1] in "[{":
        try:
            value = json.loads(value)
        except (json.JSONDecodeError, RecursionError):
            return [value]
    if isinstance(value, dict):
        value = value.get("choices", [])
    if not isinstance(value, list):
        return [value]
    return [one[-1] if isinstance(one, list) and one else one for one in value]


def _name(who: Any, people: Mapping[str, str]) -> str:
    """A person as votes name them: by the map, by their e-mail, else by their number."""
    if isinstance(who, dict):
        email = str(who.get("email") or "")
        number = str(who.get("id") or "")
        return people.get(number) or (name_of(email) if email else f"user {number}")
    text = str(who or "0")
    return people.get(text) or (name_of(text) if "@" in text else f"user {text}")


def _id_key(answers: list[_Answer], known: Mapping[str, Problem], file: Path) -> str:
    """The data of tasks that hold our ids: those of most rows are ids of problems."""
    hits = Counter(
        key
        for answer in answers
        for key, value in answer.data.items()
        if isinstance(value, str | int) and str(value) in known
    )
    if not hits:
        raise UserError(
            f"{file}: no column holds ids of the problems",
            "give the problems that were shown",
        )
    return hits.most_common(1)[0][0]


def _checked_map(
    fields: Mapping[str, str], answers: list[_Answer], key: str
) -> Mapping[str, str]:
    """The map, if every control of it is in the export. Raises UserError with those that are."""
    controls: dict[str, Counter[str]] = {}
    for answer in answers:
        for control, values in answer.values.items():
            if control != key:
                controls.setdefault(control, Counter()).update(map(str, values))
    unknown = sorted(set(fields) - set(controls))
    if fields and not unknown:
        return fields
    lines = [
        f"{control} ({', '.join(value[:30] for value, _ in counts.most_common(SHOWN))}"
        f"{and_more(len(counts), SHOWN)})"
        for control, counts in controls.items()
    ]
    wrong = f"no control {unknown[0]!r} in the export; " if unknown else ""
    first = nearest(unknown[0], list(controls)) if unknown else ""
    raise UserError(
        f"{wrong}it has {'; '.join(lines)}",
        f"say which field each gives: --map CONTROL=FIELD {first}".strip(),
    )


def _gives_several(answers: list[_Answer], control: str) -> bool:
    return any(len(answer.values.get(control, [])) > 1 for answer in answers)


def _votes(
    answer: _Answer,
    problem: Problem,
    fields: Mapping[str, str],
    several: Mapping[str, bool],
) -> Iterator[Vote]:
    """A vote for each control that was answered; a list where the control gives lists."""
    for control, field in fields.items():
        values = answer.values.get(control)
        if not values:
            continue
        yield Vote(
            problem_id=problem.id,
            field=field,
            value=sorted(map(str, values)) if several[control] else values[0],
            annotator=answer.annotator,
            at=answer.at,
            about=about(problem, field),
            seconds=answer.seconds,
        )
