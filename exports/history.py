"""What the stages of a build did to its problems: changes, votes, decisions, drops, in order.

`show` prints it of one problem; beside a release it is kept for pages as `<release>-history`, for
the curators: it names voters and holds withheld answers.
"""

from __future__ import annotations

import os
from array import array
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.files import encode, replacing_folder, write_bytes
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
from ..pipeline import Engine, chunked
from ..release import read_manifest
from .made import files_of, remembering

Step = dict[str, Any]  # "stage", then "changed" and "before" (fields), and rows by side table
PROBLEMS, RAW = "problems.jsonl", "lines.jsonl"
LINES = 1000  # of a file that are looked at together
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


class Place(NamedTuple):
    """A line: the number of its file, where it starts, and its bytes."""

    file: int
    start: int
    size: int


class Histories(Mapping[str, list[Step]]):
    """Each problem's steps through stage folders; only the `places` of lines are in memory.

    A step says which fields the stage changed and what they were, its rows in side tables, or the
    drop. A problem that was parted from another is compared with that.

    Example: `Histories.of(Path("out/work"))["own-17"][1]["changed"]`
    """

    def __init__(self, files: Sequence[Path], places: dict[str, Sequence[Place]]) -> None:
        self.files, self.places = files, places  # a problem's lines, first to last
        self._names = [path.name for path in files]
        self._opened: dict[int, int] = {}

    @classmethod
    def of(cls, work: Path) -> Histories:
        """The histories of all problems of a build."""
        index = _Index.of(work)
        return index.only(index.numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, name: str) -> list[Step]:
        steps: dict[str, Step] = {}
        before = b""
        for place in self.places[name]:
            path, line = self.files[place.file], self.line(place)
            step = steps.setdefault(path.parent.name, {"stage": path.parent.name})
            row = msgspec.json.decode(line)
            if path.name == PROBLEMS:
                step |= _difference(row, before or self._parted_from(row, place))
                before = line
            else:
                step.setdefault("raw" if path.name == RAW else path.stem, []).append(row)
        if (first := next(iter(steps.values()), None)) is not None and "raw" not in first:
            steps = self._read_as(self.places[name]) | steps
        return list(steps.values())

    def lines(self) -> Iterator[bytes]:
        """All that the steps follow from: lines that stand together are read together."""
        runs: list[Place] = []
        for place in sorted(place for places in self.places.values() for place in places):
            last = runs[-1] if runs else Place(-1, 0, 0)
            if (place.file, place.start) == (last.file, last.start + last.size):
                runs[-1] = last._replace(size=last.size + place.size)
            elif place != last:
                runs.append(place)
        for run in runs:
            yield f"{self.files[run.file].parent.name}/{self.files[run.file].name} ".encode()
            yield self.line(run)

    def _is(self, place: Place, name: str) -> bool:
        return self._names[place.file] == name

    def _read_as(self, places: Sequence[Place]) -> dict[str, Step]:
        """The raw row of a problem that was parted from another: the row of that one."""
        problem = next((place for place in places if self._is(place, PROBLEMS)), None)
        origin = msgspec.json.decode(self.line(problem))["origin"] if problem is not None else ""
        for place in self.places.get(origin, ()):
            if self._is(place, RAW):
                stage = self.files[place.file].parent.name
                return {stage: {"stage": stage, "raw": [msgspec.json.decode(self.line(place))]}}
        return {}

    def line(self, place: Place) -> bytes:
        if place.file not in self._opened:
            self._opened[place.file] = os.open(self.files[place.file], os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._opened[place.file], place.size, place.start)

    def __reduce__(self) -> Any:
        return Histories, (self.files, self.places)

    def __del__(self) -> None:
        for number in self._opened.values():
            os.close(number)

    def _parted_from(self, row: dict[str, Any], place: Place) -> bytes:
        """The line of the problem that a new one came from, as it stood there before it."""
        older = (p for p in reversed(self.places.get(row.get("origin", ""), ())) if p < place)
        found = next((p for p in older if self._is(p, PROBLEMS)), None)
        return b"" if found is None else self.line(found)


class _Index:
    """Where the lines of all problems stand, in arrays: by number of the name, file and line."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = files
        self.numbers: dict[str, int] = {}
        self._columns = array("L"), array("H"), array("Q"), array("L")  # name, file, start, size

    @classmethod
    def of(cls, work: Path) -> _Index:
        """The index of a build's stage folders."""
        files = [
            path
            for folder in sorted(work.absolute().glob("[0-9][0-9]-*"))
            for path in sorted(folder.glob("*.jsonl"), key=lambda path: (path.name != RAW, path))
            if path.name != "inputs.jsonl"
        ]
        index, before = cls(files), set[int]()
        for number, path in enumerate(files):
            before = index._add(number, path, before) or before
        return index

    def _add(self, file: int, path: Path, before: set[int]) -> set[int]:
        """Note whose lines stand where; of problems those that were not in the file `before`.

        Returns the hashes of problems, for the next such file.
        """
        end, hashes = 0, set[int]()
        with path.open("rb") as source:
            for lines in chunked(source, LINES):
                starts = [*accumulate(map(len, lines), initial=end)]
                if path.name == PROBLEMS:
                    own = [hash(line) for line in lines]
                    hashes.update(own)
                    new = (k for k, one in enumerate(own) if one not in before)
                    named = ((k, [msgspec.json.decode(lines[k], type=_Row).id]) for k in new)
                else:
                    named = ((k, _named(line)) for k, line in enumerate(lines))
                for k, names in named:
                    for name in names:
                        number = self.numbers.setdefault(name, len(self.numbers))
                        row = number, file, starts[k], len(lines[k])
                        for column, value in zip(self._columns, row, strict=True):
                            column.append(value)
                end = starts[-1]
        return hashes

    @cached_property
    def _arranged(self) -> Any:
        """Where each name's rows begin, and the columns by name."""
        import numpy as np

        names, *rest = (np.array(column) for column in self._columns)
        by_name = np.argsort(names, kind="stable")
        firsts = np.searchsorted(names[by_name], np.arange(len(self.numbers) + 1))
        return firsts, [column[by_name] for column in rest]

    def sizes(self) -> dict[str, int]:
        """The bytes of each problem's lines."""
        firsts, (*_, sizes) = self._arranged
        ends = [0, *accumulate(sizes.tolist())]
        return {
            name: ends[firsts[number + 1]] - ends[firsts[number]]
            for name, number in self.numbers.items()
        }

    def only(self, names: Iterable[str]) -> Histories:
        """The histories of some problems, with those that they were parted from."""
        found = Histories(self.files, self._places(names))
        raw = {number for number, path in enumerate(self.files) if path.name == RAW}
        parted = [own for own in found.places.values() if raw.isdisjoint(p.file for p in own)]
        rows = (msgspec.json.decode(found.line(p), type=_Row) for own in parted for p in own)
        found.places |= self._places({str(row.origin) for row in rows})
        return found

    def _places(self, names: Iterable[str]) -> dict[str, Sequence[Place]]:
        import numpy as np

        firsts, columns = self._arranged
        numbers = {name: self.numbers[name] for name in names if name in self.numbers}
        spans = [(int(firsts[k]), int(firsts[k + 1])) for k in numbers.values()]
        rows = np.concatenate([np.arange(*span) for span in spans]) if spans else np.arange(0)
        every = map(Place._make, zip(*(column[rows].tolist() for column in columns), strict=True))
        return {
            name: [*islice(every, end - first)]
            for name, (first, end) in zip(numbers, spans, strict=True)
        }


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


def write_history(release: Path, work: Path, engine: Engine = Engine()) -> Path:  # noqa: B008
    """Write `<release>-history` from the build's work folder: what its pages show on demand."""
    index = _Index.of(work)
    ids = [name for split in read_manifest(release)["splits"].values() for name in split["ids"]]
    folder, firsts = history_folder(release), list[str]()
    with replacing_folder(folder.absolute()) as new, remembering(work):  # workers stand elsewhere
        new.chmod(work.stat().st_mode & 0o777)  # it holds what is hidden there

        def pages() -> Iterator[tuple[Path, _Page]]:
            for names in _together(sorted({*ids}, key=order), index.sizes()):
                number = len(firsts)
                firsts.append(names[0])
                yield new / f"past-{number:05}.js", _Page(number, names, index.only(names))

        made = files_of(pages(), _Page.parts, _Page.write, engine)
        deque(progress(made, "history", 0, "pages"), maxlen=0)
        write_bytes(new / "index.js", script("pasts", msgspec.json.encode(firsts)))
    return folder


def _together(names: Sequence[str], sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Some names for each page of the history."""
    page, size = list[str](), 0
    for name in names:
        page.append(name)
        size += sizes.get(name, 0)
        if len(page) == PIECE or size >= BYTES:
            yield page
            page, size = [], 0
    if page:
        yield page


class _Page(NamedTuple):
    """A page of the history, on its way to a worker."""

    number: int
    names: list[str]
    steps: Histories

    def parts(self) -> Iterator[bytes]:
        """All that it follows from."""
        yield encode([self.number, self.names])
        yield from self.steps.lines()

    def write(self, path: Path) -> None:
        pasts = msgspec.json.encode({name: _past(name, self.steps) for name in self.names})
        path.write_bytes(script("past", b"[%d,%s]" % (self.number, pasts)))


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
