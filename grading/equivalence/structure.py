"""Equality of answers by their structure: lists, sets, tuples, intervals, relations, matrices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec

from ...words import measure
from ..answers import LimitExceeded, Node, negative, number, symbols, walk
from . import relations
from .numeric import difference, infinite, line, rational
from .real_sets import describes_set, region, same_region, says_all
from .values import PI, Rules, same_value
from .wording import EMPTY_SAID, folded, same_name

MATCHES = 4000  # comparisons spent on matching one collection
VARIANTS = 64  # sign combinations of one answer
_COLLECTIONS = frozenset(["list", "set", "seq"])
_SET_OPERATIONS = frozenset(["union", "cap"])
_PARTICULAR = frozenset(
    "not no odd even multiple multiples less more greater least most under over except all any "
    "negative minus without 非 不".split()
)


def same(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Is `prediction` the same answer as `gold`?

    What is written around values goes first, then each structure is compared in its own way.
    Residues, and regions of the real line, come before relations and collections, which their
    notations are made of; single values come last.
    """
    gold, prediction = _without_names(*_without_remarks(gold, prediction))
    gold = relations.settled(gold)
    prediction = relations.settled(prediction)
    if gold == prediction:
        return True
    if _has_signs(gold) or _has_signs(prediction):
        gold = _expanded(gold)
        prediction = _expanded(prediction)
    kinds = {gold.kind, prediction.kind}
    if "matrix" in kinds:
        return _same_matrix(gold, prediction, rules)
    if "mod" in kinds:
        return _same_residue(gold, prediction, rules)
    regions = _same_regions(gold, prediction, rules)
    if regions is not None:
        return regions
    if "relation" in kinds:
        return relations.same_relation(gold, prediction, rules, same)
    if _is_empty(gold) or _is_empty(prediction):
        return _is_empty(gold) and _is_empty(prediction)
    if kinds & _COLLECTIONS:
        return _same_collection(gold, prediction, rules)
    if kinds == {"ratio"} and len(gold.args) == len(prediction.args) > 2:
        return _in_order(_shares(gold), _shares(prediction), rules)
    if "text" in kinds or (rules.kind == "text" and _spelled(gold)):
        return _spelled(gold) == _spelled(prediction) != []
    if "phrase" in kinds:
        return False
    if infinite(gold) or infinite(prediction):
        return infinite(gold) == infinite(prediction)
    if len(kinds) == 1 and kinds <= _SET_OPERATIONS:  # of sets with names alone
        return _in_any_order(gold.args, prediction.args, rules)
    return same_value(gold, prediction, rules) or _same_angles(gold, prediction, rules)


def _shares(ratio: Node) -> list[Node]:
    """Each part of a ratio as a multiple of the first one."""
    first = ratio.args[0]
    return [Node("div", (part, first)) for part in ratio.args]


def _same_angles(gold: Node, prediction: Node, rules: Rules) -> bool:
    """2 k pi is 2 n pi."""
    if PI not in walk(gold) or symbols(gold) == symbols(prediction):
        return False
    return relations.renamed(gold, prediction, rules, same)


def _without_remarks(gold: Node, prediction: Node) -> tuple[Node, Node]:
    """Words before a value count only where both sides have them or they change the meaning."""
    if gold.kind == prediction.kind == "phrase":
        if gold.value != prediction.value:
            return gold, prediction
        return gold.args[0], prediction.args[0]
    return _without_remark(gold), _without_remark(prediction)


def _without_remark(node: Node) -> Node:
    if node.kind != "phrase" or not _PARTICULAR.isdisjoint(node.value.split()):
        return node
    return node.args[0]


def _without_names(gold: Node, prediction: Node) -> tuple[Node, Node]:
    """P(1, 2) as the point (1, 2), where only one side names it."""
    if _names_point(gold) and not _names_point(prediction):
        return gold.args[1], prediction
    if _names_point(prediction) and not _names_point(gold):
        return gold, prediction.args[1]
    return gold, prediction


def _names_point(node: Node) -> bool:
    if node.kind != "mul" or len(node.args) != 2:
        return False
    name, point = node.args
    is_name = name.kind == "symbol" and name.value[0].isupper()
    return is_name and point.kind == "seq"


def _spelled(node: Node) -> list[str]:
    """The words of a text; Tom, bare, was read as a product of symbols."""
    if node.kind in ("text", "symbol"):
        return folded(node.value)
    if node.kind != "mul" or any(arg.kind != "symbol" for arg in node.args):
        return []
    return folded("".join(letter.value for letter in node.args))


def _is_empty(node: Node) -> bool:
    """{}, or "no solution"."""
    if node.kind == "text":
        return " ".join(folded(node.value)) in EMPTY_SAID
    return node == Node("set")


def _has_signs(node: Node) -> bool:
    return any(part.kind == "pm" for part in walk(node))


def _expanded(node: Node) -> Node:
    """Every plus-minus written out; the coordinates of a tuple vary independently."""
    if node.kind in ("list", "set"):
        variants = [variant for arg in node.args for variant in _variants(arg)]
        return Node(node.kind, tuple(variants), node.value)
    variants = _variants(node)
    return variants[0] if len(variants) == 1 else Node("list", tuple(variants))


def _variants(node: Node) -> list[Node]:
    """The values that a plus-minus stands for."""
    if not _has_signs(node):
        return [node]
    if node.kind == "seq":
        return [Node("seq", args, node.value) for args in _combinations(node.args)]
    if node.kind == "relation" and node.value == ("=",):
        name, value = node.args
        return [
            Node("relation", (name, variant), ("=",)) for variant in _variants(value)
        ]
    return [_signed(node, 1), _signed(node, -1)]


def _combinations(args: Sequence[Node]) -> list[tuple[Node, ...]]:
    combined: list[tuple[Node, ...]] = [()]
    for arg in args:
        variants = _variants(arg)
        combined = [(*before, variant) for before in combined for variant in variants]
        if len(combined) > VARIANTS:
            raise LimitExceeded("too many sign combinations")
    return combined


def _signed(node: Node, sign: int) -> Node:
    """The tree with the upper (1) or lower (-1) signs."""
    args = tuple(_signed(arg, sign) for arg in node.args)
    if not args:
        return node
    if node.kind != "pm":
        return Node(node.kind, args, node.value, node.text)
    *left, right = args
    is_positive = (node.value == "+") == (sign == 1)
    signed = right if is_positive else negative(right)
    return Node("add", (*left, signed)) if left else signed


def _same_matrix(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Matrices cell by cell; a row or column is also the tuple of its cells."""
    gold = _as_matrix(gold)
    prediction = _as_matrix(prediction)
    if gold.kind == prediction.kind:
        comparable = gold.value == prediction.value
    else:
        matrix, tuples = _sorted_by(gold, prediction, "matrix")
        comparable = 1 in matrix.value and tuples.kind in ("seq", "list")
    return comparable and _in_order(_aligned(gold.args), prediction.args, rules)


def _aligned(cells: Sequence[Node]) -> Sequence[Node]:
    """Decimals with as many places as the longest: in a column 0.29 above 0.196 is 0.290."""
    texts = [cell.text for cell in cells]
    if not all(text.lstrip("-").replace(".", "", 1).isdigit() for text in texts):
        return cells
    places = max(len(text.partition(".")[2]) for text in texts)
    padded = [
        text.ljust(len(text.partition(".")[0]) + 1 + places, "0")
        if "." in text
        else text
        for text in texts
    ]
    return [number(cell.value, text) for cell, text in zip(cells, padded, strict=True)]


def _sorted_by(gold: Node, prediction: Node, kind: str) -> tuple[Node, Node]:
    """Both, the one of this kind first."""
    return (gold, prediction) if gold.kind == kind else (prediction, gold)


def _as_matrix(node: Node) -> Node:
    """The matrix in `A = ...`, in `2 (...)` and in rows that are lists; else the node itself."""
    if node.kind == "relation" and node.value == ("=",):
        return _as_matrix(node.args[1])
    if node.kind == "mul" and node.args[-1].kind == "matrix":
        matrix = node.args[-1]
        cells = tuple(Node("mul", (*node.args[:-1], cell)) for cell in matrix.args)
        return Node("matrix", cells, matrix.value)
    if node.kind != "seq" or any(row.kind != "seq" for row in node.args):
        return node
    lengths = {len(row.args) for row in node.args}
    if len(lengths) != 1:
        return node
    cells = tuple(cell for row in node.args for cell in row.args)
    return Node("matrix", cells, (len(node.args), *lengths))


def _same_residue(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Residues of one modulus that differ by a multiple of it; a number that is the residue."""
    if gold.kind == prediction.kind:
        a, modulus = gold.args
        b, other_modulus = prediction.args
        if not same_value(modulus, other_modulus, rules):
            return False
        multiple = rational(Node("div", (difference(a, b), modulus)))
        return same(a, b, rules) or (multiple is not None and multiple.denominator == 1)
    residue, value = _sorted_by(gold, prediction, "mod")
    if relations.label(value) is not None:
        value = value.args[1]
    if len(symbols(value)) == 1:
        return _same_residue(residue, _as_residue(value), rules)
    written, modulus = residue.args
    if same(written, value, rules):
        return True
    share = rational(Node("div", (written, modulus)))
    if share is None:
        return False
    least = Node("mul", (number(share % 1), modulus))
    return same(least, value, rules)


def _as_residue(node: Node) -> Node:
    """4k + 1, for whole k, as the residue 1 modulo 4."""
    slope, offset = line(node) or (Fraction(0), Fraction(0))
    return Node("mod", (number(offset), number(abs(slope))))


def _same_regions(gold: Node, prediction: Node, rules: Rules) -> bool | None:
    """Compare as sets of reals where the gold is one; None: it is not."""
    describes = any(
        describes_set(node) or says_all(node) for node in (gold, prediction)
    )
    if not describes and rules.kind != "interval":
        return None
    both_relations = gold.kind == prediction.kind == "relation"
    if both_relations and symbols(gold) != symbols(prediction):  # a > 0 is not b > 0
        return None
    gold_region = region(gold)
    prediction_region = region(prediction)
    if gold_region is None or prediction_region is None:
        return None
    of_ends = msgspec.structs.replace(rules, kind=None)
    same_end = partial(same_value, rules=of_ends)
    return same_region(gold_region, prediction_region, same_end)


def _same_collection(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Lists and sets in any order, unless one is declared, or labels on one side give it."""
    if gold.kind == "seq" or prediction.kind == "seq":
        return _same_tuple(gold, prediction, rules)
    if not any(arg.value == "()" for arg in (*gold.args, *prediction.args)):
        gold = _ungrouped(gold)
        prediction = _ungrouped(prediction)
    once = "set" in (gold.kind, prediction.kind)
    a = _elements(gold, once)
    b = _elements(prediction, once)
    if len(a) == 1 and len({*b}) == len(b) > 1 and prediction.kind == "list":
        return all(same(a[0], one, rules) for one in b)  # 1/2; 0.5
    if (pairs := _by_name(a, b)) is not None:
        return all(same(one, other, rules) for one, other in pairs)
    labelled = {relations.label(node) is not None for node in (*a, *b)}
    partly_labelled = len(labelled) == 2
    ordered = partly_labelled if rules.ordered is None else rules.ordered
    if ordered and _in_order(a, b, rules):
        return True
    return not rules.ordered and _in_any_order(a, b, rules)


def _by_name(a: Sequence[Node], b: Sequence[Node]) -> list[tuple[Node, Node]] | None:
    """12 boys and 8 girls beside girls: 8, boys: 12: what has one name; None: not all have one."""
    if len(a) != len(b) or not all(map(_name, (*a, *b))):
        return None
    rest = list(b)
    pairs = []
    for one in a:
        named = [other for other in rest if same_name(_name(one), _name(other))]
        if len(named) != 1:
            return None
        pairs.append((one, named[0]))
        rest.remove(named[0])
    return pairs


def _name(node: Node) -> str:
    """What words call a value: its label, or the words behind it that are no unit."""
    if node.kind == "relation" and node.value == ("=",) and node.args[0].kind == "text":
        return str(node.args[0].value)
    if node.kind == "unit" and measure(node.value) is None:
        return str(node.value)
    return str(node.value) if node.kind == "phrase" else ""


def _ungrouped(node: Node) -> Node:
    """1, 2; 3 as 1, 2, 3."""
    args: list[Node] = []
    for arg in node.args:
        args += arg.args if arg.kind == "seq" and arg.value == ";" else [arg]
    return Node(node.kind, tuple(args), node.value)


def _elements(node: Node, once: bool) -> Sequence[Node]:
    """The elements; of sets each counts once."""
    elements = node.args if node.kind in ("list", "set") else (node,)
    if not once:
        return elements
    return list({_key(element): element for element in elements}.values())


def _same_tuple(gold: Node, prediction: Node, rules: Rules) -> bool:
    """Tuples and intervals in order; a list without brackets may stand for a tuple."""
    kinds = {gold.kind, prediction.kind}
    if len(kinds) == 1:
        if not _same_brackets(gold, prediction, rules):
            return False
        compared = _in_any_order if rules.ordered is False else _in_order
        return compared(gold.args, prediction.args, rules)
    if "set" in kinds:  # {(1, 2)} for (1, 2)
        a = gold.args if gold.kind == "set" else (gold,)
        b = prediction.args if prediction.kind == "set" else (prediction,)
        return _in_any_order(a, b, rules)
    listed = rules.kind != "interval" and "list" in kinds
    return listed and _in_order(gold.args, prediction.args, rules)


def _same_brackets(gold: Node, prediction: Node, rules: Rules) -> bool:
    """They count where both may be intervals; a group between semicolons has none."""
    brackets = {gold.value, prediction.value}
    if len(brackets) == 1 or ";" in brackets:
        return True
    perhaps_interval = rules.guessed and len(gold.args) == 2
    return rules.kind in ("tuple", "set") and not perhaps_interval


def _in_order(a: Sequence[Node], b: Sequence[Node], rules: Rules) -> bool:
    return len(a) == len(b) and all(
        same(x, y, rules) for x, y in zip(a, b, strict=True)
    )


def _in_any_order(a: Sequence[Node], b: Sequence[Node], rules: Rules) -> bool:
    """A one-to-one matching: first by normal form, then by comparing what is left."""
    if len(a) != len(b):
        return False
    by_key: dict[Any, list[Node]] = {}
    for node in b:
        by_key.setdefault(_key(node), []).append(node)
    unmatched = []
    for node in a:
        if same_key := by_key.get(_key(node)):
            same_key.pop()
        else:
            unmatched.append(node)
    rest = [node for nodes in by_key.values() for node in nodes]
    if len(unmatched) * len(rest) > MATCHES:
        raise LimitExceeded("too many elements to compare")
    for node in unmatched:
        matches = (
            k for k, candidate in enumerate(rest) if same(node, candidate, rules)
        )
        match = next(matches, None)
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
