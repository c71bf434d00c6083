"""All JSONL tools behave alike: an answer for every line, same ids, same order, one exit rule."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Any

import pytest
from benchwright.cli import cli
from click.testing import CliRunner

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "mathml": ("convert mathml", {"mathml": "<math><mi>x</mi></math>"}),
    "mathml of pages": (
        "convert mathml",
        {"html": "<p>so <math><mi>x</mi></math></p>"},
    ),
    "mmd": ("convert mmd", {"mmd": r"Let \(x\)."}),
    "mmd spans": ("convert mmd --spans", {"mmd": r"Let \(x\)."}),
    "text": ("convert text --changes", {"text": "∠A＝60°"}),
    "grade": ("grade", {"prediction": "1", "gold": "1"}),
    "grade on two processes": ("grade --jobs 2", {"response": "It is 1.", "gold": "1"}),
    "extract": ("extract", {"response": "It is (B).", "options": ["3", "4"]}),
}


def run(tool: str, text: str) -> tuple[int, list[dict[str, Any]], str]:
    words, _ = TOOLS[tool]
    result = CliRunner().invoke(cli, shlex.split(words), input=text)
    return (
        result.exit_code,
        [json.loads(line) for line in result.stdout.splitlines()],
        result.stderr,
    )


@pytest.mark.parametrize("tool", TOOLS)
def test_good_lines_are_answered_in_order(tool: str) -> None:
    good = TOOLS[tool][1]
    text = "".join(
        json.dumps({"id": name} | good) + "\n" for name in ("b", 2, None, "a")
    )
    code, answers, said = run(tool, text + "\n  \n")
    assert (code, said) == (0, "")
    assert [answer["id"] for answer in answers] == ["b", 2, None, "a"]
    assert not any("error" in answer for answer in answers)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_line_that_fails_is_an_error_and_stops_nobody(tool: str) -> None:
    good = json.dumps({"id": "good"} | TOOLS[tool][1])
    empty = json.dumps({"id": "empty"})
    code, answers, said = run(tool, f"{good}\nnonsense\n[1]\n{empty}\n{good}\n")
    assert code == 1
    assert [answer["id"] for answer in answers] == ["good", None, None, "empty", "good"]
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert [set(answer) for answer in answers if "error" in answer] == [
        {"id", "error"}
    ] * 3
    assert "<stdin>:2: " in answers[1]["error"]
    assert said == "3 of 5 lines unreadable, 0 refused: see 'error'\n"


@pytest.mark.parametrize("tool", TOOLS)
def test_json_nested_too_deeply_is_a_broken_line(tool: str) -> None:
    code, answers, _ = run(
        tool, "[" * 100_000 + "\n" + json.dumps({"id": 2, **TOOLS[tool][1]})
    )
    assert code == 1
    assert "nested too deeply" in answers[0]["error"]
    assert "error" not in answers[1]


def test_a_refused_formula_is_an_answer() -> None:
    lines = [
        {"id": 1, "mathml": "<math><foo/></math>"},
        {"id": 2, "html": "<math><foo/></math>"},
    ]
    code, answers, said = run("mathml", "\n".join(map(json.dumps, lines)))
    assert (code, said) == (0, "0 of 2 lines unreadable, 2 refused: see 'error'\n")
    assert ["foo" in answer["error"] for answer in answers] == [True, True]
    assert "formula refused" in answers[1]["text"]


def test_an_answer_comes_before_the_next_line_is_asked() -> None:
    """A program at the other end may wait for each answer."""
    with subprocess.Popen(
        [sys.executable, "-m", "benchwright", "extract"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        for name in (1, 2):
            line = json.dumps({"id": name, "response": "(B)", "options": []})
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == name
        process.stdin.close()
    assert process.returncode == 0
