"""Texts made to be slow: twice as long may take about twice as long, not four times."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from benchwright import normalise, read_mmd
from benchwright.base import jsonl_tool
from benchwright.cli import cli
from benchwright.convert.documents import Recognised, tidied
from benchwright.convert.normalise import unbalanced
from click.testing import CliRunner

PIECES = [
    "<math ", "![", "![](", "$x^2$ and ", "$$ ", r"\\$", r"\alpha", r"\left", "x^",
    "![](data:image/png;base64,", r"\begin{array}", r"\begin{tabular}{c}", "<table><td ",
]  # fmt: skip
FORMULAS = [" ", "，", "\\", r"{a\over b}", r" \\ "]
WORK: dict[str, Callable[[str], object]] = {
    "mmd": read_mmd,
    "text": lambda text: unbalanced(normalise(text)[0]),
    "ocr": lambda text: tidied(text, Recognised(name="a.md", markdown="")),
}


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


@pytest.mark.parametrize("name", WORK)
def test_no_text_is_slow_out_of_proportion(name: str) -> None:
    """A quadratic rule needs minutes of CPU for one of these; what is linear, or bounded by counted
    work, a few seconds on any machine."""
    texts = [piece * (30_000 // len(piece)) for piece in PIECES]
    texts += [f"${piece * (30_000 // len(piece))}x$" for piece in FORMULAS]
    for text in texts:
        assert _seconds(WORK[name], text) < 30, text[:30]


def test_unclosed_environments_are_counted() -> None:
    assert unbalanced(r"\begin{array}" * 20_000) == ["environment: array (+20000)"]


def test_code_stays_as_it_is() -> None:
    text = "```\nx_1 ＋ 2，\\alpha\n```\nand `a_b`"
    assert normalise(text) == (text, [])


def test_texts_and_lines_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl_tool, "MAX_TEXT", 50)
    monkeypatch.setattr(jsonl_tool, "MAX_LINE", 100)
    lines = [f'{{"id": {n}, "text": "{"x" * n}"}}' for n in (50, 51, 300, 1000, 7)]
    result = CliRunner().invoke(cli, ["convert", "text"], input="\n".join(lines))
    assert result.exit_code == 1
    answers = result.stdout.splitlines()
    assert len(answers) == len(lines)
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert "the limit is 50" in answers[1]
    assert "<stdin>:3: a line of more than 100 bytes" in answers[2]
