"""Tables of reports: rows are made by name, and none is wider or narrower than its header."""

from __future__ import annotations

import pytest
from benchwright.evaluate.report.sections import RATE, rate_record
from benchwright.pages import Cell, Column, ReportTable

COLUMNS = (
    Column("run"),
    Column("n"),
    Column("accuracy", "{:.1%}".format, heading="acc."),
)


def test_rows_are_made_by_name_in_the_columns_order() -> None:
    records = [
        {"accuracy": 0.889, "run": Cell("a"), "n": 9},
        {"n": "", "accuracy": "", "run": "none"},
    ]
    table = ReportTable.of(COLUMNS, records, "Runs")
    assert table.header == ["run", "n", "acc."]
    assert table.rows == [[Cell("a"), 9, "88.9%"], ["none", "", ""]]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"run": "a", "accuracy": 0.5}, r"record 1 lacks \['n'\]"),
        (
            {"run": "a", "n": 1, "accuracy": 0.5, "right": 1},
            r"record 1 .*has no column for \['right'\]",
        ),
        (
            {"run": "a", "number": 1, "accuracy": 0.5},
            r"record 1 lacks \['n'\].*\['number'\]",
        ),
    ],
)
def test_a_record_with_another_column_makes_no_table(
    record: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=f"table 'Runs': {message}"):
        ReportTable.of(COLUMNS, [record], "Runs")


@pytest.mark.parametrize("row", [["a", 1], ["a", 1, 2, 3]])
def test_a_row_of_another_width_makes_no_table(row: list[object]) -> None:
    message = f"table 'Runs': row 2 has {len(row)} cells under 3 headings"
    with pytest.raises(ValueError, match=message):
        ReportTable(["run", "n", "right"], [["b", 1, 1], row], "Runs")


def test_two_columns_do_not_have_one_name() -> None:
    with pytest.raises(ValueError, match="two columns have one name"):
        ReportTable.of([Column("n"), Column("n")], [])


def test_a_matrix_has_every_column_in_every_row() -> None:
    rows = {"a": {"x": 1, "run": 2}}
    assert ReportTable.matrix("run", ["x", "run"], rows).rows == [["a", 1, 2]]
    with pytest.raises(ValueError, match=r"lacks \['y'\]"):
        ReportTable.matrix("run", ["x", "run", "y"], rows)


def test_columns_say_their_side_or_leave_it_to_their_figures() -> None:
    columns = [Column("of"), Column("n"), Column("why", align="left")]
    table = ReportTable.of(columns, [{"of": "a", "n": 1, "why": 2}])
    assert table.numeric() == [False, True, False]


def test_a_rate_has_a_value_for_each_of_its_columns() -> None:
    from benchwright.evaluate.metrics import rate

    record = rate_record(rate([True, False], ["a", "b"]))
    (row,) = ReportTable.of(RATE, [record]).rows
    assert row[:3] == [2, 1, "50.0 %"]
