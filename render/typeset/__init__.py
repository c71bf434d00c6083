"""Text lines with formulas as outlines."""

from __future__ import annotations

from .fonts import Face, cjk_face, covers, sized, text_face
from .formula import math_ink
from .line_breaking import TypesetLine
from .outlines import RefusedError
from .stretches import Reporter, Stretch, stretches
from .text_lines import lines_of, natural_width
