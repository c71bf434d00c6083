"""Recipes, stages and the runner that keeps their accounts."""

from __future__ import annotations

from ..base.bugs import bug
from .code import code_hash
from .engine import Engine, Jobs, chunked, parallel_map, started
from .journal import journaled
from .outcome import Line, Outcome, line_of, outcome_of, pack, size_of, unpack
from .proof import proof_for
from .recipe import NAME, Recipe, SourceSpec, Split, StageSpec, Withdrawal, read_recipe
from .runner import journal_of, run_stage, source_line
from .stage import STAGES, Context, load_stage, stage
from .stage_folder import Report, Results, finished, write_stage
