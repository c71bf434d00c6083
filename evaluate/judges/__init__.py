"""Model judges: open answers, chains of thought, first errors; how far people agree with them."""

from __future__ import annotations

from .chain_of_thought import KeySteps, StepScores, cot_score, cot_summary, evaluate_cot
from .cross_check import checked, states
from .first_error import FirstError, evaluate_process, process_summary
from .human_agreement import cohen_kappa
from .judge import Judge, Purse, only_json
from .matched_answers import match_answers
from .panel import ALPHA, Panel
from .protocols import Judged, judge_words, run_protocols
from .undecided_answers import JudgedAnswer, judge_answers
from .wordings import wordings
