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
    fields = [
        ("question", asked.question),
        *((f"option {o.label}", o.text) for o in asked.options),
    ]
    for field, text in fields:
        told = (_reason(span.tex) for span in maths_spans(text) if "\\" in span.tex)
        yield from ((field, reason) for reason in dict.fromkeys(filter(None, told)))


def _reason(tex: str) -> str:
    own = (n for n in _BEGIN.findall(tex) if n.strip().rstrip("*") not in ENVIRONMENTS)
    return unset(tex) or next((f"unknown environment {name}" for name in own), "")
