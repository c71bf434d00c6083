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
    return {
        word: int(count) for count, words in counts.items() for word in words.split()
    }


SILENT = _arguments("silent")
TRANSPARENT = _arguments("transparent")
WRAPPERS = _arguments("wrappers")
TABLES = _arguments("tables")
PARTS = _arguments("parts")
FRAMES = WRAPPERS | TABLES
SIZES = _words("sizes")
FONTS = _words("fonts")
STATED = _words("stated")
OUTSIDE = _words("outside")
INSTRUCTIONS = _words("instructions")
BREAKS = _words("breaks")
ITEMS = _words("items")
PAGES = _words("pages")
NOTES = _words("notes")
SIGNS: dict[str, str] = _SAID["signs"]
ACCENTS: dict[str, str] = _SAID["accents"]
HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")

# What each command takes: an o for an option, a g for an argument, * for all groups, a size.
_TAKES = {
    **{name: "o" + "g" * count for name, count in SILENT.items()},
    **{name: f"o{'g' * count}og" for name, count in TRANSPARENT.items()},
    **dict.fromkeys(HEADINGS, "og"),
    **dict.fromkeys(SIZES, "s"),
    **dict.fromkeys(SIGNS, ""),
    **dict.fromkeys([*ACCENTS, *INSTRUCTIONS, *NOTES], "g"),
    **dict.fromkeys(PARTS, "o*"),
    **dict.fromkeys(ITEMS, "o"),
    **dict.fromkeys(["fillin", "answerline", "paren"], "oo"),
    **dict.fromkeys(["includegraphics", "cite"], "og"),
    **dict.fromkeys(["answer", "ans"], "ogo"),
    **dict.fromkeys(["@refers", "@missing"], "gg"),
    "\\": "o",
    "titledquestion": "go*",
    "bonustitledquestion": "go*",
}


def takes(name: str) -> str:
    """What a command takes; one that nobody lists, an option and all groups behind it."""
    return _TAKES.get(name, _TAKES.get(name.rstrip("*"), "o*"))


def is_listed(name: str) -> bool:
    """Whether what a command says stands here."""
    return name in _TAKES
