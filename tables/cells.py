"""The cells of a CSV or TSV: what cuts them, and rows that are damaged without harm to the rest."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import chain, count, takewhile
from typing import Any

import msgspec

DELIMITERS = ",;\t|"
LOOKED_AT = 50  # rows that show what cuts the cells
SEARCHED = 12  # rows that a header below a title is looked for in
LEAST = 3  # cells of such a header


class Damaged(msgspec.Struct, frozen=True):
    """A row that cannot be read: why, and how it starts."""

    cause: str
    start: str

    @classmethod
    def of(cls, cause: str, text: str) -> Damaged:
        """The damage of a row of this text."""
        return cls(cause, text[:500].rstrip("\r\n").encode("utf-8", "replace").decode())


Row = list[Any] | Damaged


def split_rows(
    text: str, delimiter: str | None = None
) -> tuple[str, Iterator[tuple[int, Row]]]:
    """What cuts the cells, and (line, cells) of each row, or its damage.

    Blank rows are none. Behind a row that breaks the rules of quoting, reading goes on at the next
    line, so that a quotation mark which is never closed costs its own line alone.

    >>> cut, rows = split_rows('id;q\\n1;"open\\n2;x\\n')
    >>> cut, [row for _, row in rows][1:]
    (';', [Damaged(cause='broken CSV: unexpected end of data', start='1;"open'), ['2', 'x']])
    """
    lines = list(io.StringIO(text, newline=""))
    if (notes := _notes(lines)).get("separator"):
        return _of_anki(lines, notes, delimiter)
    first = 0
    if lines and lines[0].startswith("sep=") and len(lines[0].rstrip("\r\n")) == 5:
        delimiter, first = delimiter or lines[0][4], 1  # Excel's own way to say it
    delimiter = delimiter or _delimiter(lines)
    return delimiter, _rows(lines, first, delimiter)


# How Anki writes a deck as text: what cuts the cells, which columns are no fields, their names.
_NOTE = re.compile(r"#([a-z ]+):(.*)")
_CUTS = {
    "tab": "\t",
    "comma": ",",
    "semicolon": ";",
    "pipe": "|",
    "colon": ":",
    "space": " ",
}


def _notes(lines: Sequence[str]) -> dict[str, str]:
    """What the first lines of a table say of it: `#separator:semicolon`, `#guid column:1`."""
    noted = (_NOTE.fullmatch(line.rstrip("\r\n")) for line in lines)
    return {note[1]: note[2] for note in takewhile(bool, noted) if note}


def _of_anki(
    lines: list[str], notes: dict[str, str], delimiter: str | None
) -> tuple[str, Iterator[tuple[int, Row]]]:
    """The rows of a deck below the header that its notes are; other fields are field1, field2."""
    cut = delimiter or _CUTS.get(notes["separator"].lower(), notes["separator"][:1])
    start = len(notes)
    if "columns" in notes:
        header = notes["columns"].split(cut)
    else:
        places = {
            int(place): name.removesuffix(" column")
            for name, place in notes.items()
            if name.endswith(" column") and place.isdecimal()
        }
        first = (row for _, row in _rows(lines, start, cut) if isinstance(row, list))
        wide = len(next(first, []))
        fields = (f"field{number}" for number in count(1))
        header = [places.get(k) or next(fields) for k in range(1, wide + 1)]
    return cut, chain([(start, header)], _rows(lines, start, cut))


def _rows(lines: list[str], start: int, delimiter: str) -> Iterator[tuple[int, Row]]:
    csv.field_size_limit(1 << 30)  # tables of harnesses hold pictures in base64
    while start < len(lines):
        below = (lines[k] for k in range(start, len(lines)))
        rows = csv.reader(below, delimiter=delimiter, strict=True)
        before = 0
        while True:
            try:
                cells = next(rows, None)
            except csv.Error as error:
                start += before + 1
                yield start, Damaged.of(f"broken CSV: {error}", lines[start - 1])
                break
            if cells is None:
                return
            if any(cells):
                yield start + before + 1, cells
            before = rows.line_num


def _delimiter(lines: list[str]) -> str:
    """The mark by which most rows have as many cells as the header; commas first.

    >>> _delimiter(["id;stem, in words;key\\n", "1;a, b, c;4\\n"]), _delimiter(["id\\n", "1\\n"])
    (';', ',')
    """

    def fit(delimiter: str) -> tuple[int, int]:
        rows = _rows(lines[:LOOKED_AT], 0, delimiter)
        widths = [len(row) if isinstance(row, list) else 0 for _, row in rows]
        wide = widths[0] if widths else 0
        return widths.count(wide) if wide > 1 else 0, wide

    return max(DELIMITERS, key=fit)


def above_header(rows: Sequence[tuple[int, Row]]) -> tuple[int, str]:
    """How many of the first rows are a title above the header, and what is to be told of them.

    A title fills one cell, or none, of rows that fill three and more.

    >>> above_header([(1, ["A quiz", "", ""]), (2, ["id", "question", "key"])])
    (1, "above the header: 'A quiz'")
    """
    filled = [_filled(row) for _, row in rows[:SEARCHED]]
    count = next((k for k, cells in enumerate(filled) if len(cells) >= LEAST), 0)
    above = filled[:count]
    if not above or any(len(cells) > 1 for cells in above):
        return 0, ""
    titles = [cell for cells in above for cell in cells]
    return count, f"above the header: {' '.join(titles)[:80]!r}" if titles else ""


def _filled(row: Row) -> list[str]:
    cells = row if isinstance(row, list) else []
    return [str(cell) for cell in cells if cell not in (None, "")]
