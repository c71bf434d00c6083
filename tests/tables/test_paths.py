"""Paths into rows: what they lead to, what stands around it, and what is no path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UserError
from benchwright.tables import check_path, rows_at, value_of, whole_rows

PAPER = {
    "cup": "Spring",
    "years": [
        {"year": 2001, "problems": [{"n": 1, "q": "1+1?"}, {"n": 2, "q": "1+2?"}]},
        {"year": 2002, "problems": [{"n": 1, "q": "1+3?"}]},
    ],
}


def asks(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("q"), str)


def test_rows_keep_what_stands_around_them() -> None:
    rows = rows_at(PAPER, "years[].problems[]")
    assert [row["q"] for row in rows] == ["1+1?", "1+2?", "1+3?"]
    assert [row["years.year"] for row in rows] == [2001, 2001, 2002]
    assert {row["cup"] for row in rows} == {"Spring"}
    assert (
        value_of(rows[2], "years.year") == 2002
    )  # a column, though it looks like a path


def test_rows_of_a_record_have_its_names() -> None:
    topics = {"sums": {"items": [{"q": "a"}]}, "roots": {"items": [{"q": "b"}]}}
    rows = rows_at({"topics": topics}, "topics.*.items[]")
    assert [row["q"] for row in rows] == ["a", "b"]


@pytest.mark.parametrize("rows", ["", "years[].problems[]"])
def test_arrays_inside_arrays_are_found_without_a_path_too(
    rows: str, tmp_path: Path
) -> None:
    file = tmp_path / "d.json"
    file.write_text(json.dumps(PAPER, indent=1))
    found = whole_rows(file, asks, rows=rows)
    assert found is not None
    assert [row["q"] for row in found] == ["1+1?", "1+2?", "1+3?"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("answers[correct].label", "[?correct]"),
        ("題[", "double quotes"),
        ("a" * 400, "shorter"),
        ("[@,@]|[@,@]|[@,@]|[@,@]", "pick once"),
        ("(" * 290, "write it as"),
    ],
)
def test_what_is_no_path_says_how_one_is_written(path: str, told: str) -> None:
    with pytest.raises(UserError) as error:
        check_path(path)
    assert told in error.value.remedy


def test_a_path_to_nothing_says_what_is_there() -> None:
    with pytest.raises(UserError, match=r"leads to no row.*there: cup, years"):
        rows_at(PAPER, "year[].problem[]")
