"""The release package, its proof, and other tools' formats."""

from __future__ import annotations

from .clusters import cluster
from .errata import Erratum, read_errata
from .facts import same_build
from .formats import FORMATS, export, exporter, writer
from .history import write_history
from .licences import check_licences
from .publication import Publication, missing, publication_of, publish
from .splits import assign
from .withhold import kept_key, new_key

__all__ = [
    "FORMATS",
    "Erratum",
    "Publication",
    "assign",
    "check_licences",
    "cluster",
    "export",
    "exporter",
    "kept_key",
    "missing",
    "new_key",
    "publication_of",
    "publish",
    "read_errata",
    "same_build",
    "write_history",
    "writer",
]
