"""The command `render import`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...base.terminal import say


def import_(path: Path, **options: Any) -> Printed:
    """Read a GeoGebra file (.ggb) as a diagram spec.

    What is not known is named, and the exit code is 1. Scripts are never run.

    Example:
      benchwright render import triangle.ggb -o triangle.yaml
      benchwright render import triangle.ggb -o seeds/triangle.yaml --seed
    """
    from .import_file import import_geogebra

    imported = import_geogebra(path, **options)
    for issue in imported.issues:
        say(f"{path}: {issue.message} ({issue.code})")
    record = {"spec": imported.spec, "free": imported.free, "issues": imported.issues}
    return Printed(record, imported.text.rstrip(), bool(imported.issues))
