"""The answers in an export of Label Studio, made by hand: JSON, JSON_MIN or CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import read_bytes
from ...errors import UserError
from ...tables import Damaged, read_table
from ..server import name_of

# what Label Studio itself writes into a row of JSON_MIN and CSV
OF_SERVER = (
    "annotator",
    "annotation_id",
    "created_at",
    "updated_at",
    "lead_time",
    "agreement",
    "id",
)


class Answer(msgspec.Struct):
    """One person's answer to one task: the task's data, and a value by control.

    In a flat row, data and controls are columns of one table; `types` are those of its controls
    elsewhere.
    """

    data: dict[str, Any]
    values: dict[str, list[Any]]
    annotator: str
    at: str
    seconds: float | None
    skipped: bool = False
    flat: bool = False
    types: dict[str, str] = {}


def read_export(file: Path, people: Mapping[str, str]) -> list[Answer]:
    """The answers of an export, whichever of the three it is."""
    text = read_bytes(file).decode("utf-8-sig", "replace")
    if not text.lstrip().startswith(("[", "{")):
        rows: Any = list(_rows_of_table(file))
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


def _rows_of_table(file: Path) -> Iterator[dict[str, Any]]:
    """The rows of a CSV, also one that a spreadsheet has saved again."""
    for line, row in read_table(file).rows:
        if isinstance(row, Damaged):
            raise UserError(f"{file}:{line}: {row.cause}", "export it again")
        yield row


def _answers(row: dict[str, Any], people: Mapping[str, str]) -> Iterator[Answer]:
    annotations = row.get("annotations")
    if not isinstance(annotations, list):
        yield _of_flat_row(row, people)
        return
    given = row.get("data")
    data: dict[str, Any] = given if isinstance(given, dict) else {}
    for annotation in annotations:
        values: dict[str, list[Any]] = {}
        types: dict[str, str] = {}
        for result in annotation.get("result") or []:
            control = str(result.get("from_name"))
            values.setdefault(control, []).extend(_given(result))
            types[control] = str(result.get("type"))
        yield Answer(
            data=data | {"id": data.get("id", row.get("id"))},
            values=values,
            annotator=_name(annotation.get("completed_by"), people),
            at=str(annotation.get("updated_at") or annotation.get("created_at") or ""),
            seconds=annotation.get("lead_time"),
            skipped=bool(annotation.get("was_cancelled")),
            types=types,
        )


def _of_flat_row(row: dict[str, Any], people: Mapping[str, str]) -> Answer:
    seconds = row.get("lead_time")
    return Answer(
        data=row,
        values={
            name: _flat(value)
            for name, value in row.items()
            if name not in OF_SERVER and value not in (None, "")
        },
        annotator=_name(row.get("annotator"), people),
        at=str(row.get("updated_at") or row.get("created_at") or ""),
        seconds=float(seconds) if seconds else None,
        flat=True,
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
