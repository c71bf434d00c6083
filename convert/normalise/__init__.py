"""One spelling for LaTeX and prose."""

from __future__ import annotations

from .normalise import normalise_latex as normalise_latex
from .normalise import normalise_prose as normalise_prose
from .normalise import tighten as tighten
from .normalise import unbalanced as unbalanced
from .prose_rules import FORMULA as FORMULA
from .prose_rules import PROTECTED as PROTECTED
from .rule import TextChange as TextChange
