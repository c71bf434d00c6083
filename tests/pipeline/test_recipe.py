"""Recipes: strict, and helpful about what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.pipeline import read_recipe

GOOD = """\
name: demo
version: 1.0.0
sources:
  - {name: a, reader: jsonl, path: a.jsonl}
stages:
  - latex
  - check: {on_gold: drop}
splits:
  testmini: {size: 10, by: [subject]}
  test: rest
withhold_answers: [test]
"""


def read(tmp_path: Path, text: str):
    path = tmp_path / "recipe.yaml"
    path.write_text(text, "utf-8")
    return read_recipe(path)


def test_a_good_recipe(tmp_path: Path) -> None:
    recipe = read(tmp_path, GOOD)
    assert [(s.name, s.options, s.at.rpartition(":")[2]) for s in recipe.stages] == [
        ("latex", {}, "6"),
        ("check", {"on_gold": "drop"}, "7"),
    ]
    assert recipe.splits["testmini"].size == 10
    assert recipe.splits["test"] == "rest"
    assert recipe.folder == tmp_path


@pytest.mark.parametrize(
    ("old", "new", "line", "remedy"),
    [
        ("stages:", "stagse:", 5, "did you mean 'stages'"),
        ("reader: jsonl", "raeder: jsonl", 4, "did you mean 'reader'"),
        ("size: 10", "sise: 10", 9, "did you mean 'size'"),
        ("size: 10", "size: ten", 9, "size: Expected int"),
        ("size: 10", "size: -1", 9, "give a number of problems"),
        ("size: 10", "size: 1.5", 9, "a fraction between 0 and 1"),
        ("size: 10, ", "", 9, "give size: or ids:"),
        ("{size: 10, by: [subject]}", "10", 9, "write rest, {size: 100}"),
        ("{size: 10, by: [subject]}", "rest", 9, "only one can take the rest"),
        ("testmini: {", "../mini: {", 9, "use letters"),
        ("version: 1.0.0", "version: 1.0", 2, "str"),
        ("reader: jsonl, ", "", 4, "missing required field reader"),
        ("path: a.jsonl", "path: 3", 4, "sources.0.path"),
        ("\n  - latex\n  - check: {on_gold: drop}", " latex", 5, "write a list"),
        ("[test]", "[tset]", 11, "did you mean 'test'"),
        ("name: demo", "name: ../demo", 1, "use letters"),
        ("  - latex", "  - [latex]", 6, "write '- name'"),
        ("version: 1.0.0", "name: again\nversion: 1.0.0", 2, "stands twice"),
    ],
)
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, remedy: str
) -> None:
    with pytest.raises(UserError) as error:
        read(tmp_path, GOOD.replace(old, new))
    assert remedy in str(error.value)
    if line:
        assert f"recipe.yaml:{line}:" in str(error.value) or f"line {line}:" in str(
            error.value
        )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a list",
        "a: [",
        "name: x\nversion: 1.0.0\nsources: []",
        "!!python/object:os.system {}",
        "name: x\n? [1]\n: 2",
    ],
)
def test_no_recipe_at_all(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"recipe\.yaml"):
        read(tmp_path, text)


def test_an_unquoted_date_is_a_date(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD + "date: 2026-01-31\n").date == "2026-01-31"


def test_a_missing_recipe(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        read_recipe(tmp_path / "none.yaml")
