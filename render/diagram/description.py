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


SENTENCES: dict[str, Callable[[Any, dict[str, Any], str], str]] = {
    "curve": lambda value, _, where: f"Curve y = {curve(value).text}{where}.",
    "piecewise": lambda value, *_: "Piecewise function: {}.".format(
        "; ".join(f"y = {f} for x in {_interval(part)}" for f, part in value.items())
    ),
    "parametric": lambda value, options, _: (
        f"Curve x = {value[0]}, y = {value[1]} for t in {_interval(options['domain'])}."
    ),
    "polar": lambda value, *_: f"Curve r = {value} about the origin.",
    "implicit": lambda value, *_: f"Curve {value}.",
    "asymptote": lambda value, *_: f"Asymptote {value}.",
    "region": lambda value, _, where: (
        f"Shaded region between {value[0]} and {value[1]}{where}."
    ),
    "interval": lambda value, *_: f"Marked part {_interval(value)}.",
    "dot": lambda value, options, _: (
        f"{'Open' if options.get('open') else 'Closed'} dot at {_names(value)}."
    ),
}


def annotate(composition: Composition) -> str:
    """One fact a line: axes, curves, points, shapes, marks, labels.

    >>> from ..figure import read_spec; from .compose import compose
    >>> print(annotate(compose(read_spec("axes: {x: [0, 5], y: [0, 5]}"))))
    Axes: x from 0 to 5, y from 0 to 5.
    """
    lines = [*_axes(composition), *_points(composition)]
    lines += [text for item, _ in composition.drawn if (text := _drawn(item))]
    lines += [_mark(item) for item in composition.marks]
    lines += [text for label in composition.labels if (text := _label(label))]
    return "\n".join(dict.fromkeys(lines))


def _axes(composition: Composition) -> list[str]:
    axes = composition.axes
    if axes is None:
        return []
    if axes.y is None:
        return [f"Number line from {axes.x[0]:g} to {axes.x[1]:g}."]
    (a, c), (b, d) = composition.figure.off_axes(composition.figure.window.T)
    logarithmic = [name for name, power in zip("xy", axes.log, strict=True) if power]
    powers = f"; logarithmic: {' and '.join(logarithmic)}" if logarithmic else ""
    (x, y), grid = axes.names, " with grid lines" if axes.grid else ""
    return [
        f"Axes{grid}: {x} from {a:.4g} to {b:.4g}, {y} from {c:.4g} to {d:.4g}{powers}."
    ]


def _points(composition: Composition) -> list[str]:
    figure = composition.figure
    if (
        composition.axes is None or not figure.points
    ):  # elsewhere places are only how it is drawn
        return []
    at_axes = {name: figure.off_axes(at) for name, at in figure.points.items()}
    places = ", ".join(f"{name}{_place(at)}" for name, at in at_axes.items())
    return [f"Points: {places}."]


def _place(at: Array) -> str:
    return "(" + ", ".join(f"{round(float(v), 2) + 0.0:g}" for v in at) + ")"


def _drawn(item: SpecItem) -> str:
    """What one draw item shows; plain segments and polygons are named by their points."""
    value, options = item.value, item.options
    domain = options.get("domain")
    where = f" for x in {_interval(domain)}" if domain is not None else ""
    if item.where.startswith("chart"):
        return _chart(item)
    if item.where.startswith("net"):
        return _net(item)
    if item.where.startswith("views") and item.op == "solids":
        parts = (
            " ".join(f"{k} {_names(v)}".strip() for k, v in part.items())
            for part in value
        )
        return f"Three views of one solid made of: {'; '.join(parts)}."
    if item.where.startswith("views"):
        rows = " / ".join(" ".join(map(str, row)) for row in value)
        return (
            f"Three views of a heap of unit cubes, heights from back to front: {rows}."
        )
    if item.op in SENTENCES:
        return SENTENCES[item.op](value, options, where)
    sizes = ", ".join(
        f"{k} {_names(v)}" for k, v in options.items() if k not in ("dash", "color")
    )
    kind = "dashed " if options.get("dash") else ""
    text = f"{kind}{item.op} {_names(value)}".strip()
    return f"{text[0].upper()}{text[1:]}{f' ({sizes})' if sizes else ''}."


def _chart(item: SpecItem) -> str:
    """What a chart shows, value by value."""
    value, kind = (
        item.value,
        {"stem": "Stem-and-leaf plot", "table": "Table"}.get(item.op, ""),
    )
    kind = kind or f"{item.op.capitalize()} chart"
    if isinstance(value, dict):
        return f"{kind}: {', '.join(f'{name} {v}' for name, v in value.items())}."
    if item.op == "table":
        return f"{kind}: {'; '.join(' | '.join(map(str, row)) for row in value)}."
    edges = item.options.get("edges")
    inside = f" between {', '.join(map(str, edges))}" if edges else ""
    return f"{kind}: {', '.join(map(str, value))}{inside}."


def _net(item: SpecItem) -> str:
    """Which solid a net folds to, its sizes and what stands in its faces."""
    shown = {
        k: v
        for k, v in item.options.items()
        if k in ("edge", "height", "apex", "faces")
    }
    sizes = "".join(f", {name} {_names(value)}" for name, value in shown.items())
    if item.options.get("net") is False:
        return f"Six squares that fold to no cube: {_names(item.value)}{sizes}."
    value = item.value
    if isinstance(value, dict):  # a regular base
        value = ", ".join(f"{name} {v}" for name, v in value.items())
    return f"Net of a {item.op}: {_names(value)}{sizes}."


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
    several = isinstance(value, list) and len(value) > 1 and isinstance(value[0], str)
    if item.op != "right" and not (several and all(len(v) > 1 for v in value)):
        return f"{item.op.capitalize()} mark at {_names(value)}."
    text = MARK_TEXTS[item.op].format(
        value if isinstance(value, str) else " and ".join(value)
    )
    return f"{text[0].upper()}{text[1:]}."


def _label(label: Any) -> str:
    if label.where.startswith("points") or label.kind == "tick":
        return ""
    text = re.sub(r"\s+", " ", label.text)
    return f"Label {text!r} at {label.named}." if label.named else f"Label {text!r}."
