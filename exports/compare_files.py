"""How one file of a release differs from another, in one sentence."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import BAD_JSON

TABLES = (".parquet", ".jsonl")  # compared row by row
SHOWN = 60  # characters of a value that are shown


def difference(stands: Path, expected: Path) -> str:
    """Where the file that stands there first differs from the expected one; "" where it does not.

    Tables are compared by what they hold: rows, columns, types and metadata.
    """
    if stands.suffix == ".parquet":
        return _of_parquet(stands, expected)
    if stands.suffix == ".jsonl":
        return _of_rows(stands, expected)
    return _of_text(stands, expected)


def _of_text(stands: Path, expected: Path) -> str:
    with stands.open("rb") as ours, expected.open("rb") as theirs:
        for number, (line, other) in enumerate(zip_longest(ours, theirs, fillvalue=b""), 1):
            if line != other:
                return f"line {number} is {_shown(line)}, not {_shown(other)}"
    return ""


def _of_rows(stands: Path, expected: Path) -> str:
    with stands.open("rb") as ours, expected.open("rb") as theirs:
        for number, (line, other) in enumerate(zip_longest(ours, theirs, fillvalue=b""), 1):
            if line == other:
                continue
            try:
                rows = [msgspec.json.decode(text) for text in (line, other)]
            except BAD_JSON:
                rows = []
            if len(rows) < 2 or not all(isinstance(row, dict) for row in rows):
                return f"line {number} is {_shown(line)}, not {_shown(other)}"
            if told := _of_row(*rows):
                return f"line {number}: {told}"
    return ""


def _of_row(row: dict[str, Any], other: dict[str, Any]) -> str:
    for name in sorted(set(row) | set(other)):
        if name not in row or name not in other:
            return f"{name} is {'not there' if name not in row else 'one too many'}"
        if row[name] != other[name]:
            return f"{name} is {_shown(row[name])}, not {_shown(other[name])}"
    return ""


def _of_parquet(stands: Path, expected: Path) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        ours, theirs = pq.ParquetFile(stands), pq.ParquetFile(expected)
        if ours.schema_arrow.names != theirs.schema_arrow.names:
            odd = sorted(set(ours.schema_arrow.names) ^ set(theirs.schema_arrow.names))
            return f"columns differ: {', '.join(odd) or 'their order'}"
        if not ours.schema_arrow.equals(theirs.schema_arrow, check_metadata=True):
            return "types or metadata of its columns differ"
        rows = ours.metadata.num_rows, theirs.metadata.num_rows
        if rows[0] != rows[1]:
            return f"{rows[0]} rows, not {rows[1]}"
        number = 0
        for batch, other in zip(ours.iter_batches(100), theirs.iter_batches(100), strict=True):
            for name in batch.schema.names if not batch.equals(other) else ():
                for k, (cell, wanted) in enumerate(
                    zip(batch[name].to_pylist(), other[name].to_pylist(), strict=True)
                ):
                    if cell != wanted:
                        at = f"row {number + k + 1}, {batch['id'][k].as_py()}: {name}"
                        return f"{at} is {_shown(cell)}, not {_shown(wanted)}"
            number += batch.num_rows
    except (pa.ArrowException, OSError, ValueError) as error:
        return f"unreadable: {(str(error).splitlines() or [''])[0][:200]}"
    return ""


def _shown(value: Any) -> str:
    text = repr(
        value.decode("utf-8", "replace").rstrip("\n") if isinstance(value, bytes) else value
    )
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
