"""Any JSON lines or table, with a map from our field names to theirs.

```yaml
- {name: kangaroo, reader: table, path: k.xlsx, fields: {id: nr, question: text,
   options: "A,B,C,D,E", answer: key, images: figure, labels.subject: topic}}
```
A field that is not mapped is looked for under its own name. A name that a row has not is a path
into it (`answers[?correct].label`, see `tables/paths.py`); texts of several places stand
behind each other with a blank line between. `options`, `images`, `option_images`
(one picture an option, VisioMath) and `annotated` (drawn over by hand, MathVerse) may be a list,
one text with one entry a line (or a JSON list), or several columns joined by commas. A picture is a
path, or the picture itself: `{bytes, path}`, a data URI, base64; rows that name none are given the
file below `images:` that is called as their id. A conversation (`messages`, `conversations`) as
`question` gives its first question, its pictures, and the answer. `parts` are
the sub-answers: a list of texts or of {label, answer, answer_kind, unit, ...}, or {label: answer}.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice
from typing import Any

import msgspec
from msgspec.structs import replace

from ...base.json_lines import decode
from ...errors import UserError, nearest
from ...options import (
    KNOWN_AS,
    PICTURE_NAME,
    Choices,
    Gold,
    alone,
    check_counting,
    counting_of,
    in_order,
    is_number,
    literal,
    options_in_question,
    read_gold,
    read_options,
    text_of,
)
from ...pipeline import SourceSpec
from ...problem import Option, Part, Problem, parts_text
from ...tables import is_path, pieces, root_of, value_of
from ...words import own_roles, speaking
from ..conservation import Holding, Outside, held_in, row_of
from ..html import html_to_text, parted
from .base import (
    Pictures,
    PlaceError,
    Raw,
    Unreadable,
    json_lines_rows,
    lettered,
    problem_of,
    reader,
    table_rows,
)
from .columns import LISTED, name_words
from .sub_answers import asked_parts, part, read_parts
from .text_pictures import placed
from .turns import exchange_of

TABLE = ("encoding", "delimiter", "sheet", "gold")
# Fields of which every letter must come out, and those that are read as one value.
WHOLE = ("question", "options", "parts", "solution", "diagram")
BY_NAME = (
    "id", "answer_kind", "unit", "tolerance", "language", "url", "images", "option_images",
    "annotated", "answer",
)  # fmt: skip
FIELDS = (
    "id", "question", "options", "option_images", "answer", "answer_kind", "parts", "unit",
    "tolerance", "solution", "images", "annotated", "language", "diagram", "url",
)  # fmt: skip
NOTHING = frozenset(
    {"nan", "none", "null", "n/a", "-"}
)  # as tables write an empty cell
LISTS = frozenset("[{(a\"'")  # how a list or record, or `array(` of one, begins
FEW = 200  # rows in which a number must stand as a gold
MANY = 2_000  # rows from which its meaning is learnt
_BETWEEN_NAMES = re.compile(r"[,;|，、；]")  # of several pictures in one cell
_LONGEST_NAMES = 5_000  # characters of a cell that may name several pictures


def check_fields(fields: dict[str, str]) -> None:
    """Raises UserError for a field name that is not ours, with the pair turned where that is."""
    for name, column in fields.items():
        if name not in FIELDS and not re.fullmatch(r"labels\.\w+", name):
            remedy = nearest(name, [*FIELDS, "labels.<name>"])
            if column in FIELDS:
                remedy = f"the map reads ours: theirs, so write {column}: {name}"
            raise UserError(f"unknown field {name!r}", remedy)


# What a column is that a source gives a role; any other role is a label.
_OF_ROLES = {"problem": "question", "option": "options"}


def with_columns(spec: SourceSpec) -> SourceSpec:
    """The source whose map holds the columns that its roles speak of; the map itself decides.

    >>> spec = SourceSpec(name="s", reader="table", path="t", roles={"Svar": "answer"})
    >>> with_columns(spec).fields
    {'answer': 'Svar'}
    """
    said: dict[str, str] = {}
    for column, role in own_roles(spec.roles).words:
        field = _OF_ROLES.get(role, role)
        if field not in FIELDS and not field.startswith("labels."):
            field = f"labels.{field}"
        if role != "outside":
            said[field] = f"{said[field]},{column}" if field in said else column
    return replace(spec, fields=said | spec.fields)


def held(raw: Raw, spec: SourceSpec) -> Holding:
    """The columns of a row, without those that are read as one value or as pictures."""
    columns, apart = _used(tuple(spec.fields.items()))
    row = {
        name: _plain_data(value) if name in columns else value
        for name, value in raw.data.items()
        if name not in apart
    }
    holding = row_of(row, columns)
    led = [name for name in columns if name not in row and is_path(name)]
    return _by_paths(holding, raw.data, led) if led else holding


def _by_paths(holding: Holding, row: dict[str, Any], paths: list[str]) -> Holding:
    """What paths lead to, in front, and no more in the columns where it stands."""
    picked = {path: [*held_in(value_of(row, path), path)] for path in paths}
    texts = Counter(one.text for leaves in picked.values() for one in leaves)
    rest = dict(holding.columns)
    for column in {root_of(path) for path in paths} & rest.keys():
        rest[column] = []
        for one in holding.columns[column]:
            if texts[one.text] > 0:
                texts[one.text] -= 1
            else:
                rest[column].append(one)
    return Holding(picked | rest, holding.used)


def _plain_data(value: Any) -> Any:
    """A list or record that a text spells, what a conversation asks and answers, else the value."""
    if exchange := exchange_of(value):
        return [exchange.question, exchange.answer]
    if isinstance(value, str) and value.lstrip()[:1] in LISTS:
        inner = literal(value)
        return value if inner is None else inner
    return value


@lru_cache(maxsize=64)
def _used(fields: tuple[tuple[str, str], ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The columns that must come out whole, and those that are read as one value."""
    columns = columns_of(WHOLE, dict(fields))
    return columns, columns_of(BY_NAME, dict(fields)) - columns


def columns_of(names: tuple[str, ...], fields: dict[str, str]) -> frozenset[str]:
    """The columns that hold some fields; several may be joined by commas."""
    mapped = [fields.get(name, name) for name in names]
    return frozenset([*mapped, *(part for name in mapped for part in pieces(name))])


def check_reach(spec: SourceSpec, rows: list[dict[str, Any]]) -> None:
    """Raises UserError for a path that leads to nothing in all of some rows."""
    for field, names in spec.fields.items():
        for name in pieces(names) if rows else ():
            known = any(name in row or names in row for row in rows)
            if known or not is_path(name):
                continue
            if all(value_of(row, name) in (None, "", []) for row in rows):
                raise PlaceError(
                    spec.name,
                    ("fields", field),
                    f"{name!r} leads to nothing in the first {len(rows)} rows",
                    nearest(root_of(name), [*map(str, rows[0])]),
                )


def settled(spec: SourceSpec, rows: Iterable[Raw | Unreadable]) -> SourceSpec:
    """The source with how its golds count, where they are numbers and nobody says it."""
    column = spec.fields.get("answer", "answer")
    sound = (raw.data for raw in rows if isinstance(raw, Raw))
    records = (data for data in sound if isinstance(data, dict))
    first = list(islice(records, FEW))
    check_reach(spec, first)
    if "gold" in spec.options:
        check_counting(spec.options["gold"])
        return spec
    counting = ""
    if _by_number(first, column, spec):
        counting = "label"
    elif any(_counts(row, column, spec) for row in first):
        learnt_from = chain(first, islice(records, MANY))
        counting = counting_of(
            (value_of(row, column), _choices_of(row, spec)) for row in learnt_from
        )
    if not counting:
        return spec
    return replace(spec, options=spec.options | {"gold": counting})


def _by_number(rows: list[dict[str, Any]], column: str, spec: SourceSpec) -> bool:
    """Whether all golds are numbers of options that the questions end in: 1. 3  2. 4  3. 5."""
    question = spec.fields.get("question", "question")
    questions = [
        _text(value_of(row, question))
        for row in rows
        if is_number(value_of(row, column)) and not _choices_of(row, spec).options
    ]
    if len(questions) < 3:
        return False
    return all(_numbered(options_in_question(text)[1]) for text in questions)


def _numbered(choices: Choices) -> bool:
    """Whether the signs of options are plain numbers, as those of statements are."""
    signs = choices.signs
    return bool(signs) and all(sign.isascii() and sign.isdecimal() for sign in signs)


def _counts(row: dict[str, Any], column: str, spec: SourceSpec) -> bool:
    """Whether a row has options, and a number as its gold."""
    return bool(is_number(value_of(row, column)) and _choices_of(row, spec).options)


def _choices_of(row: dict[str, Any], spec: SourceSpec) -> Choices:
    name = spec.fields.get("options", "options")
    try:
        return _choices(row, {"options": value_of(row, name)}, spec)
    except ValueError:  # too many: the row itself will say so
        return Choices()


@reader(
    "jsonl",
    rows=json_lines_rows,
    fields=True,
    nested=True,
    options=("gold", "key"),
    holds=held,
    settled=settled,
)
def jsonl(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return from_row(raw, spec, pictures)


@reader(
    "table", rows=table_rows, fields=True, options=TABLE, holds=held, settled=settled
)
def table(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return from_row(raw, spec, pictures)


@reader("csv", rows=table_rows, fields=True, options=TABLE, holds=held, settled=settled)
def csv(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return from_row(raw, spec, pictures)


def from_row(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    """The problem that a row of columns is. Raises ValueError where it is none."""
    row = raw.data
    if not isinstance(row, dict):
        raise ValueError("the row is not an object")
    values = {name: value_of(row, spec.fields.get(name, name)) for name in FIELDS}
    pictures.outside += _of_exchange(values, spec)
    labels = take_classes(values, spec, pictures)
    _take_options_out(values)
    pictures.notes += _read_shapes(values, row, spec)
    _take_statements(values)
    named = _text(values["id"])
    if "id" in spec.fields and not named:
        raise ValueError(f"no field {spec.fields['id']!r} for the id")
    raw_id = named or raw.name or f"line{raw.line}"
    question = _question(values["question"], spec)
    choices = _choices(row, values, spec)
    counting = "value" if _holds_answer(spec) else str(spec.options.get("gold", ""))
    doubt = ""
    if not choices.options and not values["option_images"]:
        question, choices, doubt = _inside(question, values["answer"], counting)
    paths = values["option_images"] or choices.pictures
    options = choices.options = _with_pictures(choices.options, paths, pictures)
    images = pictures.get(_pictures(values["images"]))
    if not images and values["images"] is None and spec.images and named:
        images = pictures.called(named)
    gold = read_gold(values["answer"], choices, counting)
    answer, parts = _answer(values, gold, question)
    pictures.marks += [*choices.signs, *choices.marks, *_leaves(choices.pictures)]
    pictures.notes += [f"gold-doubtful: {one}" for one in (doubt, gold.doubt) if one]
    reasons = [*_reasons(values["options"])]
    pictures.marks += reasons
    aside = [("answer", gold.wording), ("options", choices.before)]
    aside += [("options", text) for text in reasons]
    if values["solution"]:
        aside.insert(1, ("answer", gold.solution))
    pictures.outside += [
        Outside(spec.fields.get(field, field), text) for field, text in aside if text
    ]
    question, options, images = placed(question, options, images, pictures)
    kind = values["answer_kind"] or ""
    if not kind and parts:
        kind = "parts"
    elif not kind and gold.several:
        kind = "set"
    tolerance = values["tolerance"]
    result = problem_of(
        spec,
        raw_id,
        question,
        answer,
        options=options,
        parts=parts,
        images=images + pictures.get(_pictures(values["annotated"]), "annotated"),
        answer_kind=kind,
        unit=(values["unit"] or "").strip() or None,
        tolerance=None if tolerance in (None, "") else float(tolerance),
        solution=values["solution"] or gold.solution or None,
        diagram=values["diagram"] or None,
        language=values["language"] or "",
        labels=labels | _labels(row, spec.fields),
    )
    if values["url"]:
        result.source.url = str(values["url"])
    return result


_STATED = ("text", "statement", "content", "question", "sentence")
_JUDGED = ("correct", "isCorrect", "is_correct", "right", "true", "truth")


def _take_statements(values: dict[str, Any]) -> None:
    """Make parts of statements with whether each is true; their texts go on the question."""
    given = values["parts"]
    records = given if isinstance(given, list) and len(given) > 1 else []
    if not records or not all(isinstance(one, dict) for one in records):
        return
    texts = [next((one[n] for n in _STATED if n in one), None) for one in records]
    held = [next((one[n] for n in _JUDGED if n in one), None) for one in records]
    said = [one.get("answer") for one in records]
    answers = [h if h is not None else a for h, a in zip(held, said, strict=True)]
    if not all(isinstance(text, str) for text in texts) or None in answers:
        return
    lines = [f"({k}) {text}" for k, text in enumerate(texts, 1)]
    values["question"] = "\n".join([text_of(values["question"]) or "", *lines]).strip()
    values["parts"] = [text_of(one) for one in answers]


def take_classes(
    values: dict[str, Any], spec: SourceSpec, pictures: Pictures
) -> dict[str, str]:
    """Take what classes of the source's roles hold out of the question; labels that they say."""
    own = own_roles(spec.roles) if spec.roles else None
    question = values["question"]
    if own is None or not own.classes or not isinstance(question, str):
        return {}
    with speaking(own):
        made = parted(question)
    values["question"] = made.rest
    pictures.marks += made.tags
    labels: dict[str, str] = {}
    options: list[Any] = []
    for role, html in made.said:
        text = html.strip()
        if role not in ("answer", "solution", "option", "right", "wrong"):
            pictures.marks.append(text)  # it comes out as a label, or in no problem
        if role in ("answer", "solution") and not values.get(role):
            values[role] = text
        elif role in ("option", "right", "wrong"):
            options.append({"text": text, "correct": role == "right"})
        elif role in ("hint", "title", "points", "section", "instruction"):
            labels[role] = html_to_text(text)[0]
        elif role.startswith("labels."):
            labels[role.removeprefix("labels.")] = html_to_text(text)[0]
        else:  # a second answer, or what is in no problem
            pictures.outside.append(Outside("question", text))
    if options and not values.get("options"):
        told = any(one["correct"] for one in options)
        values["options"] = options if told else [one["text"] for one in options]
    return labels


def _question(value: Any, spec: SourceSpec) -> str:
    """The text of the question. Raises ValueError where there is none."""
    if value is None:
        column = spec.fields.get("question", "question")
        raise ValueError(f"no field {column!r} for the question")
    if isinstance(value, list | dict):
        raise ValueError(
            f"the question is {_text(value)[:60]}, and no text: name it by a path, as ask.text"
        )
    return _text(value)


def _take_options_out(values: dict[str, Any]) -> None:
    """Part a question that holds its options: `{"stem": "...", "choices": [...]}`."""
    question = values["question"]
    if not isinstance(question, dict) or values["options"] not in (None, "", []):
        return
    for name, inner in question.items():
        if name.casefold() in LISTED and isinstance(inner, list | dict):
            rest = {other: one for other, one in question.items() if other != name}
            values["question"], values["options"] = rest, inner
            return


def _read_shapes(
    values: dict[str, Any], row: dict[str, Any], spec: SourceSpec
) -> Iterator[str]:
    """Make texts of values that are none, by their shape; a note on each that says nothing."""
    if isinstance(answer := values["answer"], dict) and {*answer} == {"value", "unit"}:
        values["answer"] = answer["value"]
        values["unit"] = values["unit"] or answer["unit"]
    for name in ("question", "solution", "diagram", "unit", "language", "answer_kind"):
        value = values[name]
        if isinstance(value, list | dict):
            single = alone(value)
            several = name in ("question", "solution", "diagram")
            between = "\n" if spec.fields.get(name, name) in row else "\n\n"
            text = None
            if several or not _is_container(single):
                text = text_of(single, between)
            if text is None and name != "question":
                column = spec.fields.get(name, name)
                yield f"lost-text: {column}: {_text(value)[:80]}"
            if text is not None or name != "question":
                values[name] = text or None
        elif value is not None and not isinstance(value, str):
            values[name] = text_of(value)


def _is_container(value: Any) -> bool:
    return isinstance(value, list | dict)


def _of_exchange(values: dict[str, Any], spec: SourceSpec) -> list[Outside]:
    """Take question and answer out of a conversation; what else is said there is outside."""
    column = spec.fields.get("question", "question")
    if (exchange := exchange_of(values["question"])) is None:
        return []
    values["question"] = exchange.question
    if exchange_of(values["answer"]) or values["answer"] is None:
        values["answer"] = exchange.answer
    values["images"] = values["images"] or exchange.pictures
    return [Outside(column, text) for text in exchange.more]


def _leaves(value: Any) -> list[str]:
    return [one.text for one in held_in(value, "")]


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _entries(value: Any) -> list[str]:
    if value is None or value == "":
        return []
    if isinstance(value, str) and value.lstrip().startswith("["):
        with suppress(msgspec.DecodeError):
            value = decode(value)
    if isinstance(value, str):
        value = value.splitlines() if "\n" in value else [value]
    return [_text(entry) for entry in value if entry not in (None, "")]


def _pictures(value: Any) -> list[Any]:
    """Paths and embedded pictures; several names in one text may stand between commas or bars.

    >>> _pictures("p5.png,p6.png"), _pictures("one, two.png"), _pictures("['a.png', 'b.png']")
    (['p5.png', 'p6.png'], ['one, two.png'], ['a.png', 'b.png'])
    """
    if isinstance(value, dict | bytes):
        return [value]
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [str(value)]
    if isinstance(value, str) and value.strip().casefold() in NOTHING:
        return []
    if isinstance(value, list):
        nested = [one if isinstance(one, list) else [one] for one in value]
        return [one for ones in nested for one in ones if one not in (None, "")]
    if isinstance(value, str) and value.startswith("['") and value.endswith("']"):
        return value[2:-2].split("', '")  # a list as Python prints it (VLMEvalKit)
    entries: list[Any] = []
    for text in _entries(value):
        pieces = _BETWEEN_NAMES.split(text) if len(text) < _LONGEST_NAMES else []
        names = [name.strip() for name in pieces]
        several = len(names) > 1 and all(map(PICTURE_NAME.fullmatch, names))
        entries += names if several else [text]
    return entries


def _choices(row: dict[str, Any], values: dict[str, Any], spec: SourceSpec) -> Choices:
    """The options of a field; columns whose names are labels are a record of them."""
    name = spec.fields.get("options", "options")
    if name in row or "," not in name:
        return read_options(values["options"])
    columns = pieces(name)
    if len(columns) < 2:
        return read_options(values["options"])
    while columns and _text(value_of(row, columns[-1])) == "":
        columns.pop()
    choices = read_options({column: value_of(row, column) for column in columns})
    if choices.signs == columns and not in_order(columns):  # their names say nothing
        lists = [v if isinstance(v, list) else [v] for v in values["options"]]
        texts = [text for texts in lists for text in texts if text not in (None, "")]
        if _holds_answer(spec):  # its place would tell the answer
            texts = sorted(texts, key=_text)
        choices = read_options(texts)
    return choices


def _holds_answer(spec: SourceSpec) -> bool:
    """Is the column of the answer one of those that hold the options?"""
    columns = pieces(spec.fields.get("options", ""))
    return spec.fields.get("answer", "answer") in columns


def _inside(question: str, answer: Any, counting: str) -> tuple[str, Choices, str]:
    """The stem, and the options that the question ends in, where the gold names one of them.

    A number that may count numbered statements is a doubt, see `_by_number`.
    """
    stem, choices = options_in_question(question)
    if asked_parts(question, _text(answer)):
        return question, Choices(), ""
    labels = {option.label for option in choices.options}
    if not labels or read_gold(answer, choices, counting).answer not in labels:
        return question, Choices(), ""
    if _numbered(choices) and is_number(answer) and counting != "label":
        doubt = (
            "a number, or that of an option in the question: say options: {gold: ...}"
        )
        return question, Choices(), f"{_text(answer)} may be {doubt} of the source"
    return stem, choices, ""


def _answer(
    values: dict[str, Any], gold: Gold, question: str
) -> tuple[str, list[Part]]:
    """The gold and its sub-answers; each is made from the other where only one is given."""
    answer = gold.answer
    given = values["parts"]
    if given in (None, "", [], {}):
        given = asked_parts(question, _text(values["answer"]))
        if given:
            return parts_text(given), given
    if isinstance(given, str) and given.lstrip()[:1] in ("[", "{"):
        with suppress(msgspec.DecodeError):
            given = decode(given)
    if given in (None, "", [], {}):
        if values["answer_kind"] == "parts":
            return answer, read_parts(answer)
        return answer, []
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


def _reasons(options: Any) -> Iterator[str]:
    """What records of options say of why each is right or wrong, which is no part of an option."""
    words = {"feedback", "solution", *KNOWN_AS["solution"]}
    for option in options if isinstance(options, list) else ():
        for name, text in option.items() if isinstance(option, dict) else ():
            if isinstance(text, str) and text and words & {*name_words(name)}:
                yield text


def _with_pictures(
    options: list[Option], paths: Any, pictures: Pictures
) -> list[Option]:
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


def _labels(row: dict[str, Any], fields: dict[str, str]) -> dict[str, Any]:
    row_labels = row.get("labels")
    labels = dict(row_labels) if isinstance(row_labels, dict) else {}
    for field, column in fields.items():
        said = value_of(row, column) if field.startswith("labels.") else None
        if said not in (None, "", []):
            labels[field.removeprefix("labels.")] = said
    return labels
