"""What score writes for people: sections, Markdown, and the page with every sample."""

from __future__ import annotations

from .comparison import write_comparison
from .html import write_report
from .markdown import report_markdown
from .number_format import ends, interval, p_value, percent, points
from .sections import sections

__all__ = [
    "ends",
    "interval",
    "p_value",
    "percent",
    "points",
    "report_markdown",
    "sections",
    "write_comparison",
    "write_report",
]
