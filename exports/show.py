"""The history of one problem: raw line, what each stage changed, findings, split."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
        if self.released is None:
            return f"{self.id}, not released"
        return f"{self.id}, released in split {self.released['split']}"

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
    problem_id = _of_raw_id(release, problem_id) or problem_id
    ids: list[str] = []
    released: dict[str, Any] | None = None
    for split in split_names(release):
        for problem in streamed(release, split, Problem):
            ids.append(problem.id)
            if problem.id == problem_id:
                released = msgspec.to_builtins(problem) | {"split": split}
    read_from = source_line(work, problem_id)
    steps = steps_in(work, problem_id)
    if released is None:
        row = None
        if read_from in (None, problem_id):
            row = _quarantined(work, problem_id)
        if row is not None:
            read_from = f"{row['file']}:{row['line']}"
            steps = steps_in(work, read_from) or [{"stage": "00-read"}]
            steps[0]["quarantine"] = [row]
        if not steps:
            what = f"{release} has no problem {problem_id!r}"
            raise UserError(what, nearest(problem_id, ids)[:200])
    return History(id=problem_id, read_from=read_from, stages=steps, released=released)


def _of_raw_id(release: Path, name: str) -> str | None:
    """The id of the one problem that its source calls so, where no problem has the id itself."""
    ids: list[str] = []
    for split in split_names(release):
        for problem in streamed(release, split, Problem):
            if problem.id == name:
                return None
            ids += [problem.id] if problem.source.raw_id == name else []
    return ids[0] if len(ids) == 1 else None


def _read_at(work: Path, place: str) -> str | None:
    """The problem that was read from `file:line`."""
    path = work / "00-read" / "lines.jsonl"
    if ":" not in place or not path.is_file():
        return None
    rows = read_jsonl(path, dict[str, Any])
    return next((row["id"] for row in rows if row["at"] == place), None)


def _quarantined(work: Path, name: str) -> dict[str, Any] | None:
    """The row of quarantine.jsonl that is called `file:line`, or that would have had this id.

    An id is the source's name and the row's own; of a row only the start is kept, so its own id is
    looked for as a value in there.
    """
    path = work / "00-read" / "quarantine.jsonl"
    if not path.is_file():
        return None
    rows = list(read_jsonl(path, dict[str, Any]))
    for row in rows:
        if f"{row['file']}:{row['line']}" == name:
            return row
    # Any hyphen may be the one behind the source's name.
    starts = [k for k in range(len(name)) if k == 0 or name[k - 1] == "-"]
    values = [re.compile(rf'[:,]"?{re.escape(name[k:])}"?[,}}]') for k in starts]
    for row in rows:
        if any(value.search(f",{row['raw']},") for value in values):
            return row
    return None


def as_text(history: History) -> str:
    """The history as text."""
    place = f"  read from {history.read_from}" if history.read_from else ""
    lines = [history.id + place]
    for step in history.stages:
        lines += [step["stage"], *_step_lines(step)]
    if history.released:
        lines.append(f"released in split {history.released['split']}")
    else:
        lines.append("not released")
    return "\n".join(lines)


def _step_lines(step: dict[str, Any]) -> Iterator[str]:
    """What a stage changed, and its rows of side tables."""
    before = step.get("before", {})
    for name, value in step.items():
        if name == "changed":
            for field, new in value.items():
                old = f" (was {_short(before[field])})" if field in before else ""
                yield f"  {field} = {_short(new)}{old}"
        elif name == "raw":
            for row in value:
                yield f"  raw row, sha256 {row['sha256']}"
                for cell, text in row["row"]:
                    yield f"    {cell}: {_short(text)}"
        elif name not in ("stage", "before"):
            for row in value:
                yield f"  {name}: {_short(row)}"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 160 else text[:157] + "..."
