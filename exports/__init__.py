"""The release package, its proof, and other tools' formats."""

from __future__ import annotations

from .clusters import cluster
from .formats import export, writer
from .licences import check_licences
from .package import private_lines, write_package
from .splits import assign

__all__ = [
    "assign",
    "check_licences",
    "cluster",
    "export",
    "private_lines",
    "write_package",
    "writer",
]
