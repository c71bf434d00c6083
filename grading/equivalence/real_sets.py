"""Sets of real numbers: intervals, inequalities and set-builders in one form."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..answers import CONSTANTS, Node, negative, number, symbol, symbols, walk
from .interval_unions import WHOLE, RealInterval, intersected, joined, without
from .numeric import INFINITY, difference, infinite, line, rational
from .wording import REALS_SAID

_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_BELOW = ("<", "<=")
_ABOVE = (">", ">=")
_INTERVALS = frozenset(["()", "(]", "[)", "[]"])
_INEQUALITIES = frozenset([*_BELOW, *_ABOVE, "in", "!="])
_REALS = (symbol("mathbb R"), symbol("R"))


def region(node: Node) -> list[RealInterval] | None:
    """The set a node describes, or None where it describes none.

    >>> from ..answers import read
    >>> region(read("x>1"))[0].low.value
    Fraction(1, 1)
    """
    if node.kind == "seq" and len(node.args) == 2 and node.value in _INTERVALS:
        low, high = node.args
        opening, closing = node.value
        return [RealInterval(low, opening == "[", high, closing == "]")]
    if node.kind in ("union", "list", "set") and node.args:
        return _parts(node)
    if node.kind == "cap":
        left, right = map(region, node.args)
        return None if left is None or right is None else intersected(left, right)
    if node.kind == "builder":
        return region(node.args[1])
    if node.kind == "setminus":
        return _without_points(node)
    if node in _REALS or says_all(node):
        return [WHOLE]
    if node.kind == "relation":
        return _relation(node)
    return None


def says_all(node: Node) -> bool:
    """Do words say that every real number is meant?"""
    return node.kind == "text" and node.value in REALS_SAID


def describes_set(node: Node) -> bool:
    """Is the node unmistakably a set of reals (and no point, tuple or equation)?"""
    if node.kind == "relation":
        return not _INEQUALITIES.isdisjoint(node.value)
    if node.kind == "seq":
        return node.value in ("(]", "[)") or INFINITY in walk(node)
    if node.kind == "list":
        return all(describes_set(arg) for arg in node.args)
    return node.kind in ("union", "builder", "setminus")


def _relation(node: Node) -> list[RealInterval] | None:
    """The numbers for which a relation holds."""
    signs = node.value
    if len(signs) == 1 and signs[0] == "in":
        return region(node.args[1])
    if len(signs) == 2:
        return _between(node)
    if len(signs) != 1:
        return None
    left, right = node.args
    sign = signs[0]
    apart = symbols(left).isdisjoint(symbols(right))
    if apart and _is_variable(left):
        return _one_sided(right, sign)
    if apart and _is_variable(right):
        return _one_sided(left, _MIRROR.get(sign, sign))
    if left.kind == "call" and left.value == "abs":
        return _within(left.args[0], right, sign)
    return _linear(left, right, sign)


def _is_variable(node: Node) -> bool:
    return node.kind == "symbol" and node.value not in CONSTANTS


def _between(node: Node) -> list[RealInterval] | None:
    """1 < x < 2, and 1 < |x| < 2."""
    low, middle, high = node.args
    first, second = node.value
    between_numbers = symbols(middle) and not symbols(low) and not symbols(high)
    if not _is_variable(middle) and not between_numbers:
        return None
    if middle.kind == "call":  # both at once
        mirrored = _MIRROR.get(first, "")
        first_part = _relation(Node("relation", (middle, low), (mirrored,)))
        second_part = _relation(Node("relation", (middle, high), (second,)))
        if first_part is None or second_part is None:
            return None
        return intersected(first_part, second_part)
    if first in _BELOW and second in _BELOW:
        return [RealInterval(low, first == "<=", high, second == "<=")]
    if first in _ABOVE and second in _ABOVE:
        return [RealInterval(high, second == ">=", low, first == ">=")]
    return None


def _one_sided(bound: Node, sign: str) -> list[RealInterval] | None:
    """The numbers that a sign ties to a bound."""
    low = negative(INFINITY)
    if sign in _BELOW:
        return [RealInterval(low, False, bound, sign == "<=")]
    if sign in _ABOVE:
        return [RealInterval(bound, sign == ">=", INFINITY, False)]
    if sign == "!=":
        return without([bound])
    return [RealInterval(bound, True, bound, True)] if sign == "=" else None


def _within(content: Node, bound: Node, sign: str) -> list[RealInterval] | None:
    """|a x + b| < c as both inequalities; > as either."""
    above = _linear(content, bound, sign)
    below = _linear(content, negative(bound), _MIRROR.get(sign, ""))
    if above is None or below is None:
        return None
    return intersected(above, below) if sign in _BELOW else joined([*above, *below])


def _linear(left: Node, right: Node, sign: str) -> list[RealInterval] | None:
    """a x + b < 0 with rational a and b, solved for x."""
    names = symbols(left) | symbols(right)
    if len(names) != 1 or sign not in _MIRROR:
        return None
    slope, offset = line(difference(left, right)) or (Fraction(0), Fraction(0))
    if not slope:
        return None
    return _one_sided(number(-offset / slope), sign if slope > 0 else _MIRROR[sign])


def _parts(node: Node) -> list[RealInterval] | None:
    """A union; conditions on one variable that leave nothing out (`x > 1, x < 3`) hold at once,
    and so do those that `and` joins."""
    parts = []
    for arg in node.args:
        part = region(arg)
        if part is None and node.kind == "set":
            part = [RealInterval(arg, True, arg, True)]
        if part is None:
            return None
        parts.append(part)
    union = joined([piece for part in parts for piece in part])
    if node.kind != "list" or any(arg.kind != "relation" for arg in node.args):
        return union
    if len(symbols(node)) > 1:
        return None
    leaves_nothing_out = union == [WHOLE] or any("!=" in arg.value for arg in node.args)
    if node.value == "or" or (node.value is None and not leaves_nothing_out):
        return union
    common: list[RealInterval] | None = parts[0]
    for part in parts[1:]:
        if common is not None:
            common = intersected(common, part)
    is_answer = common is not None if node.value == "and" else bool(common)
    return common if is_answer else union


def _without_points(node: Node) -> list[RealInterval] | None:
    """A set of numbers without finitely many of them."""
    whole, points = node.args
    pieces = region(whole)
    if pieces is None or points.kind != "set":
        return None
    values = [rational(arg) for arg in points.args]
    cuts = sorted(value for value in values if value is not None)
    if len(cuts) < len(values):
        return None
    return intersected(pieces, without([*map(number, cuts)]))


def same_region(
    gold: list[RealInterval],
    prediction: list[RealInterval],
    same: Callable[[Node, Node], bool],
) -> bool:
    """The same pieces in any order, end by end; infinity is neither open nor closed."""
    unmatched = list(prediction)
    for piece in gold:
        match = next((p for p in unmatched if _same_piece(piece, p, same)), None)
        if match is None:
            return False
        unmatched.remove(match)
    return not unmatched


def _same_piece(
    a: RealInterval, b: RealInterval, same: Callable[[Node, Node], bool]
) -> bool:
    if not (_same_end(a.low, b.low, same) and _same_end(a.high, b.high, same)):
        return False
    same_low = a.low_closed == b.low_closed or infinite(a.low) != 0
    return same_low and (a.high_closed == b.high_closed or infinite(a.high) != 0)


def _same_end(a: Node, b: Node, same: Callable[[Node, Node], bool]) -> bool:
    if infinite(a) or infinite(b):
        return infinite(a) == infinite(b)
    return bool(same(a, b))
