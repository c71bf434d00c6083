"""The figure of a variant: the seed's spec with values, composed once, measured and held to its
labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from ..errors import UserError
from ..render.diagram import Composition, compose, measured
from ..render.figure import angle, area, length, read_spec
from ..render.labels import Label
from .exact import number
from .reading import Seed, Values
from .statements import P, Told, plain

TEXTS = ("text", "title", "note", "names")  # keys whose strings are texts with {...}
AGREE = 1e-6  # of a length: what a figure measures against what is computed
LEAST_ANGLE, LEAST_LENGTH = 8.0, 0.04  # degrees; of the figure's largest extent
LEAST_TURN = 1e-3  # degrees
# What stands in a label beside a number without being a name or an equation.
UNITS = re.compile(
    r"\\(?:circ|degree|,|text\{[^}]*\}|mathrm\{[^}]*\})|\b(?:cm|mm|km|m|ft|in)\b"
)
# A label that is one number, with its unit.
NUMBER = re.compile(r"\$?(-?\d+(?:\.\d+)?)(?:\s*(?:°|\^\\circ)|\s*\\?[a-z]*)?\$?")


def filled(seed: Seed, values: Values) -> dict[str, Any]:
    """The spec with values: names stand for numbers everywhere, in texts as {...}.

    Raises ValueError where a value cannot be worked out.
    """
    longest_first = sorted([*seed.numbers, *seed.words], key=len, reverse=True)
    names = "|".join(map(re.escape, longest_first))
    word = re.compile(rf"(?<![A-Za-z_])(?:{names})(?![A-Za-z0-9_'])")

    def put(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: put(v, str(k)) for k, v in value.items()}
        if isinstance(value, list):
            return [put(part, key) for part in value]
        if not isinstance(value, str):
            return value
        if key in TEXTS:
            return seed.template(value).fill(values, seed.decimals).text
        if not word.search(value):
            return value
        try:
            return number(seed.evaluate(value, values))
        except ValueError as error:
            if "cannot read" not in str(error) and "unexpected" not in str(error):
                raise
        return word.sub(lambda m: _plain(values[m[0]]), value)

    spec: dict[str, Any] = put(seed.data.get("figure", {}))
    return spec


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, str) else f"({number(value):.12f})"


class Claim(ValueError):
    """A check or a mark of the figure that does not hold, though the figure can be made."""


def composed(seed: Seed, spec: dict[str, Any]) -> Composition:
    """The checked figure. Raises ValueError for one that folds over or cannot be made."""
    try:
        return compose(read_spec(spec))
    except UserError as error:
        claims = ("check", "marks")
        without = {key: part for key, part in spec.items() if key not in claims}
        try:
            compose(read_spec(without))
        except UserError:
            raise ValueError(f"the figure: {error.message}") from error
        raise Claim(f"the figure: {error.message}") from error


def degenerate(composition: Composition, margin: float = 1.0) -> str:
    """Why nobody could read the figure: an angle or a segment is too small; "" where none is."""
    if composition.axes is not None or composition.figure.dimension == 3:
        return ""
    places = list(composition.figure.points.values())
    extent = max((math.dist(p, q) for p in places for q in places), default=0.0)
    shortest = margin * LEAST_LENGTH * extent
    for item, strokes in composition.drawn:
        if item.op not in ("polygon", "segment", "path"):
            continue
        for stroke in strokes:
            corners = list(getattr(stroke, "path", []))
            if getattr(stroke, "closed", False):
                corners += corners[:2]
            for p, q in pairwise(corners):
                if math.dist(p, q) < shortest:
                    return f"{item.op} {item.value} has a side too short to be seen"
            for p, q, r in zip(corners, corners[1:], corners[2:], strict=False):
                turn = angle([p, q, r])
                if min(turn, 180 - turn) < margin * LEAST_ANGLE:
                    return f"{item.op} {item.value} has an angle of {turn:.1f} degrees"
    return ""


def mistold(
    seed: Seed, values: Values, composition: Composition, numbers: Iterable[Told]
) -> str:
    """The first number of a label or a text that is not what the figure measures; lengths have
    one scale."""
    if seed.data.get("figure", {}).get("scale") is False:
        return ""
    for label in composition.labels:
        if _names_another(label, composition):
            return f"{label.where}: {label.text} stands at another point"
    scales: list[tuple[float, str]] = []  # how many times what is measured a number is
    for told in [*_of_labels(seed, values, composition), *numbers]:
        place = told.quote
        if told.kind == "angle":
            if abs(told.measured - told.number) > LEAST_TURN:
                difference = f"{told.measured:.4g} degrees, not {told.number:.4g}"
                return f"{place}: the angle measures {difference}"
        elif told.number and not told.measured:
            return f"{place}: the figure measures nothing there"
        elif told.number:
            scale = told.number / told.measured
            if told.kind == "area":
                scale = math.sqrt(abs(scale))
            scales.append((scale, place))
    return _unequal(scales, to_scale="measured" in seed.data["answer"])


def _names_another(label: Label, composition: Composition) -> bool:
    """Whether a point's label has the name of another point; it may print coordinates."""
    name = re.match(rf"{P}(?![A-Za-z])", plain(label.text).strip())
    if name is None or label.kind != "point":
        return False
    place = composition.figure.points.get(name[0])
    return place is not None and math.dist(place, label.anchor[0]) > AGREE


def _unequal(scales: list[tuple[float, str]], to_scale: bool) -> str:
    """The first length that has not the scale of the others, "" where all have one."""
    if not scales:
        return ""
    middle = sorted(scale for scale, _ in scales)[len(scales) // 2]
    for scale, place in scales:
        if abs(scale - middle) > AGREE * max(1.0, abs(middle)):
            times = f"{scale / middle:.4g} times what the figure measures"
            return f"{place}: its number is {times}"
    if to_scale and abs(middle - 1) > AGREE:
        _, place = scales[0]
        return f"{place}: it is {middle:.4g} times what the figure measures"
    return ""


def _of_labels(seed: Seed, values: Values, composition: Composition) -> Iterator[Told]:
    """The numbers of labels, and what the figure measures there."""
    for value, place, label in _numbers(seed, values, composition):
        at = label.anchor
        if label.kind == "angle":
            yield Told("angle", value, angle(list(at)), place)
        elif label.kind == "segment":
            yield Told("length", value, length((at[0], at[1])), place)
        elif label.kind == "area":
            yield Told("area", value, area(list(at)), place)


def _numbers(
    seed: Seed, values: Values, composition: Composition
) -> Iterator[tuple[float, str, Label]]:
    """The labels of the spec that print one number: it, its place, the label."""
    label_specs = seed.data.get("figure", {}).get("labels") or []
    for label in composition.labels:
        place = re.fullmatch(r"labels\[(\d+)\]", label.where)
        if place is None:
            continue
        text = label_specs[int(place[1])].get("text", "")
        template = seed.template(text)
        numbers = template.fill(values, seed.decimals).told
        if not numbers:
            match = NUMBER.fullmatch(label.text.strip())
            if match and "{}" not in text:
                yield float(match[1]), label.where, label
        elif len(numbers) == 1:
            ((_, value, expression),) = numbers
            if expression.strip() and not re.search(r"[A-Za-z=]", _rest(template)):
                yield value, label.where, label


def _rest(template: Any) -> str:
    """What stands in a label beside its value, without units."""
    texts = [piece for piece in template.pieces if isinstance(piece, str)]
    return UNITS.sub("", "".join(texts))


def by_figure(seed: Seed, values: Values, composition: Composition) -> float:
    """The answer as the composed figure measures it. Raises ValueError."""
    what = seed.data["answer"]["measured"]
    if not isinstance(what, dict) or not what:
        raise ValueError("measured is no item: write {length: BD}")
    name = re.compile(rf"(?<![A-Za-z_])(?:{'|'.join(seed.numbers)})(?![A-Za-z0-9_'])")

    def put(part: Any) -> Any:
        """A part of the item with values for names."""
        if isinstance(part, list):
            return [put(inner) for inner in part]
        if isinstance(part, str) and seed.numbers and name.search(part):
            return number(seed.evaluate(part, values))
        return part

    try:
        return measured(composition, {key: put(part) for key, part in what.items()})
    except UserError as error:
        raise ValueError(error.message) from error
