"""What the stages of a build did to its problems: changes, votes, decisions, drops, in order.

`show` prints it of one problem; beside a release it is kept for pages as `<release>-history`, for
the curators: it names voters and holds withheld answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..files import read_jsonl, read_lines
from ..pages import Past, Rich, differences, history_folder, rich, write_histories
from ..release import read_problems, split_names
from ..terminal import progress

Step = dict[str, Any]  # "stage", then "changed" and "before" (fields), and rows by side table
MOST = 20  # rows of one side table on a problem's page
SHORT = 60  # characters that two values may have to stand in one line
UNSAID = {"about", "id", "field", "sha256", "samples", "policy", "flagged"}


class _Named(msgspec.Struct):
    """As much of a problem's line as tells whose it is."""

    id: str


def histories(work: Path, only: str = "") -> dict[str, list[Step]]:
    """Each problem's steps through the stage folders of `work`, or those of one problem.

    A step says which fields the stage changed and what they were, its rows in side tables, or the
    drop. A problem that was parted from another is compared with that.

    Example: `histories(Path("out/work"))["own-17"][1]["changed"]`
    """
    found: dict[str, list[Step]] = {}
    lines: dict[str, bytes] = {}
    for folder in sorted(work.glob("[0-9][0-9]-*")):
        steps: dict[str, Step] = {}
        for path in sorted(folder.glob("*.jsonl")):
            if path.name == "problems.jsonl":
                _changes(path, lines, steps, only)
            elif path.name not in ("inputs.jsonl", "lines.jsonl"):
                _table(path, steps, only)
        for name, step in steps.items():
            found.setdefault(name, []).append({"stage": folder.name} | step)
    return found


def _changes(path: Path, lines: dict[str, bytes], steps: dict[str, Step], only: str) -> None:
    """What differs from the line that stood for the problem before; `lines` moves on."""
    for name, line in _problems(path, only):
        if line == lines.get(name):
            continue
        now = msgspec.json.decode(line)
        old = msgspec.json.decode(lines.get(name) or lines.get(now.get("origin", ""), b"{}"))
        lines[name] = line
        changed = {k: v for k, v in now.items() if old.get(k) != v}
        step = steps.setdefault(name, {})
        step["changed"] = changed
        if was := {k: old[k] for k in changed if k in old}:
            step["before"] = was


def _problems(path: Path, only: str) -> Iterator[tuple[str, bytes]]:
    """The id and the line of each problem; with `only`, of those whose line holds it."""
    needle = msgspec.json.encode(only)[1:-1] if only else b""
    for _, line in read_lines(path):
        if needle in line:
            yield msgspec.json.decode(line, type=_Named).id, line


def _table(path: Path, steps: dict[str, Step], only: str) -> None:
    """Rows of a side table, each with the problems that it names."""
    needle = msgspec.json.encode(only)[1:-1] if only else b""
    for _, line in read_lines(path):
        row = msgspec.json.decode(line) if needle in line else None
        for name in _named(row) if isinstance(row, dict) else ():
            if only in ("", name):
                steps.setdefault(name, {}).setdefault(path.stem, []).append(row)


def _named(row: dict[str, Any]) -> list[str]:
    names = [row.get("id"), row.get("a"), row.get("b")]
    names += row["members"] if isinstance(row.get("members"), list) else []
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def write_history(release: Path, work: Path) -> Path:
    """Write `<release>-history` from the build's work folder: what its pages show on demand."""
    steps = histories(work)
    read = work / "00-read" / "lines.jsonl"
    lines = read_jsonl(read, dict[str, str]) if read.exists() else ()
    places = {row["id"]: row["at"] for row in lines}
    ids = [p.id for split in split_names(release) for p in read_problems(release, split)]
    folder = history_folder(release)
    told = ((name, _past(name, steps, places)) for name in ids)
    write_histories(folder, progress(told, "history", len(ids), "problems"))
    return folder


def _past(name: str, steps: dict[str, list[Step]], places: dict[str, str]) -> Past:
    """A problem's steps as pages show them: for each stage names with texts."""
    past: Past = []
    for number, step in enumerate(steps.get(name, ())):
        first = number == 0 and "before" not in step
        rows = list(_rows(step, unchanged=first))
        if first and name in places:
            rows.insert(0, ("read from", places[name]))
        if rows:
            past.append((step["stage"], rows))
    return past


def _rows(step: Step, *, unchanged: bool) -> Iterator[tuple[str, Rich]]:
    before = step.get("before", {})
    voted = {entry.get("field") for entry in step.get("ledger", ())}
    for field, now in () if unchanged else step.get("changed", {}).items():
        if field not in UNSAID | voted:
            yield from _change(field, before.get(field), now, voted)
    for table, rows in step.items():
        if table == "ledger":
            for entry in rows:
                yield from _decision(entry)
        elif table not in ("stage", "changed", "before"):
            yield from ((table, _told(row)) for row in rows[:MOST])
            if len(rows) > MOST:
                yield table, f"and {len(rows) - MOST} more rows"


def _change(
    field: str, old: Any, now: Any, voted: Collection[str | None] = ()
) -> Iterator[tuple[str, Rich]]:
    """A field before and after, of a long text with marks; labels that were `voted` say so."""
    if field == "labels":
        for name in sorted({*(old or {}), *now} - {*voted}):
            if (a := (old or {}).get(name)) != (b := now.get(name)):
                yield from _change(name.replace("_", " "), a, b)
        return
    if field == "notes":
        yield from (("note", str(note)) for note in now[len(old or []) :])
        return
    a, b = _text(field, old), _text(field, now)
    if len(a) + len(b) <= SHORT and "\n" not in a + b and "$" not in a + b:
        yield field.replace("_", " "), f"{a} → {b}" if a else b
        return
    left, right = differences(a, b)
    if a:
        yield f"{field} before", rich(a, left)
    yield f"{field} after" if a else field, rich(b, right if a else [])


def _text(field: str, value: Any) -> str:
    """A field's value in a form that two can be compared in."""
    if value in (None, "", [], {}):
        return ""
    if field == "images":
        return f"{len(value)} pictures" if len(value) > 1 else "1 picture"
    if field == "options":
        return "\n".join(f"({o['label']}) {o['text'] or '(picture)'}" for o in value)
    if field == "spans":
        return ", ".join(f"{s['role']} {s['start']}-{s['end']}" for s in value)
    if field == "steps":
        return "\n".join(f"{k}. {s['question']} → {s['answer']}" for k, s in enumerate(value, 1))
    return value if isinstance(value, str) else _told(value)


def _decision(entry: dict[str, Any]) -> Iterator[tuple[str, Rich]]:
    """A row of the ledger: who voted what, what the rule made of it, and what did not count."""
    field = entry.get("field", "")
    for vote in entry.get("votes", []):
        model = " (model)" if vote.get("kind") == "model" else ""
        yield f"{field}: {vote['annotator']}{model}", _when(_told(vote["value"]), vote)
    for vote in entry.get("ignored", []):
        said = _when(_told(vote["value"]), vote)
        yield f"{field}: {vote['annotator']}", f"{said}; not counted: {vote['why']}"
    value = entry.get("value")
    outcome = "left open" if value is None else _told(value)
    yield f"{field}: decided", f"{outcome}, by {entry.get('policy')}: {entry.get('rule')}"


def _when(said: str, vote: dict[str, Any]) -> str:
    return f"{said} · {vote['at']}" if vote.get("at") else said


def _told(value: Any) -> str:
    """Any value in words: what a row says, without the id that it stands under."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        told = ((k, v) for k, v in value.items() if k != "id" and v not in (None, "", [], {}))
        return " · ".join(f"{k}: {_told(v)}" for k, v in told)
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return ", ".join(map(str, value))
    if isinstance(value, list):
        return "; ".join(map(_told, value))
    return msgspec.json.encode(value).decode()
