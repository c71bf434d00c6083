"""What a question asks for, and in which units, beside what is measured and told."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from ..render.figure import MEASURES
from ..words import NAMES, SHORT, unit
from .statements import asks, names_of, plain, run, sentences

NAMING = ("length", "angle", "area", "perimeter")
ASKED = (  # word -> what measures it, and the power of a length that it is; the first one counts
    (r"perimeter|circumference", {"perimeter"}, 1),
    (r"area", {"area"}, 2),
    (r"volume", set[str](), 3),
    (r"slope|gradient", {"slope"}, 0),
    (r"roots?|zeros?", {"root"}, None),
    (r"angle|degrees", {"angle"}, 0),
    (
        r"long|lengths?|wide|width|high|height|far|distance|radius|radii|diameters?|diagonal",
        {"length", "distance", "height"},
        1,
    ),
)


def asked(question: str) -> str:
    """The sentence that asks."""
    return next(filter(asks, reversed(sentences(plain(question)))), "")


def kind_asked(question: str) -> tuple[set[str], int | None, str] | None:
    """What measures that which is asked, the power of a length that it is, and its word."""
    found = [
        (m.start(), ops, power, m[0])
        for words, ops, power in ASKED
        for m in [re.search(rf"(?i)\b(?:{words})\b", asked(question))]
        if m
    ]
    return min(found)[1:] if found else None


def asks_another(question: str, what: dict[str, Any]) -> str:
    """Why the question asks for something else than what is measured; "" where it does not."""
    ((op, value),) = what.items()
    sentence, kind = asked(question), kind_asked(question)
    if kind and op in (*MEASURES, "root") and op != "ratio" and op not in kind[0]:
        return f"it asks for {kind[2]!r}, the answer measures {op}"
    named = [names_of(run) for run in re.findall(run("2,6"), sentence)]
    if (
        not named
        or not isinstance(value, str)
        or op not in ("length", "angle", "area", "perimeter")
    ):
        return ""
    wanted = names_of(value)
    for names in named:
        if op == "angle" and len(names) == 3:
            if names in (wanted, wanted[::-1]):
                return ""
        elif set(wanted) == set(names) or (
            len(names) > len(wanted) and set(wanted) <= set(names)
        ):
            return ""
    return f"it asks for {''.join(named[0])}, the answer measures {value}"


def asks_otherwise(question: str, answer: float, growth: float | None) -> str:
    """Why an answer cannot be what is asked: its sign, or how it grows with the figure.

    >>> asks_otherwise("What is the area of ABC?", 6.0, 2.0)
    "it asks for 'area', and in a figure of twice the size the answer is 2 times as large"
    """
    sign = re.search(r"(?i)\b(positive|negative)\b", asked(question))
    if sign and (answer > 0) != (sign[1].lower() == "positive"):
        return f"it asks for what is {sign[1]}, the answer is {answer:.6g}"
    kind = kind_asked(question)
    if kind and kind[1] is not None and growth and abs(growth - 2 ** kind[1]) > 1e-6:
        return (
            f"it asks for {kind[2]!r}, and in a figure of twice the size the answer is "
            f"{growth:.4g} times as large"
        )
    return ""


def units_of(text: str) -> Iterator[tuple[str, float, str]]:
    """The units behind values and behind `in`: the base, its size in a text, the unit."""
    for name, size in (("degrees", 1.0), ("radians", 180 / math.pi)):
        if re.search(
            {"degrees": r"\bdegrees\b|°"}.get(name, r"\bradians\b"), plain(text)
        ):
            yield "angle", size, name
    symbols = "|".join(sorted({*SHORT, "m", "h"}, key=len, reverse=True))
    names = rf"{NAMES}|(?:(?:square|cubic) )?(?:{symbols})(?:\^?[23²³])?"
    for match in re.finditer(
        rf"(?:(?<=\d)\s*|\bin )({names})(?![A-Za-z\d])", plain(text)
    ):
        found = unit(match[1].replace("²", "^2").replace("³", "^3"))
        if found is not None and len(found.dimension) == 1:
            ((base, power),) = found.dimension
            yield base, float(found.size) ** (1 / power), match[1]


def mixed_units(texts: list[str], formulas: str) -> str:
    """Two units of one kind whose ratio no formula has: "" where there are none.

    >>> mixed_units(["A rod of 3 m", "How long is it in cm?"], "a*2")
    'm stands beside cm, and no formula has 100'
    """
    found = [one for text in texts for one in units_of(text)]
    for base, size, name in found:
        for other_base, other, other_name in found:
            ratio = round(size / other, 6)
            factor = f"{ratio:.10g}" if base != "angle" else "pi"
            if (
                base == other_base
                and ratio > 1
                and not re.search(rf"(?<![\w.]){factor}(?![\w.])", formulas)
            ):
                return f"{name} stands beside {other_name}, and no formula has {factor}"
    return ""
