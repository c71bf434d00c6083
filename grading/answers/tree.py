"""Answers as trees, the form in which they are compared."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

RUNNING = "#"  # the running variable of every series, whatever it was called
CONSTANTS = frozenset(["e", "i", "pi", "infty"])


class Node(msgspec.Struct, frozen=True):
    """One node. What `value` and `args` hold depends on `kind`:

    number     value: Fraction; text: as written        symbol    value: name
    add, mul   args                                     div, pow  two args
    call       value: function's name; args             pm        value: + or -; args: [left,] right
    percent, degree   one arg                           unit      value: phrase; arg
    list       args                                     seq       value: its brackets, "()" "[)" ...
    set        args                                     builder   args: element, condition
    union, cap, setminus   args                         ratio     args
    relation   value: tuple of signs; args              matrix    value: rows, columns; args
    text       value: words                             phrase    value: words before; arg
    series     value: sum or prod; args: term in RUNNING, first, last
    """

    kind: str
    args: tuple[Node, ...] = ()
    value: Any = None
    text: str = ""


def number(value: Fraction | int, text: str = "") -> Node:
    exact = value if isinstance(value, Fraction) else Fraction(value)
    return Node("number", (), exact, text)


def symbol(name: str) -> Node:
    return Node("symbol", (), name)


def negative(node: Node) -> Node:
    """Minus the node; a number's sign is part of it."""
    if node.kind == "number":
        return Node("number", (), -node.value, f"-{node.text}")
    return Node("mul", (number(-1), node))


def product(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Node("mul", tuple(factors))


def walk(node: Node) -> list[Node]:
    """The node and everything below it."""
    nodes = [node]
    for reached in nodes:  # it grows while it is walked
        nodes.extend(reached.args)
    return nodes


def symbols(node: Node) -> set[str]:
    """Names of the free symbols; e, i and pi are constants."""
    names = {part.value for part in walk(node) if part.kind == "symbol"}
    return names - CONSTANTS - {RUNNING}


def replace(node: Node, name: str, by: Node) -> Node:
    """The tree with every symbol `name` replaced."""
    if node.kind == "symbol":
        return by if node.value == name else node
    if not node.args:
        return node
    args = tuple(replace(arg, name, by) for arg in node.args)
    return Node(node.kind, args, node.value, node.text)
