"""What score writes for people: sections, Markdown, and the page with every sample."""

from __future__ import annotations

from .cases import side_by_side, write_cases
from .comparison import comparison_figures, comparison_sections, write_comparison
from .explained import ReplyKey, reply_key, write_explained
from .html import by_sample, scored_card, write_report
from .many_runs import run_sections
from .markdown import report_markdown
from .number_format import ends, how_ended, interval, p_value, percent, points, word
from .paper_figures import paper_figures, runs_figures
from .papers import PaperFigure, write_papers
from .sections import sections
