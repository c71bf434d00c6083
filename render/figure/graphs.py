"""Graphs: curves, pieces of curves, asymptotes, regions, parts of a number line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .expressions import Expression, number
from .figure import (
    Array,
    Color,
    Curve,
    Dot,
    Figure,
    Interval,
    Line,
    Number,
    Stroke,
    Tint,
    curve,
    interval,
)
from .sampling import SAMPLES, clipped, sample

CURVE = 1.5  # points


def graph(
    figure: Figure, expression: Curve, *, domain: Interval | None = None
) -> list[Stroke | Dot]:
    """The curve y = f(x): `{curve: "x^2 - 2x - 3", domain: "[-2, 3)"}`."""
    box = window(figure)
    (low, high), heights = box
    domain = _placed(figure, domain) or Interval(float(low), float(high))
    expression = _on_axes(figure, expression)
    runs = sample(expression, max(low, domain.low), min(high, domain.high), heights)
    return [*_clipped(runs, box), *_ends(figure, expression, domain)]


def _clipped(runs: list[Array], box: Array) -> list[Stroke]:
    """Runs of points as strokes inside a box; ValueError where none is inside."""
    pieces = [piece for run in runs for piece in clipped(run, box)]
    if not pieces:
        raise ValueError("the curve does not pass through the window of the axes")
    return [Stroke(piece, width=CURVE) for piece in pieces]


def _on_axes(figure: Figure, expression: Expression) -> Expression:
    """A curve of places on the page, where an axis is logarithmic."""
    if not any(figure.log):
        return expression

    def height(values: list[Array]) -> Array:
        (x,) = values
        numbers = figure.off_axes(np.stack([x, x], -1))[..., 0]
        return figure.on_axes(np.stack([x, expression(numbers)], -1))[..., 1]

    return Expression(expression.text, height)


def _placed(figure: Figure, domain: Interval | None) -> Interval | None:
    if domain is None or not figure.log[0]:
        return domain
    low, high = figure.on_axes(np.array([[domain.low, 1.0], [domain.high, 1.0]]))[:, 0]
    return Interval(float(np.nan_to_num(low, nan=-np.inf)), float(high), domain.ends)


def _ends(figure: Figure, expression: Expression, domain: Interval) -> list[Dot]:
    dots = []
    for x, end, inwards in (
        (domain.low, domain.ends[0], 1),
        (domain.high, domain.ends[1], -1),
    ):
        if not end:
            continue
        y = expression(x)
        if not np.isfinite(y):
            # an open end may be a hole: take the limit from inside
            y = expression(x + 1e-7 * inwards * max(1, abs(x)))
        at = np.array([x, y])
        if np.all(np.isfinite(at)) and _inside(at, window(figure)):
            dots.append(Dot(at, open=end == "open"))
    return dots


def piecewise(figure: Figure, pieces: dict[str, Any]) -> list[Stroke | Dot]:
    """A curve in pieces: `{piecewise: {"x + 1": "[-3, 0)", "x^2": "[0, 2]"}}`."""
    if not pieces:
        raise ValueError("a piecewise function needs pieces")
    drawn = [
        item
        for text, where in pieces.items()
        for item in graph(figure, curve(text), domain=interval(where))
    ]
    closed = [item.at for item in drawn if isinstance(item, Dot) and not item.open]

    def is_filled(item: Stroke | Dot) -> bool:
        """An open end of one piece that a closed end of another lies on."""
        if not (isinstance(item, Dot) and item.open):
            return False
        return any(np.allclose(item.at, at, atol=1e-6) for at in closed)

    return [item for item in drawn if not is_filled(item)]


def parametric(figure: Figure, x: str, y: str, *, domain: Interval) -> list[Stroke]:
    """The curve (x(t), y(t)): `{parametric: ["3cos(t)", "2sin(t)"], domain: [0, 2pi]}`."""
    if not np.isfinite([domain.low, domain.high]).all():
        raise ValueError("t needs a finite domain")
    t = np.linspace(domain.low, domain.high, 2 * SAMPLES)
    places = np.stack([curve(x, "t")(t), curve(y, "t")(t)], 1)
    path = figure.on_axes(places)
    box = window(figure)
    with np.errstate(invalid="ignore"):
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    diagonal = np.linalg.norm(np.ptp(box, axis=1))
    breaks = np.flatnonzero(~(steps < diagonal)) + 1  # a pole between
    runs = [run for run in np.split(path, breaks) if len(run) > 1]
    return _clipped(runs, box)


def polar(
    figure: Figure, radius: str, *, domain: Interval | None = None
) -> list[Stroke]:
    """The curve r(t) about the origin: `{polar: "1 + cos(t)"}`, t from 0 to 2pi."""
    r = f"({curve(radius, 't').text})"
    domain = domain or Interval(0.0, 2 * float(np.pi))
    return parametric(figure, f"{r}*cos(t)", f"{r}*sin(t)", domain=domain)


def implicit(figure: Figure, equation: str) -> list[Stroke]:
    """All points where an equation holds: `{implicit: "x^2 + y^2 = 4"}`."""
    left, equals, right = str(equation).partition("=")
    if not equals:
        raise ValueError("write an equation in x and y")
    f = curve(f"({left}) - ({right})", "xy")
    return _contour(figure, f)


def conic(
    figure: Figure,
    foci: Line,
    *,
    sum: Number | None = None,
    difference: Number | None = None,
) -> list[Stroke]:
    """By its foci: an ellipse `{conic: FG, sum: 10}`, a hyperbola `{conic: FG, difference: 6}`."""
    apart = float(np.linalg.norm(foci[1] - foci[0]))
    if (sum is None) == (difference is None):
        raise ValueError(
            "a conic has the sum or the difference of its distances from the foci"
        )
    if sum is not None and sum <= apart:
        raise ValueError(f"the sum is more than the distance of the foci, {apart:g}")
    if difference is not None and not 0 < difference < apart:
        raise ValueError(
            f"the difference is less than the distance of the foci, {apart:g}"
        )

    def off(x: Array, y: Array) -> Array:
        from_first, from_second = (
            np.hypot(x - focus[0], y - focus[1]) for focus in foci
        )
        if sum is not None:
            return from_first + from_second - sum
        return abs(from_first - from_second) - difference

    return _contour(figure, off)


def _contour(figure: Figure, off: Callable[[Array, Array], Array]) -> list[Stroke]:
    """The lines of the window on which a function of x and y is zero."""
    from contourpy import contour_generator

    box = window(figure)
    grid = (np.linspace(low, high, SAMPLES) for low, high in box)
    x, y = np.meshgrid(*grid)  # places on the page: (SAMPLES, SAMPLES)
    numbers = figure.off_axes(np.stack([x, y], -1))
    z = np.nan_to_num(off(*np.moveaxis(numbers, -1, 0)), nan=1e9)
    lines = contour_generator(x, y, z).lines(0.0)
    if not lines:
        raise ValueError("no point of the window fulfils it")
    return [Stroke(np.asarray(line), width=CURVE) for line in lines]


def asymptote(figure: Figure, equation: str) -> list[Stroke]:
    """A dashed line: `{asymptote: x = 2}`, `{asymptote: y = x + 1}`."""
    box = window(figure)
    (x0, x1), (y0, y1) = box
    left, _, right = (side.strip() for side in str(equation).partition("="))
    if left == "x":
        (at, _) = figure.on_axes(np.array([number(right), 1.0]))
        path = np.array([[at, y0], [at, y1]])
    elif left == "y":
        f = _on_axes(figure, curve(right))
        path = np.array([[x0, f(float(x0))], [x1, f(float(x1))]])
        y = path[:, 1]
        bend = abs(f(float(x0 + x1) / 2) - y.mean())
        if bend > 1e-6 * max(1, abs(y).max()):
            raise ValueError("an asymptote is a straight line")
    else:
        raise ValueError("write 'x = number' or 'y = expression'")
    return [
        Stroke(piece, dash=True, color="gray", width=1.1)
        for piece in clipped(path, box)
    ]


def region(
    figure: Figure, bounds: Any, *, domain: Interval | None = None, color: Tint = "blue"
) -> list[Stroke]:
    """The tinted region between two curves: `{region: ["x^2", "x + 2"], domain: [-1, 2]}`.

    A bound `oo` or `-oo` is the edge of the window: `{region: ["2x + 1", oo]}` lies above a line.
    """
    if not isinstance(bounds, list) or len(bounds) != 2:
        raise ValueError("a region lies between two curves")
    (x0, x1), (y0, y1) = window(figure)
    domain = _placed(figure, domain)
    low = max(x0, domain.low) if domain else x0
    high = min(x1, domain.high) if domain else x1
    if not low < high:
        raise ValueError("the domain lies outside the window of the axes")
    x = np.linspace(low, high, SAMPLES)
    edges_of_window = {"oo": y1, "-oo": y0}
    edges = []
    for bound in bounds:
        if str(bound) in edges_of_window:
            y = np.full_like(x, edges_of_window[str(bound)])
        else:
            y = _on_axes(figure, curve(bound))(x)
        if not np.isfinite(y).all():
            raise ValueError(f"{bound!r} is undefined somewhere in the domain")
        edges.append(np.stack([x, np.clip(y, y0, y1)], 1))
    there, back = edges
    outline = np.vstack([there, back[::-1]])
    return [Stroke(outline, closed=True, fill=color, width=0, light=True)]


def span(
    figure: Figure, part: Interval, *, color: Color = "blue"
) -> list[Stroke | Dot]:
    """A part of a number line: `{interval: "[-2, 3)"}`; an infinite end gets an arrow."""
    low, high = window(figure)[0]
    arrows = not np.isfinite(part.low), not np.isfinite(part.high)
    left = low if arrows[0] else part.low
    right = high if arrows[1] else part.high
    if left < low or right > high or not left < right:
        raise ValueError("the interval does not fit on the number line")
    ends = np.array([[left, 0], [right, 0]], float)
    drawn: list[Stroke | Dot] = [Stroke(ends, width=2.6, color=color, arrows=arrows)]
    for at, end in zip(ends, part.ends, strict=True):
        if end:
            drawn.append(Dot(at, open=end == "open", color=color))
    return drawn


def window(figure: Figure) -> Array:
    if figure.window is None:
        raise ValueError(
            "needs axes: give the section 'axes: {x: [-5, 5], y: [-5, 5]}'"
        )
    return figure.window


def _inside(at: Array, box: Array) -> bool:
    return bool(np.all(at >= box[:, 0] - 1e-9) and np.all(at <= box[:, 1] + 1e-9))


GRAPHS: dict[str, Callable[..., Any]] = {
    "curve": graph,
    "piecewise": piecewise,
    "parametric": parametric,
    "asymptote": asymptote,
    "region": region,
    "interval": span,
    "polar": polar,
    "implicit": implicit,
    "conic": conic,
}
