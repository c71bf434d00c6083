from __future__ import annotations

import json
import shutil

import pytest
from benchwright.cli import cli
from benchwright.convert.documents.mathpix_renderer import compare_with_mathpix
from benchwright.errors import UserError
from benchwright.latex import PROBLEM_TEXT
from click.testing import CliRunner
from oracles import FOLDER, run_node

TEXTS = [r"Let \(x\) cost $5 and $ y $", "no formula", "$$a$$"]


def test_formulas_of_one_side_only() -> None:
    run_node("mathml_to_latex.cjs", [])  # skips where the peers are not installed
    same, prose, display = compare_with_mathpix(TEXTS, packages=FOLDER)
    assert (same.same, same.ours, same.mathpix) == (1, [], [])
    assert (prose.same, display.same) == (0, 1)
    [weighed, _, _] = compare_with_mathpix(TEXTS, PROBLEM_TEXT, FOLDER)
    assert (weighed.ours, weighed.mathpix) == (["$y$"], [])


def test_command_lists_differences_and_bad_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_node("mathml_to_latex.cjs", [])
    monkeypatch.chdir(FOLDER)
    lines = '{"id": 1, "mmd": "$x$"}\n{"id": 2}\n{broken\n'
    command = ["convert", "mmd", "--compare"]
    result = CliRunner().invoke(cli, command, input=lines)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert answers[0] == {"id": 1, "same": 1}
    assert ["error" in answer for answer in answers] == [False, True, True]
    assert result.exit_code == 1
    assert CliRunner().invoke(cli, command, input=lines.splitlines()[0]).exit_code == 0
    only_brackets = [*command, "--inline", r"\(", r"\)"]
    result = CliRunner().invoke(cli, only_brackets, input=lines.splitlines()[0])
    assert json.loads(result.stdout) == {"id": 1, "same": 0, "mathpix": ["$x$"]}
    assert result.exit_code == 1


def test_without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UserError, match="is not installed"):
        compare_with_mathpix(TEXTS)
