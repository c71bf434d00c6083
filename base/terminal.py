"""Talking to people: results on stdout, progress and messages on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TextIO, TypeVar

import click

from .files import pretty

T = TypeVar("T")


def say(message: str) -> None:
    """One message on stderr."""
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
    columns = map(_column, zip(header, *rows, strict=True))
    lines = zip(*columns, strict=True)
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _column(column: Sequence[Any]) -> list[str]:
    """The cells of a column, a title and values, equally wide."""
    _, *values = column
    cells = [str(cell) for cell in column]
    width = max(map(len, cells))
    if values and all(isinstance(value, int | float) for value in values):
        return [cell.rjust(width) for cell in cells]
    return [cell.ljust(width) for cell in cells]


def progress(
    items: Iterable[T],
    label: str,
    total: int,
    unit: str,
    stream: TextIO | None = None,
    *,
    weight: Callable[[T], int] = lambda item: 1,
    every: float | None = None,
) -> Iterator[T]:
    """Pass items through; a terminal on `stream` (stderr) sees how many of `total` are done.

    Elsewhere a line says so `every` so many seconds, where that is given. An item stands for
    `weight(item)` units; a `total` of 0 is unknown.

    >>> list(progress("ab", "gold", 2, "problems"))
    ['a', 'b']
    """
    stream = stream or sys.stderr
    start = last = time.monotonic()
    count = 0
    of = f" of {total:,}" if total else ""
    if not stream.isatty():
        for item in items:
            count += weight(item)
            yield item
            if every and (now := time.monotonic()) - last > every:
                last = now
                stream.write(f"{label}: {count:,}{of} {unit}\n")
                stream.flush()
        return
    _rewrite(stream, f"{label}: 0{of} {unit}")
    for item in items:
        count += weight(item)
        yield item
        now = time.monotonic()
        if now - last > 0.5:
            last = now
            rate = count / (now - start)
            _rewrite(stream, f"{label}: {count:,}{of} {unit}, {rate:,.0f}/s")
    _rewrite(stream, f"{label}: {count:,} {unit} in {time.monotonic() - start:.1f} s\n")


steadily = partial(progress, every=3.0)  # for work that takes minutes


def _rewrite(stream: TextIO, line: str) -> None:
    """Put a line in the place of the last one."""
    stream.write(f"\r{line}\x1b[K" if not line.endswith("\n") else f"\r\x1b[K{line}")
    stream.flush()
