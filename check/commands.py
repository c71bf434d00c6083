"""`benchwright suspects`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..base.commands import Printed
from ..base.terminal import table


def suspects(
    release: Path, runs: Sequence[Path], *, out: Path | None = None, **options: Any
) -> Printed:
    """Rank the golds of RELEASE that are likely wrong, from the replies of scored RUNS and more.

    Nothing is corrected by itself: with --out come a page to review and errata.yaml to take from.

    Example:
      benchwright suspects out/math-v-1.0.0 scores/gpt scores/qwen --out suspects
    """
    from .suspects import suspects as run

    found = run(release, runs, out, **options)
    header, rows = found.table()
    short = [[str(cell)[:60] for cell in row] for row in rows]
    notes = (
        [f"page: {out / 'suspects.html'}, errata: {out / 'errata.yaml'}"] if out else []
    )
    return Printed(found, f"{table(short, header)}\n\n{found.headline()}", notes=notes)
