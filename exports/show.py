"""The history of one problem: raw line, what each stage changed, findings, split."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from ..base.display import Display, Table
from ..base.files import read_jsonl
from ..errors import UserError, nearest
from ..pipeline import source_line
from ..problem import Problem
from ..release import split_names, streamed
from .history import steps_in


class History(Display, msgspec.Struct, kw_only=True):
    """Where a problem was read, what each stage did to it, and what was released."""

    id: str
    read_from: str | None
    stages: list[dict[str, Any]]
    released: dict[str, Any] | None

    def headline(self) -> str:
        split = self.released["split"] if self.released else None
        return f"{self.id}, " + (
            f"released in split {split}" if split else "not released"
        )

    def table(self) -> Table:
        rows = [
            [step["stage"], name, value]
            for step in self.stages
            for name, value in step.items()
            if name != "stage"
        ]
        return ["stage", "what", "value"], rows


def show(
    release: str | Path, problem_id: str, work: str | Path | None = None
) -> History:
    """What is known of a problem; the work folder adds what each stage did.

    Args:
        release: Folder of the release.
        problem_id: The problem's id, or `file:line` of the raw row; of a quarantined row also the
            id that it would have had.
        work: The build's work folder, which also knows dropped problems and quarantined rows
            [default: beside the release].

    Raises UserError for an id that neither the release nor the work folder knows.

    Example: `show("out/math-v-mini-1.0.0", "math-v-742").released`
    """
    release = Path(release)
    work = release.parent / "work" if work is None else Path(work)
    problem_id = _read_at(work, problem_id) or problem_id
    ids: list[str] = []
    final: dict[str, Any] | None = None
    for split in split_names(release):
        for problem in streamed(release, split, Problem):
            ids.append(problem.id)
            if problem.id == problem_id:
                final = msgspec.to_builtins(problem) | {"split": split}
    read_from = source_line(work, problem_id)
    steps = steps_in(work, problem_id)
    if (
        final is None
        and read_from in (None, problem_id)
        and (row := _quarantined(work, problem_id))
    ):
        read_from = f"{row['file']}:{row['line']}"
        steps = steps_in(work, read_from) or [{"stage": "00-read"}]
        steps[0]["quarantine"] = [row]
    if final is None and not steps:
        raise UserError(
            f"{release} has no problem {problem_id!r}", nearest(problem_id, ids)[:200]
        )
    return History(id=problem_id, read_from=read_from, stages=steps, released=final)


def _read_at(work: Path, place: str) -> str | None:
    """The problem that was read from `file:line`."""
    path = work / "00-read" / "lines.jsonl"
    rows = read_jsonl(path, dict[str, Any]) if ":" in place and path.is_file() else ()
    return next((row["id"] for row in rows if row["at"] == place), None)


def _quarantined(work: Path, name: str) -> dict[str, Any] | None:
    """The row of quarantine.jsonl that is called `file:line`, or that would have had this id.

    An id is the source's name and the row's own; of a row only the start is kept, so its own id is
    looked for as a value in there.
    """
    path = work / "00-read" / "quarantine.jsonl"
    rows = list(read_jsonl(path, dict[str, Any])) if path.is_file() else []
    ends = [name[k:] for k in range(len(name)) if k == 0 or name[k - 1] == "-"]
    values = [re.compile(rf'[:,]"?{re.escape(end)}"?[,}}]') for end in ends]
    by_place = (row for row in rows if f"{row['file']}:{row['line']}" == name)
    by_id = (row for row in rows if any(v.search(f",{row['raw']},") for v in values))
    return next(by_place, None) or next(by_id, None)


def as_text(history: History) -> str:
    """The history as text."""
    lines = [
        history.id + (f"  read from {history.read_from}" if history.read_from else "")
    ]
    for step in history.stages:
        lines.append(step["stage"])
        for name, value in step.items():
            if name == "changed":
                was = step.get("before", {})
                for field, now in value.items():
                    old = f" (was {_short(was[field])})" if field in was else ""
                    lines.append(f"  {field} = {_short(now)}{old}")
            elif name == "raw":
                for row in value:
                    lines.append(f"  raw row, sha256 {row['sha256']}")
                    lines += [
                        f"    {cell}: {_short(text)}" for cell, text in row["row"]
                    ]
            elif name not in ("stage", "before"):
                lines += [f"  {name}: {_short(row)}" for row in value]
    lines.append(
        f"released in split {history.released['split']}"
        if history.released
        else "not released"
    )
    return "\n".join(lines)


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 160 else text[:157] + "..."
