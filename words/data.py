"""The tables of words that lie beside the code."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def load(name: str) -> dict[str, Any]:
    """What `name`.toml holds."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
