"""Reading logic forms: text to nested predicates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...errors import UserError

Form = tuple[str, tuple[Any, ...]]  # predicate, arguments (forms or text)
MAX_DEPTH, MAX_CHARACTERS = 8, 2000


def parse_form(text: str) -> Form:
    """`Equals(LengthOf(Line(A, B)), 5)` as nested pairs of a name and its arguments.

    >>> parse_form("PointLiesOnLine(D, Line(A, C))")
    ('PointLiesOnLine', ('D', ('Line', ('A', 'C'))))
    """
    try:
        form = _parsed(text.strip()[:MAX_CHARACTERS], 0)
    except ValueError as error:
        raise UserError(
            f"cannot read the logic form {text[:80]!r}", str(error)
        ) from error
    if not isinstance(form, tuple):
        raise UserError(
            f"cannot read the logic form {text[:80]!r}", "write Predicate(arguments)"
        )
    return form


def _parsed(text: str, depth: int) -> Any:
    """A form, or an expression such as 2(x+1) as it is written."""
    form = re.fullmatch(r"([A-Z][A-Za-z]+)\s*\((.*)\)", text, re.DOTALL)
    parts = list(_split(form[2] if form else text))
    if depth > MAX_DEPTH or not text:
        raise ValueError("check its parentheses and commas")
    if form is None:
        return text
    return form[1], tuple(_parsed(part, depth + 1) for part in parts if form[2].strip())


def _split(text: str) -> Iterator[str]:
    """The parts between commas that stand in no parentheses."""
    start = depth = 0
    for at, character in enumerate(f"{text},"):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    if depth:
        raise ValueError("check its parentheses")
