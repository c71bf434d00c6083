"""Rows of a Parquet file, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import UserError

BATCH = 64  # rows; those of data sets hold whole pictures
MAX_DECODED = 16_000_000_000  # bytes; one repeated value may stand for many


def parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number, from 1, and values of each row. Raises UserError for damage and for bombs."""
    import pyarrow
    from pyarrow import parquet

    number = size = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(BATCH):
                size += batch.nbytes
                if size > MAX_DECODED:
                    raise UserError(
                        f"{path} holds more than {MAX_DECODED:,} bytes", "split it"
                    )
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise UserError(
            f"cannot read {path}: {error}", "give a whole Parquet file"
        ) from error
