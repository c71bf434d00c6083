"""Mathpix Markdown, Word files and PDFs."""

from __future__ import annotations

from .markdown import PICTURE, PageBox, TextPicture, figure, in_dollars, tables
from .mathpix_api import crop_name
from .recognised import Recognised, read_recognised
