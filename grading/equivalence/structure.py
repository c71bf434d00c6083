"""Equality of answers by their structure: lists, sets, tuples, intervals, relations, matrices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from ..answers import LimitExceeded, Node, negative, number, symbols, walk
from . import relations
from .numeric import difference, infinite, line, rational
from .real_sets import describes_set, region, same_region
from .values import PI, Rules, same_value

MATCHES = 4000  # comparisons spent on matching one collection
VARIANTS = 64  # sign combinations of one answer
_EMPTY = frozenset(
    [
        "no solution",
        "no solutions",
        "no real solution",
        "no real solutions",
        "empty set",
        "空集",
        "无解",
        "无实数解",
    ]
)
_PARTICULAR = frozenset(
    "not no odd even multiple multiples less more greater least most under over except all any "
    "negative minus without 非 不".split()
)


def same(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Is `prediction` the same answer as `gold`?"""
    gold, prediction = _without_names(*_without_remarks(gold, prediction))
    gold, prediction = relations.settled(gold), relations.settled(prediction)
    if gold == prediction:
        return True
    if _has_signs(gold) or _has_signs(prediction):
        gold, prediction = _expanded(gold), _expanded(prediction)
    if gold.kind == "matrix" or prediction.kind == "matrix":
        return _same_matrix(gold, prediction, rules)
    if gold.kind == "mod" or prediction.kind == "mod":
        return _same_residue(gold, prediction, rules)
    regions = _same_regions(gold, prediction, rules)
    if regions is not None:
        return regions
    if gold.kind == "relation" or prediction.kind == "relation":
        return relations.same_relation(gold, prediction, rules, same)
    if _is_empty(gold) or _is_empty(prediction):
        return _is_empty(gold) and _is_empty(prediction)
    collections = ("list", "set", "seq")
    if gold.kind in collections or prediction.kind in collections:
        return _same_collection(gold, prediction, rules)
    if (
        gold.kind == prediction.kind == "ratio"
        and len(gold.args) == len(prediction.args) > 2
    ):
        a, b = (
            tuple(Node("div", (x, n.args[0])) for x in n.args)
            for n in (gold, prediction)
        )
        return _in_order(a, b, rules)
    if "text" in (gold.kind, prediction.kind) or (
        rules.kind == "text" and _spelled(gold)
    ):
        return _spelled(gold) == _spelled(prediction) != []
    if "phrase" in (gold.kind, prediction.kind):
        return False
    if infinite(gold) or infinite(prediction):
        return infinite(gold) == infinite(prediction)
    if gold.kind == prediction.kind and gold.kind in (
        "union",
        "cap",
    ):  # of sets with names alone
        return _in_any_order(gold.args, prediction.args, rules)
    if same_value(gold, prediction, rules):
        return True
    angles = any(n == PI for n in walk(gold)) and symbols(gold) != symbols(prediction)
    return angles and relations.renamed(
        gold, prediction, rules, same
    )  # 2 k pi is 2 n pi


def _without_remarks(gold: Node, prediction: Node) -> tuple[Node, Node]:
    """Words before a value count only where both sides have them or they change the meaning."""
    both = gold.kind == prediction.kind == "phrase"
    if both and gold.value != prediction.value:
        return gold, prediction
    gold, prediction = (
        n.args[0]
        if n.kind == "phrase" and (both or not _PARTICULAR & set(n.value.split()))
        else n
        for n in (gold, prediction)
    )
    return gold, prediction


def _without_names(gold: Node, prediction: Node) -> tuple[Node, Node]:
    """P(1, 2) as the point (1, 2), where only one side names it."""
    if _names_point(gold) != _names_point(prediction):
        gold, prediction = (
            n.args[1] if _names_point(n) else n for n in (gold, prediction)
        )
    return gold, prediction


def _names_point(node: Node) -> bool:
    if node.kind != "mul" or len(node.args) != 2 or node.args[1].kind != "seq":
        return False
    return node.args[0].kind == "symbol" and node.args[0].value[0].isupper()


def _words(text: str) -> list[str]:
    return [
        w.strip(".,;:!?'\"")
        for w in text.casefold().split()
        if w not in ("a", "an", "the")
    ]


def _spelled(node: Node) -> list[str]:
    """The words of a text; Tom, bare, was read as a product of symbols."""
    if node.kind == "text":
        return _words(node.value)
    letters = [a.value for a in node.args or (node,) if a.kind == "symbol"]
    is_word = node.kind == "symbol" or (
        node.kind == "mul" and len(letters) == len(node.args)
    )
    return _words("".join(letters)) if is_word else []


def _is_empty(node: Node) -> bool:
    return node == Node("set") or (
        node.kind == "text" and " ".join(_words(node.value)) in _EMPTY
    )


def _has_signs(node: Node) -> bool:
    return any(n.kind == "pm" for n in walk(node))


def _expanded(node: Node) -> Node:
    """Every plus-minus written out; the coordinates of a tuple vary independently."""
    if node.kind in ("list", "set"):
        args = [v for arg in node.args for v in _variants(arg)]
        return Node(node.kind, tuple(args), node.value)
    variants = _variants(node)
    return variants[0] if len(variants) == 1 else Node("list", tuple(variants))


def _variants(node: Node) -> list[Node]:
    if not _has_signs(node):
        return [node]
    if node.kind == "seq":
        combined: list[tuple[Node, ...]] = [()]
        for arg in node.args:
            combined = [(*c, v) for c in combined for v in _variants(arg)]
            if len(combined) > VARIANTS:
                raise LimitExceeded("too many sign combinations")
        return [Node("seq", args, node.value) for args in combined]
    if node.kind == "relation" and node.value == ("=",):
        return [
            Node("relation", (node.args[0], v), ("=",)) for v in _variants(node.args[1])
        ]
    return [_signed(node, 1), _signed(node, -1)]


def _signed(node: Node, sign: int) -> Node:
    """The tree with the upper (1) or lower (-1) signs."""
    args = tuple(_signed(a, sign) for a in node.args)
    if node.kind != "pm":
        return Node(node.kind, args, node.value, node.text) if args else node
    positive = (node.value == "+") == (sign == 1)
    last = args[-1] if positive else negative(args[-1])
    return Node("add", (args[0], last)) if len(args) == 2 else last


def _same_matrix(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Matrices cell by cell; a row or column is also the tuple of its cells."""
    if gold.kind == prediction.kind == "relation":
        named = [relations.is_name(n.args[0]) for n in (gold, prediction)]
        if named != [True, True] and gold.args[0] != prediction.args[0]:
            return False
    gold, prediction = _as_matrix(gold), _as_matrix(prediction)
    if gold.kind == prediction.kind:
        return gold.value == prediction.value and _in_order(
            gold.args, prediction.args, rules
        )
    matrix, other = (gold, prediction) if gold.kind == "matrix" else (prediction, gold)
    vector = 1 in matrix.value and other.kind in ("seq", "list")
    return vector and _in_order(gold.args, prediction.args, rules)


def _as_matrix(node: Node) -> Node:
    """The matrix in `A = ...`, in `2 (...)` and in rows that are lists; else the node itself."""
    if node.kind == "relation" and node.value == ("=",):
        return _as_matrix(node.args[1])
    if node.kind == "mul" and node.args[-1].kind == "matrix":
        matrix = node.args[-1]
        cells = tuple(Node("mul", (*node.args[:-1], cell)) for cell in matrix.args)
        return Node("matrix", cells, matrix.value)
    rows = [tuple(row.args) for row in node.args if row.kind == "seq"]
    if (
        node.kind == "seq"
        and len(rows) == len(node.args)
        and len(set(map(len, rows))) == 1
    ):
        cells = tuple(cell for row in rows for cell in row)
        return Node("matrix", cells, (len(rows), len(rows[0])))
    return node


def _same_residue(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Residues of one modulus that differ by a multiple of it; a number that is the residue."""
    if gold.kind == prediction.kind:
        (a, modulus), (b, other) = gold.args, prediction.args
        if not same_value(modulus, other, rules):
            return False
        multiple = rational(Node("div", (difference(a, b), modulus)))
        return same(a, b, rules) or (multiple is not None and multiple.denominator == 1)
    residue, value = (gold, prediction) if gold.kind == "mod" else (prediction, gold)
    if relations.label(value) is not None:
        value = value.args[1]
    a, modulus = residue.args
    if len(symbols(value)) == 1:
        return _same_residue(residue, _as_residue(value), rules)
    share = rational(Node("div", (a, modulus)))
    least = Node("mul", (number(share % 1), modulus)) if share is not None else a
    return any(same(v, value, rules) for v in (a, least))


def _as_residue(node: Node) -> Node:
    """4k + 1, for whole k, as the residue 1 modulo 4."""
    slope, offset = line(node) or (Fraction(0), Fraction(0))
    return Node("mod", (number(offset), number(abs(slope))))


def _same_regions(gold: Node, prediction: Node, rules: Rules) -> bool | None:
    """Compare as sets of reals where the gold is one; None: it is not."""
    if not (
        rules.kind == "interval" or describes_set(gold) or describes_set(prediction)
    ):
        return None
    if gold.kind == prediction.kind == "relation" and symbols(gold) != symbols(
        prediction
    ):
        return None  # a > 0 is not b > 0
    a, b = region(gold), region(prediction)
    if a is None or b is None:
        return None
    ends = msgspec.structs.replace(rules, kind=None)
    return same_region(a, b, lambda x, y: same_value(x, y, ends))


def _same_collection(gold: Node, prediction: Node, rules: Rules) -> bool:
    if gold.kind == "seq" or prediction.kind == "seq":
        return _same_tuple(gold, prediction, rules)
    if not any(
        a.kind == "seq" and a.value == "()" for n in (gold, prediction) for a in n.args
    ):
        gold, prediction = _ungrouped(gold), _ungrouped(prediction)
    once = "set" in (gold.kind, prediction.kind)
    a, b = _elements(gold, once), _elements(prediction, once)
    labelled = [relations.label(n) is not None for n in (*a, *b)]
    if rules.ordered or (any(labelled) and not all(labelled) and rules.ordered is None):
        return _in_order(a, b, rules) or (
            not rules.ordered and _in_any_order(a, b, rules)
        )
    return _in_any_order(a, b, rules)


def _ungrouped(node: Node) -> Node:
    """1, 2; 3 as 1, 2, 3."""
    groups = (a.args if a.kind == "seq" and a.value == ";" else (a,) for a in node.args)
    return Node(node.kind, tuple(a for group in groups for a in group), node.value)


def _elements(node: Node, once: bool) -> Sequence[Node]:
    """The elements; of sets each counts once."""
    args = node.args if node.kind in ("list", "set") else (node,)
    return list({_key(arg): arg for arg in args}.values()) if once else args


def _same_tuple(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Tuples and intervals in order; a list without brackets may stand for a tuple."""
    if gold.kind == prediction.kind:
        perhaps_interval = rules.guessed and len(gold.args) == 2
        alike = (
            gold.value == prediction.value
            or ";" in (gold.value, prediction.value)
            or (rules.kind in ("tuple", "set") and not perhaps_interval)
        )
        if rules.ordered is False:
            return alike and _in_any_order(gold.args, prediction.args, rules)
        return alike and _in_order(gold.args, prediction.args, rules)
    if "set" in (gold.kind, prediction.kind):  # {(1, 2)} for (1, 2)
        a, b = (n.args if n.kind == "set" else (n,) for n in (gold, prediction))
        return _in_any_order(a, b, rules)
    listed = rules.kind != "interval" and "list" in (gold.kind, prediction.kind)
    return listed and _in_order(gold.args, prediction.args, rules)


def _in_order(a: Sequence[Node], b: Sequence[Node], rules: Rules) -> bool:
    return len(a) == len(b) and all(
        same(x, y, rules) for x, y in zip(a, b, strict=True)
    )


def _in_any_order(a: Sequence[Node], b: Sequence[Node], rules: Rules) -> bool:
    """A one-to-one matching: first by normal form, then by comparing what is left."""
    if len(a) != len(b):
        return False
    left: dict[Any, list[Node]] = {}
    for node in b:
        left.setdefault(_key(node), []).append(node)
    unmatched = []
    for node in a:
        if same_key := left.get(_key(node)):
            same_key.pop()
        else:
            unmatched.append(node)
    rest = [node for nodes in left.values() for node in nodes]
    if len(unmatched) * len(rest) > MATCHES:
        raise LimitExceeded("too many elements to compare")
    for node in unmatched:
        match = next(
            (k for k, other in enumerate(rest) if same(node, other, rules)), None
        )
        if match is None:
            return False
        rest.pop(match)
    return True


def _key(node: Node) -> Any:
    """Equal keys are equal values; equal values may have different keys."""
    if node.kind == "seq":
        return (node.value, *map(_key, node.args))
    value = None if node.kind in ("percent", "degree", "unit") else rational(node)
    return node if value is None else value
