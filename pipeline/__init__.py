"""Recipes, stages and the runner that keeps their accounts."""

from __future__ import annotations

from .bugs import bug
from .engine import Engine, parallel_map
from .recipe import NAME, Recipe, SourceSpec, Split, StageSpec, read_recipe
from .runner import Report, run_stage, source_line
from .stage import STAGES, Context, load_stage, stage

__all__ = [
    "NAME",
    "STAGES",
    "Context",
    "Engine",
    "Recipe",
    "Report",
    "SourceSpec",
    "Split",
    "StageSpec",
    "bug",
    "load_stage",
    "parallel_map",
    "read_recipe",
    "run_stage",
    "source_line",
    "stage",
]
