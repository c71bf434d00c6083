"""Which kind of answer a gold is, where nobody has declared it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

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
from .clock import is_clock
from .real_sets import describes_set
from .values import ROUNDED

_JOINS = re.compile(r"\band\b|[\s,;、()]")
_DECIMAL = re.compile(r"-?(\d*)\.(\d+)")


def infer_kind(gold: str, options: Sequence[Option] = ()) -> AnswerKind:
    """The kind of a gold answer; `choice` and `choices` only where there are options.

    >>> infer_kind("(1, 3]")
    'interval'
    """
    if options and gold.strip().strip("()") in {option.label for option in options}:
        return "choice"
    if _several(gold, {option.label for option in options}):
        return "choices"
    if plugin_kind := inferred(gold):
        return plugin_kind
    if not options and not points_elsewhere(gold) and len(parts_of(gold)) > 1:
        return "number" if is_clock(gold) else "parts"
    return _by_grammar(gold)


@lru_cache(maxsize=4096)  # a gold is asked about with every reply
def _by_grammar(gold: str) -> AnswerKind:
    if points_elsewhere(gold):
        return "text"
    if is_clock(gold):
        return "number"
    try:
        kind = kind_of(read(gold))
    except (ParseError, LimitExceeded):
        kind = "text"
        is_quantity = _is_quantity(gold)
    else:
        is_quantity = kind == "expression" and _is_quantity(gold)
    return "number" if is_quantity else kind


def _is_quantity(gold: str) -> bool:
    """Is it unmistakably a value with a unit?"""
    measured = quantity(clean(gold))
    return measured is not None and measured.sure


def _several(gold: str, labels: set[str]) -> bool:
    """Letters in a row: ABD; A, B and D."""
    letters = _JOINS.sub("", gold)
    distinct = set(letters)
    return len(letters) > 1 and len(distinct) == len(letters) and distinct <= labels


def kind_of(node: Node) -> AnswerKind:
    """The kind of an answer by its tree."""
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
            kinds = {kind_of(arg) for arg in node.args}
            of_values = kinds & {"number", "expression"}
            return kinds.pop() if len(kinds) == 1 and not of_values else "set"
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
    measured = quantity(clean(gold))
    return measured.written if measured and measured.sure else None


def precision(gold: str) -> float | None:
    """Half a unit of the last place of a gold written as a rounded decimal; None: it is exact.

    >>> precision("12.57")
    0.005
    """
    decimal = _DECIMAL.fullmatch(gold.strip().strip("$"))
    if decimal is None:
        return None
    whole, places = decimal.groups()
    significant = (whole + places).lstrip("0")
    if len(significant) < ROUNDED:
        return None
    return float(Fraction(1, 2 * 10 ** len(places)))
