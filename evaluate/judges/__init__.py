"""Model judges: open answers, chains of thought, first errors; how far people agree with them."""

from __future__ import annotations

from .human_agreement import cohen_kappa
from .judge import Judge, Purse
from .panel import ALPHA, Panel
from .protocols import Judged, judge_words, run_protocols
from .wordings import wordings
