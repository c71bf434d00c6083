"""Figures as strokes and labels: shapes, constructions, graphs, solids."""

from __future__ import annotations

from . import predicates
from .axes import Axes, axes, axes_strokes, tick_name, ticks
from .constructions import CONSTRUCTIONS, PLANE_ONLY
from .coplanar import without_seams
from .expressions import number
from .figure import (
    COLORS,
    TINTS,
    Array,
    Color,
    Curve,
    Dot,
    Figure,
    Interval,
    Line,
    Number,
    Point,
    Points,
    Stroke,
    Tint,
    curve,
    interval,
)
from .graphs import GRAPHS, window
from .hidden_lines import split
from .marks import MARKS, Pixel
from .predicates import PREDICATES
from .sampling import clipped, sample
from .shapes import SHAPES, arc_points
from .solids import (
    FLAT,
    LYING,
    SOLIDS,
    UPRIGHT,
    Solid,
    base_polygon,
    outlines,
    projection,
    towards_viewer,
)
from .spec import NAME, SpecItem, call, items, read_spec, signature

__all__ = [
    "COLORS",
    "CONSTRUCTIONS",
    "FLAT",
    "GRAPHS",
    "LYING",
    "MARKS",
    "NAME",
    "PLANE_ONLY",
    "PREDICATES",
    "SHAPES",
    "SOLIDS",
    "TINTS",
    "UPRIGHT",
    "Array",
    "Axes",
    "Color",
    "Curve",
    "Dot",
    "Figure",
    "Interval",
    "Line",
    "Number",
    "Pixel",
    "Point",
    "Points",
    "Solid",
    "SpecItem",
    "Stroke",
    "Tint",
    "arc_points",
    "axes",
    "axes_strokes",
    "base_polygon",
    "call",
    "clipped",
    "curve",
    "interval",
    "items",
    "number",
    "outlines",
    "predicates",
    "projection",
    "read_spec",
    "sample",
    "signature",
    "split",
    "tick_name",
    "ticks",
    "towards_viewer",
    "window",
    "without_seams",
]
