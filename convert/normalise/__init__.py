"""One spelling for LaTeX and prose."""

from __future__ import annotations

from .formula_rules import normalise_maths
from .normalise import normalise_latex, normalise_prose, tighten, unbalanced
from .prose_rules import FORMULA, PROTECTED
from .rule import TextChange
