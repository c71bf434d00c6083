"""Mathpix Markdown, Word files and PDFs."""

from __future__ import annotations

from .markdown import PICTURE as PICTURE
from .markdown import PageBox as PageBox
from .markdown import TextPicture as TextPicture
from .markdown import figure as figure
from .markdown import in_dollars as in_dollars
from .markdown import tables as tables
from .mathpix_api import crop_name as crop_name
from .recognised import Recognised as Recognised
from .recognised import read_recognised as read_recognised
