"""CONTRIBUTING.md: its map is the code's, and its table leads to files that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
DOORS = sorted(
    path
    for house in ROOT.glob("*/__init__.py")
    for path in house.parent.rglob("__init__.py")
)  # fmt: skip
GROUND = sorted(path for path in ROOT.glob("*.py") if not path.name.startswith("__"))


def first_line(path: Path) -> str:
    """The docstring's first line."""
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0]


def row(path: Path) -> str:
    place = path.relative_to(ROOT)
    name = place.parent.as_posix() + "/" if path.name == "__init__.py" else place.as_posix()
    return f"| `{name}` | {first_line(path)} |"


@pytest.mark.parametrize("paths", [GROUND, DOORS], ids=["root", "rooms"])
def test_the_map_is_the_code(paths: list[Path]) -> None:
    expected = [row(path) for path in paths]
    first = TEXT.find(expected[0])
    table = TEXT[first : TEXT.find("\n\n", first)].splitlines()
    assert table == expected, "the map should read:\n" + "\n".join(expected)


def test_every_door_says_what_is_behind_it() -> None:
    assert [str(path) for path in [*DOORS, *GROUND] if not first_line(path)] == []


def test_places_named_are_there() -> None:
    named = re.findall(r"`([\w.]+/[\w./-]*|\w+\.(?:py|toml|md|cff))`", TEXT)
    generic = {"command.py", "commands.py"}
    missing = {name for name in named if name not in generic and not (ROOT / name).exists()}
    assert len(named) > 100
    assert missing == set()
