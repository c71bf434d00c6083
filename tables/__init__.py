"""The one reader of tables: CSV, TSV, Excel workbooks and Parquet, for recipes and predictions."""

from __future__ import annotations

from .cells import Damaged
from .encoding import open_text, plain_utf8, utf8_bytes
from .json_rows import arrays_of_records, holds_lines, json_value, rows_of, whole_rows
from .parquet import parquet_rows
from .paths import check_path, is_path, pieces, root_of, rows_at, value_of
from .table import TABLES, Table, read_table
