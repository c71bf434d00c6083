"""Mathpix Markdown, Word files and PDFs."""

from __future__ import annotations

from .markdown import PICTURE, PageBox, TextPicture, figure, in_dollars, tables
from .mathpix_api import crop_name
from .recognised import Recognised, read_recognised

__all__ = [
    "PICTURE",
    "PageBox",
    "Recognised",
    "TextPicture",
    "crop_name",
    "figure",
    "in_dollars",
    "read_recognised",
    "tables",
]
