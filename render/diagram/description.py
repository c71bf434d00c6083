"""The text of a diagram for judges who cannot see it: what is drawn, and what it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..figure import Array, SpecItem, curve, interval
from .compose import Composition

MARK_TEXTS = {
    "right": "angle {0} is a right angle",
    "equal": "{0} are equal",
    "parallel": "{0} are parallel",
    "angle": "angles {0} are marked equal",
}

NET_OPTIONS = ("edge", "height", "apex", "faces")
LOOKS = ("dash", "color")  # options that say nothing of what is drawn
CHART_NAMES = {"stem": "Stem-and-leaf plot", "table": "Table"}


def _piecewise(value: Any, options: dict[str, Any], where: str) -> str:
    parts = [f"y = {f} for x in {_interval(part)}" for f, part in value.items()]
    return f"Piecewise function: {'; '.join(parts)}."


def _parametric(value: Any, options: dict[str, Any], where: str) -> str:
    x = value[0]
    y = value[1]
    return f"Curve x = {x}, y = {y} for t in {_interval(options['domain'])}."


def _dot(value: Any, options: dict[str, Any], where: str) -> str:
    kind = "Open" if options.get("open") else "Closed"
    return f"{kind} dot at {_names(value)}."


SENTENCES: dict[str, Callable[[Any, dict[str, Any], str], str]] = {
    "curve": lambda value, _, where: f"Curve y = {curve(value).text}{where}.",
    "piecewise": _piecewise,
    "parametric": _parametric,
    "polar": lambda value, *_: f"Curve r = {value} about the origin.",
    "implicit": lambda value, *_: f"Curve {value}.",
    "asymptote": lambda value, *_: f"Asymptote {value}.",
    "region": lambda value, _, where: (
        f"Shaded region between {value[0]} and {value[1]}{where}."
    ),
    "interval": lambda value, *_: f"Marked part {_interval(value)}.",
    "dot": _dot,
}


def annotate(composition: Composition) -> str:
    """One fact a line: axes, curves, points, shapes, marks, labels.

    >>> from ..figure import read_spec; from .compose import compose
    >>> print(annotate(compose(read_spec("axes: {x: [0, 5], y: [0, 5]}"))))
    Axes: x from 0 to 5, y from 0 to 5.
    """
    lines = [*_axes(composition), *_points(composition)]
    lines += [_drawn(item) for item, _ in composition.drawn]
    lines += [_mark(item) for item in composition.marks]
    lines += [_label(label) for label in composition.labels]
    return "\n".join(dict.fromkeys(filter(None, lines)))


def _axes(composition: Composition) -> list[str]:
    axes = composition.axes
    if axes is None:
        return []
    if axes.y is None:
        return [f"Number line from {axes.x[0]:g} to {axes.x[1]:g}."]
    low, high = composition.figure.off_axes(composition.figure.window.T)
    logarithmic = [name for name, power in zip("xy", axes.log, strict=True) if power]
    powers = f"; logarithmic: {' and '.join(logarithmic)}" if logarithmic else ""
    grid = " with grid lines" if axes.grid else ""
    x, y = (
        f"{name} from {first:.4g} to {last:.4g}"
        for name, first, last in zip(axes.names, low, high, strict=True)
    )
    return [f"Axes{grid}: {x}, {y}{powers}."]


def _points(composition: Composition) -> list[str]:
    figure = composition.figure
    # Without axes places are only how it is drawn.
    if composition.axes is None or not figure.points:
        return []
    at_axes = {name: figure.off_axes(at) for name, at in figure.points.items()}
    places = ", ".join(f"{name}{_place(at)}" for name, at in at_axes.items())
    return [f"Points: {places}."]


def _place(at: Array) -> str:
    numbers = [f"{round(float(v), 2) + 0.0:g}" for v in at]  # + 0.0: no -0
    return f"({', '.join(numbers)})"


def _drawn(item: SpecItem) -> str:
    """What one draw item shows; plain segments and polygons are named by their points."""
    section = item.where
    if section.startswith("chart"):
        return _chart(item)
    if section.startswith("net"):
        return _net(item)
    if section.startswith("views"):
        return _views(item)
    if item.op in SENTENCES:
        domain = item.options.get("domain")
        where = f" for x in {_interval(domain)}" if domain is not None else ""
        return SENTENCES[item.op](item.value, item.options, where)
    return _shape(item)


def _shape(item: SpecItem) -> str:
    """A shape by its points, and its sizes."""
    kind = "dashed " if item.options.get("dash") else ""
    text = f"{kind}{item.op} {_names(item.value)}".strip()
    options = [
        f"{name} {_names(value)}"
        for name, value in item.options.items()
        if name not in LOOKS
    ]
    sizes = f" ({', '.join(options)})" if options else ""
    return f"{_capitalized(text)}{sizes}."


def _chart(item: SpecItem) -> str:
    """What a chart shows, value by value."""
    value = item.value
    kind = CHART_NAMES.get(item.op) or f"{item.op.capitalize()} chart"
    if isinstance(value, dict):
        pairs = [f"{name} {amount}" for name, amount in value.items()]
        return f"{kind}: {', '.join(pairs)}."
    if item.op == "table":
        rows = [" | ".join(map(str, row)) for row in value]
        return f"{kind}: {'; '.join(rows)}."
    edges = item.options.get("edges")
    inside = f" between {', '.join(map(str, edges))}" if edges else ""
    return f"{kind}: {', '.join(map(str, value))}{inside}."


def _net(item: SpecItem) -> str:
    """Which solid a net folds to, its sizes and what stands in its faces."""
    value = item.value
    sizes = "".join(
        f", {name} {_names(size)}"
        for name, size in item.options.items()
        if name in NET_OPTIONS
    )
    if item.options.get("net") is False:
        return f"Six squares that fold to no cube: {_names(value)}{sizes}."
    if isinstance(value, dict):  # a regular base
        value = ", ".join(f"{name} {size}" for name, size in value.items())
    return f"Net of a {item.op}: {_names(value)}{sizes}."


def _views(item: SpecItem) -> str:
    """What three views show: solids, or a heap of cubes row by row."""
    if item.op == "solids":
        parts = "; ".join(map(_part, item.value))
        return f"Three views of one solid made of: {parts}."
    rows = " / ".join(" ".join(map(str, row)) for row in item.value)
    return f"Three views of a heap of unit cubes, heights from back to front: {rows}."


def _part(solid: dict[str, Any]) -> str:
    return " ".join(f"{name} {_names(value)}".strip() for name, value in solid.items())


def _interval(value: Any) -> str:
    return interval(value).text()


def _names(value: Any) -> str:
    if isinstance(value, list):
        joint = "" if all(isinstance(v, str) and len(v) < 3 for v in value) else ", "
        return joint.join(_names(v) for v in value)
    return str(value) if value is not None else ""


def _mark(item: SpecItem) -> str:
    """A mark in words; one angle or segment alone is only marked."""
    value = item.value
    if item.op != "right" and not _is_several(value):
        return f"{item.op.capitalize()} mark at {_names(value)}."
    names = value if isinstance(value, str) else " and ".join(value)
    return f"{_capitalized(MARK_TEXTS[item.op].format(names))}."


def _is_several(value: Any) -> bool:
    """Whether a mark stands at several segments or angles, not at one given by its points."""
    return (
        isinstance(value, list)
        and len(value) > 1
        and isinstance(value[0], str)
        and all(len(name) > 1 for name in value)
    )


def _capitalized(text: str) -> str:
    """A text with a capital letter first, the names in it as they are."""
    return text[0].upper() + text[1:]


def _label(label: Any) -> str:
    if label.where.startswith("points") or label.kind == "tick":
        return ""
    text = re.sub(r"\s+", " ", label.text)
    return f"Label {text!r} at {label.named}." if label.named else f"Label {text!r}."
