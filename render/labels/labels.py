"""Labels: what each of them names, and its text. Where they stand is decided in `placement`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

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
TICK = 0.82  # size of an axis' numbers and names in sizes of other texts
LabelKind = Literal[
    "point", "segment", "angle", "arc", "curve", "area", "near", "fixed", "tick"
]
Sides = tuple[tuple[float, float], ...]  # in halves of a box across and down

# Where numbers stand beside axes that go across and up, and the names of these axes.
BELOW: Sides = ((0, 1), (0.9, 1), (-0.9, 1), (0, -1))
LEFT: Sides = ((-1, 0), (1, 0), (-1, -0.9), (-1, 0.9))
AT_ORIGIN: Sides = ((-1, 1), (1, 1), (-1, -1), (1, -1))
AT_TIP: Sides = ((1, 0), (0.4, 1), (0.4, -1), (-1, 3.4), (-1, -1))
AT_TOP: Sides = ((0, -1), (-1, -0.4), (1, -0.4))

# An axis' name of two letters in a row is a word, and no mathematics.
WORD = re.compile(r"[A-Za-z]{2}")


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
    hand: bool = False  # written by hand
    sides: Sides = ()  # tick: where its box lies from the anchor, the best first


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
    x0, y0 = axes.where
    dx, dy = pixel
    across = [_tick(tick_name(axes, x), (x, y0), BELOW) for x in named_places(axes, 0)]
    if axes.y is None:
        return [label for label in across if label.text] if axes.numbers else []
    up = [_tick(tick_name(axes, y, 1), (x0, y), LEFT) for y in named_places(axes, 1)]
    name_x, name_y = axes.names
    labels = [
        _name(name_x, (axes.x[1] + 18 * dx, y0), AT_TIP),
        _name(name_y, (x0, axes.y[1] + 18 * dy), AT_TOP),
    ]
    if (x0, y0) == (0, 0) and axes.origin and not any(axes.log):
        labels.append(_tick(axes.origin, (0, 0), AT_ORIGIN, "$"))
    if axes.numbers:
        for numbers, is_log in zip((across, up), axes.log, strict=True):
            # where the axes cross no number stands, but on an axis of powers
            labels += [
                number
                for number in numbers
                if is_log or not np.allclose(number.anchor[0], (x0, y0), atol=1e-9)
            ]
    return [label for label in labels if label.text.strip("$ ")]


def lettered(label: Label, em: float) -> Lettering:
    """The label's letters; UserError naming the label when they cannot be drawn."""
    try:
        return letter(
            label.text, em * (TICK if label.kind == "tick" else 1), label.hand
        )
    except ValueError as error:
        remedy = "mend the text; mathematics stands between $ signs"
        raise UserError(f"{label.where or 'label'}: {error}", remedy) from error


def _tick(text: str, at: tuple[float, float], sides: Sides, dollar: str = "") -> Label:
    if "$" not in text:
        text = f"{dollar}{text}{dollar}"
    anchor = np.array([at], float)
    return Label(text, "tick", anchor, "axes", frozenset({"DI"}), sides=sides)


def _name(text: str, at: tuple[float, float], sides: Sides) -> Label:
    """The name of an axis, which is never left out: a letter is mathematics, words are not."""
    label = _tick(text, at, sides, "" if WORD.search(text) else "$")
    label.where = "axes.names"
    return label


def move(label: Label, at: Array) -> Label:
    """A label whose author says where it stands."""
    anchor = np.asarray(at, float)[None]
    return msgspec.structs.replace(label, kind="fixed", anchor=anchor)
