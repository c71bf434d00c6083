"""The parts of a report: sections of sentences, tables and plots, however they will be set."""

from __future__ import annotations

import re
from typing import Any

import msgspec

FIGURE = re.compile(r"[-+0-9.,:%e\[\]() ]*|n/a|None")


class ReportTable(msgspec.Struct):
    """A table; cells are shown as text. A `folded` one with a title is opened by a click."""

    header: list[str]
    rows: list[list[Any]]
    title: str = ""
    folded: bool = False

    def numeric(self) -> list[bool]:
        """Which columns hold figures alone: they are set flush right and never broken.

        >>> ReportTable(["of", "n", "95 %"], [["a", 3, "[1.0, 2.0]"], ["b", "", "n/a"]]).numeric()
        [False, True, True]
        """
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        return [
            any(v != "" for v in c) and all(FIGURE.fullmatch(str(v)) for v in c) for c in columns
        ]


class Section(msgspec.Struct):
    """A heading, sentences, tables, and plots as SVG (in the HTML report only)."""

    title: str
    notes: list[str] = msgspec.field(default_factory=list)
    tables: list[ReportTable] = msgspec.field(default_factory=list)
    plots: list[str] = msgspec.field(default_factory=list)
    links: list[tuple[str, str]] = msgspec.field(default_factory=list)  # text, relative address


class Headline(msgspec.Struct):
    """A figure that stands first: `value` in large, `of` what it is; an interval is drawn."""

    of: str
    value: str
    note: str = ""
    low: float | None = None  # fractions of one
    middle: float | None = None
    high: float | None = None
    tone: str = ""  # good, bad
