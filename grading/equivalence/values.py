"""Are two values equal? By their fractions, or by 50 digits (`numeric`).

Tolerance is the gold's own: a declared one, or half a unit of its last place where it is written
as a decimal. An exact gold has none; a decimal of five significant digits or more is accepted as
the spelling of an irrational or periodic gold, if it is the correct rounding.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from ...words import SYMBOLS, factor
from ..answers import Node, number, product, symbol, symbols, walk
from . import numeric
from .numeric import rational

SPELLED = 5  # significant digits that make a decimal a spelling of an exact value
PI = symbol("pi")
_RADIANS = frozenset(["rad", "radian", "radians"])
ROUNDED = 3  # significant digits that make a gold decimal a rounded value


class Rules(msgspec.Struct, frozen=True):
    """What is declared about the gold."""

    kind: str | None = None
    tolerance: float | None = None
    ordered: bool | None = None
    guessed: bool = False  # nobody declared the kind
    percent: bool = False  # the question asks for percent


def same_value(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Equality of two single values, whatever is written around them."""
    gold, prediction = _in_radians(gold, prediction), _in_radians(prediction, gold)
    gold, prediction, scale = _without_units(gold, prediction, rules)
    if scale is None:
        return False
    if gold.kind == "percent" or prediction.kind == "percent":
        return _percent(gold, prediction, rules)
    if gold.kind == "degree" or prediction.kind == "degree":
        return _degrees(gold, prediction, rules)
    if scale != 1:
        prediction = Node("mul", (number(scale), prediction))
    if gold.kind == prediction.kind == "number":
        if gold.value == prediction.value:
            return True
        if (
            "_" in gold.text and gold.text.split("_")[0] == prediction.text
        ):  # the gold's base is meant
            return True
        return _rounded(gold, prediction, rules)
    return bool(numeric.same(gold, prediction)) or _rounded(gold, prediction, rules)


def _in_radians(node: Node, other: Node) -> Node:
    """An angle in degrees or radians as a number, where the two differ in that."""
    if node.kind == "unit" and node.value in _RADIANS and other.kind == "degree":
        return node.args[0]
    if node.kind == "degree" and other.kind == "unit" and other.value in _RADIANS:
        return Node("mul", (number(Fraction(1, 180)), node.args[0], PI))
    return node


def _without_units(
    gold: Node, prediction: Node, rules: Rules
) -> tuple[Node, Node, Fraction | None]:
    """Both without their units, and what the second is multiplied by (None: contradiction)."""
    gold, gold_unit = _split(gold, prediction, rules)
    prediction, prediction_unit = _split(prediction, gold, rules)
    return gold, prediction, factor(gold_unit, prediction_unit)


def _split(node: Node, other: Node, rules: Rules) -> tuple[Node, str]:
    """Value and unit; a single letter is a unit only beside a number, against a number."""
    if node.kind == "unit":
        return node.args[0], node.value
    if node.kind == "mul" and node.args[-1].kind == "unit":  # 3 \pi cm
        return Node("mul", (*node.args[:-1], node.args[-1].args[0])), node.args[
            -1
        ].value
    if rules.kind != "number" or (symbols(node) | symbols(other)) - SYMBOLS:
        return node, ""
    if node.kind == "div" and _unit_letter(node.args[1]):  # 5 m/s
        value, unit = _split(node.args[0], other, rules)
        return (value, f"{unit}/{_unit_name(node.args[1])}") if unit else (node, "")
    letters = [a for a in node.args if _unit_letter(a)] if node.kind == "mul" else []
    rest = [a for a in node.args if not _unit_letter(a)]
    if (
        letters
        and rest
        and rest[0] is node.args[0]
        and not any(symbols(a) for a in rest)
    ):
        return product(rest), "".join(_unit_name(a) for a in letters)
    return node, ""


def _unit_letter(node: Node) -> bool:
    if node.kind == "pow":
        return _unit_letter(node.args[0]) and node.args[1].kind == "number"
    return node.kind == "symbol" and node.value in SYMBOLS


def _unit_name(node: Node) -> str:
    if node.kind == "pow":
        return f"{node.args[0].value}^{node.args[1].value}"
    return str(node.value)


def _percent(gold: Node, prediction: Node, rules: Rules) -> bool:
    """50% is 50% and 0.5; the sign may be left out beside a gold with it. Beside one without, 12%
    is 12 only where the question asks for percent, or may have: the gold is declared a number."""
    if gold.kind == prediction.kind:
        return same_value(gold.args[0], prediction.args[0], rules)
    if gold.kind == "percent":
        share = Node("div", (gold.args[0], number(100)))
        return same_value(gold.args[0], prediction, rules) or same_value(
            share, prediction, rules
        )
    if same_value(gold, Node("div", (prediction.args[0], number(100))), rules):
        return True
    asked = rules.percent or not rules.guessed
    return asked and same_value(gold, prediction.args[0], rules)


def _degrees(gold: Node, prediction: Node, rules: Rules) -> bool:
    """60 degrees is 60, and pi/3 where the other side is written with pi."""
    if gold.kind == prediction.kind:
        return same_value(gold.args[0], prediction.args[0], rules)
    angle, other = (gold, prediction) if gold.kind == "degree" else (prediction, gold)
    if any(n == PI or (n.kind == "call" and n.value[:3] == "arc") for n in walk(other)):
        return bool(numeric.same(angle, other))
    pair = (angle.args[0], other) if angle is gold else (other, angle.args[0])
    return same_value(*pair, rules)


def _rounded(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Equality within the gold's own tolerance."""
    if symbols(gold) or symbols(prediction):
        return False
    if rules.tolerance is not None:
        a, b = numeric.constant(gold), numeric.constant(prediction)
        return a is not None and b is not None and bool(abs(a - b) <= rules.tolerance)
    a, b = _decimal(gold), _decimal(prediction)
    if (
        a is not None
        and a.places > 0
        and a.figures >= ROUNDED
        and (b is None or b.places > a.places)
    ):
        return _rounds_to(prediction, a)
    if b is not None and b.places > 0 and b.figures >= SPELLED:
        value = rational(gold)
        if value is None or _periodic(value):
            return _rounds_to(gold, b)
    return False


class _Decimal(NamedTuple):
    """A number as written: its value, decimal places and significant digits."""

    value: Fraction
    places: int
    figures: int


def _decimal(node: Node) -> _Decimal | None:
    """What was written as a decimal, 1.25 or 1.25 \\times 10^{-3}; None for anything else."""
    if node.kind == "mul" and len(node.args) == 2 and node.args[1].kind == "pow":
        base, exponent = node.args[1].args
        head = _decimal(node.args[0])
        shift = rational(exponent)
        if head is None or base != number(10, "10") or shift is None:
            return None
        if shift.denominator != 1 or abs(shift) > 400:
            return None
        value = head.value * Fraction(10) ** int(shift)
        return _Decimal(value, head.places - int(shift), head.figures)
    text = node.text.lstrip("-")
    if node.kind != "number" or not text.replace(".", "", 1).isdigit():
        return None
    digits = text.replace(".", "").lstrip("0")
    return _Decimal(node.value, len(text.partition(".")[2]), len(digits))


def _periodic(value: Fraction) -> bool:
    bottom = value.denominator
    for prime in (2, 5):
        while bottom % prime == 0:
            bottom //= prime
    return bottom != 1


def _rounds_to(node: Node, decimal: _Decimal) -> bool:
    """Is the node's value within half a unit of the last place of the decimal?"""
    value: Any = numeric.constant(node)
    ctx = numeric.context()
    if value is None or ctx.im(value) != 0:
        return False
    difference = abs(
        value - ctx.mpf(decimal.value.numerator) / decimal.value.denominator
    )
    return bool(
        difference <= ctx.mpf(10) ** -decimal.places / 2 * (1 + ctx.mpf(10) ** -20)
    )
