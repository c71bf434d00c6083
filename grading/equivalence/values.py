"""Are two values equal? By their fractions, or by 50 digits (`numeric`).

Tolerance is the gold's own: a declared one, or half a unit of its last place where it is written
as a decimal. An exact gold has none; a decimal of five significant digits or more is accepted as
the spelling of an irrational or periodic gold, if it is the correct rounding.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from ...words import SYMBOLS, factor, measure
from ..answers import Node, number, product, symbol, symbols, walk
from . import numeric
from .numeric import rational
from .wording import same_name

SPELLED = 5  # significant digits that make a decimal a spelling of an exact value
PRINTED = 15  # significant digits that a program prints of a float
ROUNDED = 3  # significant digits that make a gold decimal a rounded value
LARGEST_SHIFT = 400  # places by which a power of ten moves the point
PI = symbol("pi")
_RADIANS = frozenset(["rad", "radian", "radians"])
_TEN = number(10, "10")


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
    gold, gold_unit = _split(gold, prediction, rules)
    prediction, prediction_unit = _split(prediction, gold, rules)
    scale = _scale(gold_unit, prediction_unit)
    if scale is None:  # the units contradict, or the names
        return False
    if "percent" in (gold.kind, prediction.kind):
        return _percent(gold, prediction, rules)
    if "degree" in (gold.kind, prediction.kind):
        return _degrees(gold, prediction, rules)
    if not any(map(_is_of_circle, (*walk(gold), *walk(prediction)))):
        gold = _undegreed(gold)
        prediction = _undegreed(prediction)
    if scale != 1:
        prediction = Node("mul", (number(scale), prediction))
    if _in_base(gold, prediction):
        return True
    if gold.kind == prediction.kind == "number":
        return gold.value == prediction.value or _rounded(gold, prediction, rules)
    return bool(numeric.same(gold, prediction)) or _rounded(gold, prediction, rules)


def _in_base(gold: Node, prediction: Node) -> bool:
    """Are these the gold's figures, without the base that is meant? A3 was read as a product."""
    figures, separator, _ = gold.text.partition("_")
    parts = prediction.args if prediction.kind == "mul" else (prediction,)
    return separator != "" and figures == "".join(
        part.value if part.kind == "symbol" else part.text for part in parts
    )


def _scale(gold_unit: str, unit: str) -> Fraction | None:
    """What a value in a unit is multiplied by; None: the units contradict, or name other things."""
    both_known = measure(gold_unit) and measure(unit)
    if both_known or {gold_unit, unit} <= _RADIANS or same_name(gold_unit, unit):
        return factor(gold_unit, unit)
    return None


def _undegreed(node: Node) -> Node:
    """180° - x as 180 - x; of an angle of which a function is taken the sign counts."""
    if node.kind == "degree":
        return node.args[0]
    if node.kind == "call" or not node.args:
        return node
    args = tuple(map(_undegreed, node.args))
    return node if args == node.args else Node(node.kind, args, node.value, node.text)


def _in_radians(node: Node, beside: Node) -> Node:
    """An angle in degrees or radians as a number, where the two differ in that."""
    if beside.kind == "degree" and _is_in_radians(node):
        return node.args[0]
    if node.kind == "degree" and _is_in_radians(beside):
        return Node("mul", (number(Fraction(1, 180)), node.args[0], PI))
    return node


def _is_in_radians(node: Node) -> bool:
    return node.kind == "unit" and node.value in _RADIANS


def _split(node: Node, beside: Node, rules: Rules) -> tuple[Node, str]:
    """Value and unit; a single letter is a unit only beside a number, against a number."""
    if node.kind == "unit":
        return node.args[0], node.value
    if node.kind == "mul" and node.args[-1].kind == "unit":  # 3 \pi cm
        *factors, last = node.args
        return Node("mul", (*factors, last.args[0])), last.value
    if rules.kind != "number" or (symbols(node) | symbols(beside)) - SYMBOLS:
        return node, ""
    if node.kind == "div" and _is_unit_letter(node.args[1]):  # 5 m/s
        value, unit = _split(node.args[0], beside, rules)
        return (value, f"{unit}/{_unit_name(node.args[1])}") if unit else (node, "")
    if node.kind != "mul" or _is_unit_letter(node.args[0]):
        return node, ""
    letters = [arg for arg in node.args if _is_unit_letter(arg)]
    factors = [arg for arg in node.args if not _is_unit_letter(arg)]
    if not letters or any(map(symbols, factors)):
        return node, ""
    return product(factors), "".join(map(_unit_name, letters))


def _is_unit_letter(node: Node) -> bool:
    if node.kind == "pow":
        return _is_unit_letter(node.args[0]) and node.args[1].kind == "number"
    return node.kind == "symbol" and node.value in SYMBOLS


def _unit_name(node: Node) -> str:
    if node.kind == "pow":
        return "^".join(str(arg.value) for arg in node.args)
    return str(node.value)


def _percent(gold: Node, prediction: Node, rules: Rules) -> bool:
    """50% is 50% and 0.5; the sign may be left out beside a gold with it. Beside one without, 12%
    is 12 only where the question asks for percent, or may have: the gold is declared a number."""
    if gold.kind == prediction.kind:
        return same_value(gold.args[0], prediction.args[0], rules)
    if gold.kind == "percent":
        figures = gold.args[0]
        return same_value(figures, prediction, rules) or same_value(
            _hundredth(figures), prediction, rules
        )
    figures = prediction.args[0]
    if same_value(gold, _hundredth(figures), rules):
        return True
    may_be_percent = rules.percent or not rules.guessed
    return may_be_percent and same_value(gold, figures, rules)


def _hundredth(node: Node) -> Node:
    return Node("div", (node, number(100)))


def _degrees(gold: Node, prediction: Node, rules: Rules) -> bool:
    """60 degrees is 60, and pi/3 where the other side is written with pi."""
    if gold.kind == prediction.kind:
        return same_value(gold.args[0], prediction.args[0], rules)
    plain = prediction if gold.kind == "degree" else gold
    if any(_is_of_circle(part) for part in walk(plain)):
        return bool(numeric.same(gold, prediction))
    return same_value(_without_degree(gold), _without_degree(prediction), rules)


def _is_of_circle(node: Node) -> bool:
    """pi, or an inverse function: what makes a value one in radians."""
    return node == PI or (node.kind == "call" and node.value.startswith("arc"))


def _without_degree(node: Node) -> Node:
    return node.args[0] if node.kind == "degree" else node


def _rounded(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Equality within the gold's own tolerance."""
    if symbols(gold) or symbols(prediction):
        return False
    if rules.tolerance is not None:
        return _within(rules.tolerance, gold, prediction)
    a = _decimal(gold)
    b = _decimal(prediction)
    if a and b and a.has_figures(PRINTED) and b.has_figures(PRINTED):
        last_place = Fraction(1, 10 ** max(0, min(a.places, b.places)))
        return (
            abs(a.value - b.value) <= last_place
        )  # of floats the last figure may differ
    more_places = a is None or b is None or b.places > a.places
    if a is not None and a.has_figures(ROUNDED) and more_places:
        return _rounds_to(prediction, a)
    if b is not None and b.has_figures(SPELLED):
        value = rational(gold)
        if value is None or _is_periodic(value):
            return _rounds_to(gold, b)
    return False


def _within(tolerance: float, gold: Node, prediction: Node) -> bool:
    a = numeric.constant(gold)
    b = numeric.constant(prediction)
    return a is not None and b is not None and bool(abs(a - b) <= tolerance)


class _Decimal(NamedTuple):
    """A number as written: its value, decimal places and significant digits."""

    value: Fraction
    places: int
    figures: int

    def has_figures(self, least: int) -> bool:
        """Does it have a point, and so many significant digits?"""
        return self.places > 0 and self.figures >= least


def _decimal(node: Node) -> _Decimal | None:
    """What was written as a decimal, 1.25 or 1.25 \\times 10^{-3}; None for anything else."""
    if node.kind == "mul" and len(node.args) == 2 and node.args[1].kind == "pow":
        return _scientific(*node.args)
    text = node.text.lstrip("-")
    if node.kind != "number" or not text.replace(".", "", 1).isdigit():
        return None
    whole, _, decimals = text.partition(".")
    figures = (whole + decimals).lstrip("0")
    return _Decimal(node.value, len(decimals), len(figures))


def _scientific(head: Node, power: Node) -> _Decimal | None:
    """A decimal times a whole power of ten."""
    decimal = _decimal(head)
    base, exponent = power.args
    shift = rational(exponent)
    if decimal is None or shift is None or base != _TEN:
        return None
    if shift.denominator != 1 or abs(shift) > LARGEST_SHIFT:
        return None
    value = decimal.value * Fraction(10) ** int(shift)
    return _Decimal(value, decimal.places - int(shift), decimal.figures)


def _is_periodic(value: Fraction) -> bool:
    """Does its decimal never end?"""
    denominator = value.denominator
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return denominator != 1


def _rounds_to(node: Node, decimal: _Decimal) -> bool:
    """Is the node's value within half a unit of the last place of the decimal?"""
    value: Any = numeric.constant(node)
    ctx = numeric.context()
    if value is None or ctx.im(value) != 0:
        return False
    rounded = ctx.mpf(decimal.value.numerator) / decimal.value.denominator
    half = ctx.mpf(10) ** -decimal.places / 2
    slack = 1 + ctx.mpf(10) ** -20  # for what the last digits of the value are off
    return bool(abs(value - rounded) <= half * slack)
