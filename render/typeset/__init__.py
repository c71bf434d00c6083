"""Text lines with formulas as outlines."""

from __future__ import annotations

from .line_breaking import TypesetLine
from .stretches import Reporter, Stretch, stretches
from .text_lines import lines_of, natural_width
