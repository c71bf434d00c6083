"""Fractions and roots that a page draws with boxes and rules, known by how they are built.

A fraction is two things, one above the other with a rule between them: two rows of a table with
one column, two blocks, or whatever a class calls a fraction. A root is a sign without text beside
a box under a rule.
"""

from __future__ import annotations

import re
from typing import Any

from .style import style_of

_FRACTION = re.compile(r"frac(?:tion)?|bruch", re.I)
_ABOVE = re.compile(r"(?:^|[\s_-])num(?:er(?:ator)?)?(?=[\s_-]|$)", re.I)
_BELOW = re.compile(r"(?:^|[\s_-])den(?:om(?:inator)?)?(?=[\s_-]|$)", re.I)
_STROKES = frozenset("/⁄∕÷")

Pair = tuple[Any, Any]


def fraction_of(element: Any, tag: str) -> Pair | None:
    """Numerator and denominator, where an element is a fraction and nothing else."""
    if tag == "table":
        rows = _rows(element)
        cells = [list(row) for row in rows[:3]]
        if len(rows) != 2 or [len(row) for row in cells] != [1, 1]:
            return None
        (above,), (below,) = cells
        ruled = _ruled("bottom", above, rows[0]) or _ruled("top", below, rows[1])
        return (above, below) if ruled else None
    named = _FRACTION.search(element.get("class", ""))
    if not named and not (element.get("style") and len(element) == 2):
        return None
    spoken = [child for child in element if _says(child)]
    if len(spoken) != 2 or not _only_strokes(element):
        return None
    above, below = spoken
    stacked = all(style_of(e.get("style", "")).display == "block" for e in spoken)
    ruled = stacked and (_ruled("bottom", above) or _ruled("top", below))
    return (above, below) if named or ruled else None


def denominator_after(element: Any) -> Any:
    """The element called a denominator right behind one called a numerator, or None."""
    if not _ABOVE.search(element.get("class", "")):
        return None
    after, between = element.getnext(), (element.tail or "").strip()
    while after is not None and not _says(after):
        between += (after.tail or "").strip()
        after = after.getnext()
    if after is None or not _BELOW.search(after.get("class", "")):
        return None
    return after if set(between) <= _STROKES | set("\u2060") else None


def root_of(table: Any) -> Pair | None:
    """The sign and the radicand, where a table is a root drawn in two cells of one row."""
    rows = _rows(table)
    cells = list(rows[0]) if len(rows) == 1 else []
    if len(cells) != 2 or not _ruled("top", cells[1]):
        return None
    sign = "".join(cells[0].itertext()).strip()
    return (cells[0], cells[1]) if sign in ("", "√") else None


def _rows(table: Any) -> list[Any]:
    rows = [e for e in table.iterchildren() if isinstance(e.tag, str)]
    if len(rows) == 1 and rows[0].tag in ("tbody", "thead"):
        rows = [e for e in rows[0] if isinstance(e.tag, str)]
    return [row for row in rows if row.tag == "tr"] if len(rows) < 4 else rows


def _ruled(side: str, *elements: Any) -> bool:
    return any(style_of(e.get("style", "")).rule == side for e in elements)


def _says(child: Any) -> bool:
    """Whether an element shows more than the stroke of a fraction."""
    text = "".join(child.itertext()).strip() if isinstance(child.tag, str) else ""
    return bool(text) and not set(text) <= _STROKES


def _only_strokes(element: Any) -> bool:
    between = (element.text or "") + "".join(child.tail or "" for child in element)
    return set("".join(between.split())) <= _STROKES | set("\u2060")
