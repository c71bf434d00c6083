"""Any JSON-lines or CSV dump, with a map from our field names to theirs.

```yaml
- {name: kangaroo, reader: csv, path: k.csv, fields: {id: nr, question: text, options: "A,B,C,D,E",
   answer: key, images: figure, labels.subject: topic}}
```
A field that is not mapped is looked for under its own name. `options` and `images` may be a list,
one text with one entry a line (or a JSON list), or several columns joined by commas.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec

from ...errors import UserError, nearest
from ...pipeline import SourceSpec
from ...problem import AnswerKind, Option, Problem
from .base import (
    LETTERS,
    Pictures,
    Raw,
    csv_rows,
    guess_kind,
    json_lines_rows,
    lettered,
    reader,
    source_of,
)

FIELDS = (
    "id", "question", "options", "answer", "answer_kind", "unit", "tolerance", "solution", "images",
    "language", "diagram", "url",
)  # fmt: skip


def check_fields(fields: dict[str, str]) -> None:
    """Raises UserError for a field name that is not ours."""
    for name in fields:
        if name not in FIELDS and not re.fullmatch(r"labels\.\w+", name):
            raise UserError(f"unknown field {name!r}", nearest(name, [*FIELDS, "labels.<name>"]))


@reader("jsonl", rows=json_lines_rows, fields=True)
def jsonl(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return _problem(raw, spec, pictures)


@reader("csv", rows=csv_rows, fields=True)
def csv(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return _problem(raw, spec, pictures)


def _problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    if not isinstance(raw.data, dict):
        raise ValueError("the row is not an object")
    values = {name: _value(raw.data, spec.fields.get(name, name)) for name in FIELDS}
    raw_id = _text(values["id"]) or f"line{raw.line}"
    if "id" in spec.fields and not _text(values["id"]):
        raise ValueError(f"no field {spec.fields['id']!r} for the id")
    if values["question"] is None:
        raise ValueError(f"no field {spec.fields.get('question', 'question')!r} for the question")
    options = _options(values["options"])
    answer = _text(values["answer"])
    result = Problem(
        id=f"{spec.name}-{raw_id}",
        origin=f"{spec.name}-{raw_id}",
        source=source_of(spec, raw_id),
        question=_text(values["question"]),
        images=pictures.get([path for path in _entries(values["images"]) if path]),
        options=options,
        answer=answer,
        answer_kind=msgspec.convert(
            values["answer_kind"] or guess_kind(answer, options), AnswerKind
        ),  # type: ignore[arg-type]
        unit=values["unit"] or None,
        tolerance=float(values["tolerance"]) if values["tolerance"] not in (None, "") else None,
        solution=values["solution"] or None,
        diagram=values["diagram"] or None,
        language=values["language"] or spec.language or "en",
        labels=_labels(raw.data, spec.fields),
    )
    if values["url"]:
        result.source.url = str(values["url"])
    return result


def _value(row: dict[str, Any], name: str) -> Any:
    if name not in row and "," in name:
        return [row.get(column.strip()) for column in name.split(",")]
    return row.get(name)


def _text(value: Any) -> str:
    return (
        ""
        if value is None
        else value
        if isinstance(value, str)
        else msgspec.json.encode(value).decode()
    )


def _entries(value: Any) -> list[str]:
    if value is None or value == "":
        return []
    if isinstance(value, str) and value.lstrip().startswith("["):
        with suppress(msgspec.DecodeError):
            value = msgspec.json.decode(value)
    if isinstance(value, str):
        value = value.splitlines() if "\n" in value else [value]
    return [_text(entry) for entry in value if entry not in (None, "")]


def _options(value: Any) -> list[Option]:
    if isinstance(value, dict):
        return [Option(label=str(k), text=_text(v)) for k, v in value.items()]
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        return msgspec.convert(value, list[Option])
    entries = _entries(value)
    if len(entries) > len(LETTERS):
        raise ValueError(f"{len(entries)} options")
    marked = [re.match(r"\s*\(?([A-Z])[.:)]\s*(.*)", entry, re.S) for entry in entries]
    if entries and all(m and m[1] == LETTERS[k] for k, m in enumerate(marked)):
        return [Option(label=m[1], text=m[2].strip()) for m in marked if m]
    return lettered(entries)


def _labels(row: dict[str, Any], fields: dict[str, str]) -> dict[str, Any]:
    mapped = {k.removeprefix("labels."): v for k, v in fields.items() if k.startswith("labels.")}
    row_labels = row.get("labels")
    labels = dict(row_labels) if isinstance(row_labels, dict) else {}
    labels |= {
        name: row[column] for name, column in mapped.items() if row.get(column) not in (None, "")
    }
    return labels
