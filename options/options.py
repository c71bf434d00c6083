"""The options of a problem, however a table or a record spells them: values of JSON to choices.

A list, a record of signs and texts, records of options, lists side by side, or one text, which
`texts` reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..problem import Option
from ..words import in_order
from .choices import Choices, as_text, is_nan, lettered
from .literals import literal
from .runs import Label, covered, labels_in
from .shapes import entry_of
from .texts import options_in_cell

DEEPEST = 4
PICTURE_NAME = re.compile(r"[^\n]*\.(png|jpe?g|gif|webp|bmp|tiff?)", re.IGNORECASE)
_PICTURE = re.compile(rf"data:image/|{PICTURE_NAME.pattern}$", re.IGNORECASE)
_EMPTY: tuple[Any, ...] = (None, "")
_LABELLED = 80  # characters of an entry in which its label stands
# Fields in which records of options hold their text, the likeliest first.
_TEXTS = "text value content option choice body name answer label".split()


def read_options(value: Any, depth: int = 0) -> Choices:
    """The options of a field: a list, a record, records, or one text that holds them.

    >>> [o.text for o in read_options("['3', '4']").options], read_options({"A": "x"}).signs
    (['3', '4'], ['A'])
    """
    if value is None or depth > DEEPEST or is_nan(value):
        return Choices()
    if isinstance(value, str):
        inner = literal(value)
        if inner is None and value.lstrip()[:1] in ("'", '"'):
            inner = literal(f"[{value}]")
        if isinstance(inner, list | dict) and inner:
            return read_options(inner, depth + 1)
        return options_in_cell(value) if value.strip() else Choices()
    if isinstance(value, dict):
        return _of_record(value, depth)
    if isinstance(value, list | tuple):
        return _of_list(list(value), depth)
    return Choices(lettered([as_text(value)]))


# Lists -------------------------------------------------------------------------------------------


def _of_list(values: list[Any], depth: int) -> Choices:
    while values and values[-1] in _EMPTY and not isinstance(values[-1], int):
        values.pop()
    if len(values) == 1 and isinstance(values[0], str | list | tuple):
        return read_options(values[0], depth + 1)
    if values and all(isinstance(one, list | dict) for one in values):
        values = [entry_of(one) for one in values]
    if values and all(isinstance(one, dict) for one in values):
        if (signed := _of_single_pairs(values)) is not None:
            return _of_record(signed, depth)
        return _of_records(values)
    if values and all(
        isinstance(one, list | tuple) and len(one) == 2 for one in values
    ):
        signs = [as_text(sign).strip() for sign, _ in values]
        if in_order(signs):
            return Choices(lettered(as_text(text) for _, text in values), signs)
    if len(values) > 1 and _are_pictures(values):
        return Choices(lettered("" for _ in values), pictures=values)
    return _of_entries([as_text(one) for one in values])


def _of_single_pairs(records: list[dict[str, Any]]) -> dict[str, Any] | None:
    """`[{"A": "3"}, {"B": "4"}]` as one record; None of anything else."""
    if any(len(record) != 1 for record in records):
        return None
    pairs = {str(name): record[name] for record in records for name in record}
    return pairs if len(pairs) == len(records) and in_order([*pairs]) else None


def _of_entries(entries: list[str]) -> Choices:
    """Values; labels of one template in front of all of them are no part of them."""
    plain = Choices(lettered(entry.strip() for entry in entries))
    if len(entries) < 2 or not _label_at_start(entries[0]):
        return plain
    labels = [label for entry in entries if (label := _label_at_start(entry))]
    signs = [label.sign for label in labels]
    slots = {label.slot for label in labels}
    if len(labels) < len(entries) or not in_order(signs):
        return plain
    if len(slots) > 1 or not any(slots.pop()):
        return plain
    pairs = list(zip(entries, labels, strict=True))
    texts = [entry.lstrip()[label.end :].strip() for entry, label in pairs]
    if not any(texts):  # of what a picture shows
        texts = signs
    marks = [entry[: label.end] for entry, label in pairs]
    return Choices(lettered(texts), signs, marks=marks)


def _label_at_start(entry: str) -> Label | None:
    """The label that an entry begins with, its places counted without the blanks before it."""
    start = entry[:_LABELLED].lstrip()
    for label in labels_in(covered(start), alone=True):
        if label.start > 0:
            return None
        if label.rank >= -1:
            return label
    return None


# Records -----------------------------------------------------------------------------------------


def _of_record(record: dict[str, Any], depth: int) -> Choices:
    """`{A: 3, B: 4}`, or lists side by side: `{label: [A, B], text: [3, 4]}`."""
    lists = [one for one in record.values() if isinstance(one, list)]
    if lists and len(lists) == len(record) and len({len(one) for one in lists}) == 1:
        if len(record) == 1:
            return read_options(lists[0], depth + 1)
        rows = zip(*lists, strict=True)
        return _of_records([dict(zip(record, row, strict=True)) for row in rows])
    names = [str(name) for name in record]
    while names and record[names[-1]] is None:
        names.pop()
    values = [record[name] for name in names]
    signs = _signs_of(names)
    pictures = (
        values if _are_pictures(values) else [_picture(value) for value in values]
    )
    texts = [
        "" if picture else _text_of(value)
        for picture, value in zip(pictures, values, strict=True)
    ]
    choices = Choices(pictures=pictures if any(pictures) else [], names=names)
    if in_order(signs):
        choices.options, choices.signs = lettered(texts), signs
    else:
        choices.signs = names
        choices.options = [
            Option(label=name, text=text)
            for name, text in zip(names, texts, strict=True)
        ]
    return choices


def _signs_of(names: list[str]) -> list[str]:
    """What stands behind the letters that all names begin with: a, b of `option_a`, `option_b`."""
    columns = enumerate(zip(*names, strict=False))
    prefix = next((k for k, letters in columns if len({*letters}) > 1), 0)
    return [name[prefix:].strip("_- ") for name in names]


def _text_of(value: Any) -> str:
    """The text of an option that may be a record of its own."""
    if isinstance(value, dict):
        name = next((name for name in _TEXTS if name in value), None)
        return as_text(value[name] if name else value)
    return as_text(value)


def _picture(value: Any) -> Any:
    """The value where it is a picture itself, or what a record names as one."""
    if isinstance(value, dict):
        if _is_picture_record(value):
            return value
        names = (name for name in value if name in ("image", "picture", "img"))
        return next((value[name] for name in names), None) or None
    return value if isinstance(value, bytes) else None


def _is_picture_record(record: dict[str, Any]) -> bool:
    return "bytes" in record or set(record) == {"path"}


def _of_records(records: list[dict[str, Any]]) -> Choices:
    """Records of options: which field is sign, text, picture and mark follows from the values."""
    if all(map(_is_picture_record, records)):
        return Choices(lettered("" for _ in records), pictures=list(records))
    names = dict.fromkeys(name for record in records for name in record)
    columns = {name: [record.get(name) for record in records] for name in names}
    marks = _take(columns, _is_mark)
    pictures = _take(columns, _are_pictures)
    printed = _take(columns, _are_signs)
    signs = _stripped(printed)
    text = next((name for name in [*_TEXTS, *columns] if name in columns), None)
    values = columns[text] if text else [""] * len(records)
    if printed and not columns and not pictures:  # signs are all that they say
        values, signs = printed, []
    return Choices(
        lettered(map(_text_of, values)),
        signs,
        pictures,
        [str(mark).strip().lower() == "true" for mark in marks],
    )


def _take(
    columns: dict[str, list[Any]], fits: Callable[[list[Any]], bool]
) -> list[Any]:
    """The values of the first column that fits, which is taken out; none where none does."""
    for name, values in columns.items():
        if fits(values):
            del columns[name]
            return values
    return []


def _are_signs(values: list[Any]) -> bool:
    return in_order(_stripped(values))


def _stripped(values: list[Any]) -> list[str]:
    return [as_text(value).strip(" .()") for value in values]


def _is_mark(values: list[Any]) -> bool:
    """Whether values say yes or no, and yes at least once."""
    verdicts = {str(value).lower().strip() for value in values if value is not None}
    return "true" in verdicts and verdicts <= {"true", "false"}


def _are_pictures(values: list[Any]) -> bool:
    """Whether values are pictures, or names of them."""
    filled = [value for value in values if value not in _EMPTY]
    return bool(filled) and all(map(_is_picture, filled))


def _is_picture(value: Any) -> bool:
    if isinstance(value, dict):
        return "bytes" in value or "path" in value
    if isinstance(value, str):
        return _PICTURE.match(value) is not None
    return isinstance(value, bytes)
