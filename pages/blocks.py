"""The parts of a report: sections of sentences, tables and plots, however they will be set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlencode

import msgspec

# Figures, percents, intervals, powers of ten, and what stands for none; words are no figures.
FIGURE = re.compile(r"[-+0-9.,:%e\[\]() ]*|n/a|None")

Record = Mapping[str, Any]  # the values of a row, by the names of their columns


# What an address says beside facets; a facet of such a name is called `label-...` there.
RESERVED = (
    "q",
    "where",
    "sample",
    "problem",
    "together",
    "view",
    "sort",
    "run",
    "runs",
    "base",
)


def samples_of(sample: str = "", where: str = "", **wanted: str) -> str:
    """The address of the samples on the same page that have these facets, or of one by its id.

    `where` is a condition as the page's own field takes it.

    >>> samples_of(verdict="wrong", sample="a 1"), samples_of(), samples_of(run="x")
    ('#sample=a+1&verdict=wrong', '#', '#label-run=x')
    """
    own = {"sample": sample, "where": where}
    facets = {
        f"label-{name}" if name in RESERVED else name: value
        for name, value in wanted.items()
    }
    return (
        f"#{urlencode({name: value for name, value in own.items() if value} | facets)}"
    )


class Cell(msgspec.Struct, frozen=True):
    """A cell that leads somewhere, stands out in its row or has a `note`: text outside a page."""

    text: str
    note: str = ""  # small, behind the text
    address: str = ""  # relative to the page
    best: bool = False

    def __str__(self) -> str:
        return self.text


def as_is(value: Any) -> Any:
    """The value itself: the page and Markdown print it."""
    return value


class Column(msgspec.Struct, frozen=True):
    """A column, declared once: its name in records, its heading, and how its values are printed.

    It stands on the side that `align` says; by default figures stand to the right.
    """

    name: str
    printed: Callable[[Any], Any] = as_is
    heading: str | None = None  # default: its name
    align: Literal["", "left", "right"] = ""

    def cell(self, value: Any) -> Any:
        """What stands in the cell; texts, links and the blank "" are printed already.

        >>> Column("share", "{:.1%}".format).cell(0.25), Column("share", "{:.1%}".format).cell("")
        ('25.0%', '')
        """
        if isinstance(value, str | Cell):
            return value
        return self.printed(value)


class ReportTable(msgspec.Struct):
    """A table; cells are shown as text. A `folded` one with a title is opened by a click.

    One that is `plotted` says what a plot of its section shows, and so stands in Markdown only.
    Rows are best made `of` records, or as a `matrix`. Raises ValueError where a row has more or
    fewer cells than there are headings.
    """

    header: list[str]
    rows: list[list[Any]]
    title: str = ""
    folded: bool = False
    plotted: bool = False
    aligned: list[str] = msgspec.field(default_factory=list)  # as columns say it

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.header):
                raise ValueError(
                    f"table {self.title or self.header!r}: row {number} has {len(row)} cells "
                    f"under {len(self.header)} headings: {row!r}"
                )

    @classmethod
    def of(
        cls,
        columns: Sequence[Column],
        records: Iterable[Record],
        title: str = "",
        *,
        folded: bool = False,
        plotted: bool = False,
    ) -> ReportTable:
        """A table with a row for each record. Raises ValueError where a record has other names.

        >>> columns = [Column("of"), Column("share", "{:.1%}".format, heading="%")]
        >>> table = ReportTable.of(columns, [{"share": 0.5, "of": "a"}])
        >>> table.header, table.rows
        (['of', '%'], [['a', '50.0%']])
        """
        names = [column.name for column in columns]
        what = f"table {title or names!r}"
        if len(set(names)) < len(names):
            raise ValueError(f"{what}: two columns have one name")
        rows = []
        for number, record in enumerate(records, 1):
            if record.keys() != set(names):
                missing = [name for name in names if name not in record]
                unknown = [name for name in record if name not in names]
                raise ValueError(
                    f"{what}: record {number} lacks {missing}, has no column for {unknown}"
                )
            rows.append([column.cell(record[column.name]) for column in columns])
        return cls(
            [c.name if c.heading is None else c.heading for c in columns],
            rows,
            title,
            folded,
            plotted,
            [column.align for column in columns],
        )

    @classmethod
    def matrix(
        cls,
        corner: str,
        names: Sequence[str],
        rows: Mapping[str, Record],
        printed: Callable[[Any], Any] = as_is,
        title: str = "",
    ) -> ReportTable:
        """A table whose rows and columns both have names from the data, all printed alike.

        Raises ValueError where a row has other names than `names`.

        >>> ReportTable.matrix("run", ["x", "y"], {"a": {"y": 2, "x": 1}}).rows
        [['a', 1, 2]]
        """
        # A column may be called as the corner is, so the corner's own name is none of theirs.
        first = Column("\0corner", heading=corner)
        columns = [first, *(Column(name, printed) for name in names)]
        records = [{first.name: name, **row} for name, row in rows.items()]
        return cls.of(columns, records, title)

    @classmethod
    def sparse(
        cls,
        corner: str,
        rows: Mapping[str, Record],
        printed: Callable[[Any], Any] = as_is,
        title: str = "",
    ) -> ReportTable:
        """A matrix of all names that any row has; what a row lacks is None to `printed`.

        >>> ReportTable.sparse("run", {"a": {"x": 1}, "b": {"y": 2}}, str).rows
        [['a', '1', 'None'], ['b', 'None', '2']]
        """
        names = list(dict.fromkeys(name for row in rows.values() for name in row))
        whole = {
            label: {name: row.get(name) for name in names}
            for label, row in rows.items()
        }
        return cls.matrix(corner, names, whole, printed, title)

    def numeric(self) -> list[bool]:
        """Which columns are flush right and never broken: unless said, those of figures alone.

        >>> ReportTable(["of", "n", "95 %"], [["a", 3, "[1.0, 2.0]"], ["b", "", "n/a"]]).numeric()
        [False, True, True]
        """
        sides = self.aligned or [""] * len(self.header)
        return [
            side == "right" or (not side and k > 0 and self._has_figures_alone(k))
            for k, side in enumerate(sides)
        ]

    def _has_figures_alone(self, place: int) -> bool:
        cells = [row[place] for row in self.rows]
        is_blank = all(cell == "" for cell in cells)
        return not is_blank and all(FIGURE.fullmatch(str(cell)) for cell in cells)


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
