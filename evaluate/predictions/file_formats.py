"""Rows of a prediction file: JSON lines, a JSON array or object, CSV, TSV, Excel, inspect's logs.

Text may be gzipped (found by its first bytes) and in UTF-8, UTF-16 or UTF-32 (by its byte order
mark); of a CSV the header tells whether commas, semicolons or tabs cut the cells. What a row means
is `match.py`'s business; here a file is only cut into rows, and what cannot be read becomes a
message with file and line.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...files import read_lines
from .inspect_logs import inspect_archive, inspect_samples, unfinished

Row = dict[str, Any]
MAX_SHEET = 500_000_000  # bytes of an unpacked Excel part; a zip bomb has more
MAX_UNZIPPED = 4_000_000_000  # bytes of an unpacked .gz
MARKS = (  # UTF-32 first: its mark begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_rows(path: Path) -> Iterator[tuple[int, Row | str]]:
    """Line (or element) number and row; a string instead of a row says why it is unreadable.

    The suffix decides: .json, .csv, .tsv, .xlsx, .eval; anything else is JSON lines.
    Raises UserError when the file cannot be read at all.
    """
    if not path.is_file():
        raise UserError(f"cannot read {path}: not a file", "give a file of predictions")
    readers = {".json": _json, ".csv": _csv, ".tsv": _csv, ".xlsx": _excel}
    readers[".eval"] = inspect_archive
    yield from readers.get(_suffix(path), _json_lines)(path)


def _suffix(path: Path) -> str:
    """What kind of file it is by name; `run.csv.gz` is a CSV.

    >>> _suffix(Path("run.CSV.gz")), _suffix(Path("run.jsonl"))
    ('.csv', '.jsonl')
    """
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def _plain(path: Path) -> bool:
    """Whether the file's bytes are UTF-8 as they are."""
    with path.open("rb") as file:
        start = file.read(4)
    return not start.startswith((b"\x1f\x8b", *(mark for mark, _ in MARKS)))


def _utf8(path: Path) -> bytes:
    """The file's text in UTF-8, unpacked and without a byte order mark.

    Raises UserError for damaged archives, bombs, and text in no known encoding.
    """
    data = path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(MAX_UNZIPPED + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise UserError(
                f"{path} is not a whole gzip file ({error})", "pack it again"
            ) from error
        if len(data) > MAX_UNZIPPED:
            raise UserError(f"{path} unpacks to more than {MAX_UNZIPPED:,} bytes", "split it")
    for mark, encoding in MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding).encode("utf-8")
            except UnicodeError as error:
                raise UserError(
                    f"{path} is not {encoding} ({error})", "save it as UTF-8"
                ) from error
    return data.removeprefix(codecs.BOM_UTF8)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of every line that is not blank; plain files are not held in memory."""
    if _plain(path):
        yield from read_lines(path)
        return
    for number, line in enumerate(_utf8(path).split(b"\n"), 1):
        if line.strip():
            yield number, line


def _json_lines(path: Path) -> Iterator[tuple[int, Row | str]]:
    for number, line in _lines(path):
        try:
            row = _decoded(line)
        except ValueError as error:
            yield number, f"{path}:{number}: {error}"
            continue
        yield number, row if isinstance(row, dict) else f"{path}:{number}: not a JSON object"


def _decoded(data: bytes) -> Any:
    """JSON, with the NaN that pandas leaves in empty cells (VLMEvalKit). Raises ValueError."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        if b"NaN" not in data:
            raise ValueError(str(error)) from error
    try:
        return json.loads(data, parse_constant=lambda name: None)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _json(path: Path) -> Iterator[tuple[int, Row | str]]:
    """An array of rows, an object of rows by id (MM-MATH), inspect's log; JSON lines too."""
    try:
        data = _decoded(_utf8(path))
    except ValueError:
        yield from _json_lines(path)
        return
    if isinstance(data, dict) and isinstance(data.get("samples"), list):
        yield from unfinished(path, data)
        yield from inspect_samples(path, data["samples"])
        return
    if isinstance(data, dict) and data and all(isinstance(v, dict) for v in data.values()):
        data = [{"id": key} | row for key, row in data.items()]
    elif isinstance(data, dict):
        data = [data]
    if not isinstance(data, list):
        raise UserError(f"{path}: not a JSON array or object", "give rows of predictions")
    for number, row in enumerate(data, 1):
        yield number, row if isinstance(row, dict) else f"{path}:{number}: not a JSON object"


def _csv(path: Path) -> Iterator[tuple[int, Row | str]]:
    try:
        text = _utf8(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 ({error})", "save it as UTF-8") from error
    csv.field_size_limit(1 << 30)  # VLMEvalKit's files hold base64 pictures
    delimiter = "\t" if _suffix(path) == ".tsv" else _delimiter(text)
    cells = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header = next(cells, None)
    if header is None:
        raise UserError(f"{path} is empty", "give rows of predictions")
    for row in cells:
        if len(row) == len(header):
            yield cells.line_num, dict(zip(header, row, strict=True))
        elif row:
            yield (
                cells.line_num,
                f"{path}:{cells.line_num}: {len(row)} cells, the header has {len(header)}",
            )


def _delimiter(text: str) -> str:
    """What cuts the cells of the header: the mark that stands in it most often, commas first.

    >>> _delimiter("id;response\\n1;a,b,c"), _delimiter("id,response"), _delimiter("id")
    (';', ',', ',')
    """
    header = text[: text.find("\n")] if "\n" in text else text
    return max(",;\t", key=header.count)


def _excel(path: Path) -> Iterator[tuple[int, Row | str]]:
    """The first sheet of a workbook, whose first row is the header (VLMEvalKit's default)."""
    try:
        with zipfile.ZipFile(path) as book:
            shared = _shared_strings(book)
            sheets = sorted(
                (n for n in book.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", n)),
                key=lambda n: int(re.sub(r"\D", "", n)),
            )
            sheet = _part(book, sheets[0]) if sheets else None
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, SyntaxError, KeyError) as error:
        raise UserError(f"{path} is not an Excel workbook ({error})", "save it as .tsv") from error
    if sheet is None:
        raise UserError(f"{path} has no sheet", "save it as .tsv")
    header: dict[str, str] = {}
    for element in sheet.iter(f"{_MAIN}row"):
        cells = {_column(c.get("r", "")): _value(c, shared) for c in element.iter(f"{_MAIN}c")}
        if not header:
            header = {column: value for column, value in cells.items() if value}
        else:
            row = {name: cells.get(column, "") for column, name in header.items()}
            yield int(element.get("r", 0)), row


def _part(book: zipfile.ZipFile, name: str) -> Any:
    from lxml import etree

    if book.getinfo(name).file_size > MAX_SHEET:
        raise KeyError(f"{name} is larger than {MAX_SHEET:,} bytes")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    return etree.fromstring(book.read(name), parser)


def _shared_strings(book: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in book.namelist():
        return []
    root = _part(book, "xl/sharedStrings.xml")
    return [
        "".join(t.text or "" for t in item.iter(f"{_MAIN}t")) for item in root.iter(f"{_MAIN}si")
    ]


def _value(cell: Any, shared: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return "".join(t.text or "" for t in cell.iter(f"{_MAIN}t"))
    value = cell.find(f"{_MAIN}v")
    text = (value.text or "") if value is not None else ""
    return shared[int(text)] if cell.get("t") == "s" and text.isdigit() else text


def _column(reference: str) -> str:
    return re.sub(r"\d", "", reference)
