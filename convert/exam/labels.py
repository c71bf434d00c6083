"""The signs that label options and parts, what tells the two apart, and answers that name them."""

from __future__ import annotations

import re

from ...problem import Option
from ..documents import CIRCLED, LETTERS

# Closed: how papers tell what a section is worth; it asks for nothing.
ADMINISTRATIVE = re.compile(
    r"(?i)\b\d+[ \t]*(?:points?|marks?)\b|\b(?:points?|marks?)[ \t]+(?:each|per)\b|\bworth\b"
    r"|\banswer[ \t]+type\b|\bcarr(?:y|ies)\b[^\n]*\bmarks?\b|\bcompulsory\b"
    r"|\battempt[ \t]+(?:any|all)\b"
    r"|每[小]?题|分[)）。，]|共\d+分|共[ \t]*\d+[ \t]*小?题|请考生|选考题|必考题|任选"
)


def as_label(answer: str, options: list[Option]) -> str:
    """`b` or `②` where the options are called A, B, C; any other answer stays as it is.

    >>> as_label("b", [Option(label="A", text="1"), Option(label="B", text="2")]), as_label("b", [])
    ('B', 'b')
    """
    plain = answer.strip(" ()（）[]*.$")
    letter = LETTERS[CIRCLED.index(plain)] if plain and plain in CIRCLED else plain.upper()
    return letter if any(letter == option.label for option in options) else answer


def several_letters(answer: str, options: list[Option]) -> str:
    """`ABD` for an answer that names several options, as `A, B and D` does; else "".

    >>> options = [Option(label=x, text="") for x in "ABCD"]
    >>> several_letters("B、D", options), several_letters("B", options)
    ('BD', '')
    """
    letters = re.sub(r"[ ,，、;；&]|\band\b|和", "", answer)
    labels = {option.label for option in options}
    if any(option.text.strip() == answer for option in options):  # the segment AC
        return ""
    several = len(letters) > 1 and len(set(letters)) == len(letters)
    return "".join(sorted(letters)) if several and labels.issuperset(letters) else ""
