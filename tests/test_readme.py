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
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed
    shown = next(
        block for _, block in BLOCKS if block.startswith("$ benchwright build-release")
    )
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


def test_links_lead_somewhere_where_a_registry_shows_them() -> None:
    """Relative links break there: addresses are whole, and those of the repository are in it."""
    for path in ROOT.glob("docs/*.md"):
        assert f"docs/{path.name}" in README, f"README.md does not link {path.name}"
    targets = re.findall(r"\]\(([^)]+)\)|^\[[^\]\n]+\]: (\S+)$", README, re.M)
    addresses = [inline or defined for inline, defined in targets]
    assert len(addresses) > 20
    for address in addresses:
        host, home, place = address.partition("benchwright/benchwright/")
        place = place.removeprefix("blob/").removeprefix("main/").partition("#")[0]
        assert host in ("https://github.com/", "https://raw.githubusercontent.com/")
        assert home
        assert (ROOT / place).exists(), address


def test_every_link_has_its_address() -> None:
    prose = re.sub(
        r"^```.*?^```$|`[^`\n]*`|\[[^\]]*\]\([^)]*\)", "", README, flags=re.M | re.S
    )
    named = set(re.findall(r"\[([^\]\n]+)\](?!:)", prose))
    assert named == set(re.findall(r"^\[([^\]\n]+)\]: ", README, re.M))
