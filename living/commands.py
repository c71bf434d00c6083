"""The command `render vary`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..base.commands import Printed
from ..base.terminal import say, table


def vary(path: Path, **options: Any) -> Printed:
    """Show variants of a seed of a living problem.

    Example:
      benchwright render vary examples/living/seeds/math-v-half-circle.yaml
      benchwright render vary examples/living/seeds/math-v-half-circle.yaml -o look --n 30
    """
    from .preview import vary as preview

    varied = preview(path, **options)
    if varied.page is not None:
        say(f"look at {varied.page}")
    header, rows = varied.table()
    return Printed(varied, f"{table(rows, header)}\n{varied.headline()}")
