"""Sets of real numbers: intervals, inequalities and set-builders in one form."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..answers import CONSTANTS, Node, negative, number, symbol, symbols, walk
from .interval_unions import INFINITY, WHOLE, RealInterval, intersected, joined, without
from .numeric import difference, infinite, line, rational

_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_ALL = frozenset(
    [
        "all real numbers",
        "all reals",
        "any real number",
        "all real values",
        "real numbers",
        "全体实数",
        "任意实数",
        "实数集",
        "一切实数",
    ]
)


def region(node: Node) -> list[RealInterval] | None:
    """The set a node describes, or None where it describes none.

    >>> from ..answers import read
    >>> region(read("x>1"))[0].low.value
    Fraction(1, 1)
    """
    if (
        node.kind == "seq"
        and len(node.args) == 2
        and node.value[0] in "(["
        and node.value[1] in ")]"
    ):
        low, high = node.args
        return [RealInterval(low, node.value[0] == "[", high, node.value[1] == "]")]
    if node.kind in ("union", "list", "set") and node.args:
        return _parts(node)
    if node.kind == "cap":
        parts = [region(arg) for arg in node.args]
        return None if None in parts else intersected(parts[0] or [], parts[1] or [])
    if node.kind == "builder":
        return region(node.args[1])
    if node.kind == "setminus":
        return _without_points(node)
    if node in (symbol("mathbb R"), symbol("R")) or (
        node.kind == "text" and node.value in _ALL
    ):
        return [WHOLE]
    if node.kind == "relation":
        return _relation(node)
    return None


def describes_set(node: Node) -> bool:
    """Is the node unmistakably a set of reals (and no point, tuple or equation)?"""
    if node.kind == "relation":
        return any(sign in ("<", "<=", ">", ">=", "in", "!=") for sign in node.value)
    if node.kind == "seq":
        mixed = node.value in ("(]", "[)")
        return mixed or any(n == INFINITY for arg in node.args for n in walk(arg))
    if node.kind == "list":
        return all(describes_set(arg) for arg in node.args)
    return node.kind in ("union", "builder", "setminus")


def _relation(node: Node) -> list[RealInterval] | None:
    signs = node.value
    if len(signs) == 1 and signs[0] == "in":
        return region(node.args[1])
    if len(signs) == 2:
        return _between(node)
    if len(signs) != 1:
        return None
    left, right = node.args
    sign = signs[0]
    if _is_variable(left) and not symbols(left) & symbols(right):
        return _one_sided(right, sign)
    if _is_variable(right) and not symbols(left) & symbols(right):
        return _one_sided(left, _MIRROR.get(sign, sign))
    if left.kind == "call" and left.value == "abs":
        return _within(left.args[0], right, sign)
    return _linear(left, right, sign)


def _is_variable(node: Node) -> bool:
    return node.kind == "symbol" and node.value not in CONSTANTS


def _between(node: Node) -> list[RealInterval] | None:
    low, middle, high = node.args
    first, second = node.value
    if not _is_variable(middle) and (
        symbols(low) or symbols(high) or not symbols(middle)
    ):
        return None
    if middle.kind == "call":  # 1 < |x| < 2: both at once
        first_part = _relation(
            Node("relation", (middle, low), (_MIRROR.get(first, ""),))
        )
        second_part = _relation(Node("relation", (middle, high), (second,)))
        if first_part is None or second_part is None:
            return None
        return intersected(first_part, second_part)
    if first in ("<", "<=") and second in ("<", "<="):
        return [RealInterval(low, first == "<=", high, second == "<=")]
    if first in (">", ">=") and second in (">", ">="):
        return [RealInterval(high, second == ">=", low, first == ">=")]
    return None


def _one_sided(bound: Node, sign: str) -> list[RealInterval] | None:
    low, high = negative(INFINITY), INFINITY
    if sign in ("<", "<="):
        return [RealInterval(low, False, bound, sign == "<=")]
    if sign in (">", ">="):
        return [RealInterval(bound, sign == ">=", high, False)]
    if sign == "!=":
        return [
            RealInterval(low, False, bound, False),
            RealInterval(bound, False, high, False),
        ]
    return [RealInterval(bound, True, bound, True)] if sign == "=" else None


def _within(content: Node, bound: Node, sign: str) -> list[RealInterval] | None:
    """|a x + b| < c as both inequalities; > as either."""
    above = _linear(content, bound, sign)
    below = _linear(content, negative(bound), _MIRROR.get(sign, ""))
    if above is None or below is None:
        return None
    return (
        intersected(above, below) if sign in ("<", "<=") else joined([*above, *below])
    )


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
    if len({name for arg in node.args for name in symbols(arg)}) > 1:
        return None
    unequal = any("!=" in a.value for a in node.args)
    if node.value == "or" or (node.value != "and" and union != [WHOLE] and not unequal):
        return union
    meant: list[RealInterval] | None = parts[0]
    for part in parts[1:]:
        meant = intersected(meant, part) if meant is not None else None
    return meant if meant or (node.value == "and" and meant is not None) else union


def _without_points(node: Node) -> list[RealInterval] | None:
    """A set of numbers without finitely many of them."""
    whole, points = node.args
    pieces = region(whole)
    if pieces is None or points.kind != "set":
        return None
    values = [rational(arg) for arg in points.args]
    cuts = sorted(v for v in values if v is not None)
    return (
        intersected(pieces, without([*map(number, cuts)]))
        if len(cuts) == len(values)
        else None
    )


def same_region(
    gold: list[RealInterval],
    prediction: list[RealInterval],
    same: Callable[[Node, Node], bool],
) -> bool:
    """The same pieces in any order, end by end; infinity is neither open nor closed."""
    left = list(prediction)
    for piece in gold:
        match = next((p for p in left if _same_piece(piece, p, same)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _same_piece(
    a: RealInterval, b: RealInterval, same: Callable[[Node, Node], bool]
) -> bool:
    return (
        _same_end(a.low, b.low, same)
        and _same_end(a.high, b.high, same)
        and (a.low_closed == b.low_closed or infinite(a.low) != 0)
        and (a.high_closed == b.high_closed or infinite(a.high) != 0)
    )


def _same_end(a: Node, b: Node, same: Callable[[Node, Node], bool]) -> bool:
    if infinite(a) or infinite(b):
        return infinite(a) == infinite(b)
    return bool(same(a, b))
