"""Figures as strokes and labels: shapes, constructions, graphs, solids."""

from __future__ import annotations

from . import relations, solver
from .axes import Axes, axes, axes_strokes, named_places, tick_name
from .constructions import CONSTRUCTIONS, PLANE_ONLY
from .coplanar import without_seams
from .expressions import Arithmetic, number, parse_named
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
    Lines,
    Number,
    Point,
    Points,
    Stamp,
    Stroke,
    Tint,
    curve,
    fill_apart,
    interval,
    names,
)
from .graphs import GRAPHS
from .hidden_lines import split
from .marks import MARKS, Pixel
from .relations import MEASURES, RELATIONS, angle, area, hold, length
from .shapes import SHAPES, arc_points
from .solids import (
    FLAT,
    LYING,
    SOLIDS,
    TOGETHER,
    UPRIGHT,
    Solid,
    base_polygon,
    outlines,
    projection,
    seen_from,
    towards_viewer,
)
from .solver import (
    GOOD,
    Condition,
    System,
    clearest,
    condition,
    determined,
    settle,
    solutions,
)
from .solving import SOLVE, solved
from .spec import NAME, SECTIONS, SpecItem, arguments, call, items, read_spec, signature
from .vectors import across, heading, quarter_turn, turning, unit_vectors
