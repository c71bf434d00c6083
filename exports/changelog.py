"""CHANGELOG.md: the difference from the previous release, and the errata that were applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..pipeline import Recipe
from ..problem import Problem
from .diff import by_id, changes, read_by_id, summary
from .errata import read_errata

MOST_IDS = 20  # ids named for each kind of change


def changelog(recipe: Recipe, splits: Mapping[str, Sequence[Problem]]) -> str:
    """The newest entry, above the previous release's own changelog."""
    lines = [f"# Changelog of {recipe.name}", "", f"## {recipe.version}", ""]
    older = ""
    if recipe.previous is None:
        lines.append("First release.")
    else:
        previous = recipe.folder / recipe.previous
        changed = changes(read_by_id(previous), by_id(splits))
        if not changed:
            lines.append("No problem changed.")
        for kind, count in summary(changed).items():
            ids = [change.id for change in changed if kind in change.kinds]
            more = f" and {count - MOST_IDS} more" if count > MOST_IDS else ""
            lines.append(f"- {kind}: {count} ({', '.join(ids[:MOST_IDS])}{more})")
        older = _entries(previous / "CHANGELOG.md")
    if recipe.errata is not None:
        lines += ["", "Errata applied:", ""]
        lines += [
            f"- {e.id} {e.field}: {e.reason}" for e in read_errata(recipe.folder / recipe.errata)
        ]
    return "\n".join(lines) + "\n" + (f"\n{older}" if older else "")


def _entries(path: Path) -> str:
    """A changelog without its title."""
    if not path.exists():
        return ""
    text = path.read_text("utf-8")
    return text[text.find("## ") :]
