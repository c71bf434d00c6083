"""HTML as text: what a reader of the page sees, with formulas as LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .classes import classed, parted
    from .page import Page, html_to_text, read_page
    from .pictures import Shown
    from .signs import unmarked
    from .word import as_a_reader_sees
else:
    from ...base.lazy import door

    __getattr__ = door(__name__)
