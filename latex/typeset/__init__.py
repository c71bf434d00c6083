"""Formulas set as TeX sets them: LaTeX to outlines, on pages, in figures and in forms."""

from __future__ import annotations

from .fonts import Face, cjk_face, covers, sized, text_face
from .formula import GLUED, math_box, math_ink
from .glyphs import words
from .outlines import MathBox, RefusedError, beside
