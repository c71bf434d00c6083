"""Workbooks as spreadsheet programs write them, and as nobody should."""

from __future__ import annotations

import zipfile
from html import escape
from pathlib import Path
from typing import Any

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def workbook(path: Path, rows: list[list[Any]], *, shared: bool = False) -> Path:
    """One sheet; texts are shared strings (Excel, WPS) or inline ones (libraries)."""
    strings: list[str] = []
    lines = []
    for r, row in enumerate(rows, 1):
        cells = ""
        for c, value in enumerate(row):
            place = f"{chr(65 + c)}{r}"
            if isinstance(value, int | float):
                cells += f'<c r="{place}"><v>{value}</v></c>'
            elif shared:
                strings.append(value)
                cells += f'<c r="{place}" t="s"><v>{len(strings) - 1}</v></c>'
            else:
                cells += (
                    f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
                )
        lines.append(f'<row r="{r}">{cells}</row>')
    return book_of(path, "".join(lines), strings)


def book_of(
    path: Path,
    rows: str,
    strings: list[str] | None = None,
    *,
    head: str = "",
    sheets: str = "",
) -> Path:
    """A workbook around the XML of one sheet's rows."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{KIND}.worksheet+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{KIND}.sharedStrings+xml"/>'
        "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{REL}"><sheets>'
        f'<sheet name="Tabelle1" sheetId="1" r:id="r1"/>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{REL}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{REL}/sharedStrings" Target="sharedStrings.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'{head}<worksheet xmlns="{MAIN}"><sheetData>{rows}'
        "</sheetData></worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">'
        + "".join(f"<si><t>{escape(text)}</t></si>" for text in strings or [])
        + "</sst>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, text)
    return path
