"""CONTRIBUTING.md and SECURITY.md: the map is the code's, and places named are there."""

from __future__ import annotations

import pkgutil
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAP = runpy.run_path(str(ROOT / "docs" / "map.py"))
GENERIC = {"command.py", "commands.py", "__init__.py"}


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_map_is_the_code() -> None:
    expected = [row for rows in MAP["tables"]().values() for row in rows]
    shown = set(text("CONTRIBUTING.md").splitlines())
    assert [row for row in expected if row not in shown] == [], (
        "run: python docs/map.py"
    )
    assert MAP["drawn"](text("CONTRIBUTING.md")) == text("CONTRIBUTING.md")


def test_every_door_says_what_is_behind_it() -> None:
    rows = [row for rows in MAP["tables"]().values() for row in rows]
    assert len(rows) > 50
    assert [row for row in rows if row.endswith("|  |")] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md", "README.md"])
def test_places_named_are_there(name: str) -> None:
    pattern = r"`([a-z_.]+/[\w./-]*|\w+\.(?:py|toml|cff))`"
    named = set(re.findall(pattern, text(name))) - GENERIC
    made = {
        place
        for place in named
        if place.startswith(("out/", "data/", "dist/", "images/"))
    }
    assert len(named) >= 10
    assert [
        place for place in sorted(named - made) if not (ROOT / place).exists()
    ] == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.stem
)
def test_modules_named_in_pages_are_there(path: Path) -> None:
    words = path.read_text("utf-8")
    for name in re.findall(r"`(benchwright(?:\.\w+)+)", words):
        pkgutil.resolve_name(name)
    for place in re.findall(
        r"`((?:convert|evaluate|render|annotate|tests|bench)/[\w./-]+)`", words
    ):
        assert (ROOT / place).exists(), f"{path.name}: {place}"
