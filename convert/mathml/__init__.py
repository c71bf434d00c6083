"""MathML and Office Math to LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .converter import ELEMENTS, mathml_to_latex, to_latex
    from .drawn import from_drawn, is_drawn
    from .drawn_katex import from_katex
    from .in_text import in_dollars, is_display, only_formula, replace_formulas
    from .omml import from_html_omml, from_omml
    from .problem_fields import convert_problem
    from .source_tex import usable
    from .tokens import characters, join, script_text
    from .tree import INVISIBLE, MathNode, Refusal, from_element, local_name, node
    from .xml_reader import parse_xml
else:
    from ...base.lazy import door

    __getattr__ = door(__name__)
