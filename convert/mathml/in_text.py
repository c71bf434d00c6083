"""`<math>` elements inside a problem's text, of which nothing else is touched."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .converter import mathml_to_latex
from .tree import Refusal

_OPENING = re.compile(r"<((?:[\w.-]+:)?math)(?=[\s/>])[^<>]*>|«(math)\b")
_DISPLAY = re.compile(r"<[^>]*\bdisplay\s*=\s*[\"']?block|^«math[^»]*display=¨block")


def replace_formulas(
    text: str, doubts: list[str] | None = None
) -> tuple[str, list[str]]:
    """`text` with every `<math>` element as `$...$` (`$$...$$` for display), and the refusals.

    A refused formula stays as it is, what is doubtful in one goes to `doubts`. Nothing else is
    touched: `a < b` and LaTeX stay.

    >>> replace_formulas("Let <math><mi>x</mi><mo>&gt;</mo><mn>0</mn></math>.")
    ('Let $x>0$.', [])
    """
    refusals: list[str] = []
    pieces: list[str] = []
    done = 0
    for start, end in _formulas(text):
        pieces.append(text[done:start])
        done = end
        try:
            source = text[start:end]
            pieces.append(
                in_dollars(mathml_to_latex(source, doubts), is_display(source))
            )
        except Refusal as refusal:
            refusals.append(str(refusal))
            pieces.append(text[start:end])
    return "".join([*pieces, text[done:]]), refusals


def only_formula(text: str) -> bool:
    """Whether `text` is one formula and nothing else."""
    text = text.strip()
    return next(_formulas(text), None) == (0, len(text))


def in_dollars(latex: str, display: bool = False) -> str:
    """LaTeX between dollars; a formula in which nothing stands is nothing.

    >>> in_dollars("x", display=True), in_dollars("")
    ('$$x$$', '')
    """
    mark = "$$" if display else "$"
    return f"{mark}{latex}{mark}" if latex.strip() else ""


def is_display(source: str) -> bool:
    """Whether a `<math>` element, or one in safe XML, says that it stands on a line of its own."""
    return _DISPLAY.match(source) is not None


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """Where formulas stand; the time is linear also where none is closed."""
    unclosed: set[str] = set()
    end = 0
    for opening in _OPENING.finditer(text):
        if opening.start() < end:
            continue
        if opening[0].endswith("/>"):
            end = opening.end()
            yield opening.start(), end
            continue
        closing = f"</{opening[1]}>" if opening[1] else "«/math»"
        closing_at = -1 if closing in unclosed else text.find(closing, opening.end())
        if closing_at < 0:
            unclosed.add(closing)
            continue
        end = closing_at + len(closing)
        yield opening.start(), end
