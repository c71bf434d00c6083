"""Elements of HTML by what the standard says of them: the lists of elements.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

_LISTS = tomllib.loads(
    Path(__file__).with_name("elements.toml").read_text(encoding="utf-8")
)
PHRASING, BLOCKS, SILENT, EMBEDDED, ASIDE = (
    frozenset(_LISTS[name].split())
    for name in ("phrasing", "blocks", "silent", "embedded", "aside")
)
