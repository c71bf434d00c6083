"""Any JSON lines or table, with a map from our field names to theirs.

```yaml
- {name: kangaroo, reader: table, path: k.xlsx, fields: {id: nr, question: text,
   options: "A,B,C,D,E", answer: key, images: figure, labels.subject: topic}}
```
A field that is not mapped is looked for under its own name. `options`, `images`, `option_images`
(one picture an option, VisioMath) and `annotated` (drawn over by hand, MathVerse) may be a list,
one text with one entry a line (or a JSON list), or several columns joined by commas. A picture is a
path, or the picture itself: `{bytes, path}`, a data URI, base64. `parts` are
the sub-answers: a list of texts or of {label, answer, answer_kind, unit, ...}, or {label: answer}.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import takewhile
from typing import Any

import msgspec

from ...base.json_lines import decode
from ...errors import UserError, nearest
from ...pipeline import SourceSpec
from ...problem import Option, Part, Problem, Source, parts_text
from ...words import WORDS
from ..conservation import Holding, row_of
from ..exam import several_letters
from .base import (
    LETTERS,
    Pictures,
    Raw,
    guess_kind,
    json_lines_rows,
    lettered,
    reader,
    table_rows,
)
from .sub_answers import part, read_parts

FIELDS = (
    "id", "question", "options", "option_images", "answer", "answer_kind", "parts", "unit",
    "tolerance", "solution", "images", "annotated", "language", "diagram", "url",
)  # fmt: skip


def check_fields(fields: dict[str, str]) -> None:
    """Raises UserError for a field name that is not ours."""
    for name in fields:
        if name not in FIELDS and not re.fullmatch(r"labels\.\w+", name):
            raise UserError(f"unknown field {name!r}", nearest(name, [*FIELDS, "labels.<name>"]))


# names that dumps give to our fields, beside our own
KNOWN_AS = {
    "id": ("nr", "no", "number", "pid", "qid", "idx", "index", "problem_id", "question_id", "题号"),
    "question": ("stem", "problem", "text", "content", "query", "title", "题目", "题干"),
    "options": ("choices", "option", "candidates", "选项"),
    "answer": (
        "key",
        "gold",
        "correct",
        "correct_answer",
        "target",
        "label",
        WORDS["answer"]["zh"],
    ),
    "images": ("image", "figure", "figures", "pic", "picture", "pictures", "img", "file_name"),
    "solution": ("analysis", "explanation", "rationale", "reasoning", "解析"),
    "labels.subject": ("subject", "category", "topic", "area", "学科", "知识点"),
    "labels.level": ("level", "difficulty", "难度"),
}


def look_at_columns(fields: dict[str, str], columns: list[str]) -> tuple[list[str], dict[str, str]]:
    """Columns that `fields` names and that are not there, and a map for fields that have none.

    >>> look_at_columns({"id": "nr"}, ["no", "Stem", "choices", "answer"])
    (['nr'], {'id': 'no', 'question': 'Stem', 'options': 'choices'})
    """
    named = [
        part.strip()
        for name in fields.values()
        for part in ([name] if name in columns else name.split(","))
    ]
    unknown = [name for name in dict.fromkeys(named) if name not in columns]
    suggested = {}
    for field, others in KNOWN_AS.items():
        mapped = fields.get(field, field)
        if any(part.strip() in columns for part in [mapped, *mapped.split(",")]):
            continue
        near = [c for c in columns if c.casefold() in (field, *others) and c not in named]
        if near:
            suggested[field] = near[0]
        elif field == "options" and (letters := _lettered_columns(columns)):
            suggested[field] = ",".join(letters)
    return unknown, suggested


def _lettered_columns(columns: list[str]) -> list[str]:
    """A, B, C, ... as far as columns are called so, two at least."""
    letters = list(takewhile(columns.__contains__, LETTERS))
    return letters if len(letters) > 1 else []


WHOLE = ("question", "options", "parts", "solution", "diagram")  # every letter must come out
BY_NAME = ("id", "answer_kind", "unit", "tolerance", "language", "url", "images", "option_images",
           "annotated", "answer")  # fmt: skip


def held(raw: Raw, spec: SourceSpec) -> Holding:
    """The columns of a row, without those that are read as one value or as pictures."""
    columns = _columns_of(WHOLE, spec)
    apart = _columns_of(BY_NAME, spec) - columns
    row = {name: value for name, value in raw.data.items() if name not in apart}
    return Holding(row_of(row).columns, frozenset(columns))


def _columns_of(fields: tuple[str, ...], spec: SourceSpec) -> set[str]:
    """The columns that hold some fields; several may be joined by commas."""
    names = [spec.fields.get(field, field) for field in fields]
    return {part.strip() for name in names for part in [name, *name.split(",")]}


@reader("jsonl", rows=json_lines_rows, fields=True, holds=held)
def jsonl(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return _problem(raw, spec, pictures)


@reader(
    "table", rows=table_rows, fields=True, options=("encoding", "delimiter", "sheet"), holds=held
)
def table(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return _problem(raw, spec, pictures)


@reader("csv", rows=table_rows, fields=True, options=("encoding", "delimiter", "sheet"), holds=held)
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
    paths = values["option_images"] or _paths_in(values["options"])
    options = _with_pictures(_options(values["options"]), paths, pictures)
    answer, parts = _answer(values, options)
    result = Problem(
        id=f"{spec.name}-{raw_id}",
        origin=f"{spec.name}-{raw_id}",
        source=Source(name=spec.name, raw_id=raw_id),
        question=_text(values["question"]),
        images=pictures.get(_pictures(values["images"]))
        + pictures.get(_pictures(values["annotated"]), "annotated"),
        options=options,
        answer=answer,
        answer_kind=_text(values["answer_kind"])
        or ("parts" if parts else guess_kind(answer, options)),
        parts=parts,
        unit=values["unit"] or None,
        tolerance=float(values["tolerance"]) if values["tolerance"] not in (None, "") else None,
        solution=values["solution"] or None,
        diagram=values["diagram"] or None,
        language=values["language"] or "",
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
            value = decode(value)
    if isinstance(value, str):
        value = value.splitlines() if "\n" in value else [value]
    return [_text(entry) for entry in value if entry not in (None, "")]


PICTURE_NAME = re.compile(r"[^\n]*\.(png|jpe?g|gif|webp|bmp|tiff?)", re.IGNORECASE)


def _pictures(value: Any) -> list[Any]:
    """Paths and embedded pictures; several names in one text may stand between commas or bars.

    >>> _pictures("p5.png,p6.png"), _pictures("one, two.png"), _pictures("['a.png', 'b.png']")
    (['p5.png', 'p6.png'], ['one, two.png'], ['a.png', 'b.png'])
    """
    if isinstance(value, dict | bytes):
        return [value]
    if isinstance(value, list):
        return [one for one in value if one not in (None, "")]
    if isinstance(value, str) and value.startswith("['") and value.endswith("']"):
        return value[2:-2].split("', '")  # a list as Python prints it (VLMEvalKit)
    entries: list[Any] = []
    for text in _entries(value):
        names = (
            [name.strip() for name in re.split(r"[,;|，、；]", text)] if len(text) < 5000 else []
        )
        several = len(names) > 1 and all(map(PICTURE_NAME.fullmatch, names))
        entries += names if several else [text]
    return entries


def _answer(values: dict[str, Any], options: list[Option]) -> tuple[str, list[Part]]:
    """The gold and its sub-answers; each is made from the other where only one is given."""
    answer, given = _text(values["answer"]), values["parts"]
    if isinstance(given, str) and given.lstrip()[:1] in ("[", "{"):
        with suppress(msgspec.DecodeError):
            given = decode(given)
    if given in (None, "", [], {}):
        if values["answer_kind"] == "parts":
            return answer, read_parts(answer)
        return several_letters(answer.strip(), options) or answer, []
    if isinstance(given, str):
        parts = read_parts(given)
    elif isinstance(given, dict):
        parts = [part(str(label), _text(text)) for label, text in given.items()]
    elif isinstance(given, list):
        parts = [_part(entry, number) for number, entry in enumerate(given, 1)]
    else:
        parts = []
    if not parts:
        raise ValueError(f"parts: {str(given)[:80]!r} holds no sub-answers")
    return answer or parts_text(parts), parts


def _part(entry: Any, number: int) -> Part:
    if not isinstance(entry, dict):
        return part(str(number), _text(entry))
    entry = {"label": str(number)} | entry
    answer = _text(entry.get("answer"))
    guessed = part(str(entry["label"]), answer).answer_kind
    return msgspec.convert({"answer_kind": guessed} | entry | {"answer": answer}, Part)


def _paths_in(options: Any) -> list[Any] | None:
    """The pictures of options that are written as {label, text, image}."""
    if isinstance(options, list) and all(isinstance(option, dict) for option in options):
        return [option.get("image") for option in options]
    return None


def _with_pictures(options: list[Option], paths: Any, pictures: Pictures) -> list[Option]:
    """Each option with its picture; options that are nothing else have an empty text."""
    names = paths if isinstance(paths, list) else _pictures(paths)
    if not options:
        options = lettered("" for _ in names)
    if names and len(names) != len(options):
        raise ValueError(f"{len(names)} option_images for {len(options)} options")
    for option, name in zip(options, names, strict=False):
        if name:
            option.image = next(iter(pictures.get([name], "option")), None)
            option.text = "" if option.text == option.label else option.text
    return options


def _options(value: Any) -> list[Option]:
    if isinstance(value, dict):
        return [Option(label=str(k), text=_text(v)) for k, v in value.items()]
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        labelled = [
            {"label": LETTERS[k], "text": ""} | {name: v[name] for name in v if name != "image"}
            for k, v in enumerate(value)
        ]
        return msgspec.convert(labelled, list[Option])
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
