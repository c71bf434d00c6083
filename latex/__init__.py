"""The one answer to what a formula is: delimiters, groups, boxes, symbols, drawings."""

from __future__ import annotations

from .boxed import read_boxed, write_boxed
from .delimiters import MATH, MATHPIX, Delimiters, MathSpan, maths_spans, outside
from .groups import group_end, pieces
from .svg import DEEPEST, htmls_of, symbols_once, undrawable
from .symbols import CJK, FOLD, FUNCTIONS, SYMBOLS

__all__ = [
    "CJK",
    "DEEPEST",
    "FOLD",
    "FUNCTIONS",
    "MATH",
    "MATHPIX",
    "SYMBOLS",
    "Delimiters",
    "MathSpan",
    "group_end",
    "htmls_of",
    "maths_spans",
    "outside",
    "pieces",
    "read_boxed",
    "symbols_once",
    "undrawable",
    "write_boxed",
]
