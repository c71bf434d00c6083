"""Where the real data lies: beside the checkout, or beside the folder of a worktree."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def beside(path: str = "") -> Path | None:
    """`../shared/data/<path>` if it is there."""
    places = (
        base / "shared" / "data" / path for base in (ROOT.parent, ROOT.parent.parent)
    )
    return next((place for place in places if place.exists()), None)


def needed(path: str) -> Path:
    """The same; without it the benchmark says so and ends."""
    if place := beside(path):
        return place
    print(f"skipped: ../shared/data/{path} is not beside the checkout")
    raise SystemExit(0)
