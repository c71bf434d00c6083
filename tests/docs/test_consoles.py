"""What the tutorial and the pages for roles show is what the commands print today."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from benchwright.cli import cli
from consoles import blocks, differences, sessions, write_files

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


# Pages that need a server or a plugin of their own are walked elsewhere.
WALKED_HERE = (
    "README", "docs/diagrams", "docs/evaluators", "docs/grading", "docs/mathml", "docs/saying",
    "docs/tutorial",
)  # fmt: skip
WALKED_ELSEWHERE = {
    "docs/hub": "tests/hub/test_page.py",
    "docs/labelling": "tests/docs/test_labelling.py",
    "docs/pages": "tests/serving/test_view.py",
    "docs/guides/exporter": "tests/test_guides.py",
    "docs/guides/kind": "tests/test_guides.py",
    "docs/guides/profile": "tests/test_guides.py",
    "docs/guides/reader": "tests/test_guides.py",
    "docs/guides/stage": "tests/test_guides.py",
}


def test_every_console_of_the_documents_is_walked() -> None:
    shown = {
        page.relative_to(ROOT).with_suffix("").as_posix()
        for page in PAGES
        if "```console" in page.read_text("utf-8")
    }
    assert shown == {*WALKED_HERE, *WALKED_ELSEWHERE}
    for page, test in WALKED_ELSEWHERE.items():
        walk = (ROOT / test).read_text("utf-8")
        folder, name = page.split("/")[-2:]
        assert f"{name}.md" in walk or f'"{folder}"' in walk, f"{test} walks no {page}"


@pytest.mark.parametrize("name", WALKED_HERE)
def test_pages_show_what_is_printed(name: str, tmp_path: Path) -> None:
    text = (ROOT / f"{name}.md").read_text("utf-8")
    if name != "README":  # which begins in an empty folder
        (tmp_path / "examples").symlink_to(ROOT / "examples")
    write_files(text, tmp_path)
    if name == "docs/evaluators":  # its reader has built the release in the tutorial
        run("benchwright build-release examples/recipe.yaml -o out", tmp_path)
    for language, _, block in blocks(text):
        for command, shown in sessions(block) if language == "console" else ():
            printed = run(command, tmp_path)
            assert differences(shown, printed) == [], f"$ {command}\n{printed}"


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if ">>> " in page.read_text("utf-8")],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_python_shown_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    shown = "".join(
        block
        for language, _, block in blocks(page.read_text("utf-8"))
        if language == "python"
    )
    example = doctest.DocTestParser().get_doctest(shown, {}, page.name, str(page), 0)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def run(command: str, folder: Path) -> str:
    """Results and talk of a command, which must succeed."""
    ours = f"{shlex.quote(sys.executable)} -m benchwright "
    done = subprocess.run(
        ["bash", "-c", re.sub(r"(^|\| )benchwright ", rf"\1{ours}", command)],
        cwd=folder, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"$ {command}\n{done.stderr}"
    return done.stdout + done.stderr


def command_lines() -> list[tuple[str, str]]:
    """(page, command) wherever a document shows how to call benchwright."""
    found = []
    for page in PAGES:
        for language, _, block in blocks(page.read_text("utf-8")):
            if language in ("", "console", "text"):
                lines = block.replace("\\\n", " ").splitlines()
                starts = [line.removeprefix("$ ") for line in lines]
                found += [(page.name, line) for line in starts if is_command(line)]
    return found


def is_command(line: str) -> bool:
    return line.startswith(("benchwright ", "build-release ")) and "|" not in line


def fault_of(line: str) -> str:
    """What is wrong with a command that a document shows; "" where it is right."""
    words = shlex.split(
        line.split(" > ")[0].replace("[", " ").replace("]", " "), comments=True
    )
    if words[0] == "benchwright":
        words = words[1:]
    command: click.Command | None = cli
    while isinstance(command, click.Group):
        name = words.pop(0)
        command = command.get_command(click.Context(command), name)
        if command is None:
            return f"no command {name!r}"
    assert command is not None
    known = {name for p in command.params for name in [*p.opts, *p.secondary_opts]}
    used = {
        word.split("=")[0] for word in words if word.startswith("-") and word != "-"
    }
    return " ".join(sorted(used - known - {"--help", "--debug"}))


def test_commands_in_documents_exist_with_their_options() -> None:
    shown = command_lines()
    assert len(shown) > 100
    wrong = [(page, line, fault) for page, line in shown if (fault := fault_of(line))]
    assert wrong == []
    assert fault_of("benchwright scor x") == "no command 'scor'"
    assert fault_of("benchwright score r p --never") == "--never"


def test_a_changed_line_is_noticed() -> None:
    printed = "stage  in\nread   55\ncheck  42 (gold: 1)\nrelease: out\n"
    assert (
        differences(["stage  in", "...", "check  42 ...", "release: out"], printed)
        == []
    )
    assert differences(["read   54"], printed) == ["read   54"]
    assert differences(["release: out", "stage  in"], printed) == ["stage  in"]


def test_a_session_is_cut_into_commands() -> None:
    block = (
        "$ benchwright stages\nstage\n...\n$ benchwright verify \\\n  out\nis good\n"
    )
    assert list(sessions(block)) == [
        ("benchwright stages", ["stage", "..."]),
        ("benchwright verify   out", ["is good"]),
    ]
