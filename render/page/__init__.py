"""Question, options and diagram in one picture."""

from __future__ import annotations

from .blocks import flat, printed_options
from .chromium import chromium_page
from .page import EM, FATAL, WIDTH, Page, Typesetter, set_page

__all__ = [
    "EM",
    "FATAL",
    "WIDTH",
    "Page",
    "Typesetter",
    "chromium_page",
    "flat",
    "printed_options",
    "set_page",
]
