"""Readers of raw dumps: official formats, tables, exams."""

from __future__ import annotations

from .base import (
    Pictures,
    Raw,
    Unreadable,
    csv_rows,
    guess_kind,
    json_array_rows,
    json_lines_rows,
    lettered,
    reader,
    source_of,
)
from .ingest import READERS, load_reader, read_sources

__all__ = [
    "READERS",
    "Pictures",
    "Raw",
    "Unreadable",
    "csv_rows",
    "guess_kind",
    "json_array_rows",
    "json_lines_rows",
    "lettered",
    "load_reader",
    "read_sources",
    "reader",
    "source_of",
]
