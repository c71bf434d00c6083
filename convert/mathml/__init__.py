"""MathML and Office Math to LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = [
    "Refusal",
    "convert_problem",
    "from_omml",
    "html_to_text",
    "local_name",
    "only_formula",
    "parse_xml",
    "script_text",
    "to_latex",
]

if TYPE_CHECKING:
    from .converter import to_latex as to_latex
    from .html import html_to_text as html_to_text
    from .html import only_formula as only_formula
    from .omml import from_omml as from_omml
    from .problem_fields import convert_problem as convert_problem
    from .tokens import script_text as script_text
    from .tree import Refusal as Refusal
    from .tree import local_name as local_name
    from .tree import parse_xml as parse_xml
else:
    _PLACES = {
        "converter": ("to_latex",),
        "html": ("html_to_text", "only_formula"),
        "omml": ("from_omml",),
        "problem_fields": ("convert_problem",),
        "tokens": ("script_text",),
        "tree": ("Refusal", "local_name", "parse_xml"),
    }

    def __getattr__(name: str) -> Any:
        """Each name is imported when it is first asked for: the command starts in half the time."""
        from importlib import import_module

        for module, names in _PLACES.items():
            if name in names:
                return getattr(import_module(f".{module}", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
