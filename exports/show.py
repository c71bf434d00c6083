"""The history of one problem: raw line, what each stage changed, findings, split."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from ..display import Display, Table
from ..errors import UserError, nearest
from ..files import read_lines
from ..pipeline import source_line
from ..release import read_problems, split_names


class History(Display, msgspec.Struct, kw_only=True):
    """Where a problem was read, what each stage did to it, and what was released."""

    id: str
    read_from: str | None
    stages: list[dict[str, Any]]
    released: dict[str, Any] | None

    def headline(self) -> str:
        split = self.released["split"] if self.released else None
        return f"{self.id}, " + (f"released in split {split}" if split else "not released")

    def table(self) -> Table:
        rows = [
            [step["stage"], name, value]
            for step in self.stages
            for name, value in step.items()
            if name != "stage"
        ]
        return ["stage", "what", "value"], rows


def show(release: str | Path, problem_id: str, work: str | Path | None = None) -> History:
    """What is known of a problem; the work folder adds what each stage did.

    `work` is the build's work folder (default: beside the release); it also knows dropped problems
    and quarantined rows, these by `file:line` or by the id that they would have had.
    Raises UserError for an id that neither the release nor the work folder knows.

    Example: `show("out/math-v-mini-1.0.0", "math-v-742").released`
    """
    release = Path(release)
    work = release.parent / "work" if work is None else Path(work)
    ids: list[str] = []
    final: dict[str, Any] | None = None
    for split in split_names(release):
        for problem in read_problems(release, split):
            ids.append(problem.id)
            if problem.id == problem_id:
                final = msgspec.to_builtins(problem) | {"split": split}
    steps = _stage_changes(work, problem_id)
    read_from = source_line(work, problem_id)
    if final is None and not steps and (at := _quarantined_at(work, problem_id)):
        steps = _stage_changes(work, at)
    if steps and (rows := steps[0].get("quarantine")):
        read_from = f"{rows[0]['file']}:{rows[0]['line']}"
    if final is None and not steps:
        raise UserError(f"{release} has no problem {problem_id!r}", nearest(problem_id, ids)[:200])
    return History(id=problem_id, read_from=read_from, stages=steps, released=final)


def _quarantined_at(work: Path, problem_id: str) -> str | None:
    """Where the row was quarantined that would have had this id: its source's name and its own id.

    Of a row only the start is kept, so its own id is looked for as a value in there.
    """
    ends = [problem_id[k:] for k in range(len(problem_id)) if k == 0 or problem_id[k - 1] == "-"]
    values = [re.compile(rf'[:,]"?{re.escape(end)}"?[,}}]') for end in ends]
    path = work / "00-read" / "quarantine.jsonl"
    for _, line in read_lines(path) if path.is_file() else ():
        row = msgspec.json.decode(line)
        if any(value.search(f",{row['raw']},") for value in values):
            return f"{row['file']}:{row['line']}"
    return None


def _stage_changes(work: Path, problem_id: str) -> list[dict[str, Any]]:
    """Each stage's folder: fields it changed, side-table rows, or the drop."""
    steps: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for folder in sorted(work.glob("[0-9][0-9]-*")):
        step: dict[str, Any] = {"stage": folder.name}
        for path in sorted(folder.glob("*.jsonl")):
            if path.name in ("inputs.jsonl", "lines.jsonl"):
                continue
            if path.name == "quarantine.jsonl":
                file, _, line = problem_id.rpartition(":")
                rows = [row for row in _rows(path, file)
                        if (row["file"], str(row["line"])) == (file, line)]  # fmt: skip
            else:
                rows = [row for row in _rows(path, problem_id) if row.get("id") == problem_id]
            if path.name == "problems.jsonl":
                if rows:
                    step["changed"] = {k: v for k, v in rows[0].items() if before.get(k) != v}
                    before = rows[0]
            elif rows:
                step[path.stem] = rows
        if len(step) > 1:
            steps.append(step)
    return steps


def _rows(path: Path, problem_id: str) -> list[dict[str, Any]]:
    needle = problem_id.encode()
    rows = [msgspec.json.decode(line) for _, line in read_lines(path) if needle in line]
    return [row for row in rows if isinstance(row, dict)]


def as_text(history: History) -> str:
    """The history as text."""
    lines = [history.id + (f"  read from {history.read_from}" if history.read_from else "")]
    for step in history.stages:
        lines.append(step["stage"])
        for name, value in step.items():
            if name == "changed":
                for field, now in value.items():
                    lines.append(f"  {field} = {_short(now)}")
            elif name != "stage":
                lines += [f"  {name}: {_short(row)}" for row in value]
    lines.append(
        f"released in split {history.released['split']}" if history.released else "not released"
    )
    return "\n".join(lines)


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 160 else text[:157] + "..."
