r"""What commands and environments of LaTeX say: the tables of vocabulary.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_SAID[name].split())


def _arguments(name: str) -> dict[str, int]:
    """How many arguments go with each name."""
    counts: dict[str, Any] = _SAID[name]
    return {word: int(count) for count, words in counts.items() for word in words.split()}


SILENT, TRANSPARENT = _arguments("silent"), _arguments("transparent")
WRAPPERS, TABLES, PARTS = _arguments("wrappers"), _arguments("tables"), _arguments("parts")
SIZES, FONTS, STATED, OUTSIDE = map(_words, ("sizes", "fonts", "stated", "outside"))
INSTRUCTIONS, BREAKS, ITEMS = map(_words, ("instructions", "breaks", "items"))
SIGNS: dict[str, str] = _SAID["signs"]
ACCENTS: dict[str, str] = _SAID["accents"]
HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
