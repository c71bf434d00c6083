"""What every reading of options gives: the options, and what was printed for A, B, C."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ..problem import Option
from ..words import LETTERS
from .shapes import alone, text_of


class Choices(msgspec.Struct):
    """Options as they were read, A, B, C, ... whatever their own signs are."""

    options: list[Option] = []
    signs: list[str] = []  # as they are printed
    pictures: list[Any] = []  # one an option, or none at all
    right: list[bool] = []  # which of them a record marks as right
    marks: list[str] = []  # the labels and separators that are no part of any option
    before: str = ""  # the text that stands before the first label
    names: list[str] = []  # of the columns or fields that hold them


def lettered(values: Iterable[str]) -> list[Option]:
    """Options A, B, C ... from their values.

    >>> [o.label for o in lettered(["1", "2"])]
    ['A', 'B']
    """
    values = list(values)
    if len(values) > len(LETTERS):
        raise too_many(len(values))
    pairs = zip(LETTERS, values, strict=False)
    return [Option(label=label, text=value) for label, value in pairs]


def too_many(count: int) -> ValueError:
    """The error of more options than there are letters."""
    return ValueError(f"{count:,} options, {len(LETTERS)} at most")


def as_text(value: Any) -> str:
    """A value of JSON as it is shown; what is missing shows nothing.

    The source of a container whose shape says nothing stays: `check` finds it.
    """
    if value is None or is_nan(value):
        return ""
    if isinstance(value, str):
        return value
    text = text_of(alone(value), " ") if isinstance(value, list | dict) else None
    return msgspec.json.encode(value).decode() if text is None else text


def is_nan(value: Any) -> bool:
    """Whether a value is what a table reads for an empty cell among numbers."""
    return isinstance(value, float) and value != value
