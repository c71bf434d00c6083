"""The one writer of stage folders: reading, every stage and the split keep their accounts here.

A folder `work/<nn>-<stage>` holds problems.jsonl, dropped.jsonl, side tables, parts.json (of which
parts the problems are made up) and stage.json. It appears when it is complete, in = kept + dropped
holds, and its key says what it was made from.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from ..base.display import Display, Table
from ..base.files import encode, pretty, replacing_folder, sha256_file
from .borders import NAMED, PROBLEMS, Extent
from .folder_stamps import leave, stands
from .shard import Shard, large, lost

# looks at a folder before it counts: rows of side tables that the whole shows
Settled = Callable[[Path], dict[str, list[bytes]] | None]
MARKS = ("key", "seconds", "seed", "outputs")


class Labour(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """People's work on one field. `people` are counted, and named only where they are credited.

    `hours` is what the server measured, None where it measured nothing; `alpha` is Krippendorff's,
    with its 95 % interval over problems; `adjudicated` is the share that an adjudicator decided.
    """

    field: str
    policy: str
    items: int
    votes: int
    people: int
    groups: int
    credited: list[str]
    hours: float | None
    alpha: float | None
    low: float | None
    high: float | None
    adjudicated: float
    left_out: list[str] = []  # why votes of people were left out, a reason a person


class Report(Display, msgspec.Struct, kw_only=True):
    """stage.json: what one stage did. What MARKS names stays out of releases."""

    stage: str
    options: dict[str, Any]
    key: str
    taken: int  # problems in
    kept: int
    dropped: int
    out: int  # problems out; more than kept where a stage splits problems
    reasons: dict[str, int]
    tables: dict[str, int]
    findings: dict[str, int] = {}  # rows of the table "findings", by code
    labour: list[Labour] = []  # rows of the table "labour": people's work on labels
    seconds: float = 0.0
    seed: int | None = None  # of a stage that drew
    outputs: dict[str, str] = {}  # the folder's files and their hashes

    def headline(self) -> str:
        return (
            f"{self.stage}, {self.taken} in, {self.kept} kept, {self.dropped} dropped"
        )

    def table(self) -> Table:
        counts = {**self.reasons, **self.findings, **self.tables}
        return ["what", "problems"], [[name, count] for name, count in counts.items()]

    def released(self) -> dict[str, Any]:
        """What a release reports of the stage: the same whenever the same came out."""
        facts: dict[str, Any] = msgspec.to_builtins(self)
        return {name: facts[name] for name in facts if name not in MARKS}


def finished(folder: Path, key: str, seed: int | None = None) -> Report | None:
    """The report of a folder that was completed under the same key, and seed where it drew.

    None, too, where one of its files is no longer what was written.
    """
    try:
        report = msgspec.json.decode((folder / "stage.json").read_bytes(), type=Report)
    except (OSError, msgspec.DecodeError):
        return None
    if (
        report.key != key
        or report.seed not in (None, seed)
        or PROBLEMS not in report.outputs
    ):
        return None
    if stands(folder, folder.parent):
        return report
    files = ((folder / name, digest) for name, digest in report.outputs.items())
    if not all(
        path.is_file() and sha256_file(path) == digest for path, digest in files
    ):
        return None
    leave(folder, folder.parent)
    return report


def write_stage(
    folder: Path,
    stage: str,
    shards: Iterable[Shard],
    *,
    options: dict[str, Any],
    key: str,
    tables: Iterable[str] = (),
    records: Sequence[str] = (),
    settled: Settled | None = None,
) -> Report:
    """Write a stage's folder from its shards; raises UserError when a problem is put out twice.

    `tables` are there even where no row is; those that `records` names are written, and not counted
    in the report. `settled` sees the folder before it counts.
    """
    started = time.monotonic()
    with writing(folder, stage) as written:
        for name in tables:
            written.add_rows(name, ())
        for shard in shards:
            written.put(shard)
        written.seconds = time.monotonic() - started
        return written.finish(options, key, records, settled)


@contextmanager
def writing(folder: Path, stage: str) -> Iterator[StageFolder]:
    """A stage's folder on its way, in its place when the block ends well."""
    with replacing_folder(folder) as temporary, ExitStack() as stack:
        yield StageFolder(temporary, stage, stack)
    leave(folder, folder.parent)


class StageFolder:
    """Problems, drops and side tables as they come; only counts and ids are in memory."""

    def __init__(self, folder: Path, stage: str, stack: ExitStack) -> None:
        self.folder, self.stage = folder, stage
        self.taken = 0
        self.ids: set[str] = set()  # put out
        self.reasons: Counter[str] = Counter()
        self.counts: dict[str, int] = {}  # rows of side tables
        self.codes: Counter[str] = Counter()  # of findings
        self.labour: list[Labour] = []
        self.parts: list[Extent] = []  # of the problems
        self.seconds = 0.0
        self.seed: int | None = None
        self._stack = stack
        self._files: dict[str, BinaryIO] = {}
        self._digests = defaultdict[str, Any](hashlib.sha256)
        for name in ("problems", "dropped"):
            self._write(name, b"")

    def _write(self, name: str, data: bytes) -> None:
        if name not in self._files:
            path = self.folder / f"{name}.jsonl"
            self._files[name] = self._stack.enter_context(path.open("wb"))
        self._files[name].write(data)
        self._digests[f"{name}.jsonl"].update(data)

    def put(self, shard: Shard) -> None:
        """What was made of a shard, whose own accounts hold."""
        new = set(shard.ids)
        if len(new) < len(shard.ids) or not self.ids.isdisjoint(new):
            ids = enumerate(shard.ids)
            twice = next(
                name for k, name in ids if name in self.ids or name in shard.ids[:k]
            )
            raise lost(self.stage, twice, "put out twice")
        self.ids |= new
        self.taken += shard.taken
        self.reasons.update(shard.reasons)
        self.seconds += shard.seconds
        self.seed = shard.seed if self.seed is None else self.seed
        problems, drops, rows = large(shard)
        if new:
            digest = hashlib.sha256(problems).hexdigest()
            self.parts.append(Extent(len(new), len(problems), digest))
        self._write("problems", problems)
        self._write("dropped", drops)
        for name, encoded in rows.items():
            self.add_rows(name, encoded)

    def add_rows(self, name: str, rows: Sequence[bytes]) -> None:
        self._write(name, b"".join(rows))
        self.counts[name] = self.counts.get(name, 0) + len(rows)
        if name == "findings":
            self.codes.update(
                msgspec.json.decode(row, type=_Coded).code for row in rows
            )
        elif name == "labour":
            self.labour += (msgspec.json.decode(row, type=Labour) for row in rows)

    def finish(
        self,
        options: dict[str, Any],
        key: str,
        records: Sequence[str] = (),
        settled: Settled | None = None,
    ) -> Report:
        """Close the files and write stage.json; `settled` may add rows of the whole."""
        if settled is not None:
            for file in self._files.values():
                file.flush()
            for name, rows in (settled(self.folder) or {}).items():
                self.add_rows(name, rows)
        self._stack.close()
        outputs = {name: digest.hexdigest() for name, digest in self._digests.items()}
        parts = encode(self.parts)
        outputs[NAMED] = hashlib.sha256(parts).hexdigest()
        (self.folder / NAMED).write_bytes(parts)
        dropped = self.reasons.total()
        report = Report(
            stage=self.stage,
            options=options,
            key=key,
            taken=self.taken,
            kept=self.taken - dropped,
            dropped=dropped,
            out=len(self.ids),
            reasons=dict(sorted(self.reasons.items())),
            tables={
                name: n
                for name, n in sorted(self.counts.items())
                if name not in records
            },
            findings=dict(sorted(self.codes.items())),
            labour=self.labour,
            seconds=round(self.seconds, 3),
            seed=self.seed,
            outputs=outputs,
        )
        (self.folder / "stage.json").write_bytes(pretty(report))
        return report


class _Coded(msgspec.Struct):
    code: str
