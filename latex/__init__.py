"""The one answer to what a formula is: delimiters, groups, boxes, symbols, drawings."""

from __future__ import annotations

from .boxed import Box, boxes, read_boxed, write_boxed
from .delimiters import (
    MATHPIX,
    PROBLEM_TEXT,
    Delimiters,
    MathSpan,
    code_stretches,
    joined,
    maths_spans,
    outside,
    replace_maths,
)
from .groups import group_end, pieces
from .prose import reads_as_prose, stray_dollars
from .sub_answers import STYLES as PART_STYLES
from .sub_answers import Section, first_run, last_run
from .svg import DEEPEST, htmls_of, symbols_once, undrawable
from .symbols import (
    CJK,
    FOLD,
    FULL_WIDTH,
    FUNCTIONS,
    HAN,
    SCHOOL_FUNCTIONS,
    SYMBOLS,
    UNSPACED,
    WIDE_ASCII,
    is_chinese,
    with_scripts,
)

__all__ = [
    "CJK",
    "DEEPEST",
    "FOLD",
    "FULL_WIDTH",
    "FUNCTIONS",
    "HAN",
    "MATHPIX",
    "PART_STYLES",
    "PROBLEM_TEXT",
    "SCHOOL_FUNCTIONS",
    "SYMBOLS",
    "UNSPACED",
    "WIDE_ASCII",
    "Box",
    "Delimiters",
    "MathSpan",
    "Section",
    "boxes",
    "code_stretches",
    "first_run",
    "group_end",
    "htmls_of",
    "is_chinese",
    "joined",
    "last_run",
    "maths_spans",
    "outside",
    "pieces",
    "read_boxed",
    "reads_as_prose",
    "replace_maths",
    "stray_dollars",
    "symbols_once",
    "undrawable",
    "with_scripts",
    "write_boxed",
]
