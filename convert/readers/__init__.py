"""Readers of raw dumps: official formats, tables, exams."""

from __future__ import annotations

from ..conservation import Holding
from .base import (
    Pictures,
    PlaceError,
    Raw,
    Unreadable,
    guess_kind,
    json_array_rows,
    json_lines_rows,
    lettered,
    reader,
    table_rows,
)
from .exam import proposed
from .glance import Glance, Seen, glance
from .html_items import Page, named
from .ingest import read_sources, rows_in_parts
from .mapped import held, settled, table
from .raw_rows import Cell, RawRow, cells_of
from .recognise import Known, Unknown, recognised
from .sources import READERS, load_reader, paths_of, source_paths
from .sub_answers import bare, cut_at_marks, part, read_parts
