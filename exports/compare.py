"""The one rule of what is proved: made again it is the same, or it holds the same values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.display import Rows
from ..base.files import BAD_JSON, sha256_file

# The code of what differs where another version is said to have made it.
UNPROVED = "unproved"
BY_LIBRARIES = (".parquet", ".svg")  # whose bytes depend on libraries, too
BY_VALUES = (".parquet", ".jsonl")  # that are compared by their values, not as text
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

    def __init__(self, damages: Iterable[Damage] = (), anchor: str = "") -> None:
        ordered = sorted(damages, key=msgspec.structs.astuple)
        super().__init__(damage for damage in ordered if damage.code != UNPROVED)
        self.unproved = [damage.where for damage in ordered if damage.code == UNPROVED]
        self.anchor = "" if self else anchor

    def headline(self) -> str:
        if self:
            return f"{len(self)} problems found"
        if self.anchor and not self.unproved:
            return f"is good: {self.anchor}"
        agreement = "consistent, not proved" if self.unproved else "agrees with itself"
        return f"{agreement}; {self.anchor or 'not authenticated'}"


# By device and number: the hash, of files that stay.
Inodes = dict[tuple[int, int], str]


class Tree(NamedTuple):
    """The files below a folder with their hashes; `called` stands before their names."""

    root: Path
    called: str
    files: dict[str, str]
    odd: list[Damage]  # what is neither file nor folder
    hidden: list[str]  # what belongs to hubs, git and desktops
    inodes: Inodes

    def hash_of(self, path: Path) -> str:
        """The hash of a file that was made; one that is linked to a file here is known."""
        status = path.stat()
        inode = (status.st_dev, status.st_ino)
        return self.inodes.get(inode) or sha256_file(path)


def compared(
    tree: Tree,
    expected: Path,
    paths: Iterable[str],
    same_tool: bool,
    same_libraries: bool,
    code: str = "",
) -> Iterator[Damage]:
    """How files differ from those made again in `expected`.

    `same_tool` and `same_libraries` say whether the very versions that are here are said to have
    written them: then the bytes are the same. Of others a table with other values is damaged, one
    with the same is good, and any other file that differs is unproved.
    """
    for path in sorted(paths):
        where = f"{tree.called}{path}"
        if path not in tree.files:
            yield Damage("file-missing", where, "not there")
        elif not (expected / path).is_file():
            what = "no file that is made when it is made again"
            yield Damage("file-unknown", where, what)
        elif tree.files[path] != tree.hash_of(expected / path):
            suffix = Path(path).suffix
            same_bytes = same_tool and (same_libraries or suffix not in BY_LIBRARIES)
            what = difference(tree.root / path, expected / path)
            if not what and not same_bytes and suffix == ".parquet":
                continue
            by_values = bool(what) and suffix in BY_VALUES
            yield Damage(
                (code or _code(path)) if same_bytes or by_values else UNPROVED,
                where,
                what or "it holds the same, in other bytes",
            )


def _code(path: str) -> str:
    """The code of a file that is not what follows from the ground."""
    kinds = {
        "jsonl": "samples-differ",
        "data": "parquet-differs",
        "SHA256SUMS": "sums-differ",
    }
    return kinds.get(path.partition("/")[0], f"{Path(path).stem.lower()}-differs")


def difference(present: Path, expected: Path) -> str:
    """Where the file that stands there first differs from the expected one; "" where it does not.

    Tables are compared by what they hold: rows, columns, types and metadata.
    """
    if present.suffix == ".parquet":
        return _parquet_difference(present, expected)
    with present.open("rb") as ours, expected.open("rb") as theirs:
        lines = zip_longest(ours, theirs, fillvalue=b"")
        for number, (line, expected_line) in enumerate(lines, 1):
            if line == expected_line:
                continue
            fields = None
            if present.suffix == ".jsonl":
                fields = _row_difference(line, expected_line)
            if fields is None:
                return f"line {number} is {_shown(line)}, not {_shown(expected_line)}"
            if fields:
                return f"line {number}: {fields}"
    return ""


def _row_difference(line: bytes, expected_line: bytes) -> str | None:
    """Where the objects of two lines differ; None where one is none."""
    try:
        row = msgspec.json.decode(line, type=dict[str, Any])
        expected = msgspec.json.decode(expected_line, type=dict[str, Any])
    except BAD_JSON:
        return None
    for name in sorted(row.keys() | expected.keys()):
        if name not in row:
            return f"{name} is not there"
        if name not in expected:
            return f"{name} is one too many"
        if row[name] != expected[name]:
            return f"{name} is {_shown(row[name])}, not {_shown(expected[name])}"
    return ""


def _parquet_difference(present: Path, expected: Path) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        ours = pq.ParquetFile(present)
        theirs = pq.ParquetFile(expected)
        return _layout_difference(ours, theirs) or _cell_difference(ours, theirs)
    except (pa.ArrowException, OSError, ValueError) as error:
        first_line = (str(error).splitlines() or [""])[0]
        return f"unreadable: {first_line[:200]}"


def _layout_difference(ours: Any, theirs: Any) -> str:
    """How two Parquet files differ in columns, types, metadata or the number of rows."""
    columns = ours.schema_arrow.names
    expected = theirs.schema_arrow.names
    if columns != expected:
        odd = sorted(set(columns) ^ set(expected))
        return f"columns differ: {', '.join(odd) or 'their order'}"
    if not ours.schema_arrow.equals(theirs.schema_arrow, check_metadata=True):
        return "types or metadata of its columns differ"
    if ours.metadata.num_rows != theirs.metadata.num_rows:
        return f"{ours.metadata.num_rows} rows, not {theirs.metadata.num_rows}"
    return ""


def _cell_difference(ours: Any, theirs: Any) -> str:
    """The first cell in which two Parquet files of one layout differ."""
    first_row = 1
    batches = zip(ours.iter_batches(100), theirs.iter_batches(100), strict=True)
    for batch, expected in batches:
        if not batch.equals(expected):
            for name in batch.schema.names:
                columns = batch[name].to_pylist(), expected[name].to_pylist()
                for row, (cell, wanted) in enumerate(zip(*columns, strict=True)):
                    if cell != wanted:
                        place = f"row {first_row + row}, {batch['id'][row].as_py()}"
                        return (
                            f"{place}: {name} is {_shown(cell)}, not {_shown(wanted)}"
                        )
        first_row += batch.num_rows
    return ""


def _shown(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace").rstrip("\n")
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
