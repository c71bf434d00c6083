"""Recipes, stages and the runner that keeps their accounts."""

from __future__ import annotations

from .bugs import bug
from .code import code_hash
from .engine import Engine, parallel_map
from .recipe import NAME, Recipe, SourceSpec, Split, StageSpec, read_recipe
from .runner import run_stage, source_line
from .stage import STAGES, Context, load_stage, stage
from .stage_folder import Report, Results, finished, write_stage

__all__ = [
    "NAME",
    "STAGES",
    "Context",
    "Engine",
    "Recipe",
    "Report",
    "Results",
    "SourceSpec",
    "Split",
    "StageSpec",
    "bug",
    "code_hash",
    "finished",
    "load_stage",
    "parallel_map",
    "read_recipe",
    "run_stage",
    "source_line",
    "stage",
    "write_stage",
]
