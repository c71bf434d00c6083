"""The release package, its proof, and other tools' formats."""

from __future__ import annotations

from .clusters import cluster
from .formats import FORMATS, export_release, exporter, writer
from .licences import check_licences
from .package import private_lines, write_package
from .splits import assign

__all__ = [
    "FORMATS",
    "assign",
    "check_licences",
    "cluster",
    "export_release",
    "exporter",
    "private_lines",
    "write_package",
    "writer",
]
