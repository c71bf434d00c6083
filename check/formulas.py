"""Formulas that no renderer sets: a command that nobody knows, an environment of somebody's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..latex import ENVIRONMENTS, maths_spans, unset
from .rules import Asked, Flagged, validator

_BEGIN = re.compile(r"\\begin\s*\{([^{}]*)\}")


@validator("text-formula", "warning", "define the command, or write what it stands for")
def text_formula(asked: Asked) -> Iterator[Flagged]:
    r"""A command or environment in a formula that nothing here draws, as `\Parallel`."""
    texts = {"question": asked.question}
    texts |= {f"option {option.label}": option.text for option in asked.options}
    for field, text in texts.items():
        formulas = [span.tex for span in maths_spans(text) if "\\" in span.tex]
        for reason in dict.fromkeys(map(_reason, formulas)):
            if reason:
                yield field, reason


def _reason(tex: str) -> str:
    """What of a formula nothing draws; "" where all is drawn."""
    command = unset(tex)
    if command:
        return command
    for name in _BEGIN.findall(tex):
        if name.strip().rstrip("*") not in ENVIRONMENTS:
            return f"unknown environment {name}"
    return ""
