"""Prediction files that cannot be read: each says where and why, and none does harm."""

from __future__ import annotations

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.predictions import read_predictions
from small_releases import make_sample

MATH_V = [make_sample(f"mv-{k}", str(k)) for k in range(1, 21)]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("p.xlsx", b"no zip", "not an Excel workbook"),
        ("p.csv", b"id,response\n\xff\xfe\xfd,1\n", "not UTF-8"),
        ("p.csv", b"", "is empty"),
        ("p.csv", b"id,response\n1,2,3\n", "3 cells where the header has 2"),
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
