"""Diagrams from specs: layout, drawing, overlays on real pictures."""

from __future__ import annotations

from .compose import Composition, compose
from .draw import Drawing, draw, draw_each, visible
from .facts import (
    KINDS,
    NEAR,
    Circle,
    circles,
    contains,
    curves,
    directions,
    extent,
    is_covered,
    kind_of_four,
    misplaced,
    pieces,
    polygons,
    same_curve,
)
from .label_values import (
    Claim,
    contradictions,
    equation,
    label_values,
    mismatch,
    misnamed,
    spelled,
)
from .measure import measured
from .overlay import spec_of_placements, spec_of_regions
from .printed_words import tesseract
