"""What a solution says: the value that it ends in, and what it sets equal."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from ..latex import maths_spans
from ..render.diagram import spelled
from ..render.figure import number

LAST = re.compile(r"-?\d+(?:\.\d+)?")
NEAR = 0.002  # of a value: rounded ones agree


def last_value(text: str) -> float | None:
    r"""The value that a solution ends in: its last formula's last side, or its last number.

    >>> last_value(r"So $AB = \sqrt{9+16} = 5$.")
    5.0
    """
    values = [value for side in _sides(text) if (value := value_of(side)) is not None]
    numbers = LAST.findall(text)
    is_formula_last = "$" in text and not LAST.search(text.rpartition("$")[2])
    if values and is_formula_last:
        return values[-1]
    return float(numbers[-1]) if numbers else None


def last_rounding(text: str) -> float:
    """How far the last number of a text may be from what it was rounded from.

    >>> last_rounding("that is 14.6 m")
    0.05
    """
    numbers = LAST.findall(text)
    decimals = numbers[-1].partition(".")[2] if numbers else ""
    return 0.5 * 10.0 ** -len(decimals) if decimals else 0.0


def _sides(text: str) -> list[str]:
    formulas = [span.tex for span in maths_spans(text)]
    return [side for tex in formulas for side in re.split(r"=|\\approx", tex)]


def value_of(side: str) -> float | None:
    """The value of a formula without names; None where it has some."""
    text = spelled(side)
    text = re.sub(r"(?<=\d|\))\s*(?:°|[a-z]{1,2}\^?[23]?)$", "", text).strip()
    try:
        value = number(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def equalities(text: str) -> Iterator[tuple[str, str]]:
    r"""Two sides of a formula that are set equal and are not.

    >>> list(equalities(r"$3^2 + 4^2 = 25$ and $2 + 2 = 5$"))
    [('2 + 2', '5')]
    """
    for span in maths_spans(text):
        sides = [side.strip() for side in span.tex.split("=")]
        values = [value_of(side) for side in sides]
        for k in range(len(sides) - 1):
            left, right = values[k], values[k + 1]
            if left is None or right is None:
                continue
            if abs(left - right) > NEAR * max(1.0, abs(left)):
                yield sides[k], sides[k + 1]
