"""A text as a strict reader parts it: formulas, and the prose between them, code and tables."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from ..convert.documents import PICTURE
from ..latex import (
    MathSpan,
    bare_formulas,
    code_stretches,
    fault_of,
    maths_spans,
    reads_as_prose,
    tabulars,
)

_PLACED = re.compile(r"<image\d+>|\[picture(?::[^\]\n]*)?\]")
# matrices and the like, whose rows end in two backslashes
_ROWS = re.compile(
    r"\\begin\{(?P<name>\w*matrix|cases|aligned|array)\*?\}(?P<body>.*?)\\end\{(?P=name)",
    re.DOTALL,
)
_HALF_ROW_END = re.compile(r"\\(?=[\s\d])")


class Reading(msgspec.Struct, frozen=True):
    """What a text consists of. In `prose` blanks stand for all that is none."""

    formulas: list[MathSpan]
    prose: str
    bare: list[MathSpan]  # formulas without dollars, in the prose


@lru_cache(maxsize=512)  # rule after rule asks about one text
def read(text: str) -> Reading:
    r"""The formulas of a text, and its prose with every character at its place.

    >>> read(r"Find $x$ of `code`.").prose
    'Find     of       .'
    """
    if not _MAY_HOLD.search(text):
        return Reading([], text, [])
    spans = maths_spans(text)
    places = [(span.start, span.end) for span in spans]
    places += code_stretches(text) + tabulars(text)
    places += [match.span() for match in PICTURE.finditer(text)]
    places += [match.span() for match in _PLACED.finditer(text)]
    prose = text
    for start, end in places:
        prose = prose[:start] + " " * (end - start) + prose[end:]
    return Reading(spans, prose, list(bare_formulas(prose)))


_MAY_HOLD = re.compile(r"[$\\<`!^_√\[]")


def is_formula(text: str) -> bool:
    r"""Whether a text is one formula as a whole, without dollars, as golds and options are.

    >>> is_formula(r"\frac{1}{2}"), is_formula(r"so \frac{1}{2} is it")
    (True, False)
    """
    if "$" in text or "__" in text or not any(sign in text for sign in "\\^_"):
        return False  # `2*3=__` asks for what stands there
    return not reads_as_prose(text)


def faults(text: str) -> list[str]:
    """Why renderers do not set the formulas of a text, each reason once."""
    reading = read(text)
    formulas = [(span.tex, span.display) for span in reading.formulas]
    if not formulas and is_formula(text):
        formulas = [(text.strip(), False)]
    reasons: dict[str, None] = {}
    for tex, display in formulas:
        if reason := fault_of(tex, display) or _lost_row_end(tex):
            reasons[f"{reason}: {tex[:80]}" if reason not in tex else reason] = None
    return list(reasons)


def _lost_row_end(tex: str) -> str:
    r"""A matrix whose rows end in one backslash: `1 & 2 \ 3 & 4`, where two stood."""
    for match in _ROWS.finditer(tex) if r"\begin" in tex else ():
        body = match["body"]
        if r"\\" not in body and "&" in body and _HALF_ROW_END.search(body):
            return "a row that ends in one backslash"
    return ""
