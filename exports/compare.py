"""The one rule of what is proved: made again it is the same, or it holds the same values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.display import Rows
from ..base.files import BAD_JSON, sha256_file

UNPROVED = (
    "unproved"  # the code of what differs, and another version is said to have made it
)
BY_LIBRARIES = (".parquet", ".svg")  # whose bytes depend on libraries, too
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

    def __init__(self, found: Iterable[Damage] = (), anchor: str = "") -> None:
        ordered = sorted(found, key=msgspec.structs.astuple)
        super().__init__(one for one in ordered if one.code != UNPROVED)
        self.unproved = [one.where for one in ordered if one.code == UNPROVED]
        self.anchor = "" if self else anchor

    def headline(self) -> str:
        if self:
            return f"{len(self)} problems found"
        proved = "consistent, not proved" if self.unproved else "agrees with itself"
        if self.anchor and not self.unproved:
            return f"is good: {self.anchor}"
        return f"{proved}; {self.anchor or 'not authenticated'}"


Inodes = dict[
    tuple[int, int], str
]  # by device and number: the hash, of files that stay


class Tree(NamedTuple):
    """The files below a folder with their hashes; `called` stands before their names."""

    root: Path
    called: str
    files: dict[str, str]
    odd: list[Damage]  # what is neither file nor folder
    hidden: list[str]  # what belongs to hubs, git and desktops
    inodes: Inodes

    def hash_of(self, made: Path) -> str:
        """The hash of a file that was made; one that is linked to a file here is known."""
        found = made.stat()
        return self.inodes.get((found.st_dev, found.st_ino)) or sha256_file(made)


def compared(
    tree: Tree,
    made: Path,
    paths: Iterable[str],
    tool: bool,
    libraries: bool,
    code: str = "",
) -> Iterator[Damage]:
    """How files differ from those made again in `made`.

    `tool` and `libraries` say whether the very versions that are here are said to have written
    them: then the bytes are the same. Of others a table with other values is damaged, one with the
    same is good, and any other file that differs is unproved.
    """
    for path in sorted(paths):
        where, stands = f"{tree.called}{path}", tree.root / path
        if path not in tree.files:
            yield Damage("file-missing", where, "not there")
        elif not (made / path).is_file():
            yield Damage(
                "file-unknown", where, "no file that is made when it is made again"
            )
        elif tree.files[path] != tree.hash_of(made / path):
            ours = tool and (libraries or stands.suffix not in BY_LIBRARIES)
            what = difference(stands, made / path)
            if what or ours or stands.suffix != ".parquet":
                proved = ours or (what and stands.suffix in (".parquet", ".jsonl"))
                what = what or "it holds the same, in other bytes"
                yield Damage((code or _code(path)) if proved else UNPROVED, where, what)


def _code(path: str) -> str:
    """The code of a file that is not what follows from the ground."""
    kinds = {
        "jsonl": "samples-differ",
        "data": "parquet-differs",
        "SHA256SUMS": "sums-differ",
    }
    return kinds.get(path.partition("/")[0], f"{Path(path).stem.lower()}-differs")


def difference(stands: Path, expected: Path) -> str:
    """Where the file that stands there first differs from the expected one; "" where it does not.

    Tables are compared by what they hold: rows, columns, types and metadata.
    """
    if stands.suffix == ".parquet":
        return _of_parquet(stands, expected)
    with stands.open("rb") as ours, expected.open("rb") as theirs:
        for number, (line, other) in enumerate(
            zip_longest(ours, theirs, fillvalue=b""), 1
        ):
            told = (
                _of_row(line, other)
                if stands.suffix == ".jsonl" and line != other
                else None
            )
            if told:
                return f"line {number}: {told}"
            if told is None and line != other:
                return f"line {number} is {_shown(line)}, not {_shown(other)}"
    return ""


def _of_row(line: bytes, expected: bytes) -> str | None:
    """Where the objects of two lines differ; None where one is none."""
    try:
        row, other = (
            msgspec.json.decode(one, type=dict[str, Any]) for one in (line, expected)
        )
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
        for batch, other in zip(
            ours.iter_batches(100), theirs.iter_batches(100), strict=True
        ):
            for name in batch.schema.names if not batch.equals(other) else ():
                cells = zip(
                    batch[name].to_pylist(), other[name].to_pylist(), strict=True
                )
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
        value.decode("utf-8", "replace").rstrip("\n")
        if isinstance(value, bytes)
        else value
    )
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
