"""The one writer of stage folders: reading, every stage and the split keep their accounts here.

A folder `work/<nn>-<stage>` holds problems.jsonl, dropped.jsonl, side tables and stage.json. It
appears when it is complete, in = kept + dropped holds, and its key says what it was made from.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from ..base.display import Display, Table
from ..base.files import encode, pretty, replacing_folder
from ..problem import Drop, Problem
from .accounting import Accounts
from .outcome import Outcome, line_of

# ids taken, and what became of them
Results = Iterable[Outcome | tuple[list[str], Iterable[Problem | Drop]]]


class Report(Display, msgspec.Struct, kw_only=True):
    """stage.json: what one stage did. `key` and `seconds` stay out of releases."""

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
    seconds: float = 0.0

    def headline(self) -> str:
        return f"{self.stage}, {self.taken} in, {self.kept} kept, {self.dropped} dropped"

    def table(self) -> Table:
        counts = {**self.reasons, **self.findings, **self.tables}
        return ["what", "problems"], [[name, count] for name, count in counts.items()]

    def released(self) -> dict[str, Any]:
        """What a release reports of the stage: the same whenever the same came out."""
        facts: dict[str, Any] = msgspec.to_builtins(self)
        return {name: value for name, value in facts.items() if name not in ("key", "seconds")}


def finished(folder: Path, key: str) -> Report | None:
    """The report of a folder that was completed under the same key."""
    try:
        report = msgspec.json.decode((folder / "stage.json").read_bytes(), type=Report)
    except (OSError, msgspec.DecodeError):
        return None
    return report if report.key == key and (folder / "problems.jsonl").exists() else None


def write_stage(
    folder: Path,
    stage: str,
    results: Results,
    *,
    options: dict[str, Any],
    key: str,
    whole_set: bool = False,
    tables: Mapping[str, list[Any]] | None = None,
    records: Sequence[str] = (),
    settled: Callable[[Path], None] | None = None,
) -> Report:
    """Write a stage's folder from its results; raises UserError when a problem is lost.

    Results are Outcomes, or pairs of the ids taken and what became of them. `tables` may fill while
    `results` are drawn, and stand before the rows of Outcomes; tables that `records` names are
    written, and not counted in the report. `settled` sees the folder before it counts.
    """
    started = time.monotonic()
    with replacing_folder(folder) as temporary:
        accounts = Accounts(stage, whole_set)
        with _SideTables(temporary) as side:
            _write_results(accounts, results, temporary, side)
            for name, rows in (tables or {}).items():
                side.add(name, map(encode, rows))
        report = Report(
            stage=stage,
            options=options,
            key=key,
            tables={name: n for name, n in sorted(side.counts.items()) if name not in records},
            findings=dict(sorted(side.codes.items())),
            seconds=round(time.monotonic() - started, 3),
            **accounts.counts(),
        )
        if settled is not None:
            settled(temporary)
        (temporary / "stage.json").write_bytes(pretty(report))
    return report


class _SideTables:
    """Files `<name>.jsonl` that grow row by row; only their counts are in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: dict[str, int] = {}
        self.codes: Counter[str] = Counter()  # of findings
        self._files: dict[str, BinaryIO] = {}
        self._open = ExitStack()

    def __enter__(self) -> _SideTables:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def add(self, name: str, rows: Iterable[bytes]) -> None:
        if name not in self._files:
            path = self.folder / f"{name}.jsonl"
            self._files[name] = self._open.enter_context(path.open("wb"))
            self.counts[name] = 0
        for row in rows:
            self._files[name].write(row)
            self.counts[name] += 1
            if name == "findings":
                self.codes[msgspec.json.decode(row, type=_Coded).code] += 1


class _Coded(msgspec.Struct):
    code: str


def _write_results(accounts: Accounts, results: Results, folder: Path, side: _SideTables) -> None:
    with (
        (folder / "problems.jsonl").open("wb") as good,
        (folder / "dropped.jsonl").open("wb") as bad,
    ):
        for result in results:
            taken, lines, rows = (
                (result.taken, result.lines, result.rows)
                if isinstance(result, Outcome)
                else (result[0], map(line_of, result[1]), {})
            )
            accounts.take(taken)
            for line in lines:
                if line.reason is not None:
                    accounts.drop(line.id, line.reason)
                    bad.write(line.data)
                else:
                    accounts.put_out(line.id)
                    good.write(line.data)
            accounts.settle()
            for name, encoded in rows.items():
                side.add(name, encoded)
