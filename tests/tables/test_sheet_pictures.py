"""Pictures of Excel sheets come with the rows that they belong to."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
from benchwright import build_release
from benchwright.base.files import read_jsonl
from benchwright.problem import Problem
from benchwright.tables import read_table
from openpyxl.chart import BarChart
from openpyxl.drawing.image import Image
from small import png, write_recipe

COLUMNS = ["nr", "stem", "figure", "key"]


def workbook(
    path: Path, places: dict[str, int], columns: list[str] | None = None
) -> Path:
    """A sheet of three questions with a picture of some shade at each place."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.append(columns or COLUMNS)
    for number in (1, 2, 3):
        sheet.append([number, f"What is in picture {number}?", None, f"k{number}"])
    for place, shade in places.items():
        sheet.add_image(Image(io.BytesIO(png(9, 9, shade))), place)
    book.save(path)
    return path


def rows(path: Path) -> tuple[str, list[dict[str, Any]]]:
    table = read_table(path)
    return table.remark, [row for _, row in table.rows if isinstance(row, dict)]


def test_a_picture_is_the_value_of_the_cell_that_it_lies_in(tmp_path: Path) -> None:
    remark, found = rows(workbook(tmp_path / "t.xlsx", {"C2": 1, "C3": 2, "C4": 3}))
    assert [row["figure"]["bytes"] for row in found] == [
        png(9, 9, k) for k in (1, 2, 3)
    ]
    assert "3 pictures" in remark


def test_pictures_beside_the_columns_go_where_pictures_are_missing(
    tmp_path: Path,
) -> None:
    _, found = rows(workbook(tmp_path / "t.xlsx", {"F2": 1, "B3": 2}))
    assert [row["figure"][0]["bytes"] for row in found[:2]] == [
        png(9, 9, 1),
        png(9, 9, 2),
    ]
    assert found[1]["stem"] == "What is in picture 2?"


def test_without_such_a_column_they_are_images_and_below_all_rows_the_last_ones(
    tmp_path: Path,
) -> None:
    path = workbook(
        tmp_path / "t.xlsx", {"B2": 1, "B3": 2, "B9": 3}, ["nr", "stem", "", "key"]
    )
    remark, found = rows(path)
    assert [len(row["images"]) if row["images"] else 0 for row in found] == [1, 1, 1]
    assert "1 of them beside all rows" in remark


def test_a_chart_is_told(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(workbook(tmp_path / "t.xlsx", {}))
    book.active.add_chart(BarChart(), "G2")
    book.save(tmp_path / "t.xlsx")
    assert "1 charts or shapes" in rows(tmp_path / "t.xlsx")[0]


def test_they_reach_the_problems(tmp_path: Path) -> None:
    workbook(tmp_path / "t.xlsx", {"C2": 1, "C3": 2, "C4": 3})
    fields = {"id": "nr", "question": "stem", "answer": "key", "images": "figure"}
    source = {
        "name": "s",
        "reader": "table",
        "path": "t.xlsx",
        "license": "MIT",
        "fields": fields,
    }
    recipe = {"name": "x", "version": "1.0.0", "sources": [source], "stages": ["check"]}
    build_release(
        write_recipe(tmp_path / "r.yaml", recipe), tmp_path / "out", until="check"
    )
    problems = list(read_jsonl(tmp_path / "out/work/01-check/problems.jsonl", Problem))
    assert [len(problem.images) for problem in problems] == [1, 1, 1]
    assert not any(problem.notes for problem in problems)


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


def relations(**targets: str) -> str:
    items = "".join(f'<Relationship Id="{k}" Type="{REL}/image" Target="{t}"/>'
                    for k, t in targets.items())  # fmt: skip
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{items}</Relationships>'


def with_parts(path: Path, cell: str, parts: dict[str, str | bytes]) -> Path:
    """The workbook with other parts, and `cell` for the empty cell C2."""
    workbook(path, {})
    with zipfile.ZipFile(path) as book:
        old = {name: book.read(name) for name in book.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    old[sheet] = old[sheet].replace(b'<c r="D2"', cell.encode() + b'<c r="D2"')
    with zipfile.ZipFile(path, "w") as book:
        for name, data in (old | parts).items():
            book.writestr(name, data)
    return path


def test_pictures_that_wps_keeps_in_cells(tmp_path: Path) -> None:
    formula = (
        '<c r="C2" t="str"><f>_xlfn.DISPIMG("ID_7",1)</f><v>=DISPIMG("ID_7",1)</v></c>'
    )
    path = with_parts(
        tmp_path / "t.xlsx",
        formula,
        {
            "xl/cellimages.xml": f'<e:cellImages xmlns:e="urn:e" xmlns:a="{DRAWING}" '
            f'xmlns:r="{REL}"><e:cellImage><e:cNvPr name="ID_7"/><a:blip r:embed="rId1"/>'
            "</e:cellImage></e:cellImages>",
            "xl/_rels/cellimages.xml.rels": relations(rId1="media/image1.png"),
            "xl/media/image1.png": png(9, 9, 5),
        },
    )
    assert rows(path)[1][0]["figure"]["bytes"] == png(9, 9, 5)


def test_pictures_that_excel_places_in_cells(tmp_path: Path) -> None:
    data = "http://schemas.microsoft.com/office/spreadsheetml/2017/richdata"
    path = with_parts(
        tmp_path / "t.xlsx",
        '<c r="C2" t="e" vm="1"><v>#VALUE!</v></c>',
        {
            "xl/metadata.xml": f'<metadata xmlns="{MAIN}"><futureMetadata name="XLRICHVALUE"><bk>'
            f'<extLst><ext><x:rvb xmlns:x="{data}" i="0"/></ext></extLst></bk></futureMetadata>'
            '<valueMetadata count="1"><bk><rc t="1" v="0"/></bk></valueMetadata></metadata>',
            "xl/richData/rdrichvalue.xml": f'<rvData xmlns="{data}"><rv s="0"><v>0</v><v>5</v></rv>'
            "</rvData>",
            "xl/richData/rdrichvaluestructure.xml": f'<rvStructures xmlns="{data}">'
            '<s t="_localImage"><k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/>'
            "</s></rvStructures>",
            "xl/richData/richValueRel.xml": f'<richValueRels xmlns="{data}" xmlns:r="{REL}">'
            '<rel r:id="rId1"/></richValueRels>',
            "xl/richData/_rels/richValueRel.xml.rels": relations(
                rId1="../media/image1.png"
            ),
            "xl/media/image1.png": png(9, 9, 6),
        },
    )
    assert rows(path)[1][0]["figure"]["bytes"] == png(9, 9, 6)


def test_the_address_of_a_picture_on_the_net_is_the_value(tmp_path: Path) -> None:
    address = "https://h.example/a.png"
    formula = f'<c r="C2"><f>_xlfn.IMAGE("{address}")</f><v>0</v></c>'
    path = with_parts(tmp_path / "t.xlsx", formula, {})
    assert rows(path)[1][0]["figure"] == address


def test_drawings_that_are_damaged_are_told_and_the_rows_are_read(
    tmp_path: Path,
) -> None:
    path = workbook(tmp_path / "t.xlsx", {"C2": 1})
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;'
    with zipfile.ZipFile(path, "w") as book:
        for name, data in parts.items():
            book.writestr(
                name,
                bomb if "drawings/drawing" in name and "rels" not in name else data,
            )
    remark, found = rows(path)
    assert len(found) == 3
    assert "drawings on the sheet cannot be read" in remark
