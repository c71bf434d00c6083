"""A sheet of an Excel workbook, read row by row and bounded.

Nothing of a workbook is run or fetched: formulas give the value that was saved with them, links
to other files are not followed, entities of XML stay within the bounds of the parser.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..base.archives import ZIP_ERRORS
from ..base.extras import extra
from ..errors import BenchwrightError, UserError
from .cells import above_header
from .sheet_pictures import SheetPictures

MAX_UNPACKED = 500_000_000  # bytes of all parts of a workbook; a zip bomb has more
LONGEST_FORMAT = 40  # signs; longer ones are not those that show a number otherwise
IMAGES = "images"  # the column of pictures that lie in no column with a name
MAX_CELLS = 20_000_000  # blank ones, too: a sheet may name a cell a million rows below
LARGEST = 1e15  # below it floats tell whole numbers apart
# Formats that show a number otherwise than it is saved: 007, 1.50, 25%; 1/2, 1 1/2.
_DECIMAL = re.compile(r"(0+)(?:\.(0+))?(%?)")
_FRACTION = re.compile(r"(# )?\?+/(\?+)")
_EMPTY = (None, "")

Rows = list[tuple[int, list[Any]]]


def sheet_rows(
    path: Path, sheet: str | None = None, *, typed: bool = False
) -> tuple[str, Iterator[tuple[int, list[Any]]]]:
    """A remark or "", and (row, values) of each row that holds something.

    The first sheet that is not hidden, or the one named `sheet`. With `typed` a formula in a column
    of texts is a text that begins with "=", as replies do; a column of formulas is calculated.
    Raises UserError for what is no workbook, for bombs, and for a sheet that is not there.
    """
    _check_size(path)
    title, remark, rows = _read(path, sheet, values=False)
    formulas: dict[int, list[Any]] = {}
    if any("f" in kinds for _, _, kinds in rows):
        _, _, calculated = _read(path, sheet, values=True)
        saved = {number: values for number, values, _ in calculated}
        formulas = {number: values for number, values, _ in rows}
        columns = _calculated_columns(rows) if typed else None
        rows = [
            (number, _calculated(values, kinds, saved.get(number, []), columns), kinds)
            for number, values, kinds in rows
        ]
    table = [
        (number, values)
        for number, values, _ in rows
        if any(value is not None for value in values)
    ]
    count, above = above_header(table)
    table = table[count:]
    drawn = _with_pictures(table, SheetPictures(path, title), formulas)
    return "; ".join(filter(None, [remark, above, _dates(rows), drawn])), iter(table)


def _read(
    path: Path, name: str | None, *, values: bool
) -> tuple[str, str, list[tuple[int, list[Any], list[str]]]]:
    """The title of the sheet that is read, a remark on the choice, and its rows."""
    book, sheet, remark = _opened(path, name, values=values)
    rows = list(_rows(path, sheet))
    book.close()
    return sheet.title, remark, rows


def _with_pictures(
    table: Rows, pictures: SheetPictures, formulas: dict[int, list[Any]]
) -> str:
    """Put a sheet's pictures into the rows that they belong to; what is to be told of them.

    A picture is the value of its cell, where that is empty in a column with a name; else it goes
    into the one column that has a name and nothing else, or into the column `images`. One that
    lies beside all rows belongs to the row above it.
    """
    if not table:
        return ""
    for number, values in table:
        for k, shown in enumerate(formulas.get(number, values)):
            picture = pictures.of_formula(shown)
            if picture is not None and k < len(values):
                values[k] = None
                pictures.placed.setdefault((number, k + 1), []).append(picture)
    (_, header), *body = table
    free = _free_column(header, body)
    beside = 0
    for (row, column), images in sorted(pictures.placed.items()) if body else ():
        number, values = next((r for r in reversed(body) if r[0] <= row), body[0])
        beside += number != row
        _place(images, column, header, values, free)
    return "; ".join(_remarks(pictures, beside))


def _place(
    images: list[Any], column: int, header: list[Any], values: list[Any], free: str
) -> None:
    """Put the pictures of a cell into its row: there, or into the column that is free for them."""
    has_name = column <= len(header) and header[column - 1] not in _EMPTY
    _fill_up(values, header)
    if (has_name and values[column - 1] in _EMPTY) or _is_error(values, column):
        values[column - 1] = images[0] if len(images) == 1 else images
        return
    if free not in header:
        header.append(free)
        _fill_up(values, header)
    at = header.index(free)
    before = [] if values[at] in _EMPTY else values[at]
    values[at] = [*(before if isinstance(before, list) else [before]), *images]


def _fill_up(values: list[Any], header: list[Any]) -> None:
    values += [None] * (len(header) - len(values))


def _remarks(pictures: SheetPictures, beside: int) -> Iterator[str]:
    if count := sum(map(len, pictures.placed.values())):
        yield f"{count} pictures of the sheet, by the cell of their upper left corner"
    if beside:
        yield f"{beside} of them beside all rows, taken to the row above"
    if pictures.others:
        yield f"{pictures.others} charts or shapes on the sheet are not read"
    if pictures.damage:
        yield f"the drawings on the sheet cannot be read ({pictures.damage})"


def _free_column(header: list[Any], body: Rows) -> str:
    """The one column with a name in which no row holds anything, or `images`."""

    def is_empty(column: int) -> bool:
        return all(
            len(values) <= column or values[column] in _EMPTY for _, values in body
        )

    empty = [n for k, n in enumerate(header) if n not in _EMPTY and is_empty(k)]
    return str(empty[0]) if len(empty) == 1 else IMAGES


def _is_error(values: list[Any], column: int) -> bool:
    """Excel saves a picture in a cell as the error that programs before it show."""
    return column <= len(values) and values[column - 1] == "#VALUE!"


def _dates(rows: list[tuple[int, list[Any], list[str]]]) -> str:
    """Where dates stand: a spreadsheet program makes one of a fraction that is typed as 1/2."""
    lines = [number for number, _, kinds in rows for kind in kinds if kind == "d"]
    if not lines:
        return ""
    cells = f"{len(lines)} cells hold dates"
    if len(lines) == 1:
        cells = "1 cell holds a date"
    return f"{cells}, the first in row {lines[0]} (was a fraction typed?)"


class NoValue:
    """A formula whose value was never saved: only a spreadsheet program can tell it."""


def _calculated(
    formulas: list[Any],
    kinds: list[str],
    saved: list[Any],
    columns: set[int] | None = None,
) -> list[Any]:
    """The values of a row's formulas; of those outside of `columns`, where given, their texts."""
    saved = saved + [None] * (len(formulas) - len(saved))
    values = list(saved)
    for k, (formula, kind) in enumerate(zip(formulas, kinds, strict=False)):
        is_text = columns is not None and k not in columns
        if kind == "f" and is_text and str(formula).startswith("="):
            values[k] = formula
        elif kind == "f" and saved[k] is None:
            values[k] = NoValue()
    return values


def _calculated_columns(rows: list[tuple[int, list[Any], list[str]]]) -> set[int]:
    """The columns of which most cells are formulas."""
    formulas: Counter[int] = Counter()
    filled: Counter[int] = Counter()
    for _, values, kinds in rows[1:]:
        for k, (value, kind) in enumerate(zip(values, kinds, strict=False)):
            formulas[k] += kind == "f"
            filled[k] += value is not None
    return {k for k, n in formulas.items() if 2 * n > filled[k]}


def _check_size(path: Path) -> None:
    """The sizes that a zip states hold: its reader gives no byte more, or fails."""
    try:
        with zipfile.ZipFile(path) as book:
            size = sum(entry.file_size for entry in book.infolist())
    except ZIP_ERRORS as error:
        raise _unreadable(path, error) from error
    if size > MAX_UNPACKED:
        raise UserError(
            f"{path} is larger than {MAX_UNPACKED:,} bytes when it is unpacked",
            "save it as CSV",
        )


def _opened(path: Path, name: str | None, *, values: bool) -> tuple[Any, Any, str]:
    with extra("excel", "reading an Excel workbook"):
        import openpyxl

    try:
        book = openpyxl.load_workbook(
            path, read_only=True, data_only=values, keep_links=False
        )
        sheets = {
            sheet.title: sheet
            for sheet in book.worksheets
            if name or sheet.sheet_state == "visible"
        }
    except Exception as error:  # KeyError, ParseError, ...: whatever a part provokes
        raise _unreadable(path, error) from error
    if not sheets or (name is not None and name not in sheets):
        what = f"no sheet {name!r}" if name else "no sheet that is visible"
        raise UserError(
            f"{path} has {what}", f"its sheets: {', '.join(sheets) or 'none'}"
        )
    title = name or next(iter(sheets))
    others = ", ".join(other for other in sheets if other != title)
    remark = f"sheet {title!r} is read, not {others}" if others and not name else ""
    return book, sheets[title], remark


def _rows(path: Path, sheet: Any) -> Iterator[tuple[int, list[Any], list[str]]]:
    """Number, values and openpyxl's types of each row."""
    cells = 0
    try:
        sheet.reset_dimensions()  # what a sheet says of its own size is often wrong
        for number, row in enumerate(sheet.iter_rows(), 1):
            cells += 1 + len(row)
            if cells > MAX_CELLS:
                raise UserError(
                    f"{path} has more than {MAX_CELLS:,} cells", "save it as CSV"
                )
            if row:
                kinds = [cell.data_type for cell in row]
                yield number, list(map(_value, row)), kinds
    except BenchwrightError:
        raise
    except Exception as error:
        raise _unreadable(path, error) from error


def _value(cell: Any) -> Any:
    """As the sheet shows it: no `.0` behind whole numbers, TRUE and FALSE, dates in ISO 8601."""
    value = cell.value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        shown = shown_number(value, getattr(cell, "number_format", None) or "")
        if shown is not None:
            return shown
        is_whole = isinstance(value, float) and value.is_integer()
        return int(value) if is_whole and abs(value) < LARGEST else value
    if value is None or isinstance(value, str):
        return value or None
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def shown_number(value: float, format: str) -> str | None:
    """What a cell shows of its number where its format says how; None where it says nothing, or
    would show another number.

    >>> shown_number(7, "000"), shown_number(1.5, "0.00"), shown_number(0.25, "0%")
    ('007', '1.50', '25%')
    >>> shown_number(0.5, "# ?/?"), shown_number(1.5, "# ?/?"), shown_number(1.234, "0.00")
    ('1/2', '1 1/2', None)
    """
    if not abs(value) < LARGEST or len(format) > LONGEST_FORMAT:
        return None
    shown = ""
    if match := _DECIMAL.fullmatch(format):
        shown = _as_decimal(abs(value), match[1], match[2] or "", match[3])
    elif match := _FRACTION.fullmatch(format):
        shown = _as_fraction(abs(value), len(match[2]), mixed=bool(match[1]))
    sign = "-" if value < 0 else ""
    return f"{sign}{shown}" if shown else None


def _as_decimal(size: float, digits: str, decimals: str, percent: str) -> str:
    """As 007, 1.50 or 25%; "" where that is another number, or no other way to write it."""
    scaled = size * 100 if percent else size
    width = len(digits) + (len(decimals) + 1 if decimals else 0)
    text = f"{scaled:0{width}.{len(decimals)}f}"
    is_exact = math.isclose(float(text), scaled, rel_tol=1e-12)
    is_other = decimals or len(digits) > 1 or percent
    return f"{text}{percent}" if is_exact and is_other else ""


def _as_fraction(size: float, places: int, mixed: bool) -> str:
    """As 1/2 or 1 1/2; "" where that is another number, or a whole one."""
    fraction = Fraction(size).limit_denominator(10**places - 1)
    whole, rest = divmod(fraction, 1) if mixed else (0, fraction)
    if not rest or not math.isclose(float(fraction), size, rel_tol=1e-12):
        return ""
    return f"{whole} {rest}" if whole else str(rest)


def _unreadable(path: Path, error: Exception) -> UserError:
    cause = f"{type(error).__name__}: {error}"[:200]
    return UserError(
        f"{path} is not an Excel workbook that can be read ({cause})", "save it as CSV"
    )
