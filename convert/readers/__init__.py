"""Readers of raw dumps: official formats, tables, exams."""

from __future__ import annotations

from .base import guess_kind
from .ingest import READERS, read_sources

__all__ = ["READERS", "guess_kind", "read_sources"]
