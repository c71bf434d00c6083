"""Equations, inequalities and labelled values (`x = 5`, `Minimum: 1`)."""

from __future__ import annotations

from collections.abc import Callable

from ..answers import (
    CONSTANTS,
    FUNCTIONS,
    Node,
    product,
    replace,
    symbol,
    symbols,
    walk,
)
from . import numeric
from .numeric import difference
from .values import Rules

Same = Callable[[Node, Node, Rules], bool]
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPERATIONS = frozenset(
    "abs floor ceil binom factorial det".split()
)  # all other calls are named
_PARAMETERS = frozenset("k n m l t j".split())


def settled(node: Node) -> Node:
    """a = b = c as the claim it ends in; what stands behind an approximation sign goes."""
    if node.kind != "relation":
        return node
    args, signs = node.args, node.value
    if "approx" in signs:
        cut = signs.index("approx")
        if cut == 0 and not is_name(args[0]):
            return args[0]
        if cut == 0:
            return settled(Node("relation", args, ("=", *signs[1:])))
        args, signs = args[: cut + 1], signs[:cut]
    if len(signs) > 1 and set(signs) == {"="}:
        return Node("relation", (args[0], args[-1]), ("=",))
    return Node("relation", args, signs) if signs else args[0]


def is_name(node: Node) -> bool:
    """Does the node name a quantity: x, f(x), AB, angle ABC, a ratio of such, words?"""
    if node.kind == "symbol":
        return node.value not in CONSTANTS
    if node.kind == "text":
        return True
    if node.kind == "call":
        return node.value not in FUNCTIONS | _OPERATIONS and not node.value.startswith(
            "index "
        )
    if node.kind in ("div", "ratio"):
        return all(is_name(a) for a in node.args)
    if node.kind == "mul":
        names = [a.value if a.kind == "symbol" else "" for a in node.args]
        return names[0] == "Delta" or all(name[:1].isupper() for name in names)
    return node.kind == "seq" and all(is_name(a) for a in node.args)


def label(node: Node) -> Node | None:
    """x of `x = 5`."""
    if node.kind == "relation" and node.value == ("=",) and is_name(node.args[0]):
        return node.args[0]
    return None


def same_relation(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """Equality where at least one side is a relation."""
    if gold.kind != "relation":
        return _value_against(gold, prediction, rules, same)
    if prediction.kind == "relation":
        return _both(gold, prediction, rules, same)
    if prediction.kind in ("list", "set", "seq") and label(gold) is None:
        return False
    if label(gold) is not None:
        return same(gold.args[1], prediction, rules) or renamed(
            gold.args[1], prediction, rules, same
        )
    if gold.value == ("=",) and is_name(gold.args[1]):
        return same(gold.args[0], prediction, rules)
    if _is_identity(gold) or _is_computed(gold):
        return same(gold.args[1], prediction, rules)
    return gold.value == ("=",) and _solves(gold, prediction)


def _value_against(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """A gold value against `x = value`, `value = x` or a finished computation."""
    if prediction.value != ("=",):
        return False
    left, right = prediction.args
    if is_name(left) or _is_computed(prediction):
        return same(gold, right, rules)
    return (is_name(right) or _is_identity(prediction)) and same(gold, left, rules)


def _is_identity(node: Node) -> bool:
    """Do both sides say the same value, as the two ends of a computation do?"""
    return node.value == ("=",) and bool(numeric.same(*node.args))


def _is_computed(node: Node) -> bool:
    """det A = -2, f(1) + 2 = 5, 2 + 3 = 5: is the right side the value of the left one?"""
    left, *_, right = node.args
    return not symbols(right) and not (symbols(left) and _is_plain(left))


def _is_plain(node: Node) -> bool:
    """Is the node a formula in its symbols, rather than a computation with f(1) and such?"""
    return node.kind != "call" and all(_is_plain(a) for a in node.args if a.args)


def _both(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    if gold.value == prediction.value == ("=",):
        return _equations(gold, prediction, rules, same)
    mirrored = Node(
        "relation",
        prediction.args[::-1],
        tuple(_MIRROR.get(s, s) for s in prediction.value[::-1]),
    )
    for other in (prediction, mirrored):
        if gold.value == other.value and len(gold.args) == len(other.args):
            if all(
                same(a, b, rules) for a, b in zip(gold.args, other.args, strict=True)
            ):
                return True
            if len(gold.value) == 1 and gold.value[0] in _MIRROR:
                return bool(
                    numeric.proportional(
                        difference(*gold.args), difference(*other.args), True
                    )
                )
    return False


def _equations(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    a, b = label(gold), label(prediction)
    if a is not None and b is not None:
        if a == b or "text" in (a.kind, b.kind) or _same_unknown(a, b):
            return same(gold.args[1], prediction.args[1], rules)
        if a.kind == b.kind == "call" and len(a.args) == len(b.args):
            return same(
                gold.args[1], _applied(prediction.args[1], b.args, a.args), rules
            )
        if a.kind == b.kind == "seq":
            return same(a, b, rules) and same(gold.args[1], prediction.args[1], rules)
    if any(
        n.kind in ("seq", "list", "set", "text", "matrix")
        for n in (*gold.args, *prediction.args)
    ):
        return a == b and same(gold.args[1], prediction.args[1], rules)
    return _same_curve(difference(*gold.args), difference(*prediction.args))


def _applied(body: Node, names: tuple[Node, ...], to: tuple[Node, ...]) -> Node:
    """The body with all names replaced at once."""
    for k, name in enumerate(names):
        if name.kind == "symbol":
            body = replace(body, name.value, symbol(f"argument {k}"))
    for k, value in enumerate(to):
        body = replace(body, f"argument {k}", value)
    return body


def _same_unknown(gold: Node, prediction: Node) -> bool:
    """x_1 for x, y for f(x): names that an answer may choose for what the question asks."""
    if gold.kind == prediction.kind == "symbol":
        short, long = sorted((gold.value, prediction.value), key=len)
        name, _, index = long.partition("_")
        return bool(name == short and index.isdigit())
    names = {n.kind: n for n in (gold, prediction)}
    return names.keys() == {"call", "symbol"} and names["symbol"].value == "y"


def _same_curve(a: Node, b: Node) -> bool:
    """Do both vanish together, as constant multiples of each other?"""
    if symbols(a) != symbols(b):
        return False
    return bool(
        numeric.proportional(a, b) or numeric.proportional(_cleared(a), _cleared(b))
    )


def _cleared(node: Node) -> Node:
    """The formula times its denominators: y - 6/x as x y - 6."""
    below = {
        n.args[1]: None for n in walk(node) if n.kind == "div" and symbols(n.args[1])
    }
    return product([node, *below])


def _solves(gold: Node, prediction: Node) -> bool:
    """An expression that the equation says a lone variable equals: 6/x for xy = 6."""
    if prediction.kind in (
        "text",
        "list",
        "set",
        "seq",
        "matrix",
        "phrase",
    ) or not symbols(prediction):
        return False
    free = sorted(symbols(gold) - symbols(prediction))
    if len(free) != 1:
        return False
    left, right = (replace(side, free[0], prediction) for side in gold.args)
    return bool(numeric.same(left, right))


def renamed(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """k pi for n pi: whole-number parameters may have any name."""
    a, b = symbols(gold), symbols(prediction)
    if len(a) == len(b) == 1 and a != b and (a | b) <= _PARAMETERS:
        (old,), (new,) = b, a
        return same(gold, replace(prediction, old, Node("symbol", (), new)), rules)
    return False
