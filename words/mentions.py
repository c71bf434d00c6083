"""What a text speaks of that must stand beside it, a figure or a table, in many languages."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

Shown = Literal["figure", "table"]
# languages whose words follow each other without blanks
_UNSPACED = frozenset({"zh", "ja", "ko"})


def mention(shown: Shown, text: str) -> str:
    """The words by which a text speaks of a figure or a table beside it; "" where none do.

    >>> mention("figure", "As shown in the figure below."), mention("figure", "a plane figure")
    ('As shown in the figure', '')
    >>> mention("figure", "Auf der Abbildung ..."), mention("table", "如下表所示")
    ('Auf der Abbildung', '下表')
    """
    if not (match := _phrases(shown).search(text)):
        return ""
    return match[0].strip()


@cache
def _phrases(shown: Shown) -> re.Pattern[str]:
    """All phrases of all languages in one pattern; those with blanks between words stand whole."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    whole: list[str] = []
    others: list[str] = []
    for code, phrases in table[shown].items():
        (others if code in _UNSPACED else whole).extend(phrases)
    spaced = rf"(?<!\w)(?:{'|'.join(whole)})(?!\w)"
    return re.compile("|".join([spaced, *others]), re.IGNORECASE)
