"""Recipe in, release out: sources are read, stages run, and the package is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ranks import Mark
    from .run import check_stages, locked_or_busy, locked_work, run_stages, stages_of
    from .start import PAPERS
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
