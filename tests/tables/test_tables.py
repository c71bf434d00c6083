"""Tables of every kind give the same rows, damage costs its own row, and harm is bounded."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import math
import zipfile
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UserError
from benchwright.tables import Damaged, read_table
from hypothesis import given
from hypothesis import strategies as st
from workbooks import book_of, workbook

ROWS = [
    ["nr", "text", "key"],
    ["1", "Wie groß ist der Winkel, in °?", "3,14"],
    ["2", "é;x", "007"],
]
EXPECTED = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]


def written(rows: list[list[str]], delimiter: str = ",") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue()


def rows_of(path: Path, **options: Any) -> list[Any]:
    return [row for _, row in read_table(path, **options).rows]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
def test_dialects_and_encodings_are_found(
    tmp_path: Path, encoding: str, delimiter: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(written(ROWS, delimiter).encode(encoding))
    assert rows_of(path) == EXPECTED
    assert ("cp1252" in read_table(path).remark) == (encoding == "cp1252")


CHINESE = "如图，在三角形ABC中，∠A＝60°，求角B的度数。已知函数的图象经过点，则下列说法正确的是"


def test_chinese_workbooks_saved_as_csv_are_read_and_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f"题号,题干\r\n1,{CHINESE}\r\n".encode("gb18030"))
    assert rows_of(path) == [{"题号": "1", "题干": CHINESE}]
    assert read_table(path).remark == "read as gb18030"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("如圖，求角的度數，下列敘述何者正確", "big5"),
        ("図のように三角形の角度を求めなさい", "shift-jis"),
        ("図のように三角形の角度を求めなさい", "euc-jp"),
        ("그림에서 삼각형의 각도를 구하시오", "euc-kr"),
        ("Найдите угол треугольника на рисунке", "cp1251"),
        ("Ile wynosi długość boku trójkąta", "cp1250"),
        ("Üçgenin açısı kaç derecedir? Şekildeki sayı", "cp1254"),
        ("Größe der Fläche", "cp850"),
    ],
)
def test_what_cannot_be_told_is_asked_for(
    tmp_path: Path, text: str, encoding: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f"id,question\n1,{text}\n".encode(encoding))
    with pytest.raises(UserError, match=r"t\.csv:2: not UTF-8.*encoding"):
        read_table(path)
    assert rows_of(path, encoding=encoding) == [{"id": "1", "question": text}]


@pytest.mark.parametrize("encoding", ["base64", "zip", "latin-17"])
def test_an_encoding_that_is_none_is_refused(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "t.csv").write_text("id\n1\n")
    with pytest.raises(UserError, match="unknown encoding"):
        read_table(tmp_path / "t.csv", encoding=encoding)


def test_one_damaged_line_of_utf8_is_one_damaged_row(tmp_path: Path) -> None:
    good = [f"{k},Fläche {k}".encode() for k in range(4)]
    (tmp_path / "t.csv").write_bytes(
        b"\n".join([b"id,q", *good[:2], b"x,Fl\xe4che", *good[2:]])
    )
    rows = rows_of(tmp_path / "t.csv")
    assert [isinstance(row, Damaged) for row in rows] == [
        False,
        False,
        True,
        False,
        False,
    ]
    assert rows[2].cause == "'q' has bytes of another encoding (0xe4)"


def test_an_open_quote_costs_its_own_line(tmp_path: Path) -> None:
    lines = [
        "id,q",
        '1,"two',
        'lines"',
        '2,"never closed',
        "3,x",
        '4,"a"b',
        "5,y",
        ",",
        "",
        "6",
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    table = list(read_table(tmp_path / "t.csv").rows)
    assert [row["id"] for _, row in table if isinstance(row, dict)] == ["1", "3", "5"]
    assert [line for line, row in table if isinstance(row, Damaged)] == [4, 6, 10]


@given(
    st.lists(
        st.lists(st.text(max_size=8), min_size=2, max_size=2), min_size=1, max_size=6
    )
)
def test_no_line_is_lost(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    """What a CSV writer wrote is read as it was, blank rows aside."""
    rows = [[c.encode("utf-8", "replace").decode() for c in row] for row in rows]
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes(written([["a", "b"], *rows]).encode())
    wanted = [{"a": a, "b": b} for a, b in rows if a or b]
    assert rows_of(path, encoding="utf-8", delimiter=",") == wanted


def test_headers_must_be_there_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for text, says in (
        ("", "is empty"),
        ("a,b,a\n1,2,3\n", "two columns are called 'a'"),
    ):
        path.write_text(text)
        with pytest.raises(UserError, match=says):
            read_table(path)
    path.write_text("sep=;\nid;q\n1;a,b\n")
    assert rows_of(path) == [{"id": "1", "q": "a,b"}]
    (tmp_path / "t.tsv.gz").write_bytes(gzip.compress(b"id\tq\n1\ta;b\n"))
    assert rows_of(tmp_path / "t.tsv.gz") == [{"id": "1", "q": "a;b"}]


@pytest.mark.parametrize("shared", [True, False])
def test_workbooks(tmp_path: Path, shared: bool) -> None:
    rows = [["id", "q", "n"], ["007", "x < y", 3.0], ["", "", 2.5], ["None", "", 4]]
    path = workbook(tmp_path / "t.xlsx", rows, shared=shared)
    assert rows_of(path) == [
        {"id": "007", "q": "x < y", "n": 3},
        {"id": "", "q": "", "n": 2.5},
        {"id": "None", "q": "", "n": 4},
    ]


def test_workbooks_of_the_common_writer(tmp_path: Path) -> None:
    """openpyxl: dates, truths, hidden and further sheets, and formulas that nobody calculated."""
    import datetime

    import openpyxl

    book = openpyxl.Workbook()
    book.active.title, book.active.sheet_state = "notes", "hidden"
    sheet = book.create_sheet("problems")
    for row in (
        ["id", "q", "when"],
        [1, True, datetime.date(2026, 1, 2)],
        [2, "=1+1"],
        [3, "x"],
    ):
        sheet.append(row)
    book.create_sheet("more").append(["id"])
    book.save(tmp_path / "t.xlsx")
    table = read_table(tmp_path / "t.xlsx")
    assert table.remark == (
        "sheet 'problems' is read, not more; "
        "1 cell holds a date, the first in row 2 (was a fraction typed?)"
    )
    one, two, three = (row for _, row in table.rows)
    assert one == {"id": 1, "q": "TRUE", "when": "2026-01-02T00:00:00"}
    assert "the formula of 'q' has no saved value" in two.cause
    assert three == {"id": 3, "q": "x", "when": ""}
    with pytest.raises(UserError, match=r"no sheet 'mroe'.*problems"):
        read_table(tmp_path / "t.xlsx", sheet="mroe")


def test_numbers_are_read_as_a_sheet_shows_them(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["value"])
    shown = [
        (7, "000", "007"), (1.5, "0.00", "1.50"), (0.25, "0%", "25%"), (-0.125, "0.0%", "-12.5%"),
        (0.75, "# ?/?", "3/4"), (1 / 3, "# ??/??", "1/3"), (2.5, "# ?/?", "2 1/2"),
        (12, "00", "12"),
        (1.234, "0.0", 1.234), (math.pi, "# ?/?", math.pi), (4.0, "# ?/?", 4), (5, "General", 5),
        (1e300, "0.00", 1e300), (3, "0" * 900, 3),
    ]  # fmt: skip
    for row, (value, style, _) in enumerate(shown, 2):
        cell = book.active.cell(row=row, column=1, value=value)
        cell.number_format = style
    book.save(tmp_path / "t.xlsx")
    assert [row["value"] for row in rows_of(tmp_path / "t.xlsx")] == [
        s for _, _, s in shown
    ]


def test_formulas_give_what_was_saved_with_them(tmp_path: Path) -> None:
    text = '<c r="{}" t="inlineStr"><is><t>{}</t></is></c>'
    link = "<f>[1]Sheet1!A1</f><v>42</v>"
    rows = f'<row r="1">{text.format("A1", "id")}{text.format("B1", "q")}</row>'
    rows += f'<row r="2">{text.format("A2", "x")}<c r="B2">{link}</c></row>'
    assert rows_of(book_of(tmp_path / "t.xlsx", rows)) == [{"id": "x", "q": 42}]


def test_entities_of_a_workbook_are_harmless(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret")
    cell = '<row r="{0}"><c r="A{0}" t="inlineStr"><is><t>{1}</t></is></c></row>'
    rows = cell.format(1, "id") + cell.format(2, "&e;")
    outside = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]>'
    laughs = '<!DOCTYPE x [<!ENTITY a0 "lol">'
    laughs += "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 12))
    for head in (outside, f'{laughs}<!ENTITY e "&a11;">]>'):
        path = book_of(tmp_path / "t.xlsx", rows, head=head)
        try:
            found = str(rows_of(path))
        except UserError as error:
            found = error.message
        assert "s3cret" not in found
        assert len(found) < 1000


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "t.xlsx", [["id"], ["x" * 100_000]])
    monkeypatch.setattr("benchwright.tables.workbook.MAX_UNPACKED", 50_000)
    with pytest.raises(UserError, match="larger than 50,000 bytes"):
        read_table(path)
    monkeypatch.undo()
    monkeypatch.setattr("benchwright.tables.workbook.MAX_CELLS", 10_000)
    cells = '<c r="A{0}"><v>1</v></c>'
    sparse = f'<row r="1">{cells.format(1)}</row><row r="1048576">{cells.format(1048576)}</row>'
    with pytest.raises(UserError, match="more than 10,000 cells"):
        read_table(book_of(path, sparse))


def test_a_workbook_that_lies_of_its_sizes_gives_no_byte_more(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", [["id"], ["x" * 1_000_000]])
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as book:
        size = book.getinfo("xl/worksheets/sheet1.xml").file_size
    at = data.rfind(size.to_bytes(4, "little"))
    data[at : at + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(UserError, match="not an Excel workbook"):
        read_table(path)


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_workbook(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "t.xlsx").write_bytes(data)
    with pytest.raises(UserError, match="not an Excel workbook"):
        read_table(tmp_path / "t.xlsx")


def test_parquet_rows_are_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datetime

    import pyarrow as pa
    from pyarrow import parquet

    rows = [
        {
            "id": 1.0,
            "image": {"bytes": b"x", "path": "1.png"},
            "when": datetime.date(2026, 1, 2),
        },
        {"id": float("nan"), "image": None, "when": None},
    ]
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), path)
    assert rows_of(path) == [
        {"id": 1, "image": {"bytes": b"x", "path": "1.png"}, "when": "2026-01-02"},
        {"id": None, "image": None, "when": None},
    ]
    monkeypatch.setattr("benchwright.tables.parquet.MAX_DECODED", 10)
    with pytest.raises(UserError, match="more than 10 bytes"):
        rows_of(path)
    path.write_bytes(b"PAR1 no")
    with pytest.raises(UserError, match="cannot read"):
        read_table(path)


def test_a_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(codecs.BOM_UTF8 + "id,q\n1,é\n".encode())
    assert rows_of(tmp_path / "t.csv", encoding="utf-8") == [{"id": "1", "q": "é"}]
