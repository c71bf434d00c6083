"""A sheet of an Excel workbook, read row by row and bounded.

Nothing of a workbook is run or fetched: formulas give the value that was saved with them, links
to other files are not followed, entities of XML stay within the bounds of the parser.
"""

from __future__ import annotations

import math
import re
import zipfile
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
MAX_CELLS = (
    20_000_000  # blank ones among them: a sheet may name a cell a million rows below
)


def sheet_rows(
    path: Path, sheet: str | None = None
) -> tuple[str, Iterator[tuple[int, list[Any]]]]:
    """A remark or "", and (row, values) of each row that holds something.

    The first sheet that is not hidden, or the one named `sheet`.
    Raises UserError for what is no workbook, for bombs, and for a sheet that is not there.
    """
    _check_size(path)
    book, found, remark = _opened(path, sheet, values=False)
    rows = list(_rows(path, found))
    book.close()
    if any(kind == "f" for _, _, kinds in rows for kind in kinds):
        book, found, remark = _opened(path, sheet, values=True)
        saved = {number: values for number, values, _ in _rows(path, found)}
        book.close()
        formulas = {n: v for n, v, _ in rows}
        rows = [
            (n, _calculated(v, kinds, saved.get(n, [])), kinds) for n, v, kinds in rows
        ]
    else:
        formulas = {}
    table = [(n, values) for n, values, _ in rows if any(v is not None for v in values)]
    count, told = above_header(table)
    table = table[count:]
    seen = _with_pictures(table, SheetPictures(path, found.title), formulas)
    return "; ".join(filter(None, [remark, told, _dates(rows), seen])), iter(table)


def _with_pictures(
    table: list[tuple[int, list[Any]]],
    pictures: SheetPictures,
    formulas: dict[int, list[Any]],
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
            if (picture := pictures.of_formula(shown)) is not None and k < len(values):
                values[k] = None
                pictures.placed.setdefault((number, k + 1), []).append(picture)
    header, body = table[0][1], table[1:]
    beside, waiting = 0, _waiting(header, body)
    for (row, column), found in sorted(pictures.placed.items()):
        if not body:
            break
        number, values = next((r for r in reversed(body) if r[0] <= row), body[0])
        beside += number != row
        named = column <= len(header) and header[column - 1] not in (None, "")
        values += [None] * (len(header) - len(values))
        if (named and values[column - 1] in (None, "")) or _is_error(values, column):
            values[column - 1] = found[0] if len(found) == 1 else found
            continue
        if waiting not in header:
            header.append(waiting)
        at = header.index(waiting)
        values += [None] * (len(header) - len(values))
        before = values[at]
        known = (
            before
            if isinstance(before, list)
            else []
            if before in (None, "")
            else [before]
        )
        values[at] = [*known, *found]
    count = sum(map(len, pictures.placed.values()))
    told = [
        f"{count} pictures of the sheet, by the cell of their upper left corner"
        if count
        else "",
        f"{beside} of them beside all rows, taken to the row above" if beside else "",
        f"{pictures.others} charts or shapes on the sheet are not read"
        if pictures.others
        else "",
        f"the drawings on the sheet cannot be read ({pictures.damage})"
        if pictures.damage
        else "",
    ]
    return "; ".join(filter(None, told))


def _waiting(header: list[Any], body: list[tuple[int, list[Any]]]) -> str:
    """The one column with a name in which no row holds anything, or `images`."""
    empty = [
        name
        for k, name in enumerate(header)
        if name not in (None, "")
        and all(len(v) <= k or v[k] in (None, "") for _, v in body)
    ]
    return str(empty[0]) if len(empty) == 1 else IMAGES


def _is_error(values: list[Any], column: int) -> bool:
    """Excel saves a picture in a cell as the error that programs before it show."""
    return column <= len(values) and values[column - 1] == "#VALUE!"


def _dates(rows: list[tuple[int, list[Any], list[str]]]) -> str:
    """Where dates stand: a spreadsheet program makes one of a fraction that is typed as 1/2."""
    lines = [number for number, _, kinds in rows for kind in kinds if kind == "d"]
    if not lines:
        return ""
    cells = (
        "1 cell holds a date" if len(lines) == 1 else f"{len(lines)} cells hold dates"
    )
    return f"{cells}, the first in row {lines[0]} (was a fraction typed?)"


class NoValue:
    """A formula whose value was never saved: only a spreadsheet program can tell it."""


def _calculated(formulas: list[Any], kinds: list[str], saved: list[Any]) -> list[Any]:
    saved = saved + [None] * (len(formulas) - len(saved))
    return [
        (NoValue() if value is None else value) if kind == "f" else value
        for value, kind in zip(saved, kinds, strict=False)
    ]


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
            s.title: s for s in book.worksheets if name or s.sheet_state == "visible"
        }
    except (
        Exception
    ) as error:  # KeyError, TypeError, ParseError, ...: whatever a part provokes
        raise _unreadable(path, error) from error
    if not sheets or (name is not None and name not in sheets):
        what = f"no sheet {name!r}" if name else "no sheet that is visible"
        raise UserError(
            f"{path} has {what}", f"its sheets: {', '.join(sheets) or 'none'}"
        )
    title = name or next(iter(sheets))
    others = [other for other in sheets if other != title]
    remark = (
        f"sheet {title!r} is read, not {', '.join(others)}"
        if others and not name
        else ""
    )
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
                yield (
                    number,
                    [_value(cell) for cell in row],
                    [cell.data_type for cell in row],
                )
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
        if (
            shown is None
            and isinstance(value, float)
            and value.is_integer()
            and abs(value) < 1e15
        ):
            return int(value)
        return value if shown is None else shown
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
    if not abs(value) < 1e15 or len(format) > LONGEST_FORMAT:
        return None
    sign, size = "-" if value < 0 else "", abs(value)
    if match := re.fullmatch(r"(0+)(?:\.(0+))?(%?)", format):
        digits, decimals = len(match[1]), len(match[2] or "")
        width = digits + (decimals + 1 if decimals else 0)
        scale = 100 if match[3] else 1
        text = f"{size * scale:0{width}.{decimals}f}"
        exact = math.isclose(float(text), size * scale, rel_tol=1e-12)
        return (
            f"{sign}{text}{match[3]}"
            if exact and (decimals or digits > 1 or scale > 1)
            else None
        )
    if match := re.fullmatch(r"(# )?\?+/(\?+)", format):
        fraction = Fraction(size).limit_denominator(10 ** len(match[2]) - 1)
        whole, rest = divmod(fraction, 1) if match[1] else (0, fraction)
        if rest and math.isclose(float(fraction), size, rel_tol=1e-12):
            return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"
    return None


def _unreadable(path: Path, error: Exception) -> UserError:
    cause = f"{type(error).__name__}: {error}"[:200]
    return UserError(
        f"{path} is not an Excel workbook that can be read ({cause})", "save it as CSV"
    )
