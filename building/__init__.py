"""Recipe in, release out: sources are read, stages run, and the package is written."""

from __future__ import annotations

from .run import check_stages, locked_work, run_stages, stages_of
