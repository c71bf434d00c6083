"""The signs of MathML and of LaTeX, as notation.toml lists them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

NOTATION: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def signs(name: str) -> dict[str, str]:
    """One table of signs."""
    table: dict[str, str] = NOTATION[name]
    return table
