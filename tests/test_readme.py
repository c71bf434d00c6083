"""The README shows what the demo prints and what the files say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from benchwright.front_door import COMMANDS, GROUPS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.S)


def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    command = [sys.executable, "examples/demo.py"]
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed
    shown = next(block for _, block in BLOCKS if block.startswith("$ benchwright build-release"))
    lines = [line.split(" ...")[0].removesuffix("...") for line in shown.splitlines()]
    assert [line for line in lines if line not in printed] == []


def test_the_recipe_shown_is_the_demos() -> None:
    shown = next(block for kind, block in BLOCKS if kind == "yaml")
    assert shown == (ROOT / "examples" / "recipe.yaml").read_text("utf-8")


def test_every_command_is_listed_with_its_help() -> None:
    helps = {name: help for name, (_, help) in COMMANDS.items()} | GROUPS
    for name in {command.split()[0] for command in COMMANDS}:
        text = helps[name].split("\n")[0]
        assert f"| `{name}` | {text} |" in README


def test_links_lead_somewhere() -> None:
    for path in ROOT.glob("docs/*.md"):
        assert f"docs/{path.name}" in README, f"README.md does not link {path.name}"
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
