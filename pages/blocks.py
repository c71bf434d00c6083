"""The parts of a report: sections of sentences, tables and plots, however they will be set."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import msgspec

FIGURE = re.compile(r"[-+0-9.,:%e\[\]() ]*|n/a|None")


def samples_of(**wanted: str) -> str:
    """The address of the samples on the same page that have these facets, or this id.

    >>> samples_of(verdict="wrong", sample="a 1"), samples_of()
    ('#verdict=wrong&sample=a+1', '#')
    """
    return f"#{urlencode(wanted)}"


class Cell(msgspec.Struct, frozen=True):
    """A cell that leads somewhere, stands out in its row or has a `note`: text outside a page."""

    text: str
    note: str = ""  # small, behind the text
    address: str = ""  # relative to the page
    best: bool = False

    def __str__(self) -> str:
        return self.text


class ReportTable(msgspec.Struct):
    """A table; cells are shown as text. A `folded` one with a title is opened by a click.

    One that is `plotted` says what a plot of its section shows, and so stands in Markdown only.
    """

    header: list[str]
    rows: list[list[Any]]
    title: str = ""
    folded: bool = False
    plotted: bool = False

    def numeric(self) -> list[bool]:
        """Which columns after the first hold figures alone: flush right and never broken.

        >>> ReportTable(["of", "n", "95 %"], [["a", 3, "[1.0, 2.0]"], ["b", "", "n/a"]]).numeric()
        [False, True, True]
        """
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        return [
            k > 0
            and any(v != "" for v in c)
            and all(FIGURE.fullmatch(str(v)) for v in c)
            for k, c in enumerate(columns)
        ]


class Section(msgspec.Struct):
    """A heading, sentences, tables, and plots as SVG (in the HTML report only).

    On a page with samples a section stands above them, or `below`.
    """

    title: str
    notes: list[str] = msgspec.field(default_factory=list)
    tables: list[ReportTable] = msgspec.field(default_factory=list)
    plots: list[str] = msgspec.field(default_factory=list)
    links: list[tuple[str, str]] = msgspec.field(
        default_factory=list
    )  # text, relative address
    below: bool = False


def shown(cell: Any) -> str:
    """The text of a cell, counts with their thousands set apart.

    >>> shown(3040), shown(None), shown(Cell("a"))
    ('3,040', '', 'a')
    """
    if cell is None:
        return ""
    return f"{cell:,}" if type(cell) is int else str(cell)


class Headline(msgspec.Struct):
    """A figure that stands first: `value` in large, `of` what it is; an interval is drawn.

    `address` leads to its samples.
    """

    of: str
    value: str
    note: str = ""
    low: float | None = None  # fractions of one
    middle: float | None = None
    high: float | None = None
    tone: str = ""  # good, bad
    address: str = ""
