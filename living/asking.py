"""What a question asks for, and in which units, beside what is measured and told."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from ..render.claims import asks, names_of, plain, run, sentences
from ..render.figure import MEASURES
from ..words import NAMES, SHORT, unit

NAMING = ("length", "angle", "area", "perimeter")
_OF_LENGTHS = r"long|lengths?|wide|width|high|height|far|distance|radius|radii|diameters?|diagonal"
# Words, what measures that which they ask for, and the power of a length that it is.
KINDS: tuple[tuple[str, set[str], int | None], ...] = (
    (r"perimeter|circumference", {"perimeter"}, 1),
    (r"area", {"area"}, 2),
    (r"volume", set(), 3),
    (r"slope|gradient", {"slope"}, 0),
    (r"roots?|zeros?", {"root"}, None),
    (r"angle|degrees", {"angle"}, 0),
    (_OF_LENGTHS, {"length", "distance", "height"}, 1),
)
ANGLES = (  # a unit, its size in degrees, and how it is written
    ("degrees", 1.0, re.compile(r"\bdegrees\b|°")),
    ("radians", 180 / math.pi, re.compile(r"\bradians\b")),
)
_SYMBOLS = "|".join(sorted({*SHORT, "m", "h"}, key=len, reverse=True))
_POWERS = rf"(?:(?:square|cubic) )?(?:{_SYMBOLS})(?:\^?[23²³])?"
# A unit behind a number or behind "in".
_ASKED = r"\bin |\bHow many "
_UNIT = rf"({NAMES}|{_POWERS})(?![A-Za-z\d])"
UNIT = re.compile(rf"(?:(?<=\d)\s*|{_ASKED}){_UNIT}")
UNIT_ASKED = re.compile(rf"(?:{_ASKED}){_UNIT}|\bin (degrees|radians)\b")

_STANDS_FOR = r"(?:stands? for|represents?|corresponds? to|means?|is|=|:)"
SCALE = re.compile(
    rf"\b1\s*{_UNIT}(?: [a-z]+){{0,4}}\s*{_STANDS_FOR}\s*\d+(?:\.\d+)?\s*{_UNIT}"
)


class Kind(NamedTuple):
    """What a question asks for, by the first word that says it."""

    start: int
    measures: set[str]
    power: int | None
    word: str


def question_sentence(question: str) -> str:
    """The sentence that asks."""
    return next(filter(asks, reversed(sentences(plain(question)))), "")


def kind_of(question: str) -> Kind | None:
    """What measures that which is asked, the power of a length that it is, and its word."""
    sentence = question_sentence(question)
    kinds = []
    for words, measures, power in KINDS:
        match = re.search(rf"(?i)\b(?:{words})\b", sentence)
        if match:
            kinds.append(Kind(match.start(), measures, power, match[0]))
    return min(kinds, key=lambda kind: kind.start, default=None)


def asks_another(question: str, what: dict[str, Any]) -> str:
    """Why the question asks for something else than what is measured; "" where it does not."""
    ((op, value),) = what.items()
    kind = kind_of(question)
    has_word = op in (*MEASURES, "root") and op != "ratio"
    if kind and has_word and op not in kind.measures:
        return f"it asks for {kind.word!r}, the answer measures {op}"
    sentence = question_sentence(question)
    names = [names_of(name) for name in re.findall(run("2,6"), sentence)]
    if not names or not isinstance(value, str) or op not in NAMING:
        return ""
    measured = names_of(value)
    if any(_is_same(op, measured, name) for name in names):
        return ""
    return f"it asks for {''.join(names[0])}, the answer measures {value}"


def _is_same(op: str, measured: list[str], name: list[str]) -> bool:
    """Whether a name in a question is, or holds, what is measured."""
    if op == "angle" and len(name) == 3:
        return name in (measured, measured[::-1])
    if set(measured) == set(name):
        return True
    return len(name) > len(measured) and set(measured) <= set(name)


def names_measured(question: str, what: dict[str, Any]) -> bool:
    """Whether the question names what is measured: its kind, and all of its points."""
    ((op, value),) = what.items()
    sentence = question_sentence(question)
    kind = kind_of(question)
    if op == "root":
        return bool(re.search(r"(?i)\b(?:root|zero)s?\b", sentence))
    has_kind = bool(kind and op in kind.measures) or op in ("count", "height")
    if not has_kind or not isinstance(value, str):
        return False
    measured = names_of(value)
    named = [names_of(name) for name in re.findall(run("1,6"), sentence)]
    if any(_is_same(op, measured, name) for name in named):
        return True
    if op == "slope" or named:
        return op == "slope"
    shapes = {
        frozenset(names_of(name)) for name in re.findall(run("3,"), plain(question))
    }
    return shapes == {frozenset(measured)}  # "the triangle", of which there is one


def length_power(text: str) -> int | None:
    """The power of a length that a unit is, 0 for one of angles; None for what is neither.

    >>> length_power("cm^2"), length_power("degrees"), length_power("pupils")
    (2, 0, None)
    """
    if text.strip() in ("°", "degrees", "degree", "radians"):
        return 0
    quantity = unit(text.replace("²", "^2").replace("³", "^3"))
    metre = unit("m")
    if quantity is None or metre is None or len(quantity.dimension) != 1:
        return None
    ((base, power),) = quantity.dimension
    ((of_length, _),) = metre.dimension
    return int(power) if base == of_length and power == int(power) else None


def unit_asked(question: str) -> str:
    """The unit that an answer is asked in; "" where the question names none.

    >>> unit_asked("ABC is a triangle. What is its area in square metres?")
    'square metres'
    """
    matches = list(UNIT_ASKED.finditer(question_sentence(question)))
    return (matches[-1][1] or matches[-1][2]) if matches else ""


def names_with_units(text: str, names: set[str]) -> tuple[set[str], set[str]]:
    """The names whose values stand before a unit of length, and those before an angle's."""
    lengths = set()
    angles = set()
    for match in re.finditer(r"\{([a-z][a-z0-9_]*)\}\$?\s*(\S*)", text):
        name = match[1]
        unit_text = re.sub(r"[.,;?\]$]+$", "", plain(match[2]))
        if name in names and unit_text:
            power = length_power(unit_text)
            if power == 1:
                lengths.add(name)
            elif power == 0 or "°" in unit_text:
                angles.add(name)
    return lengths, angles


def asks_otherwise(question: str, answer: float, growth: float | None) -> str:
    """Why an answer cannot be what is asked: its sign, or how it grows with the figure.

    >>> asks_otherwise("What is the area of ABC?", 6.0, 2.0)
    "it asks for 'area', and in a figure of twice the size the answer is 2 times as large"
    """
    sentence = question_sentence(question)
    sign = re.search(r"(?i)\b(positive|negative)\b", sentence)
    if sign and (answer > 0) != (sign[1].lower() == "positive"):
        return f"it asks for what is {sign[1]}, the answer is {answer:.6g}"
    kind = kind_of(question)
    if kind is None or kind.power is None or not growth:
        return ""
    if abs(growth - 2**kind.power) > 1e-6:
        return (
            f"it asks for {kind.word!r}, and in a figure of twice the size the answer is "
            f"{growth:.4g} times as large"
        )
    return ""


def units_of(text: str) -> Iterator[tuple[str, float, str]]:
    """The units behind values and behind `in`: the base, its size in a text, the unit."""
    text = plain(text)
    for name, size, pattern in ANGLES:
        if pattern.search(text):
            yield "angle", size, name
    for match in UNIT.finditer(text):
        name = match[1]
        quantity = unit(name.replace("²", "^2").replace("³", "^3"))
        if quantity is not None and len(quantity.dimension) == 1:
            ((base, power),) = quantity.dimension
            yield base, float(quantity.size) ** (1 / power), name


def scales_of(text: str) -> Iterator[set[float]]:
    """Sizes of two units that a text relates itself: 1 cm on the map stands for 5 km.

    >>> list(scales_of("1 cm on a map stands for 5 km")) == [{0.01, 1000.0}]
    True
    """
    for match in SCALE.finditer(plain(text)):
        yield {size for _, size, _ in units_of(f"1 {match[1]} and 1 {match[2]}")}


def mixed_units(texts: list[str], formulas: str) -> str:
    """Two units of one kind whose ratio no formula has: "" where there are none.

    >>> mixed_units(["A rod of 3 m", "How long is it in cm?"], "a*2")
    'm stands beside cm, and no formula has 100'
    """
    units = [unit for text in texts for unit in units_of(text)]
    scales = [scale for text in texts for scale in scales_of(text)]
    for (base, size, name), (other_base, other_size, other_name) in product(
        units, units
    ):
        ratio = round(size / other_size, 6)
        if base != other_base or ratio <= 1 or {size, other_size} in scales:
            continue
        factor = "pi" if base == "angle" else f"{ratio:.10g}"
        if not re.search(rf"(?<![\w.]){factor}(?![\w.])", formulas):
            return f"{name} stands beside {other_name}, and no formula has {factor}"
    return ""
