"""Talking to people: results on stdout, progress and talk on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click
import msgspec

from .files import encode, pretty

T = TypeVar("T")

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
plugin_option = click.option(
    "--plugin",
    "plugins",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Python file that adds stages, readers, exporters or profiles: it is run. Repeatable.",
)


def say(message: str) -> None:
    """One line of talk on stderr."""
    click.echo(message, err=True)


def emit(data: Any, as_json: bool, text: str) -> None:
    """The result of a reporting command: `data` as JSON, or `text`."""
    click.echo(pretty(data).decode().rstrip("\n") if as_json else text)


def table(rows: Sequence[Sequence[Any]], header: Sequence[str]) -> str:
    """Plain aligned columns; numbers to the right.

    >>> print(table([["a", 10], ["bc", 9]], ["name", "n"]))
    name   n
    a     10
    bc     9
    """
    cells = [[str(c) for c in row] for row in [list(header), *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    right = [
        bool(rows) and all(isinstance(r[k], int | float) for r in rows) for k in range(len(header))
    ]
    lines = (
        "  ".join(
            c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)
        )
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def progress(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Pass items through, showing count and rate on stderr twice a second (terminals only)."""
    if not sys.stderr.isatty():
        yield from items
        return
    start = shown = time.monotonic()
    count = 0
    for item in items:
        yield item
        count += 1
        now = time.monotonic()
        if now - shown > 0.5:
            shown = now
            of = f"/{total}" if total else ""
            click.echo(
                f"\r{label}: {count}{of}  {count / (now - start):.0f}/s ", err=True, nl=False
            )
    click.echo(f"\r{label}: {count} in {time.monotonic() - start:.1f} s    ", err=True)


def json_lines(
    stream: BinaryIO, name: str = "<stdin>"
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Number and object of each input line of a JSONL tool; an unreadable line gives its cause."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield number, f"{name}:{number}: {error}"
            continue
        yield number, record if isinstance(record, dict) else f"{name}:{number}: not a JSON object"


def put_line(record: Any) -> None:
    """One JSON line on stdout."""
    sys.stdout.buffer.write(encode(record))
