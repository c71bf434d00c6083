"""Formulas that no renderer sets, in texts and golds, and LaTeX outside of formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..latex import pieces
from .reading import faults, is_formula, read
from .rules import Asked, Flagged, validator

# What Markdown writes a backslash before, where a formula means the sign itself.
_ESCAPED = re.compile(
    r"(?<=[\w)}])\\_(?=[{\w])|\\[<>*^](?![A-Za-z])(?=\s*[\w\\(])|\\-(?=\s*\d)"
)
# A command, an environment or a space of TeX; `\$`, `\%`, `\&`, `\#`, `\_` read as the sign.
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|[*.,;:!>+~`'\"^=/|{}-](?!\w*[\\/]))")
_SHOWN = 60
_BRACKET = re.compile(r"[()\[\]（）［］]")
_LABEL = re.compile(r"(?<![\w(（])\w{1,3}\s*[)）\]]")
_NO_BRACKET = re.compile(r"\\(?:left|right)\s*\.|\\[()\[\]]")


@validator(
    "text-formula", "warning", "mend the formula, or write what its command stands for"
)
def text_formula(asked: Asked) -> Iterator[Flagged]:
    r"""A formula that no renderer sets: broken in its syntax, or with `\Parallel`."""
    for field, text in asked.texts:
        yield from ((field, reason) for reason in faults(text))


@validator("text-bracket", "warning", "look at the raw row: a bracket is missing")
def text_bracket(asked: Asked) -> Iterator[Flagged]:
    """A formula whose brackets are odd in number, in a text whose brackets are.

    `[3, 4)` and `]a, b[` are intervals, `f($x$)` has its brackets outside, `a)` is a label.
    """
    for field, text in asked.texts:
        if not (_is_odd(text) and _is_odd(_LABEL.sub("", text))):
            continue
        odd = (s for s in read(text).formulas if _is_odd(_NO_BRACKET.sub("", s.tex)))
        if span := next(odd, None):
            yield field, span.tex[:_SHOWN]


def _is_odd(text: str) -> bool:
    return len(_BRACKET.findall(text)) % 2 == 1


@validator("text-escape", "warning", "take the backslashes of Markdown away")
def text_escape(asked: Asked) -> Iterator[Flagged]:
    r"""A backslash of Markdown inside of a formula: `v\_{c}`, `a \< b`."""
    for field, text in asked.texts:
        for span in read(text).formulas:
            maths = "".join(piece for piece, is_maths in pieces(span.tex) if is_maths)
            if match := _ESCAPED.search(maths):
                yield field, f"{match[0]}: {span.tex[:_SHOWN]}"
                break


@validator(
    "text-command",
    "warning",
    "add the stage latex before check, or write what it means",
)
def text_command(asked: Asked) -> Iterator[Flagged]:
    r"""LaTeX in prose: what is asked shows `\angle` as it is written."""
    for field, text in asked.texts:
        if "\\" not in text or is_formula(text):
            continue
        match = _COMMAND.search(read(text).prose)
        if match:
            start = max(0, match.start() - 10)
            yield field, text[start : match.end() + _SHOWN].strip()
