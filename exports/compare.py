"""The one rule of what is proved: made again it is the same, or it holds the same values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from ..base.display import Rows
from ..base.files import BAD_JSON, sha256_file

VALUES = (".parquet",)  # whose bytes its libraries choose: compared by what it holds
SHOWN = 60  # characters of a value that are shown


class Damage(msgspec.Struct):
    """One thing that is wrong: its code, the file or id, and what exactly."""

    code: str
    where: str
    what: str


class Damages(Rows[Damage]):
    """What `verify` found; empty where a release agrees with itself.

    `unproved` names files that could not be proved, since they differ from those made here and
    the release says that another version wrote them: their hashes agree, no more. `anchor` says
    what the release was compared with outside of itself: a published hash, a key, its recipe.
    """

    __slots__ = ("anchor", "unproved")

    def __init__(
        self, damages: Iterable[Damage] = (), unproved: Iterable[str] = (), anchor: str = ""
    ) -> None:
        super().__init__(sorted(damages, key=lambda d: (d.code, d.where, d.what)))
        self.unproved = list(unproved)
        self.anchor = "" if self else anchor

    def headline(self) -> str:
        if self:
            return f"{len(self)} problems found"
        proved = "consistent, not proved" if self.unproved else "agrees with itself"
        if self.anchor and not self.unproved:
            return f"is good: {self.anchor}"
        return f"{proved}; {self.anchor or 'not authenticated'}"


def judged(stands: Path, made: Path, ours: bool) -> tuple[str, bool]:
    """What is wrong with the file that stands there, and whether that proves damage.

    `made` is the same file made again here; `ours` says that the very versions that are here are
    said to have written it: then its bytes are the same. Of others a table with other values is
    damaged, one with the same is good, and any other file that differs is unproved.
    """
    if not stands.is_file():
        return "not there", True
    if sha256_file(stands) == sha256_file(made):
        return "", True
    what = difference(stands, made)
    if not what and not ours and stands.suffix in VALUES:
        return "", True
    same = "it holds the same, in other bytes"
    return what or same, ours or bool(what and stands.suffix in (*VALUES, ".jsonl"))


def difference(stands: Path, expected: Path) -> str:
    """Where the file that stands there first differs from the expected one; "" where it does not.

    Tables are compared by what they hold: rows, columns, types and metadata.
    """
    if stands.suffix in VALUES:
        return _of_parquet(stands, expected)
    for number, line, other in _pairs(stands, expected):
        if line == other:
            continue
        told = _of_row(line, other) if stands.suffix == ".jsonl" else None
        if told is None:
            return f"line {number} is {_shown(line)}, not {_shown(other)}"
        if told:
            return f"line {number}: {told}"
    return ""


def _pairs(stands: Path, expected: Path) -> Iterator[tuple[int, bytes, bytes]]:
    with stands.open("rb") as ours, expected.open("rb") as theirs:
        for number, (line, other) in enumerate(zip_longest(ours, theirs, fillvalue=b""), 1):
            yield number, line, other


def _of_row(line: bytes, expected: bytes) -> str | None:
    """Where the objects of two lines differ; None where one is none."""
    try:
        row, other = (msgspec.json.decode(one, type=dict[str, Any]) for one in (line, expected))
    except BAD_JSON:
        return None
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
                cells = zip(batch[name].to_pylist(), other[name].to_pylist(), strict=True)
                for k, (cell, wanted) in enumerate(cells):
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
