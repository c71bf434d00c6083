"""Question, options and diagram in one picture."""

from __future__ import annotations

from .blocks import flat, printed_options
from .chromium import chromium_page
from .layout import CAPITAL
from .page import EM, FATAL, WIDTH, Page, Typesetter, set_page
