"""Scoring a set of predictions: every reply judged, people's verdicts added, figures written."""

from __future__ import annotations

from .grade_replies import grade_reply, official_profiles
from .hub_results import Reported, is_reported, read_hub_results
from .score import score
from .summary import comparison_text, planned, spent, summary
