"""Mathpix Markdown, Word files and PDFs."""

from __future__ import annotations

from .markdown import PICTURE, PageBox, TextPicture, figure, in_dollars, tables
from .mathpix_api import crop_name

__all__ = ["PICTURE", "PageBox", "TextPicture", "crop_name", "figure", "in_dollars", "tables"]
