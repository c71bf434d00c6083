"""Readers of raw dumps: official formats, tables, exams."""

from __future__ import annotations

from .base import (
    Pictures as Pictures,
)
from .base import (
    Raw as Raw,
)
from .base import (
    Unreadable as Unreadable,
)
from .base import (
    guess_kind as guess_kind,
)
from .base import (
    json_array_rows as json_array_rows,
)
from .base import (
    json_lines_rows as json_lines_rows,
)
from .base import (
    lettered as lettered,
)
from .base import (
    reader as reader,
)
from .base import (
    table_rows as table_rows,
)
from .ingest import READERS as READERS
from .ingest import Glance as Glance
from .ingest import glance as glance
from .ingest import load_reader as load_reader
from .ingest import paths_of as paths_of
from .ingest import read_sources as read_sources
from .sub_answers import cut_at_marks as cut_at_marks
from .sub_answers import read_parts as read_parts
