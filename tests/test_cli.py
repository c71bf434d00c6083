"""Every command has help with an example, and mistakes give one clear line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright.__main__ import FILTERS
from benchwright.cli import main
from benchwright.front_door import COMMANDS
from command_tree import commands

DOCS = "\n".join(
    path.read_text("utf-8")
    for path in [
        Path(__file__).parents[1] / "README.md",
        *(Path(__file__).parents[1] / "docs").rglob("*.md"),
    ]
)


ALL = dict(commands())


def test_every_command_has_help_with_an_example() -> None:
    assert [n for n, c in ALL.items() if "Example" not in (c.help or "")] == []


def test_every_command_is_documented() -> None:
    assert [name for name in ALL if name not in DOCS] == []


def test_help_lists_every_command_quickly_without_importing_them() -> None:
    script = (
        "import sys; from benchwright.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = ('numpy', 'sympy', 'matplotlib', 'pyarrow', 'openai', 'PIL')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert all(name.split()[0] in done.stdout for name in COMMANDS)
    assert done.stdout.rstrip().endswith("[]")


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["scor"], 2, "did you mean 'score'"),
        (["verify", "no-such-folder"], 1, "is not a release"),
        (["build-release"], 2, "Missing argument"),
        (["build-release", "none.yaml"], 1, "cannot read none.yaml"),
        (["diff", "a", "b"], 1, "is not a release"),
        (["export", "excel", "a"], 1, "unknown format"),
    ],
)
def test_mistakes_give_a_clear_line(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, expected: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    err = capsys.readouterr().err
    assert stop.value.code == code
    assert expected in err
    assert "Traceback" not in err


def test_commands_are_named_once() -> None:
    assert all(re.fullmatch(r"[a-z -]+", name) for name in COMMANDS)


@pytest.mark.parametrize("words", FILTERS)
def test_filters_answer_without_the_command_line_as_with_it(
    words: tuple[str, ...],
) -> None:
    """Every word but the filter's own goes to the command line; both give the same bytes."""
    lines = '{"id": 1, "mathml": "<math><mi>x</mi></math>"}\nno JSON\n'
    script = "import sys; from benchwright.{} import main; main({}); "
    runs = [
        subprocess.run(
            [sys.executable, *how], input=lines, capture_output=True, text=True
        )
        for how in (
            ["-X", "importtime", "-m", "benchwright", *words],
            ["-c", script.format("cli", list(words))],
        )
    ]
    assert [(run.stdout, run.returncode) for run in runs] == [(runs[0].stdout, 1)] * 2
    imported = {line.rpartition("|")[2].strip() for line in runs[0].stderr.splitlines()}
    assert "benchwright.base.jsonl_tool" in imported
    assert not imported & {"benchwright.cli", "lxml", "numpy", "benchwright.latex.svg"}
