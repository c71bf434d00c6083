"""The release package, its proof, and other tools' formats."""

from __future__ import annotations

from .clusters import cluster, clusters, in_cluster, member_of, pictures_of
from .errata import Erratum, read_errata
from .formats import FORMATS, export, exporter, writer
from .licences import check_licences
from .package import private_lines, write_package
from .splits import assign

__all__ = [
    "FORMATS",
    "Erratum",
    "assign",
    "check_licences",
    "cluster",
    "clusters",
    "export",
    "exporter",
    "in_cluster",
    "member_of",
    "pictures_of",
    "private_lines",
    "read_errata",
    "write_package",
    "writer",
]
