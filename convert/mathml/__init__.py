"""MathML and Office Math to LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .converter import to_latex
    from .html import Page, html_to_text, read_page
    from .html_pictures import Shown
    from .html_word import as_a_reader_sees
    from .in_text import only_formula
    from .omml import from_omml
    from .problem_fields import convert_problem
    from .tokens import script_text
    from .tree import Refusal, local_name
    from .xml_reader import parse_xml
else:
    from ...base.lazy import door

    __getattr__ = door(
        __name__,
        converter="to_latex",
        html="Page html_to_text read_page",
        html_pictures="Shown",
        html_word="as_a_reader_sees",
        in_text="only_formula",
        omml="from_omml",
        problem_fields="convert_problem",
        tokens="script_text",
        tree="Refusal local_name",
        xml_reader="parse_xml",
    )
