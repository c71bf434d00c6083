"""The parts of a page's text: words, formulas in dollars, marks of items; and how they join."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..mathml import (
    characters,
    in_dollars,
    script_text,
)
from ..mathml import join as join_latex

LONG_SCRIPT = 1000  # characters of one that takes no second one beside it
_OF_POINTS = re.compile(r"[A-Z\d'′∠△+\-−=·×÷()\s]+")  # AB, A'C+BC: no words


class Maths(str):
    """A formula between dollars among the parts of a text."""

    latex: str = ""
    form: str = ""

    @classmethod
    def of(cls, latex: str, display: bool = False, form: str = "") -> Maths:
        formula = cls(in_dollars(latex, display))
        formula.latex, formula.form = latex, form
        return formula


class Mark(str):
    """The mark of an item, behind which no line breaks."""


def takes(script: Maths, other: str) -> bool:
    """Whether a script gets another on its base: the lower one, or the upper."""
    is_of_words = script.form == "script of words" and len(script.latex) < LONG_SCRIPT
    return is_of_words and script.latex[0] != other[0]


def plain(latex: str) -> str:
    """LaTeX by which two forms of one formula are known to be the same."""
    return re.sub(r"\\(?:display|text)style|[\s{}]", "", latex)


def says(parts: list[str]) -> bool:
    return any(part.strip() for part in parts)


def stripped(parts: list[str]) -> list[str]:
    """Parts without blanks at either end."""
    while parts and not parts[0].strip():
        parts = parts[1:]
    while parts and not parts[-1].strip():
        parts = parts[:-1]
    return parts


def in_maths(parts: list[str]) -> str:
    """Text and formulas as one formula."""
    pieces: list[str] = []
    words = ""
    for part in [*parts, Maths()]:
        if not isinstance(part, Maths):
            words += part
            continue
        if words.strip():
            if _OF_POINTS.fullmatch(words):
                pieces.append(characters(words.strip(), ""))
            else:
                pieces.append(script_text(words))
        pieces.append(part.latex)
        words = ""
    return join_latex([piece for piece in pieces if piece])


def within_row(inner: list[str], alone: bool) -> list[str]:
    inner = stripped(inner)
    if not alone:
        return [" " if part == "\n" else part for part in inner]
    return inner


def filled(latex: str, inner: Iterable[str]) -> str:
    """LaTeX with what belongs into its places; a fraction without one side keeps its rule."""
    arguments = tuple(inner)
    if latex.startswith(r"\frac") and not all(arguments):
        above, below = arguments
        return rf"\underline{{{above}}}" if above else rf"\overline{{{below}}}"
    return latex % arguments
