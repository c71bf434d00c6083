"""The changelog: forty lines a version at most, and fragments whose form a release can join."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "docs" / "changelog.py"))
RELEASE = runpy.run_path(str(ROOT / "docs" / "release.py"))
TEXT = (ROOT / "CHANGELOG.md").read_text("utf-8")
ROLES = TOOL["ROLES"]


def versions(text: str) -> dict[str, list[str]]:
    """Version -> the lines of its lists."""
    parts = re.split(r"^## \[([^\]]+)\].*\n", text, flags=re.M)[1:]
    lines = (part.splitlines() for part in parts[1::2])
    return {
        version: [line for line in block if line and not line.startswith("#")]
        for version, block in zip(parts[::2], lines, strict=True)
    }


@pytest.mark.parametrize("version", versions(TEXT))
def test_a_version_is_read_in_a_minute(version: str) -> None:
    lines = versions(TEXT)[version]
    least = version != "Unreleased"  # nothing is new after a version
    assert least <= len(lines) <= RELEASE["MOST"] == 40
    assert [line for line in lines if len(line) > RELEASE["WIDEST"]] == []


def test_fragments_are_named_by_their_role_and_are_short_paragraphs() -> None:
    texts = TOOL["fragments"]()
    role = re.compile(rf"({'|'.join(ROLES)})(-[a-z0-9]+)+\.md")
    assert [name for name in texts if not role.fullmatch(name)] == []
    listed = re.compile(r"^(#|[-*] |$)", re.MULTILINE)
    assert [name for name, text in texts.items() if listed.search(text)] == []
    lengths = {name: len(text.split()) for name, text in texts.items()}
    assert [name for name, count in lengths.items() if not 0 < count <= 60] == []


def test_fragments_are_joined_to_the_lists_of_their_roles() -> None:
    head = "# Changelog\n\n## [Unreleased]\n"
    old = f"{head}\n### {ROLES['evaluate']}\n- a\n\n## [0.1.0]\n- b\n"
    new = {"build-x.md": "X\nof two lines.", "evaluate-y.md": "Y."}
    build, evaluate = ROLES["build"], ROLES["evaluate"]
    assert TOOL["joined"](old, new) == (
        head
        + f"\n### {build}\n- X of two lines.\n\n### {evaluate}\n- a\n- Y.\n\n## [0.1.0]\n- b\n"
    )


def test_joining_nothing_changes_nothing() -> None:
    assert TOOL["joined"](TEXT, {}) == TEXT
