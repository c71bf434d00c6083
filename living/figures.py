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
from .exact import number
from .reading import Seed, Values
from .statements import P, Told, plain

TEXTS = ("text", "title", "note", "names")  # keys whose strings are texts with {...}
AGREE = 1e-6  # of a length: what a figure measures against what is computed
LEAST_ANGLE, LEAST_LENGTH = 8.0, 0.04  # degrees; of the figure's largest extent
NUMBER = re.compile(r"\$?(-?\d+(?:\.\d+)?)(?:\s*(?:°|\^\\circ)|\s*\\?[a-z]*)?\$?")


def filled(seed: Seed, values: Values) -> dict[str, Any]:
    """The spec with values: names stand for numbers everywhere, in texts as {...}.

    Raises ValueError where a value cannot be worked out.
    """
    names = "|".join(
        sorted(map(re.escape, [*seed.numbers, *seed.words]), key=len, reverse=True)
    )
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
        bare = {
            key: part for key, part in spec.items() if key not in ("check", "marks")
        }
        try:
            compose(read_spec(bare))
        except UserError:
            raise ValueError(f"the figure: {error.message}") from error
        raise Claim(f"the figure: {error.message}") from error


def degenerate(composition: Composition, margin: float = 1.0) -> str:
    """Why nobody could read the figure: an angle or a segment is too small; "" where none is."""
    if composition.axes is not None or composition.figure.dimension == 3:
        return ""
    points = composition.figure.points
    places = list(points.values())
    extent = max((math.dist(p, q) for p in places for q in places), default=0.0)
    for item, strokes in composition.drawn:
        if item.op not in ("polygon", "segment", "path"):
            continue
        for stroke in strokes:
            path = getattr(stroke, "path", [])
            corners = list(path) + (
                [path[0], path[1]] if getattr(stroke, "closed", False) else []
            )
            for p, q in pairwise(corners):
                if math.dist(p, q) < margin * LEAST_LENGTH * extent:
                    return f"{item.op} {item.value} has a side too short to be seen"
            for p, q, r in zip(corners, corners[1:], corners[2:], strict=False):
                turn = angle([p, q, r])
                if min(turn, 180 - turn) < margin * LEAST_ANGLE:
                    return f"{item.op} {item.value} has an angle of {turn:.1f} degrees"
    return ""


def mistold(
    seed: Seed, values: Values, composition: Composition, told: Iterable[Told]
) -> str:
    """The first number of a label or a text that is not what the figure measures; lengths have
    one scale."""
    if seed.data.get("figure", {}).get("scale") is False:
        return ""
    for label in (
        composition.labels
    ):  # of a point it may print the coordinates, not another's name
        name = re.match(rf"{P}(?![A-Za-z])", plain(label.text).strip())
        other = (
            composition.figure.points.get(name[0])
            if name and label.kind == "point"
            else None
        )
        if other is not None and math.dist(other, label.anchor[0]) > AGREE:
            return f"{label.where}: {label.text} stands at another point"
    scales: list[tuple[float, str]] = []
    for kind, said, found, place in [*_of_labels(seed, values, composition), *told]:
        if kind == "angle":
            if abs(found - said) > 1e-3:
                return (
                    f"{place}: the angle measures {found:.4g} degrees, not {said:.4g}"
                )
        elif said and not found:
            return f"{place}: the figure measures nothing there"
        elif said:
            scale = said / found
            scales.append((math.sqrt(abs(scale)) if kind == "area" else scale, place))
    if scales:
        middle = sorted(scale for scale, _ in scales)[len(scales) // 2]
        for scale, place in scales:
            if abs(scale - middle) > AGREE * max(1.0, abs(middle)):
                return f"{place}: its number is {scale / middle:.4g} times what the figure measures"
        if "measured" in seed.data["answer"] and abs(middle - 1) > AGREE:
            return f"{scales[0][1]}: it is {middle:.4g} times what the figure measures"
    return ""


def _of_labels(seed: Seed, values: Values, composition: Composition) -> Iterator[Told]:
    for said, place, label in _numbers(seed, values, composition):
        at = label.anchor
        if label.kind == "angle":
            yield Told("angle", said, angle(list(at)), place)
        elif label.kind == "segment":
            yield Told("length", said, length((at[0], at[1])), place)
        elif label.kind == "area":
            yield Told("area", said, area(list(at)), place)


def _numbers(seed: Seed, values: Values, composition: Composition) -> Iterator[Any]:
    """The labels of the spec that print one number: it, its place, the label."""
    said = seed.data.get("figure", {}).get("labels") or []
    for label in composition.labels:
        place = re.fullmatch(r"labels\[(\d+)\]", label.where)
        if place is None:
            continue
        template = seed.template(said[int(place[1])].get("text", ""))
        told = template.fill(values, seed.decimals).told
        if (
            len(told) == 1
            and told[0][2].strip()
            and not re.search(r"[A-Za-z=]", _rest(template))
        ):
            yield told[0][1], label.where, label
        elif (
            not told
            and (match := NUMBER.fullmatch(label.text.strip()))
            and "{}" not in said[int(place[1])].get("text", "")
        ):
            yield float(match[1]), label.where, label


def _rest(template: Any) -> str:
    """What stands in a label beside its value, without units."""
    plain = "".join(p for p in template.pieces if isinstance(p, str))
    return re.sub(
        r"\\(?:circ|degree|,|text\{[^}]*\}|mathrm\{[^}]*\})|\b(?:cm|mm|km|m|ft|in)\b",
        "",
        plain,
    )


def by_figure(seed: Seed, values: Values, composition: Composition) -> float:
    """The answer as the composed figure measures it. Raises ValueError."""
    what = seed.data["answer"]["measured"]
    if not isinstance(what, dict) or not what:
        raise ValueError("measured is no item: write {length: BD}")
    names = seed.numbers

    def put(part: Any) -> Any:
        if isinstance(part, list):
            return [put(p) for p in part]
        if isinstance(part, str) and any(
            re.search(rf"(?<![A-Za-z_]){n}(?![A-Za-z0-9_'])", part) for n in names
        ):
            return number(seed.evaluate(part, values))
        return part

    try:
        return measured(composition, {key: put(part) for key, part in what.items()})
    except UserError as error:
        raise ValueError(error.message) from error
