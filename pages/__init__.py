"""Pages that people open: one look, plots, drawn formulas, and a viewer of samples."""

from __future__ import annotations

from .blocks import Cell, Column, Headline, ReportTable, Section, samples_of
from .cards import Card, Issue, Round, Run, card_of, formula, parts, reply, unset
from .histories import Past, history_address, history_folder
from .page import html_page, write_page
from .plots import (
    difference_plot,
    dot_plot,
    heat_map,
    scatter_plot,
    stacked_bars,
    value_plot,
)
from .raw_cards import RawProblem, RawText, RawView, raw_card
from .rich import Mark, Rich, differences, rich, verbatim
from .viewer import KATEX, Page, katex_script, page_of, script, write_viewer
