"""Which kind of answer a gold is, where nobody has declared it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from ...base.answer_kinds import inferred
from ...latex import parts_of
from ...problem import AnswerKind, Option
from ...words import measure, points_elsewhere, quantity
from ..answers import (
    LimitExceeded,
    Node,
    ParseError,
    clean,
    read,
    symbols,
)
from .real_sets import describes_set
from .values import ROUNDED


def infer_kind(gold: str, options: Sequence[Option] = ()) -> AnswerKind:
    """The kind of a gold answer; `choice` and `choices` only where there are options.

    >>> infer_kind("(1, 3]")
    'interval'
    """
    if options and gold.strip().strip("()") in {option.label for option in options}:
        return "choice"
    if _several(gold, {option.label for option in options}):
        return "choices"
    if own := inferred(gold):
        return own
    if points_elsewhere(gold):
        return "text"
    if not options and len(parts_of(gold)) > 1:
        return "parts"
    try:
        kind = kind_of(read(gold))
        known = quantity(clean(gold)) if kind == "expression" else None
        return "number" if known and known.sure else kind
    except (ParseError, LimitExceeded):
        known = quantity(clean(gold))
        return "number" if known and known.sure else "text"


def _several(gold: str, labels: set[str]) -> bool:
    """Letters in a row: ABD; A, B and D."""
    bare = re.sub(r"\band\b|[\s,;、()]", "", gold)
    return len(bare) > 1 and len(set(bare)) == len(bare) and set(bare) <= labels


def kind_of(node: Node) -> AnswerKind:
    if describes_set(node):
        return "interval"
    match node.kind:
        case "matrix" | "text":
            return node.kind  # type: ignore[return-value]
        case "phrase":
            return kind_of(node.args[0])
        case "relation":
            return "equation"
        case "seq":
            return "tuple"
        case "set" | "builder":
            return "set"
        case "list":
            inner = {kind_of(arg) for arg in node.args}
            return (
                inner.pop()
                if len(inner) == 1 and not inner & {"number", "expression"}
                else "set"
            )
        case "number" | "percent" | "degree" | "unit":
            return "number"
    return "expression" if symbols(node) else "number"


def infer_unit(gold: str) -> str | None:
    r"""The known unit written behind a gold value.

    >>> infer_unit(r"5\text{ cm}"), infer_unit(r"9.8 \mathrm{~m}/\mathrm{s}^2"), infer_unit("5x")
    ('cm', 'm/s^2', None)
    """
    try:
        node = read(gold)
    except (ParseError, LimitExceeded):
        node = None
    if node is not None and node.kind == "unit" and measure(node.value):
        return str(node.value)
    known = quantity(clean(gold))
    return known.written if known and known.sure else None


def precision(gold: str) -> float | None:
    """Half a unit of the last place of a gold written as a rounded decimal; None: it is exact.

    >>> precision("12.57")
    0.005
    """
    match = re.fullmatch(r"-?(\d*)\.(\d+)", gold.strip().strip("$"))
    if match is None or len((match[1] + match[2]).lstrip("0")) < ROUNDED:
        return None
    return float(Fraction(1, 2 * 10 ** len(match[2])))
