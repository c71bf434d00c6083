"""Rows of JSON files in every shape that people keep them in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.convert.readers import Raw, Unreadable, json_lines_rows
from benchwright.errors import UserError
from benchwright.pipeline import SourceSpec

ROWS = [
    {"id": 1, "question": "1+1?", "answer": "2"},
    {"id": 2, "question": "1+2?", "answer": "3"},
]
BY_ID = {str(row["id"]): {k: v for k, v in row.items() if k != "id"} for row in ROWS}
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


def read(path: Path, **options: Any) -> list[Raw | Unreadable]:
    spec = SourceSpec(
        name="s", reader="jsonl", path=path.name, license="MIT", options=options
    )
    return list(json_lines_rows(spec, [path]))


def rows(path: Path, **options: Any) -> list[Any]:
    found = read(path, **options)
    assert all(isinstance(raw, Raw) for raw in found), found
    return [raw.data for raw in found]


SHAPES = {
    "lines": "\n".join(map(json.dumps, ROWS)),
    "array": json.dumps(ROWS),
    "pretty array": json.dumps(ROWS, indent=4),
    "pretty objects one behind the other": "\n".join(json.dumps(r, indent=1) for r in ROWS),
    "under a name": json.dumps({"version": 2, "data": ROWS}, indent=2),
    "deeper, in one line": json.dumps({"set": {"info": {"by": "x"}, "items": ROWS}}),
    "among arrays of other things": json.dumps({"tags": ["a"], "people": [{"n": 1}], "q": ROWS}),
    "columns": json.dumps(COLUMNS, indent=1),
    "columns by index": json.dumps({n: dict(enumerate(c)) for n, c in COLUMNS.items()}),
    "columns beside their names": json.dumps(
        {"columns": list(COLUMNS), "index": [0, 1], "data": [list(r.values()) for r in ROWS]}),
    "arrays under a header": json.dumps([list(COLUMNS), *(list(r.values()) for r in ROWS)]),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_are_found_whatever_the_shape(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(SHAPES[shape], "utf-8")
    assert rows(path) == ROWS


def test_an_object_of_rows_gives_their_keys_as_ids(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(BY_ID, indent=1), "utf-8")
    assert rows(path) == [row | {"id": str(row["id"])} for row in ROWS]


def test_one_row_alone_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    row = ROWS[0] | {
        "options": [{"label": "A", "text": "2"}, {"label": "B", "text": "3"}]
    }
    path.write_text(json.dumps(row, indent=1), "utf-8")
    assert rows(path) == [row]


def test_several_arrays_of_questions_keep_their_names(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"algebra": ROWS[:1], "sums": ROWS[1:]}), "utf-8")
    assert rows(path) == [ROWS[0] | {"key": "algebra"}, ROWS[1] | {"key": "sums"}]
    assert rows(path, key="sums") == ROWS[1:]


def test_arrays_that_nothing_tells_apart_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"a": [{"n": 1}], "b": [{"n": 2}]}), "utf-8")
    with pytest.raises(UserError, match="several arrays: a, b"):
        read(path)
    with pytest.raises(UserError, match="no 'c' of key 'c'"):
        read(path, key="c")


@pytest.mark.parametrize("encoding", ["utf-16", "gb18030", "utf-8-sig"])
def test_encodings_are_told_as_those_of_tables(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.json"
    row = {"id": "1", "question": "如图，求三角形的面积是多少", "answer": "六"}
    path.write_bytes(json.dumps([row], ensure_ascii=False, indent=1).encode(encoding))
    assert rows(path) == [row]


def test_what_python_writes_for_nothing_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": 1, "question": "q", "answer": NaN}\n{"id": 2}\n', "utf-8")
    assert rows(path)[0] == {"id": 1, "question": "q", "answer": None}


def test_broken_lines_stay_broken_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"id": 1, "question": "q\n{"id": 2, "question": "q"}\n{]\n', "utf-8"
    )
    first, second, third = read(path)
    assert isinstance(first, Unreadable)
    assert isinstance(second, Raw)
    assert isinstance(third, Unreadable)
    path.write_text("[" * 100_000, "utf-8")
    assert all(isinstance(raw, Unreadable) for raw in read(path))
