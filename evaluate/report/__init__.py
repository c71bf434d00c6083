"""What score writes for people: Markdown and HTML with plots."""

from __future__ import annotations

from .blocks import ReportTable, Section
from .html import page, report_html
from .markdown import report_markdown
from .number_format import ends, interval, p_value, percent, points
from .plots import dot_plot
from .sections import sections
from .thumbnails import data_url

__all__ = [
    "ReportTable",
    "Section",
    "data_url",
    "dot_plot",
    "ends",
    "interval",
    "p_value",
    "page",
    "percent",
    "points",
    "report_html",
    "report_markdown",
    "sections",
]
