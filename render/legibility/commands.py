"""The command `render legibility`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.commands import Printed


def legibility(paths: Sequence[Path], **options: Any) -> Printed:
    """Measure whether pages can be read: PATHS are releases (or `versions` folders) or pictures.

    In a release every vision-only page is measured; --ocr compares it with the words it should
    show.
    Exit 1 when a picture has findings.

    Example:
      benchwright render legibility six --json
    """
    from .pages import check_legibility, report

    rows = check_legibility(paths, **options)
    return Printed(rows, report(rows), any(row.issues for row in rows.values()))
