"""Diagrams from specs: layout, drawing, overlays on real pictures."""

from __future__ import annotations

from .draw import Drawing, draw
from .overlay import spec_of_regions

__all__ = ["Drawing", "draw", "spec_of_regions"]
