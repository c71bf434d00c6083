"""Raw material to problems: MathML, documents, exams and dumps; clean LaTeX; open questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conservation import Held, held_in, losses, lost, row_of, signs, unaccounted
    from .html_content import held_in_html
    from .open_ended import open_up
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
