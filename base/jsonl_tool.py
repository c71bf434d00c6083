"""How all JSONL tools behave: an answer for every line, same ids, same order, one exit rule."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO

import msgspec

from ..errors import UserError
from .json_lines import decode, put_line

JsonObject = dict[str, Any]
LineResult = tuple[JsonObject, bool]  # the answer, and whether its line could be read
Map = Callable[
    [Callable[[JsonObject | str], LineResult], Iterable[JsonObject | str]],
    Iterable[LineResult],
]


MAX_LINE = 32_000_000  # bytes; a saved page with its pictures stays below
MAX_TEXT = 1_000_000  # characters of one text, about 500 pages


class Malformed(UserError):
    """A record that lacks what the tool needs, or holds something else in its place."""


def run(work: Callable[[JsonObject], JsonObject], map: Map = builtins.map) -> None:
    """Answer every record on stdin with `{"id", ...}`, or with `{"id", "error"}`.

    `work` makes the answer. Lines that are no JSON objects, or malformed, stop none of the others,
    and make the exit status 1; what `work` refuses about a sound record with another UserError is
    its answer and leaves the status 0. `map` may do the work elsewhere, in order.
    """
    lines = unreadable = errors = 0
    for answer, readable in map(partial(_answer, work), records(sys.stdin.buffer)):
        put_line(answer)
        lines += 1
        unreadable += not readable
        errors += "error" in answer
    if errors:
        from .terminal import say

        say(
            f"{unreadable} of {lines} lines unreadable, {errors - unreadable} refused: see 'error'"
        )
    if unreadable:
        raise SystemExit(1)


def text_of(record: JsonObject, field: str) -> str:
    """The text in a field of a record; raises Malformed when there is none, or too much of it.

    >>> text_of({"mmd": "x"}, "mmd")
    'x'
    """
    text = record.get(field)
    if not isinstance(text, str):
        raise Malformed(f"no text in {field!r}")
    if len(text) > MAX_TEXT:
        raise Malformed(
            f"{field!r} has {len(text):,} characters, the limit is {MAX_TEXT:,}"
        )
    return text


def _answer(
    work: Callable[[JsonObject], JsonObject], record: JsonObject | str
) -> LineResult:
    if isinstance(record, str):
        return {"id": None, "error": record}, False
    try:
        return {"id": record.get("id"), **work(record)}, True
    except (UserError, msgspec.ValidationError) as error:
        return {"id": record.get("id"), "error": str(error)}, not isinstance(
            error, Malformed | msgspec.ValidationError
        )


def records(stream: BinaryIO) -> Iterator[JsonObject | str]:
    """The object of each line that is not blank; of an unreadable one, what is wrong with it."""
    for number, line in enumerate(_lines(stream), 1):
        if not line.strip():
            continue
        if len(line) > MAX_LINE:
            yield f"<stdin>:{number}: a line of more than {MAX_LINE:,} bytes"
            continue
        try:
            record = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield f"<stdin>:{number}: {error}"
            continue
        yield (
            record
            if isinstance(record, dict)
            else f"<stdin>:{number}: not a JSON object"
        )


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines; of one that is too long only the start, a byte longer than the limit, is kept."""
    while line := stream.readline(MAX_LINE + 1):
        yield line
        while line and not line.endswith(b"\n") and len(line) > MAX_LINE:
            line = stream.readline(MAX_LINE + 1)
