"""What the stages of a build did to its problems: changes, votes, decisions, drops, in order.

`show` prints it of one problem; beside a release it is kept for pages as `<release>-history`, for
the curators: it names voters and holds withheld answers.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import replacing_folder, write_bytes
from ..base.terminal import progress
from ..pages import (
    BYTES,
    PIECE,
    Past,
    Rich,
    differences,
    history_folder,
    order,
    rich,
    script,
    verbatim,
)
from ..release import read_manifest
from .made import file_of, remembering

Step = dict[str, Any]  # "stage", then "changed" and "before" (fields), and rows by side table
PROBLEMS, RAW = "problems.jsonl", "lines.jsonl"
LINES = 40  # bits of a place that number the line; the bits above number the file
LONGEST = 20_000  # characters of a raw cell on a problem's page
MOST = 20  # rows of one side table on a problem's page
SHORT = 60  # characters that two values may have to stand in one line
UNSAID = {"about", "id", "field", "sha256", "samples", "policy", "flagged"}


class _Row(msgspec.Struct):
    """As much of a line as tells whose it is; a problem's has an id."""

    id: Any = None
    a: Any = None
    b: Any = None
    members: Any = None
    origin: Any = None


class Histories(Mapping[str, list[Step]]):
    """Each problem's steps through the stage folders of `work`; only their places are in memory.

    A step says which fields the stage changed and what they were, its rows in side tables, or the
    drop. A problem that was parted from another is compared with that.

    Example: `Histories(Path("out/work"))["own-17"][1]["changed"]`
    """

    def __init__(self, work: Path) -> None:
        self._files: list[tuple[Path, array[int]]] = []  # each with the starts of its lines
        self._mapped: dict[Path, mmap.mmap] = {}
        self._places: dict[str, list[int]] = {}  # a problem's lines in them, first to last
        seen: dict[str, int] = {}
        for folder in sorted(work.glob("[0-9][0-9]-*")):
            for path in sorted(folder.glob("*.jsonl"), key=lambda path: (path.name != RAW, path)):
                if path.name != "inputs.jsonl":
                    self._add(path, seen)

    def _add(self, path: Path, seen: dict[str, int]) -> None:
        """Note where whose lines are; a problem's, where it is not as it was `seen` last."""
        number, starts, end = len(self._files) << LINES, array("Q"), 0
        with path.open("rb") as file:
            for k, line in enumerate(file):
                starts.append(end)
                end += len(line)
                names = _changed(line, seen) if path.name == PROBLEMS else _named(line)
                for name in names:
                    self._places.setdefault(name, []).append(number | k)
        starts.append(end)
        self._files.append((path, starts))

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, name: str) -> list[Step]:
        steps: dict[str, Step] = {}
        before = b""
        for place in self._places[name]:
            path, line = self._path(place), self._line(place)
            step = steps.setdefault(path.parent.name, {"stage": path.parent.name})
            row = msgspec.json.decode(line)
            if path.name == PROBLEMS:
                step |= _difference(row, before or self._parted_from(row, place))
                before = line
            else:
                step.setdefault("raw" if path.name == RAW else path.stem, []).append(row)
        if (first := next(iter(steps.values()), None)) is not None and "raw" not in first:
            steps = self._read_as(self._places[name]) | steps
        return list(steps.values())

    def lines(self, name: str) -> Iterator[bytes]:
        """All that its steps follow from."""
        places = self._places.get(name, [])
        for place in places:
            yield f"{self._path(place).parent.name}/{self._path(place).name} ".encode()
            yield self._line(place)
        if not any(self._path(place).name == RAW for place in places):
            origins = {msgspec.json.decode(self._line(p), type=_Row).origin for p in places}
            for origin in sorted(origins - {None, name}, key=str):
                yield from self.lines(str(origin))

    def size(self, name: str) -> int:
        """The bytes of its lines."""
        return sum(
            starts[k + 1] - starts[k]
            for place in self._places.get(name, ())
            for starts, k in [(self._files[place >> LINES][1], place & ((1 << LINES) - 1))]
        )

    def _read_as(self, places: list[int]) -> dict[str, Step]:
        """The raw row of a problem that was parted from another: the row of that one."""
        problem = next((p for p in places if self._path(p).name == PROBLEMS), None)
        origin = msgspec.json.decode(self._line(problem))["origin"] if problem is not None else ""
        for place in self._places.get(origin, ()):
            if (path := self._path(place)).name == RAW:
                stage, row = path.parent.name, msgspec.json.decode(self._line(place))
                return {stage: {"stage": stage, "raw": [row]}}
        return {}

    def _path(self, place: int) -> Path:
        return self._files[place >> LINES][0]

    def _line(self, place: int) -> bytes:
        path, starts = self._files[place >> LINES]
        k = place & ((1 << LINES) - 1)
        if path not in self._mapped:
            with path.open("rb") as file:
                self._mapped[path] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return self._mapped[path][starts[k] : starts[k + 1]]

    def _parted_from(self, row: dict[str, Any], place: int) -> bytes:
        """The line of the problem that a new one came from, as it stood there before it."""
        older = (p for p in reversed(self._places.get(row.get("origin", ""), ())) if p < place)
        found = next((p for p in older if self._path(p).name == PROBLEMS), None)
        return b"" if found is None else self._line(found)


def _changed(line: bytes, seen: dict[str, int]) -> list[str]:
    name, now = str(msgspec.json.decode(line, type=_Row).id), hash(line)
    if seen.get(name) == now:
        return []
    seen[name] = now
    return [name]


def _difference(now: dict[str, Any], before: bytes) -> Step:
    old = msgspec.json.decode(before or b"{}")
    changed = {k: v for k, v in now.items() if old.get(k) != v}
    was = {k: old[k] for k in changed if k in old}
    return {"changed": changed} | ({"before": was} if was else {})


def _named(line: bytes) -> list[str]:
    """The problems that a row of a side table names."""
    if not line.startswith(b"{"):
        return []
    row = msgspec.json.decode(line, type=_Row)
    names = [row.id, row.a, row.b, *(row.members if isinstance(row.members, list) else ())]
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def write_history(release: Path, work: Path) -> Path:
    """Write `<release>-history` from the build's work folder: what its pages show on demand."""
    steps = Histories(work)
    ids = [name for split in read_manifest(release)["splits"].values() for name in split["ids"]]
    folder, firsts = history_folder(release), list[str]()
    with replacing_folder(folder) as new, remembering(work):
        for names in progress(_together(sorted({*ids}, key=order), steps), "history", 0, "pages"):
            name = f"past-{len(firsts):05}.js"
            firsts.append(names[0])
            write = partial(_write_pasts, len(firsts) - 1, names, steps)
            lines = (line for one in names for line in [one.encode(), *steps.lines(one)])
            file_of(lines, write, new / name, folder / name)
        write_bytes(new / "index.js", script("pasts", msgspec.json.encode(firsts)))
    return folder


def _together(names: Sequence[str], steps: Histories) -> Iterator[list[str]]:
    """Some names for each page of the history."""
    page, size = list[str](), 0
    for name in names:
        page.append(name)
        size += steps.size(name)
        if len(page) == PIECE or size >= BYTES:
            yield page
            page, size = [], 0
    if page:
        yield page


def _write_pasts(number: int, names: Sequence[str], steps: Histories, path: Path) -> None:
    pasts = msgspec.json.encode({name: _past(name, steps) for name in names})
    write_bytes(path, script("past", b"[%d,%s]" % (number, pasts)))


def _past(name: str, steps: Mapping[str, list[Step]]) -> Past:
    """A problem's steps as pages show them: for each stage names with texts."""
    past: Past = []
    for number, step in enumerate(steps.get(name, ())):
        first = number == 0 and "before" not in step
        rows = list(_rows(step, unchanged=first))
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
        elif table == "raw":
            for row in rows:
                yield "read from", f"{row['at']} · sha256 {row['sha256'][:16]}"
                yield from ((name, verbatim(text[:LONGEST])) for name, text in row["row"])
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
