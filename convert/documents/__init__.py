"""Mathpix Markdown, documents of other programs, and PDFs."""

from __future__ import annotations

from .blocks import CODE
from .document import read_document
from .docx import plain_text, read_docx
from .eq_fields import eq_latex
from .latex_lists import BREAK
from .markdown import (
    PICTURE,
    PageBox,
    TextPicture,
    figure,
    in_dollars,
    loses_dollar,
    numbered,
    renumbered,
    tables,
    with_pictures,
    without_programs,
)
from .mathpix_api import crop_name
from .page_lines import PAGE_LINE, masked, without_page_lines
from .page_places import PageLayout, misplaced, read_layout
from .pandoc import FORMATS, format_of
from .plain_lines import FILLER, TYPED, blanked, blind, plain_lines
from .recognised import Recognised, read_recognised, tidied
from .sections import DOUBT
