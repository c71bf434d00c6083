"""The option, or options, that a free reply chooses: what `benchwright extract` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ...base.jsonl_tool import Malformed
from ...errors import UserError
from ...problem import Option
from ..equivalence import budget
from .final_answer import Letter, choose


def extract(response: str, options: Sequence[Option | str | None]) -> Letter:
    """The letter of the chosen option.

    Where a reply chooses several, `letter` is None and `letters` holds them.

    Args:
        response: A free reply.
        options: Records, or texts that are labelled A, B, C, ...; they may be empty.

    Raises UserError for a reply that is no text and options that are no options.

    >>> extract("I considered (A), but it is wrong. The answer is **D**.", [None] * 4).letter
    'D'
    >>> extract("The angle is 40°, not 30°.", ["30°", "40°"]).letter
    'B'
    >>> extract("The answer is A and C.", [None] * 4).letters
    ('A', 'C')
    """
    if not isinstance(response, str):
        raise UserError(f"the reply is {response!r}", "give a text (str)")
    records = options_of(options)
    labels = [option.label for option in records]
    texts = [option.text for option in records]
    with budget():
        return choose(response, labels, texts)


def options_of(options: Sequence[Option | str | None]) -> list[Option]:
    """Options as records; texts, or None where only the letter is known, are labelled A, B, C, ...

    >>> options_of(["4", None])
    [Option(label='A', text='4', image=None), Option(label='B', text='', image=None)]

    Raises UserError for anything else.
    """
    if isinstance(options, str) or not isinstance(options, Sequence):
        raise UserError(
            f"options are {options!r}", "give a list of texts, or of Option"
        )
    for k, option in enumerate(options):
        if not isinstance(option, Option | str | None):
            raise UserError(
                f"option {k + 1} is {option!r}", "give a text, or an Option"
            )
    return [_record(option, chr(ord("A") + k)) for k, option in enumerate(options)]


def _record(option: Option | str | None, label: str) -> Option:
    if isinstance(option, Option):
        return option
    return Option(label=label, text=option or "")


def read_options(options: Any) -> list[Option]:
    """Options of a JSON line: as records, or as plain texts that are labelled A, B, C ..."""
    if not isinstance(options, list):
        raise Malformed(f"options is {options!r:.80}, not a list")
    return options_of([_read_option(option) for option in options])


def _read_option(option: Any) -> Option | str | None:
    if isinstance(option, dict):
        return msgspec.convert(option, Option)
    return None if option is None else str(option)
