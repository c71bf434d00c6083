"""What a look proposes holds when it is pasted: maps of columns, roles of words and commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, check_recipe
from benchwright.base.files import read_jsonl
from benchwright.problem import Problem
from small import write_recipe

WORDS = ["zero", "one", "two", "three", "four", "five"]


def look(folder: Path, **source: Any) -> list[str]:
    """What a look says of a source, remedies alone."""
    return [finding.remedy for finding in check_recipe(recipe(folder, source)).findings]


def recipe(folder: Path, source: dict[str, Any]) -> Path:
    data = {
        "name": "small",
        "version": "1.0.0",
        "sources": [{"name": "s", "license": "MIT"} | source],
        "stages": ["check"],
    }
    return write_recipe(folder / "recipe.yaml", data)


def pasted(folder: Path, said: list[str], key: str, **source: Any) -> list[Problem]:
    """The problems that are built with the last line of this key that a look printed."""
    line = [one for one in said if one.startswith(f"{key}: ")][-1]
    path = recipe(folder, source | yaml.safe_load(line))
    build_release(path, folder / "out", until="read")
    return list(read_jsonl(folder / "out/work/00-read/problems.jsonl", Problem))


def test_the_word_for_an_answer_is_printed_as_a_line(tmp_path: Path) -> None:
    lines = [f"{k}. Compute ${k}+1$.\n\nZorp: {k + 1}\n\n" for k in range(1, 5)]
    (tmp_path / "e.md").write_text("".join(lines))
    source = {"reader": "exam", "path": "e.md"}
    said = look(tmp_path, **source)
    assert "roles: {Zorp: answer}" in said
    problems = pasted(tmp_path, said, "roles", **source)
    assert [problem.answer for problem in problems] == ["2", "3", "4", "5"]


def test_a_command_and_an_environment_are_printed_as_a_line(tmp_path: Path) -> None:
    body = "".join(
        rf"\begin{{quest}}"
        f"\n {{ID-{k}}} {{Sums of {WORDS[k]}}} Compute ${k}+1$. "
        rf"\gorp{{It is {WORDS[k + 1]}.}} \end{{quest}}"
        "\n"
        for k in range(1, 4)
    )
    (tmp_path / "m.tex").write_text(f"\\begin{{document}}\n{body}\\end{{document}}\n")
    source = {"reader": "tex", "path": "m.tex"}
    said = look(tmp_path, **source)
    problems = pasted(tmp_path, said, "roles", **source)
    assert [problem.question for problem in problems] == [
        f"Compute ${k}+1$." for k in range(1, 4)
    ]
    assert [problem.solution for problem in problems] == [
        f"It is {WORDS[k + 1]}." for k in range(1, 4)
    ]
    assert problems[0].labels["title"] == "Sums of one"


@pytest.mark.parametrize(
    "names",
    [
        ("ask", "alternatives", "key", "text", "isCorrect"),
        ("frage", "antworten", "richtig", "inhalt", "stimmt"),
    ],
)
def test_a_map_is_told_where_the_rows_bear_it_out(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    ask, several, key, text, mark = names
    for k, right in enumerate("CAD"):
        choices = [
            {"letter": x, text: f"{WORDS[n]} {k}", mark: x == right}
            for n, x in enumerate("ABCD")
        ]
        row = {
            "title": f"r{k}", "context": "", "files": [], key: right,
            ask: f"Which word stands here on card {k}?", several: choices,
        }  # fmt: skip
        (tmp_path / f"{k}.json").write_text(json.dumps(row, indent=1))
    source = {"reader": "jsonl", "path": "?.json"}
    problems = pasted(tmp_path, look(tmp_path, **source), "fields", **source)
    assert [problem.answer for problem in problems] == ["C", "A", "D"]
    assert [len(problem.options) for problem in problems] == [4, 4, 4]


def test_no_map_is_told_whose_golds_are_no_options(tmp_path: Path) -> None:
    rows = [
        {
            "stem": f"Which of these is it, the {w}?",
            "choices": ["x", "y", w],
            "key": "q",
        }
        for w in WORDS
    ]
    (tmp_path / "d.json").write_text(json.dumps(rows))
    said = look(tmp_path, reader="jsonl", path="d.json")
    assert not any("answer: key" in line for line in said)
