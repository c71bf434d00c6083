"""How all JSONL tools behave: an answer for every line, same ids, same order, one exit rule."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO

import msgspec

from .errors import UserError
from .terminal import put_line, say

Record = dict[str, Any]
Map = Callable[[Callable[[Record | str], Record], Iterable[Record | str]], Iterable[Record]]


def run(work: Callable[[Record], Record], map: Map = builtins.map) -> None:
    """Answer every record on stdin with `{"id", ...}`, or `{"id", "error"}` where it failed.

    `work` makes the answer; what it refuses with UserError, or finds malformed, fails like a line
    that is no JSON object, and none stops the rest. Exits with 1 when a line failed. `map` may do
    the work elsewhere, in order.
    """
    lines = failed = 0
    for answer in map(partial(_answer, work), _records(sys.stdin.buffer)):
        put_line(answer)
        lines += 1
        failed += "error" in answer
    if failed:
        say(f"{failed} of {lines} lines failed: see their 'error'")
        raise SystemExit(1)


def text_of(record: Record, field: str) -> str:
    """The text in a field of a record; raises UserError when there is none.

    >>> text_of({"mmd": "x"}, "mmd")
    'x'
    """
    text = record.get(field)
    if not isinstance(text, str):
        raise UserError(f"no text in {field!r}")
    return text


def _answer(work: Callable[[Record], Record], record: Record | str) -> Record:
    if isinstance(record, str):
        return {"id": None, "error": record}
    try:
        return {"id": record.get("id"), **work(record)}
    except (UserError, msgspec.ValidationError) as error:
        return {"id": record.get("id"), "error": str(error)}


def _records(stream: BinaryIO) -> Iterator[Record | str]:
    """The object of each line that is not blank; of an unreadable one, what is wrong with it."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield f"<stdin>:{number}: {error}"
            continue
        yield record if isinstance(record, dict) else f"<stdin>:{number}: not a JSON object"
