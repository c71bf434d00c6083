"""The guides' examples, run as a reader would: files written as shown, commands typed as shown."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[1] / "docs" / "guides"
ORDER = (
    "stage",
    "reader",
    "exporter",
    "profile",
    "kind",
)  # later ones use the first release
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
ENTRY_POINTS = {
    "my_stages": ("stages", "no-proofs", "no_proofs"),
    "my_readers": ("readers", "club-quiz", "club_quiz"),
    "my_exporters": ("exporters", "flashcards", "flashcards"),
    "my_profiles": ("profiles", "club", "club"),
    "my_kinds": ("kinds", "picture-needed", "picture_needed"),
}


def text(guide: str) -> str:
    return (GUIDES / f"{guide}.md").read_text("utf-8")


def commands(guide: str) -> list[tuple[str, str]]:
    return [
        pair
        for block in CONSOLE.findall(text(guide))
        for pair in COMMAND.findall(block)
    ]


def write_files(folder: Path) -> None:
    for guide in ORDER:
        for name, content in FILE.findall(text(guide)):
            (folder / name).write_text(content, "utf-8")


def typed(command: str, folder: Path, more_path: Path | None = None) -> tuple[str, str]:
    """stderr and stdout of a command of the guides."""
    words = shlex.split(command)
    if words[0] == "cat":
        return "", (folder / words[1]).read_text("utf-8")
    assert words[0] == "benchwright"
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | ({"PYTHONPATH": str(more_path)} if more_path else {}),
    )
    assert done.returncode == 0, done.stderr
    return done.stderr, done.stdout


def as_shown(command: str, stderr: str, stdout: str) -> str:
    """Talk stands before the result; score tells where its report is at the end."""
    return stdout + stderr if " score " in command else stderr + stdout


def test_all_guides_are_tested() -> None:
    assert {path.stem for path in GUIDES.glob("*.md")} == set(ORDER)
    assert all(commands(guide) for guide in ORDER)


def test_guides_stand_at_the_front_door() -> None:
    """Names of rooms may change between releases."""
    assert not [
        guide
        for guide in ORDER
        if re.search(r"^(from|import) benchwright\.", text(guide), re.M)
    ]


def test_the_commands_print_what_the_guides_show(tmp_path: Path) -> None:
    write_files(tmp_path)
    for guide in ORDER:
        for command, shown in commands(guide):
            assert as_shown(command, *typed(command, tmp_path)) == shown, command


def test_the_same_files_as_an_installed_package(tmp_path: Path) -> None:
    """A distribution with entry points on the path takes the place of --plugin."""
    write_files(tmp_path)
    site = tmp_path / "site"
    info = site / "club_tools-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: club-tools\nVersion: 1.2\n"
    )
    lines = []
    for module, (group, name, function) in ENTRY_POINTS.items():
        (tmp_path / f"{module}.py").rename(site / f"{module}.py")
        lines += [f"[benchwright.{group}]", f"{name} = {module}:{function}"]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for guide in ORDER:
        for command, shown in commands(guide):
            bare = re.sub(r" --plugin \S+", "", command)
            assert as_shown(command, *typed(bare, tmp_path, site)) == shown, bare
    _, listed = typed("benchwright stages", tmp_path, site)
    for module, (_, name, _) in ENTRY_POINTS.items():
        assert re.search(
            rf"^{name} +{module} +club-tools 1\.2", listed, re.MULTILINE
        ), listed


@pytest.mark.parametrize("engine", ["--jobs 2", "--jobs 2 --engine dask"])
def test_a_stage_and_a_reader_of_plugins_on_workers(
    tmp_path: Path, engine: str
) -> None:
    """Enough problems for several tasks; the release is the same as in one process."""
    write_files(tmp_path)
    quiz = "".join(f"What is ${k}+1$?\n{k}\n{k + 1}\n= B\n\n" for k in range(200))
    quiz += "".join(
        f"Prove that ${k}<{k + 1}$.\nnot\ndone\n= A\n\n" for k in range(200)
    )
    (tmp_path / "quiz.txt").write_text(quiz, "utf-8")
    (tmp_path / "quiz.yaml").open("a").write("stages: [no-proofs]\n")
    command = "benchwright build-release quiz.yaml --plugin my_readers.py --plugin my_stages.py"
    typed(f"{command} --jobs 1 -o one", tmp_path)
    stderr, _ = typed(f"{command} {engine} -o two", tmp_path)
    assert "no-proofs: 400 in, 200 kept, 200 dropped" in stderr
    one, two = (tmp_path / name / "quiz-1.0.0" for name in ("one", "two"))
    files = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    assert len(files) > 8
    assert all((one / file).read_bytes() == (two / file).read_bytes() for file in files)
