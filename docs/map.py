"""The map in CONTRIBUTING.md: `python docs/map.py` writes it again from the code's docstrings."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"


def tables() -> dict[str, list[str]]:
    """Header of a table -> its rows: files of the root and of base, doors of houses and rooms."""
    ground = [path for path in ROOT.glob("*.py") if not path.name.startswith("__")]
    houses = [path.parent for path in ROOT.glob("*/__init__.py")]
    doors = [path for house in houses for path in house.rglob("__init__.py")]
    base = [path for path in ROOT.glob("base/*.py") if path.name != "__init__.py"]
    tables = {"root": ground, "base": base, "room": doors}
    return {head: sorted(map(_row, paths)) for head, paths in tables.items()}


def _row(path: Path) -> str:
    """A file or a room with the first line of its docstring."""
    place = path.relative_to(ROOT)
    name = (
        f"{place.parent.as_posix()}/"
        if path.name == "__init__.py"
        else place.as_posix()
    )
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return f"| `{name}` | {said.splitlines()[0] if said else ''} |"


def drawn(text: str) -> str:
    """`text` with the rows of all tables as the code has them."""
    for head, rows in tables().items():
        start = text.index(f"| {head} | |\n")
        end = text.index("\n\n", start)
        text = (
            text[:start] + "\n".join([f"| {head} | |", "|---|---|", *rows]) + text[end:]
        )
    return text


if __name__ == "__main__":
    CONTRIBUTING.write_text(
        drawn(CONTRIBUTING.read_text("utf-8")), "utf-8", newline="\n"
    )
