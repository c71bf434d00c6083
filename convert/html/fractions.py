"""Fractions and roots that a page draws with boxes and rules, known by how they are built.

A fraction is two things, one above the other with a rule between them: two rows of a table with
one column, two blocks, or whatever a class calls a fraction. A root is a sign without text beside
a box under a rule.
"""

from __future__ import annotations

import re
from typing import Any

from .style import style_of

# names of classes: a fraction (in English or German), its numerator, its denominator
_FRACTION = re.compile(r"frac(?:tion)?|bruch", re.I)
_ABOVE = re.compile(r"(?:^|[\s_-])num(?:er(?:ator)?)?(?=[\s_-]|$)", re.I)
_BELOW = re.compile(r"(?:^|[\s_-])den(?:om(?:inator)?)?(?=[\s_-]|$)", re.I)
_STROKES = frozenset("/⁄∕÷")
_BETWEEN = _STROKES | {
    "\u2060"
}  # what may stand between the two: a stroke, a word joiner

Pair = tuple[Any, Any]


def fraction_of(element: Any, tag: str) -> Pair | None:
    """Numerator and denominator, where an element is a fraction and nothing else."""
    if tag == "table":
        return _fraction_of_table(element)
    is_named = _FRACTION.search(element.get("class", ""))
    is_styled_pair = element.get("style") and len(element) == 2
    if not is_named and not is_styled_pair:
        return None
    spoken = list(filter(_says, element))
    if len(spoken) != 2 or not _only_strokes(element):
        return None
    above, below = spoken
    if is_named:
        return above, below
    is_stacked = _is_block(above) and _is_block(below)
    has_rule = _ruled("bottom", above) or _ruled("top", below)
    return (above, below) if is_stacked and has_rule else None


def _fraction_of_table(table: Any) -> Pair | None:
    """Two rows of one cell each, with a rule between them."""
    rows = _rows(table)
    if len(rows) != 2 or len(rows[0]) != 1 or len(rows[1]) != 1:
        return None
    above = rows[0][0]
    below = rows[1][0]
    has_rule = _ruled("bottom", above, rows[0]) or _ruled("top", below, rows[1])
    return (above, below) if has_rule else None


def _is_block(element: Any) -> bool:
    return style_of(element.get("style", "")).display == "block"


def denominator_after(element: Any) -> Any:
    """The element called a denominator right behind one called a numerator, or None."""
    if not _ABOVE.search(element.get("class", "")):
        return None
    between = (element.tail or "").strip()
    after = element.getnext()
    while after is not None and not _says(after):
        between += (after.tail or "").strip()
        after = after.getnext()
    if after is None or not _BELOW.search(after.get("class", "")):
        return None
    return after if set(between) <= _BETWEEN else None


def root_of(table: Any) -> Pair | None:
    """The sign and the radicand, where a table is a root drawn in two cells of one row."""
    rows = _rows(table)
    cells = list(rows[0]) if len(rows) == 1 else []
    if len(cells) != 2 or not _ruled("top", cells[1]):
        return None
    sign = "".join(cells[0].itertext()).strip()
    return (cells[0], cells[1]) if sign in ("", "√") else None


def _rows(table: Any) -> list[Any]:
    rows = _elements(table)
    if len(rows) == 1 and rows[0].tag in ("tbody", "thead"):
        rows = _elements(rows[0])
    is_large = len(rows) > 3  # no fraction and no root: its rows are only counted
    return rows if is_large else [row for row in rows if row.tag == "tr"]


def _elements(parent: Any) -> list[Any]:
    """The children that are elements, and no comments."""
    return [child for child in parent.iterchildren() if isinstance(child.tag, str)]


def _ruled(side: str, *elements: Any) -> bool:
    """Whether one of some elements has just this border."""
    for element in elements:
        style = style_of(element.get("style", ""))
        if style.rule == side:
            return True
    return False


def _says(child: Any) -> bool:
    """Whether an element shows more than the stroke of a fraction."""
    if not isinstance(child.tag, str):
        return False
    text = "".join(child.itertext()).strip()
    return not set(text) <= _STROKES


def _only_strokes(element: Any) -> bool:
    tails = [child.tail or "" for child in element]
    between = "".join([element.text or "", *tails])
    return set("".join(between.split())) <= _BETWEEN
