"""MM-MATH's published outcome judge (github.com/kge-sun/MM-Math, eval.py; OlympiadBench's judge).

All boxes of gold and reply are taken as one list and matched as multisets, with percentages (5 is
500 and 0.05 to it) and an absolute margin. The margin here is 0.01, the default of the script's
option `--precision`, with which its figures were made; the judge function alone defaults to 1e-8.
A reply or gold without a box counts as wrong. Kept are its faults too: only what stands between
the first two signs `=` is compared, `cm` goes before its exponent, whatever begins and ends with a
bracket is an interval, 1<x<3 and [1<=x<3] are read by their signs `<` alone. How it reads single
expressions is in `official_mm_math_parser`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from ...problem import Option
from ..answers import LENGTH, LimitExceeded, Node, ParseError, symbols
from ..equivalence import budget, numeric
from ..verdicts import Verdict
from .mm_math_parser import parsed, too_large

PRECISION = 1e-2
MARGIN = PRECISION * 1.01
SYMBOLIC = 1e-3  # by which two formulas may differ
_BOX = "\\boxed{"
_CENTIMETRES = (
    "\\text{cm}^2",
    "\\text{cm}",
    "\\,cm",
    "\\text{ cm}",
    "cm",
    "\\text{分米}^2",
    "\\ \\text{m}",
    "\\text{米}",
)
_SIGNS = (
    ("\\left", ""), ("\\right", ""), ("厘米", ""), ("，", ","), ("$", ""), ("（", "("), ("）", ")"),
    ("\\infty", "oo"), ("\\colon ", ":"), ("＋", "+"), ("\\, ", ""), ("\\,", ""), ("^\\circ", ""),
    ("^{\\circ}", ""),
)  # fmt: skip
_EDGES = "\n,.:;^_=+`!@#%&*~，。"
_DEGREES = re.compile(r"(\\sin|\\cos|\\tan)(\d+)")
_UPRIGHT = re.compile(r"\\(?:mathrm|mathbf)\{~?([^}]*)\}")
_CHINESE = re.compile(r"[\u4e00-\u9fff]+")  # as published
_METRE = re.compile(r"(?<=.)m$")
_DECIMAL = re.compile(r"(?:(?<!\d)\d+)?\.\d+")
_OPENING = ("(", "[")
_CLOSING = (")", "]")


def verdict(response: str, gold: str, options: Sequence[Option]) -> Verdict:
    """The published verdict; the options play no part in it.

    >>> verdict("\\\\boxed{500}", "\\\\boxed{5}", []).equal
    True
    """
    if _BOX not in gold:
        gold = f"{_BOX}{gold}}}"  # releases keep the bare answer
    gold_box = _boxes(gold)
    prediction = _boxes(response)
    if gold_box is None or prediction is None:
        return Verdict(equal=False, how="no box", rule="mm-math")
    try:
        if len(prediction) > LENGTH and gold_box != prediction:
            raise LimitExceeded("too long")
        with budget():
            right = _judge(_cleaned(gold_box), _cleaned(prediction))
    except LimitExceeded as reason:
        return Verdict(
            equal=None, how=f"refused: {reason}", status="timeout", extracted=prediction
        )
    return Verdict(
        equal=right, how="mm-math", extracted=prediction.rstrip(","), rule="mm-math"
    )


def _boxes(text: str) -> str | None:
    """The contents of all boxes, those inside others too, each followed by a comma; None: there
    is none, or one has no end."""
    joined = ""
    boxes = 0
    start = text.find(_BOX)
    while start >= 0:
        content = _content(text, start + len(_BOX))
        boxes += 1
        if content is None or boxes * len(text) > 100 * LENGTH:
            return None
        joined += f"{content},"
        start = text.find(_BOX, start + len(_BOX))
    return joined or None


def _content(text: str, start: int) -> str | None:
    """What stands between an opening brace and its closing one; None: there is none."""
    depth = 1
    for position in range(start, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return text[start:position]
    return None


def _cleaned(text: str) -> str:
    for part in _CENTIMETRES:
        text = text.replace(part, "")
    text = _METRE.sub("", text.strip())
    if "\\in " in text:
        text = text.split("\\in ")[1]
    for sign, by in _SIGNS:
        text = text.replace(sign, by)
    text = _DEGREES.sub(r"\1((\2/180)\\pi)", text).strip(_EDGES)
    return _UPRIGHT.sub(r"\1", text)


def _judge(gold: str, prediction: str) -> bool:
    """Equal lists, in any order."""
    if gold == prediction:
        return True
    golds = _items(gold)
    predictions = _items(prediction)
    if len(golds) != len(predictions):
        return False
    for item in golds:
        match = next((text for text in predictions if _same(item, text)), None)
        if match is None:
            return False
        predictions.remove(match)
    return True


def _items(text: str) -> list[str]:
    """Cut at commas outside brackets; plus-minus gives two."""
    text = text if _CHINESE.fullmatch(text) else _CHINESE.sub("", text)
    if text.count("<") == 2:
        first, _, last = text.split("<")
        text = f"({first}, {last})"
    items: list[str] = []
    depth = 0
    start = 0
    for position, char in enumerate(text):
        depth += (char in _OPENING) - (char in _CLOSING)
        if char == "," and depth == 0:
            items += _with_signs(text[start:position].strip())
            start = position + 1
    if start < len(text):
        items += _with_signs(text[start:].strip())
    return items


def _with_signs(item: str) -> list[str]:
    if "\\pm" not in item:
        return [item]
    return [item.replace("\\pm", sign) for sign in ("+", "-")]


def _same(gold: str, prediction: str) -> bool:
    """By the first rule that finds them equal; one that cannot read them finds nothing."""
    if gold == prediction and gold:
        return True
    rules: list[Callable[[str, str], bool]] = [
        _same_number,
        _same_value,
        _same_equation,
    ]
    if _is_bracketed(gold) and _is_bracketed(prediction):
        rules.insert(0, _same_interval)
    for rule in rules:
        try:
            if rule(gold, prediction):
                return True
        except (ParseError, ValueError, LookupError, ArithmeticError):
            if rule is _same_interval:
                return False
    return False


def _is_bracketed(text: str) -> bool:
    return text[:1] in _OPENING and text[-1:] in _CLOSING


def _same_interval(gold: str, prediction: str) -> bool:
    gold_pieces = gold.split("\\cup")
    pieces = prediction.split("\\cup")
    if len(gold_pieces) != len(pieces):
        return False
    for a, b in zip(gold_pieces, pieces, strict=True):
        if a[0] != b[0] or a[-1] != b[-1]:
            return False
        ends = zip(a.strip("[]()").split(","), b.strip("[]()").split(","), strict=False)
        if not all(_same_expression(x, y) for x, y in ends):
            return False
    return True


def _same_number(gold: str, prediction: str) -> bool:
    a = float(gold)
    b = float(prediction)
    return any(abs(share - b) <= MARGIN for share in (a / 100, a, a * 100))


def _same_value(gold: str, prediction: str) -> bool:
    both_equations = "=" in gold and "=" in prediction
    return not both_equations and _same_expression(gold, prediction)


def _same_expression(gold: str, prediction: str) -> bool:
    """Right-hand sides, exactly or within the margin."""
    a = parsed(_right_side(gold))
    b = parsed(_right_side(prediction))
    if a == b:
        return True
    if bool(symbols(a)) != bool(symbols(b)):
        return False
    if symbols(a):
        return _differ_by_little(a, b)
    x = _constant(a)
    y = _constant(b)
    return x is not None and y is not None and bool(abs(x - y) <= MARGIN)


def _right_side(text: str) -> str:
    """What stands between the first two signs =, or all of it."""
    return text.split("=")[1] if "=" in text else text


def _constant(node: Node) -> Any:
    return None if too_large(node) else numeric.constant(node)


def _differ_by_little(a: Node, b: Node) -> bool:
    """Is the difference a constant under a thousandth? For complex values too: roots of squares
    and logarithms of powers are not simplified."""
    difference = numeric.difference(a, b)
    for point in islice(numeric.points(symbols(difference)), 3):
        try:
            if abs(numeric.value(difference, _turned(point))) >= SYMBOLIC:
                return False
        except numeric.Undefined:
            return False
    return True


def _turned(point: dict[str, Any]) -> dict[str, Any]:
    """The point off the real line."""
    ctx = numeric.context()
    values = enumerate(point.items())
    return {name: value * ctx.expj(2 + k) for k, (name, value) in values}


def _same_equation(gold: str, prediction: str) -> bool:
    """Equal up to a whole factor, on either side; with decimals, which make it inexact, equal."""
    a = _left_minus_right(gold)
    b = _left_minus_right(prediction)
    if a == b:
        return True
    gold_decimals = sorted(_DECIMAL.findall(gold))
    decimals = sorted(_DECIMAL.findall(prediction))
    if gold_decimals or decimals:
        return gold_decimals == decimals and bool(numeric.same(a, b))
    if symbols(a) != symbols(b) or not numeric.proportional(a, b):
        return False
    point = next(numeric.points(symbols(a)))
    ratio: Any = numeric.value(a, point) / numeric.value(b, point)
    return _is_whole(ratio) or _is_whole(1 / ratio)


def _left_minus_right(equation: str) -> Node:
    left, right = equation.split("=")
    return numeric.difference(parsed(left), parsed(right))


def _is_whole(factor: Any) -> bool:
    """Is it a whole number other than 0, but for rounding?"""
    distance = abs(factor - numeric.context().nint(factor))
    return bool(distance < 1e-20 and abs(factor) > 0.5)
