"""Recipes, stages and the runner that keeps their accounts."""

from __future__ import annotations

from ..base.bugs import bug
from .borders import in_parts
from .by_shard import LIGHT, Lines, by_shard, cut
from .code import code_hash, name_of, own_hash
from .engine import Engine, Jobs, chunked, in_order, parallel_map, started
from .folder_stamps import leave, stands
from .parts import Parts, key_of, trim
from .proof import Proof, lacking, proof_for, versions
from .ranks import Rank, rank_of, what_is_missing
from .recipe import (
    NAME,
    SPLIT,
    Recipe,
    SourceSpec,
    Split,
    StageSpec,
    Withdrawal,
    on_this_machine,
    read_recipe,
)
from .runner import Planned, row_steps, run_stage, run_stages
from .shard import (
    SHARDS,
    Line,
    Result,
    Shard,
    hand_over,
    line_of,
    set_apart,
    shard_of,
    shards_of,
)
from .stage import BUILT_IN, STAGES, Context, Later, load_stage, stage
from .stage_folder import Labour, Report, finished, write_stage
from .visit import Step, source_line, through
