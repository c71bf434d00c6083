"""Results are short to look at, safe in a notebook, and become data frames."""

from __future__ import annotations

import importlib

import pytest
from benchwright import vote
from benchwright.base.display import MOST_ROWS, Rows, html_table
from benchwright.base.files import pretty
from benchwright.errors import UserError
from benchwright.problem import Drop, Vote

HOSTILE = "<script>alert('1')</script>"


def test_rows_are_a_list_and_the_same_json() -> None:
    drops = [Drop(id="a-1", reason="r"), Drop(id="a-2", reason="r")]
    rows = Rows(drops)
    assert rows == drops
    assert pretty({"drops": rows}) == pretty({"drops": drops})
    assert repr(rows) == "<Rows: 2 records>"


def test_a_notebook_shows_texts_escaped_and_few_rows() -> None:
    rows = Rows(Drop(id=f"a-{k}", reason=HOSTILE, other="é" * 500) for k in range(50))
    shown = rows._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert shown.count("<tr>") == MOST_ROWS + 1
    assert f"and {50 - MOST_ROWS} more" in shown
    assert len(shown) < 10_000
    assert "<script" not in html_table(
        HOSTILE, [HOSTILE], [[[HOSTILE], {HOSTILE: HOSTILE}]]
    )


def test_a_frame_has_every_row() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = Rows(Drop(id=f"a-{k}", reason="r") for k in range(50)).to_frame()
    assert list(frame.columns) == ["id", "reason", "other"]
    assert len(frame) == 50
    assert len(Rows([]).to_frame()) == 0


def test_without_pandas_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(UserError, match="pip install pandas"):
        Rows([Drop(id="a", reason="r")]).to_frame()


def test_a_ledger_says_how_it_came_about() -> None:
    votes = [
        Vote(problem_id="p", field="subject", value="x", annotator=a) for a in "abc"
    ]
    votes += [
        Vote(problem_id="q", field="subject", value=v, annotator=v) for v in "xyz"
    ]
    found = vote(votes, "subject", policy="majority")
    assert repr(found) == "<Ledger: 1 of 2 items decided, 0 flagged, 0 excluded>"
    assert found.summary()["rules"] == {rule: 1 for rule, _, _ in found.rules()}
    with pytest.raises(UserError, match="policy"):
        vote(votes, "subject", policy="majorty")
