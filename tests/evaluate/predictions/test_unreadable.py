"""Prediction files that cannot be read: each says where and why, and none does harm."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.predictions.coverage import read_predictions
from small_releases import make_sample

MATH_V = [make_sample(f"mv-{k}", str(k)) for k in range(1, 21)]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("p.xlsx", b"no zip", "not an Excel workbook"),
        ("p.csv", b"id,response\n\xff,1\n", "is not UTF-8"),
        ("p.csv", b"", "is empty"),
        ("p.csv", b"id,response\n1,2,3\n", "3 cells, the header has 2"),
        ("p.json", b"[1, 2]", "p.json:1: not a JSON object"),
        ("p.json", b'"text"', "not a JSON array or object"),
        ("p.jsonl", b'{"id": "1", "response": "\xff"}\n', "p.jsonl:1"),
        ("p.jsonl", b'{"id": NaN', "p.jsonl:1"),
        ("p.json", b"[" * 100_000 + b"NaN", "p.json:1"),
        ("p.eval", b"no zip", "not an inspect log"),
    ],
)
def test_unreadable_files_say_where_and_why(tmp_path, name, data, says) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UserError, match=says):
        read_predictions(tmp_path / name, MATH_V)


def test_a_workbook_with_an_entity_or_a_bomb_is_harmless(tmp_path: Path, monkeypatch) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    head = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>'
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    cell = '<c r="{}" t="inlineStr"><is><t>{}</t></is></c>'
    rows = [("id", "response"), ("1", "&e;")]
    body = "".join(
        f'<row r="{n}">{cell.format(f"A{n}", a)}{cell.format(f"B{n}", b)}</row>'
        for n, (a, b) in enumerate(rows, 1)
    )
    path = tmp_path / "p.xlsx"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("xl/worksheets/sheet1.xml", f"{head}<worksheet {space}>{body}</worksheet>")
    assert "s3cret" not in json.dumps(read_predictions(path, MATH_V).replies)
    monkeypatch.setattr("benchwright.evaluate.predictions.file_formats.MAX_SHEET", 100)
    with pytest.raises(UserError, match="larger than 100 bytes"):
        read_predictions(path, MATH_V)
