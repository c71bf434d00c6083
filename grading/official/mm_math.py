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
from ..answers import LENGTH, LimitExceeded, Node, ParseError, negative, symbols
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


def verdict(response: str, gold: str, options: Sequence[Option]) -> Verdict:
    """The published verdict; the options play no part in it.

    >>> verdict("\\\\boxed{500}", "\\\\boxed{5}", []).equal
    True
    """
    if _BOX not in gold:
        gold = f"{_BOX}{gold}}}"  # releases keep the bare answer
    gold_box, prediction = _boxes(gold), _boxes(response)
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
    contents = []
    for start in (m.end() for m in re.finditer(re.escape(_BOX), text)):
        depth, end = 1, start
        while depth and end < len(text):
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        if depth:
            return None
        contents.append(text[start : end - 1])
        if len(contents) * len(text) > 100 * LENGTH:
            return None
    return "".join(f"{content}," for content in contents) if contents else None


def _cleaned(text: str) -> str:
    for part in _CENTIMETRES:
        text = text.replace(part, "")
    text = re.sub(r"(?<=.)m$", "", text.strip())
    if "\\in " in text:
        text = text.split("\\in ")[1]
    for sign, by in _SIGNS:
        text = text.replace(sign, by)
    text = _DEGREES.sub(r"\1((\2/180)\\pi)", text).strip(_EDGES)
    return _UPRIGHT.sub(r"\1", text)


def _judge(gold: str, prediction: str) -> bool:
    if gold == prediction:
        return True
    golds, predictions = _items(gold), _items(prediction)
    if len(golds) != len(predictions):
        return False
    for item in golds:
        match = next((other for other in predictions if _same(item, other)), None)
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
    items, depth, start = [], 0, 0
    for position, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            items.append(text[start:position].strip())
            start = position + 1
    if start < len(text):
        items.append(text[start:].strip())
    return [
        item.replace("\\pm", sign)
        for item in items
        for sign in (("+", "-") if "\\pm" in item else ("",))
    ]


def _same(gold: str, prediction: str) -> bool:
    if gold == prediction and gold:
        return True
    rules: list[Callable[[str, str], bool]] = [
        _same_number,
        _same_value,
        _same_equation,
    ]
    if all(t[:1] in ("(", "[") and t[-1:] in (")", "]") for t in (gold, prediction)):
        rules.insert(0, _same_interval)
    for rule in rules:
        try:
            if rule(gold, prediction):
                return True
        except (ParseError, ValueError, LookupError, ArithmeticError):
            if rule is _same_interval:
                return False
    return False


def _same_interval(gold: str, prediction: str) -> bool:
    pieces, others = gold.split("\\cup"), prediction.split("\\cup")
    if len(pieces) != len(others):
        return False
    for a, b in zip(pieces, others, strict=True):
        if a[0] != b[0] or a[-1] != b[-1]:
            return False
        ends = zip(a.strip("[]()").split(","), b.strip("[]()").split(","), strict=False)
        if not all(_same_expression(x, y) for x, y in ends):
            return False
    return True


def _same_number(gold: str, prediction: str) -> bool:
    a, b = float(gold), float(prediction)
    return any(abs(share - b) <= MARGIN for share in (a / 100, a, a * 100))


def _same_value(gold: str, prediction: str) -> bool:
    return not ("=" in gold and "=" in prediction) and _same_expression(
        gold, prediction
    )


def _same_expression(gold: str, prediction: str) -> bool:
    """Right-hand sides, exactly or within the margin."""
    a, b = (parsed(t.split("=")[1] if "=" in t else t) for t in (gold, prediction))
    if a == b:
        return True
    if bool(symbols(a)) != bool(symbols(b)):
        return False
    if symbols(a):
        return _differ_by_little(a, b)
    x, y = (None if too_large(n) else numeric.constant(n) for n in (a, b))
    return x is not None and y is not None and bool(abs(x - y) <= MARGIN)


def _differ_by_little(a: Node, b: Node) -> bool:
    """Is the difference a constant under a thousandth? For complex values too: roots of squares
    and logarithms of powers are not simplified."""
    difference = Node("add", (a, negative(b)))
    ctx = numeric.context()
    names = symbols(difference)
    for point in islice(numeric.points(names), 3):
        turned = {
            name: value * ctx.expj(2 + k)
            for k, (name, value) in enumerate(point.items())
        }
        try:
            if abs(numeric.value(difference, turned)) >= SYMBOLIC:
                return False
        except numeric.Undefined:
            return False
    return True


def _same_equation(gold: str, prediction: str) -> bool:
    """Equal up to a whole factor, on either side; with decimals, which make it inexact, equal."""
    decimals, others = (
        sorted(re.findall(r"\d*\.\d+", text)) for text in (gold, prediction)
    )
    differences = []
    for text in (gold, prediction):
        left, right = text.split("=")
        differences.append(Node("add", (parsed(left), negative(parsed(right)))))
    a, b = differences
    if a == b:
        return True
    if decimals or others:
        return decimals == others and bool(numeric.same(a, b))
    if symbols(a) != symbols(b) or not numeric.proportional(a, b):
        return False
    point = next(numeric.points(symbols(a)))
    ratio: Any = numeric.value(a, point) / numeric.value(b, point)
    ctx = numeric.context()
    return any(
        abs(r - ctx.nint(r)) < 1e-20 and abs(r) > 0.5 for r in (ratio, 1 / ratio)
    )
