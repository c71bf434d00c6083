"""The table of procedures in docs/papers.md: its counts, commands, stages and tests are there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import click
import pytest
from benchwright.cli import cli
from benchwright.pipeline import load_stage
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/papers.md").read_text("utf-8")
SECTION = TEXT.split("## Procedure by procedure")[1].split("\n## ")[0]
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in SECTION.splitlines()
    if line.startswith("| ") and not line.startswith("| place")
]
CODE = sorted({code for row in ROWS for code in re.findall(r"`([^`]+)`", row[3])})
COMMANDS = [code for code in CODE if code.startswith("benchwright ")]


def test_every_row_says_how_far_it_goes_and_the_counts_are_right() -> None:
    counts = Counter(row[2] for row in ROWS)
    assert set(counts) == {"exactly", "in part", "not"}
    said = [int(n) for n in re.findall(r"(\d+) (?:can be|in part|not)", SECTION.split("###")[0])]
    assert said == [counts["exactly"], counts["in part"], counts["not"]]
    for name, rows in re.findall(r"### ([\w-]+): (.*) exactly", SECTION):
        part = SECTION.split(f"### {name}:")[1].split("###")[0]
        exact, whole = part.count("| exactly |"), part.count("\n| ") - 1
        assert rows == f"{exact} of {whole}"


def test_what_is_done_exactly_has_a_test_and_a_way() -> None:
    for place, what, state, way, test in ROWS:
        assert (way and test) or state != "exactly", (place, what)
        for path in re.findall(r"`([^`]+)`", test):
            assert (ROOT / path).is_file(), path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_there_with_its_options(command: str) -> None:
    words, found = command.split()[1:], cli
    context = click.Context(cli)
    while words and isinstance(found, click.Group) and not words[0].startswith("-"):
        found = found.get_command(context, words.pop(0))
    assert isinstance(found, click.Command), command
    known = {name for one in found.params for name in one.opts}
    assert {word for word in words if word.startswith("--")} <= known
    named = command.split()[1 : len(command.split()) - len(words)]
    assert CliRunner().invoke(cli, [*named, "--help"]).exit_code == 0


def test_every_stage_is_there() -> None:
    for row in ROWS:
        if row[2] != "exactly" or row[3].startswith("reader"):
            continue
        for name in re.findall(r"(?:^|stage |, )`([a-z-]+)`", row[3]):
            if name not in ("splits", "jsonl", "exam", "suggestions"):
                assert load_stage(name), name
