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
_EQUALS = ("=",)  # the signs of an equation with two sides
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
# What is computed; a call of anything else names a quantity.
_OPERATIONS = FUNCTIONS | frozenset(
    ["abs", "floor", "ceil", "binom", "factorial", "double factorial", "det"]
)
_PARAMETERS = frozenset("k n m l t j".split())
_COLLECTIONS = frozenset(["list", "set", "seq"])
_NO_FORMULAS = _COLLECTIONS | {"text", "matrix"}


def settled(node: Node) -> Node:
    """a = b = c as the claim it ends in; what stands behind an approximation sign goes."""
    if node.kind != "relation":
        return node
    args = node.args
    signs = node.value
    if signs[0] == "approx":
        if not is_name(args[0]):
            return args[0]
        return settled(Node("relation", args, ("=", *signs[1:])))
    if "approx" in signs:
        cut = signs.index("approx")
        args = args[: cut + 1]
        signs = signs[:cut]
    if len(signs) > 1 and set(signs) == {"="}:
        return Node("relation", (args[0], args[-1]), _EQUALS)
    return Node("relation", args, signs)


def is_name(node: Node) -> bool:
    """Does the node name a quantity: x, f(x), AB, angle ABC, a ratio of such, words?"""
    if node.kind == "symbol":
        return node.value not in CONSTANTS
    if node.kind == "text":
        return True
    if node.kind == "call":
        return not (node.value in _OPERATIONS or node.value.startswith("index "))
    if node.kind == "mul":
        names = [arg.value if arg.kind == "symbol" else "" for arg in node.args]
        return names[0] == "Delta" or all(name[:1].isupper() for name in names)
    return node.kind in ("div", "ratio", "seq") and all(map(is_name, node.args))


def label(node: Node) -> Node | None:
    """x of `x = 5`."""
    if node.kind == "relation" and node.value == _EQUALS and is_name(node.args[0]):
        return node.args[0]
    return None


def same_relation(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """Equality where at least one side is a relation."""
    if gold.kind != "relation":
        return _value_against(gold, prediction, rules, same)
    if prediction.kind == "relation":
        return _both(gold, prediction, rules, same)
    left, right = gold.args[:2]
    if label(gold) is not None:
        return same(right, prediction, rules) or renamed(right, prediction, rules, same)
    if prediction.kind in _COLLECTIONS:
        return False
    if gold.value == _EQUALS and is_name(right):
        return same(left, prediction, rules)
    if _is_identity(gold) or _is_computed(gold):
        return same(right, prediction, rules)
    return gold.value == _EQUALS and _solves(gold, prediction)


def _value_against(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """A gold value against `x = value`, `value = x` or a finished computation."""
    if prediction.value != _EQUALS:
        return False
    left, right = prediction.args
    if is_name(left) or _is_computed(prediction):
        return same(gold, right, rules)
    return (is_name(right) or _is_identity(prediction)) and same(gold, left, rules)


def _is_identity(node: Node) -> bool:
    """Do both sides say the same value, as the two ends of a computation do?"""
    return node.value == _EQUALS and bool(numeric.same(*node.args))


def _is_computed(node: Node) -> bool:
    """det A = -2, f(1) + 2 = 5, 2 + 3 = 5: is the right side the value of the left one?"""
    left, *_, right = node.args
    return not symbols(right) and not (symbols(left) and _is_plain(left))


def _is_plain(node: Node) -> bool:
    """Is the node a formula in its symbols, rather than a computation with f(1) and such?"""
    return node.kind != "call" and all(_is_plain(arg) for arg in node.args if arg.args)


def _both(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """Equations as such; others sign by sign, as they stand or mirrored."""
    if gold.value == prediction.value == _EQUALS:
        return _equations(gold, prediction, rules, same)
    for relation in (prediction, _mirrored(prediction)):
        if gold.value != relation.value or len(gold.args) != len(relation.args):
            continue
        sides = zip(gold.args, relation.args, strict=True)
        if all(same(a, b, rules) for a, b in sides):
            return True
        if len(gold.value) == 1 and gold.value[0] in _MIRROR:
            a = difference(*gold.args)
            b = difference(*relation.args)
            return bool(numeric.proportional(a, b, positive=True))
    return False


def _mirrored(relation: Node) -> Node:
    """b < a as a > b."""
    signs = tuple(_MIRROR.get(sign, sign) for sign in reversed(relation.value))
    return Node("relation", relation.args[::-1], signs)


def _equations(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """By their right sides where their left ones name the same, else as curves."""
    a = label(gold)
    b = label(prediction)
    gold_value = gold.args[1]
    value = prediction.args[1]
    if a is not None and b is not None:
        if a == b or "text" in (a.kind, b.kind) or _same_unknown(a, b):
            return same(gold_value, value, rules)
        if a.kind == b.kind == "call" and len(a.args) == len(b.args):
            return same(gold_value, _applied(value, b.args, a.args), rules)
        if a.kind == b.kind == "seq":
            return same(a, b, rules) and same(gold_value, value, rules)
    if any(side.kind in _NO_FORMULAS for side in (*gold.args, *prediction.args)):
        return a == b and same(gold_value, value, rules)
    return _same_curve(difference(*gold.args), difference(*prediction.args))


def _applied(body: Node, names: tuple[Node, ...], args: tuple[Node, ...]) -> Node:
    """The body with all names replaced at once: no argument is taken for a later name."""
    for k, name in enumerate(names):
        if name.kind == "symbol":
            body = replace(body, name.value, symbol(f"argument {k}"))
    for k, arg in enumerate(args):
        body = replace(body, f"argument {k}", arg)
    return body


def _same_unknown(gold: Node, prediction: Node) -> bool:
    """x_1 for x, y for f(x): names that an answer may choose for what the question asks."""
    if gold.kind == prediction.kind == "symbol":
        short, long = sorted((gold.value, prediction.value), key=len)
        name, _, index = long.partition("_")
        return bool(name == short and index.isdigit())
    labels = {name.kind: name for name in (gold, prediction)}
    return labels.keys() == {"call", "symbol"} and labels["symbol"].value == "y"


def _same_curve(a: Node, b: Node) -> bool:
    """Do both vanish together, as constant multiples of each other?"""
    if symbols(a) != symbols(b):
        return False
    if numeric.proportional(a, b):
        return True
    return bool(numeric.proportional(_cleared(a), _cleared(b)))


def _cleared(node: Node) -> Node:
    """The formula times its denominators: y - 6/x as x y - 6."""
    denominators = [part.args[1] for part in walk(node) if part.kind == "div"]
    below = [denominator for denominator in denominators if symbols(denominator)]
    return product([node, *dict.fromkeys(below)])


def _solves(gold: Node, prediction: Node) -> bool:
    """An expression that the equation says a lone variable equals: 6/x for xy = 6."""
    names = symbols(prediction)
    if not names or prediction.kind in _NO_FORMULAS or prediction.kind == "phrase":
        return False
    unknowns = symbols(gold) - names
    if len(unknowns) != 1:
        return False
    (unknown,) = unknowns
    left, right = (replace(side, unknown, prediction) for side in gold.args)
    return bool(numeric.same(left, right))


def renamed(gold: Node, prediction: Node, rules: Rules, same: Same) -> bool:
    """k pi for n pi: whole-number parameters may have any name."""
    gold_names = symbols(gold)
    names = symbols(prediction)
    if not len(gold_names) == len(names) == 1 or gold_names == names:
        return False
    if not gold_names | names <= _PARAMETERS:
        return False
    (old,) = names
    (new,) = gold_names
    return same(gold, replace(prediction, old, symbol(new)), rules)
