"""The stage `gold`: kinds, units, precision, and golds that would make right answers wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright.check import declared, self_test
from benchwright.check.gold import gold
from benchwright.latex import mended
from benchwright.pipeline import Context
from benchwright.problem import Drop, Option, Problem, Source
from real_data import RealData


def problem(answer: str, options: list[str] | None = None, name: str = "p") -> Problem:
    return Problem(
        id=name, origin=name, source=Source(name="s", raw_id=name), question="?", answer=answer,
        options=[Option(label="ABCDE"[k], text=t) for k, t in enumerate(options or [])],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "kind", "unit", "tolerance"),
    [
        ("12", "number", None, None),
        ("5\\text{ cm}", "number", "cm", None),
        ("12.57", "number", None, 0.005),
        ("0.5", "number", None, None),
        ("\\frac{1}{2}", "number", None, None),
        ("2x+1", "expression", None, None),
        ("y=2x+1", "equation", None, None),
        ("[1,3)", "interval", None, None),
        ("x>2", "interval", None, None),
        ("\\{1,2\\}", "set", None, None),
        ("1, 2, 3", "set", None, None),
        ("(3,4)", "tuple", None, None),
        ("\\begin{pmatrix}1\\\\2\\end{pmatrix}", "matrix", None, None),
        ("正确", "text", None, None),
    ],
)
def test_inferred(
    answer: str, kind: str, unit: str | None, tolerance: float | None
) -> None:
    result = declared(problem(answer))
    assert (result.answer_kind, result.unit, result.tolerance) == (
        kind,
        unit,
        tolerance,
    )


def test_what_is_declared_is_kept() -> None:
    original = Problem(
        id="p", origin="p", source=Source(name="s", raw_id="p"), question="?", answer="12.57",
        answer_kind="number", unit="m", tolerance=1.0,
    )  # fmt: skip
    assert declared(original) == original


def test_an_option_that_is_another_options_letter_is_found() -> None:
    item = declared(problem("D", ["A", "B", "C", "E", "none"]))
    assert item.answer_kind == "choice"
    assert [f["spelling"] for f in self_test(item)] == ["option value"]


def test_stage_reports_and_drops(tmp_path: Path) -> None:
    context = Context(recipe_folder=tmp_path, work=tmp_path)
    assert isinstance(gold(problem(""), context=context), Problem)
    assert isinstance(gold(problem(""), on_fail="drop", context=context), Drop)
    assert isinstance(gold(problem("3"), on_fail="drop", context=context), Problem)
    assert [row["spelling"] for row in context.tables["gold"]] == ["empty", "empty"]


def test_all_golds_of_math_v_equal_themselves_as_models_write_them(
    data: RealData,
) -> None:
    failures = []
    for line in data.math_v("test.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        item = declared(problem(mended(row["answer"])[0], row["options"], row["id"]))
        failures += [(f["id"], f["spelling"]) for f in self_test(item)]
    # an option whose text is another option's letter, or names letters, cannot be told from it
    assert {spelling for _, spelling in failures} == {"option value"}
    assert {name for name, _ in failures} == {"742"}
