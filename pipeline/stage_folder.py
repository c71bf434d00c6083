"""The one writer of stage folders: reading, every stage and the split keep their accounts here.

A folder `work/<nn>-<stage>` holds problems.jsonl, dropped.jsonl, side tables and stage.json. It
appears when it is complete, in = kept + dropped holds, and its key says what it was made from.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..display import Display, Table
from ..files import encode, pretty, replacing_folder, write_jsonl
from ..problem import Drop, Problem
from .accounting import Accounts

Results = Iterable[tuple[list[str], Iterable[Problem | Drop]]]  # ids taken, what became of them


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
    records: Mapping[str, list[Any]] | None = None,
) -> Report:
    """Write a stage's folder from its results; raises UserError when a problem is lost.

    `tables` are counted in the report, `records` are not; both may fill while `results` are drawn.
    """
    started = time.monotonic()
    with replacing_folder(folder) as temporary:
        accounts = _write_results(Accounts(stage, whole_set), results, temporary)
        reported = dict(sorted((tables or {}).items()))
        for name, rows in {**reported, **(records or {})}.items():
            write_jsonl(temporary / f"{name}.jsonl", rows)
        report = Report(
            stage=stage,
            options=options,
            key=key,
            tables={name: len(rows) for name, rows in reported.items()},
            findings=dict(
                sorted(Counter(row.code for row in reported.get("findings", [])).items())
            ),
            seconds=round(time.monotonic() - started, 3),
            **accounts.counts(),
        )
        (temporary / "stage.json").write_bytes(pretty(report))
    return report


def _write_results(accounts: Accounts, results: Results, folder: Path) -> Accounts:
    with (
        (folder / "problems.jsonl").open("wb") as good,
        (folder / "dropped.jsonl").open("wb") as bad,
    ):
        for taken, outputs in results:
            accounts.take(taken)
            for output in outputs:
                if isinstance(output, Drop):
                    accounts.drop(output)
                    bad.write(encode(output))
                else:
                    accounts.put_out(output.id)
                    good.write(encode(output))
            accounts.settle()
    return accounts
