"""What answers and options say, and whether two say the same, by fingerprints made once for each.

A fingerprint is the kind of a value, its unit, and what it is at fixed points of its symbols; sets,
pairs and parts have those of their members. Equal values have one number (`Values`), so pairs are
compared by numbers; grading is asked only for what no fingerprint can be made of, once a value.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import msgspec

from ..grading.answers import LimitExceeded, Node, ParseError, Symbolic, read, symbols
from ..grading.equivalence import OutOfBudget, budget, numeric
from ..grading.verdicts import GradeItem, grade_item
from ..words import quantity
from .items import LONGEST
from .keys import NUMBER, text_key

# At which a value is looked at: enough to tell two expressions of a school apart.
POINTS = 3
SIGNIFICANT = 10  # digits that count of it
ROUNDED = 3  # significant digits of a decimal that stands for what it is rounded from
SPOKEN = 200  # characters up to which an answer in words is graded
NEAR = 8  # values of one rounding with which another is compared
BUDGET = 20_000  # units of work for the fingerprint of one answer
TURNED = {"<": ">", "\\le": "\\ge", "\\leq": "\\geq", "≤": "≥"}

# What numbers the parts of an answer.
_parts = re.compile("[ⓐ-ⓩ①-⑳]")


class Print(NamedTuple):
    """A fingerprint: equal ones are equal values; values that may be have one `rough`."""

    exact: str
    rough: str | None = None
    value: float | None = None  # of a real number, in its unit
    places: int | None = None  # of a decimal that may be rounded
    dimension: str = ""  # of its unit
    size: float = 1.0


def fingerprints(lines: list[bytes]) -> list[Print]:
    """Those of texts as JSON."""
    return [fingerprint(msgspec.json.decode(line)) for line in lines]


def fingerprint(text: str) -> Print:
    r"""What an answer says, in a form that can be compared and grouped.

    >>> fingerprint("$x = \\frac12$").exact == fingerprint("0.5").exact
    True
    >>> fingerprint("$(a+b)^2$").exact == fingerprint("$a^2 + 2ab + b^2$").exact
    True
    """
    if len(text) > LONGEST:
        return Print(repr(("text", text)))
    members = [part for part in _parts.split(text) if part.strip()]
    if len(members) > 1:
        return Print(repr(("parts", *(fingerprint(part).exact for part in members))))
    answer = "".join(members) or text
    try:
        with budget(BUDGET):
            measured = quantity(answer)
            value_text = answer.strip().rstrip(".")
            if measured:
                value_text = measured.value.strip("$ ")
            node = _bare(read(value_text))
            exact = _print(node)
    except (
        LimitExceeded,
        OutOfBudget,
        ParseError,
        RecursionError,
        Symbolic,
        numeric.Undefined,
    ):
        return _text_print(answer)
    if exact[0] != "value":
        return Print(repr(exact))
    value = _real(node)
    if value is None:
        unit = measured and measured.unit.dimension
        return Print(repr((exact, unit)), repr(exact))
    rough = f"{value:.{ROUNDED - 1}e}"
    if measured is None:
        return Print(repr(exact), rough, value, _places(node))
    size = float(measured.unit.size)
    dimension = repr(measured.unit.dimension)
    exact = ("quantity", _spelled(complex(value * size)), dimension)
    return Print(repr(exact), rough, value, _places(node), dimension, size)


def _text_print(answer: str) -> Print:
    """Of words; short ones with the same figures may be one value: they are graded."""
    key = text_key(answer).strip(" .").lower()
    exact = repr(("text", key))
    figures = tuple(sorted(NUMBER.findall(key))) if len(answer) <= SPOKEN else ()
    return Print(exact, repr(("text", figures)) if figures else None)


def _bare(node: Node) -> Node:
    """What is said, without the name it is said of: x = 5, f(x) = 5, the length is 5."""
    while node.kind == "relation" and node.value == ("=",) and _is_name(node.args[0]):
        node = node.args[1]
    return node.args[0] if node.kind == "phrase" else node


def _is_name(node: Node) -> bool:
    """A symbol, words, or `f(x)`, which is read as a call or as a product."""
    if node.kind in ("symbol", "text"):
        return True
    if node.kind not in ("call", "mul") or len(node.args) != 2:
        return False
    return all(arg.kind == "symbol" for arg in node.args)


def _print(node: Node) -> tuple[Hashable, ...]:
    """The fingerprint of a tree. Raises Undefined where there is none."""
    match node.kind:
        case "list" | "set":
            members = [_print(_bare(arg)) for arg in node.args]
            names = {repr(arg.args[0]) for arg in node.args if arg.kind == "relation"}
            if len(names) > 1:  # x = 1 and y = 2
                return ("all", *sorted(map(repr, map(_print, node.args))))
            return ("set", *sorted(map(repr, members)))
        case "ratio" if len(node.args) != 2:
            return ("ratio", *(_print(arg) for arg in node.args))
        case "union" | "cap" | "matrix" | "seq" | "setminus" | "builder":
            return (node.kind, node.value, *(_print(arg) for arg in node.args))
        case "pm" if len(node.args) == 2:
            left, right = node.args
            both = [Node("add", (left, sign)) for sign in (right, _minus(right))]
            return ("set", *sorted(repr(_print(one)) for one in both))
        case "relation" if len(node.value) == 1:
            return _relation(node)
        case "relation":
            return ("relation", node.value, *(_print(arg) for arg in node.args))
        case "text":
            return ("text", str(node.value).strip(" .").lower())
        case "unit" | "degree" | "phrase":
            return _print(node.args[0])
    return ("value", tuple(sorted(symbols(node))), _values(node))


def _minus(node: Node) -> Node:
    return Node("mul", (Node("number", (), -1), node))


def _relation(node: Node) -> tuple[Hashable, ...]:
    """An equation or inequality: the difference of its sides, whatever it is multiplied by."""
    left, right = node.args
    sign = node.value[0]
    if left.kind in ("text", "list") or right.kind in (
        "text",
        "list",
        "set",
        "seq",
        "matrix",
    ):
        return ("relation", sign, _print(left), _print(right))
    if sign in TURNED:
        left, right, sign = right, left, TURNED[sign]
    apart = Node("add", (left, _minus(right)))
    found = [complex(v) if v else 0j for v in map(_number, _values(apart))]
    first = next((v for v in found if v), 1)
    if sign not in ("=", "\\ne", "\\neq"):
        first = abs(first)
    names = tuple(sorted(symbols(apart)))
    return ("relation", sign, names, *(_spelled(value / first) for value in found))


def _values(node: Node) -> tuple[str, ...]:
    """The tree at fixed points; raises Undefined where it has a value at none."""
    names = symbols(node)
    out = []
    for point in islice(numeric.points(names), POINTS if names else 1):
        try:
            out.append(_spelled(complex(numeric.value(node, point))))
        except (numeric.Undefined, ZeroDivisionError, ValueError, OverflowError):
            out.append("")
    if not any(out):
        raise numeric.Undefined(node.kind)
    return tuple(out)


def _spelled(value: complex) -> str:
    """The digits that count; what cancellation leaves of zero is zero."""
    size = abs(value)
    if size < 1e-14:
        return "0"
    real, imaginary = (
        part if abs(part) > 1e-12 * size else 0.0 for part in (value.real, value.imag)
    )
    return f"{real:.{SIGNIFICANT}g} {imaginary:.{SIGNIFICANT}g}"


def _number(spelled: str) -> complex:
    real, _, imaginary = spelled.partition(" ")
    return complex(float(real or 0), float(imaginary or 0))


def _real(node: Node) -> float | None:
    if symbols(node) - {"pi", "e"}:
        return None
    value = _number(_values(node)[0])
    return value.real if not value.imag else None


def _places(node: Node) -> int | None:
    """Decimals of a figure with ROUNDED significant digits or more; None where it is exact."""
    while node.kind in ("unit", "degree", "percent"):
        node = node.args[0]
    whole, point, part = node.text.lstrip("-").partition(".")
    significant = (whole + part).lstrip("0")
    return len(part) if point and len(significant) >= ROUNDED else None


def _agree(a: Print, b: Print) -> bool:
    """Two real numbers of one rounding: equal in their units, or one a rounded other."""
    if a.value is None or b.value is None:
        return False
    x, y = a.value, b.value
    if a.dimension and b.dimension:
        if a.dimension != b.dimension:
            return False
        y *= b.size / a.size
    places = [side.places for side in (a, b) if side.places is not None]
    tolerance = 1e-9 * max(abs(x), abs(y))
    if places:
        tolerance = 0.5001 * 10.0 ** -min(places)
    return abs(x - y) <= tolerance


class Values:
    """Numbers of values: equal ones have one, nothing said has -1.

    >>> values = Values()
    >>> [values.number(text) for text in ("1/2", "0.5", "12 cm", "", "12 m", "12")]
    [0, 0, 1, -1, 2, 1]
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": -1}
        self._exact: dict[str, int] = {}
        self._rough: dict[str, list[tuple[int, str, Print]]] = {}

    def number(self, text: str, fingerside: Print | None = None) -> int:
        """That of a text, whose fingerprint may be known."""
        if text not in self._numbers:
            self._numbers[text] = self._new(text, fingerside or fingerprint(text))
        return self._numbers[text]

    def _new(self, text: str, own: Print) -> int:
        number = self._exact.get(own.exact)
        if number is None and own.rough is not None:
            near = self._rough.setdefault(own.rough, [])
            place = self._place(text, own, near)
            if place is not None:
                number, _, other = near[place]
                if own.dimension and not other.dimension:
                    near[place] = number, text, own  # 12, then 12 cm: no longer 12 m
            elif len(near) < NEAR:
                near.append((len(self._exact), text, own))
        new = len(self._exact) if number is None else number
        return self._exact.setdefault(own.exact, new)

    @staticmethod
    def _place(text: str, own: Print, near: list[tuple[int, str, Print]]) -> int | None:
        """Which of the values of one rounding it is, if any."""
        if own.value is None:  # words: graded, once a value
            return 0 if near and _graded_equal(text, near[0][1]) else None
        for place, (_, _, other) in enumerate(near):
            if _agree(own, other):
                return place
        return None


def _graded_equal(a: str, b: str) -> bool:
    for prediction, gold in ((a, b), (b, a)):
        verdict = grade_item(GradeItem(prediction=prediction, gold=gold))
        if verdict.equal is True:
            return True
    return False


@lru_cache(maxsize=1 << 16)
def value_key(value: str) -> str:
    return text_key(value) if len(value) <= LONGEST else value
