"""Labels: what each of them names, and its text. Where they stand is decided in `placement`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec
import numpy as np

from ...errors import UserError
from ..figure import (
    GRAPHS,
    Array,
    Axes,
    Curve,
    Figure,
    Interval,
    Line,
    Point,
    Points,
    Stroke,
    arc_points,
    named_places,
    relations,
    tick_name,
)
from .lettering import Lettering, letter

EM = 23.0  # pixels at zoom 1: 11 points at 150 dpi
LabelKind = Literal[
    "point", "segment", "angle", "arc", "curve", "area", "near", "fixed", "tick"
]


class Label(msgspec.Struct):
    """A text and what it names; `anchor` holds true coordinates, and pixels once projected."""

    text: str
    kind: LabelKind
    anchor: Array  # (n, dimension)
    where: str = ""
    tags: frozenset[str] = frozenset()
    dimension: bool = False  # a dimension line outside, by the author's wish
    color: str = "black"
    named: str = ""  # what the label names, in words
    sides: tuple[
        tuple[float, float], ...
    ] = ()  # tick: where its box lies from the anchor


def point(figure: Figure, at: Point, *, text: str) -> Label:
    """The name of a point, or another text beside it."""
    return Label(text, "point", at[None])


def segment(figure: Figure, line: Line, *, text: str, dimension: bool = False) -> Label:
    """A text beside a segment; `{}` in it stands for the length measured in the figure."""
    text = _measured(text, relations.length(line))
    return Label(text, "segment", np.stack(line), dimension=dimension)


def angle(figure: Figure, corner: Points, *, text: str) -> Label:
    """A text inside angle ABC; `{}` stands for its degrees."""
    corner = list(relations.three(corner))
    return Label(_measured(text, relations.angle(corner)), "angle", np.stack(corner))


def area(figure: Figure, corners: Points, *, text: str) -> Label:
    """A text inside a polygon; `{}` stands for its area."""
    return Label(_measured(text, relations.area(corners)), "area", np.stack(corners))


def arc(figure: Figure, corner: Points, *, text: str) -> Label:
    """A text beside the arc about O from A counterclockwise to OB."""
    return Label(text, "arc", arc_points(corner))


def curve(
    figure: Figure, expression: Curve, *, text: str, domain: Interval | None = None
) -> Label:
    """A text beside the curve y = f(x), near its end where there is space."""
    drawn = GRAPHS["curve"](figure, expression, domain=domain)
    pieces = [thing.path for thing in drawn if isinstance(thing, Stroke)]
    return Label(text, "curve", max(pieces, key=len))


def near(figure: Figure, at: Point, *, text: str) -> Label:
    """A text as near to a place as it fits."""
    return Label(text, "near", at[None])


def fixed(figure: Figure, at: Point, *, text: str) -> Label:
    """A text centred at a place, whatever is there."""
    return Label(text, "fixed", at[None])


LABELS: dict[str, Callable[..., Label]] = {
    "point": point,
    "segment": segment,
    "angle": angle,
    "area": area,
    "arc": arc,
    "curve": curve,
    "near": near,
    "at": fixed,
}


def _measured(text: str, value: float) -> str:
    """Put a measured value in place of `{}`: two decimals at most, no trailing zeros."""
    return text.replace("{}", f"{round(value + 0.0, 2):g}")


def axes_labels(axes: Axes, pixel: tuple[float, float]) -> list[Label]:
    """Numbers, origin and names of axes; `pixel` is one pixel in units of each axis."""
    (x0, y0), (dx, dy) = axes.where, pixel
    below = ((0.0, 1.0), (0.9, 1.0), (-0.9, 1.0), (0.0, -1.0))
    left = ((-1.0, 0.0), (1.0, 0.0), (-1.0, -0.9), (-1.0, 0.9))
    across = [_tick(tick_name(axes, t), (t, y0), below) for t in named_places(axes, 0)]
    if axes.y is None:
        return [label for label in across if label.text] if axes.numbers else []
    tip, top = (axes.x[1] + 18 * dx, y0), (x0, axes.y[1] + 18 * dy)
    labels = [
        _name(axes.names[0], tip, ((1, 0), (0.4, 1), (0.4, -1), (-1, 3.4), (-1, -1))),
        _name(axes.names[1], top, ((0, -1), (-1, -0.4), (1, -0.4))),
    ]
    if (x0, y0) == (0, 0) and axes.origin and not any(axes.log):
        labels.append(
            _tick(axes.origin, (0, 0), ((-1, 1), (1, 1), (-1, -1), (1, -1)), "$")
        )
    up = [_tick(tick_name(axes, t, 1), (x0, t), left) for t in named_places(axes, 1)]
    numbers = [
        number
        for numbered, power in zip((across, up), axes.log, strict=True)
        for number in numbered
        if power or not np.allclose(number.anchor[0], (x0, y0), atol=1e-9)
    ]
    every = [*labels, *(numbers if axes.numbers else [])]
    return [label for label in every if label.text.strip("$ ")]


def lettered(label: Label, em: float) -> Lettering:
    """The label's letters; UserError naming the label when they cannot be drawn."""
    try:
        return letter(label.text, em * (0.82 if label.kind == "tick" else 1))
    except ValueError as error:
        remedy = "mend the text; mathematics stands between $ signs"
        raise UserError(f"{label.where or 'label'}: {error}", remedy) from error


def _tick(text: str, at: tuple[float, float], sides: Any, wrap: str = "") -> Label:
    directions = tuple((float(a), float(b)) for a, b in sides)
    text = f"{wrap}{text}{wrap}" if wrap and "$" not in text else text
    return Label(
        text, "tick", np.array([at], float), "axes", frozenset({"DI"}), sides=directions
    )


def _name(text: str, at: tuple[float, float], sides: Any) -> Label:
    """The name of an axis, which is never left out: a letter is mathematics, words are not."""
    label = _tick(text, at, sides, "" if re.search(r"[A-Za-z]{2}", text) else "$")
    return msgspec.structs.replace(label, where="axes.names")


def move(label: Label, at: Array) -> Label:
    """A label whose author says where it stands."""
    return msgspec.structs.replace(
        label, kind="fixed", anchor=np.asarray(at, float)[None]
    )
