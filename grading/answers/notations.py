"""What notations come to: the trees that the parser makes of what it has read."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from ...words import measure
from ...words import number as in_words
from .tokens import ParseError
from .tree import Node, number, symbol, walk

DETERMINANT = 4  # rows
WRAPPERS = frozenset(["unit", "percent", "degree"])
_RATES = frozenset(["per", "a", "an", "every", "each"])  # what a unit is counted by


def as_group(items: list[Node]) -> Node:
    """What commas join between two semicolons."""
    return items[0] if len(items) == 1 else Node("seq", tuple(items), ";")


def total(terms: list[Node]) -> Node:
    return terms[0] if len(terms) == 1 else Node("add", tuple(terms))


def as_residue(node: Node, modulus: Node) -> Node:
    """What a congruence ends in, modulo a number."""
    if node.kind == "mod":
        return node
    if node.kind in ("list", "set"):
        residues = tuple(as_residue(arg, modulus) for arg in node.args)
        return Node(node.kind, residues, node.value)
    if node.kind != "relation":
        return Node("mod", (node, modulus))
    if set(node.value) != {"="}:
        raise ParseError("an inequality with a modulus")
    return Node("mod", (node.args[-1], modulus))


def in_numbers(words: str) -> Node | None:
    """A number in words; "third" stays a word: who came in third is no number."""
    numeral = in_words(words)
    if numeral is None or not numeral.counts:
        return None
    if numeral.form == "percent":
        return Node("percent", (number(numeral.value * 100),))
    return number(numeral.value)


def proper_fraction(node: Node) -> tuple[Fraction, Fraction] | None:
    """Numerator and denominator as written, where both are numbers and the value is below one."""
    if node.kind != "div" or {arg.kind for arg in node.args} != {"number"}:
        return None
    top, bottom = (arg.value for arg in node.args)
    return (top, bottom) if 0 < top < bottom else None


def mixed_number(whole: Node, top: str, bottom: str) -> Node:
    """2\\frac{1}{3}: the sum of both, with the sign of the whole."""
    if not (top.isdigit() and bottom.isdigit() and int(bottom)):
        raise ParseError("a mixed number without fraction")
    part = Fraction(int(top), int(bottom))
    return Node("number", (), whole.value + part, "mixed")


def with_value(node: Node, value: Node) -> Node:
    """The value with what stands around the node's: its unit, percent or degree sign."""
    if node.kind not in WRAPPERS:
        return value
    return Node(node.kind, (value,), node.value)


def periodic(text: str, digits: str) -> Node:
    """The decimal `text` with `digits` repeated behind it for ever."""
    places = len(text.partition(".")[2])
    tail = Fraction(int(digits), (10 ** len(digits) - 1) * 10**places)
    return number(Fraction(text.rstrip(".")) + tail, text + digits)


def known_unit(phrase: str) -> str:
    """The words of a unit without those behind it that are none: kilometres away."""
    words = phrase.split()
    if len(words) < 2 or measure(phrase) or any("/" in word for word in words):
        return phrase
    for end in range(len(words) - 1, 0, -1):
        behind = words[end]
        known = " ".join(words[:end])
        if behind not in _RATES and measure(known):
            return known
    return phrase


def ungrouped(factors: list[Node]) -> list[Node]:
    r"""A factor in braces, \{a + b\}, is a group."""
    if len(factors) == 1:
        return factors
    return [
        factor.args[0] if factor.kind == "set" and len(factor.args) == 1 else factor
        for factor in factors
    ]


def determinant(matrix: Node) -> Node:
    """The sum over all orders of the columns; of large matrices the name alone."""
    rows, columns = matrix.value
    if rows != columns or rows > DETERMINANT:
        return Node("call", (matrix,), "det")
    terms = []
    for order in permutations(range(rows)):
        swaps = sum(a > b for k, a in enumerate(order) for b in order[k:])
        cells = (matrix.args[row * rows + column] for row, column in enumerate(order))
        terms.append(Node("mul", (number((-1) ** swaps), *cells)))
    return total(terms)


def rate_of(top: Node, bottom: Node) -> Node | None:
    """dx/dt as x', and so the second; None: it is a quotient."""
    if not (top.kind == bottom.kind == "mul" and len(top.args) == 2):
        return None
    head, name = top.args
    below, *by = bottom.args
    is_rate = name.kind == "symbol" and is_d(below) and len(by) == 1
    if not is_rate:
        return None
    squared = Node("pow", (symbol("d"), number(2, "2")))
    power = {symbol("d"): 1, squared: 2}.get(head)
    order = by[0].args[1].value if by[0].kind == "pow" else 1
    if power is None or order != power:
        return None
    return symbol(name.value + "'" * power)


def is_d(node: Node) -> bool:
    return node.kind == "symbol" and node.value in ("d", "partial")


def has_series(node: Node) -> bool:
    return any(part.kind == "series" for part in walk(node))
