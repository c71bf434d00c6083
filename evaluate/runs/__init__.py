"""Scored runs side by side: compare, leaderboard, the most telling errors."""

from __future__ import annotations

from .compare import compare, compare_runs
from .errors import rank_errors
from .explain import explain
from .leaderboard import Leaderboard, leaderboard, rows
from .read import Run, read_run, require_alike
