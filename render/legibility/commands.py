"""The command `render legibility`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.commands import Printed


def legibility(paths: Sequence[Path], **options: Any) -> Printed:
    """Measure whether pages can be read: PATHS are releases (or `versions` folders) or pictures.

    In a release every vision-only page is compared with the words it should show.
    Exit 1 when a picture has findings.

    Example:
      benchwright render legibility six --json
    """
    from .pages import check_legibility, report

    rows = check_legibility(paths, **options)
    data = {name: msgspec.to_builtins(row) for name, row in rows.items()}
    return Printed(data, report(rows), any(row.issues for row in rows.values()))
