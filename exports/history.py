"""What the stages of a build did to its problems: changes, votes, decisions, drops, in order.

`show` tells it of one problem; beside a release it is kept for pages as `<release>-history`, for
the curators: it names voters and holds withheld answers. Workers say shard by shard of whom each
line is; the pages to which names fall are made of that, each by one worker.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

import msgspec

from ..base.files import encode, replacing_folder, write_bytes
from ..base.terminal import progress
from ..pages import Past, Rich, differences, history_folder, rich, script, verbatim
from ..pipeline import Engine, by_shard, cut, parallel_map
from ..release import read_manifest
from .made import files_of, remembering

Step = dict[
    str, Any
]  # "stage", then "changed" and "before" (fields), and rows by side table
PROBLEMS, RAW = "problems.jsonl", "lines.jsonl"
OF_NOBODY = ("inputs.jsonl",)  # files that are not about problems
OF_SET = ("likeness.jsonl",)  # what changes with any problem of the set
EACH = 512  # problems of a page, about
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


_decoded = msgspec.json.Decoder(_Row).decode


class Place(msgspec.Struct, array_like=True, gc=False):
    """A line about a problem: its file's number, where it starts, its bytes and their hash.

    `origin` is whose relative the problem is there, "" where it is nobody's.
    """

    name: str
    file: int
    start: int
    size: int
    digest: bytes
    origin: str


Places = dict[str, list[Place]]
Files = list[tuple[str, str]]  # folder and name


def stage_files(work: Path, left_out: Collection[str] = OF_NOBODY) -> Files:
    """The files that stages wrote, as their lines follow one another in a history."""
    found = (
        path for path in work.glob("[0-9][0-9]-*/*.jsonl") if path.name not in left_out
    )
    return sorted(
        ((path.parent.name, path.name) for path in found),
        key=lambda file: (file[0], file[1] != RAW, file[1]),
    )


def places_in(lines: Iterable[bytes], file: int = 0) -> Iterator[Place]:
    """The places in lines that follow one another."""
    start = 0
    for line in lines:
        row = _decoded(line) if line.startswith(b"{") else _Row()
        names = {row.id: None}
        if row.id is None or row.a is not None or row.members is not None:
            others = row.members if isinstance(row.members, list) else []
            names |= dict.fromkeys(
                n for n in (row.a, row.b, *others) if isinstance(n, str)
            )
        origin = row.origin if row.origin != row.id else None
        digest = blake2b(line, digest_size=8).digest()
        for name in names:
            if isinstance(name, str):
                yield Place(name, file, start, len(line), digest, str(origin or ""))
        start += len(line)


class Stretch(msgspec.Struct, array_like=True):
    """Places in some lines whose names fall to one page, encoded, and what they say.

    `said` is a hash of names and lines, wherever these stand.
    """

    places: bytes
    said: bytes
    related: bool  # whether one has a relative


def places_by_page(lines: Sequence[bytes], pages: int) -> dict[int, Stretch]:
    """The places in some lines, of `pages` pages."""
    found = defaultdict[int, list[Place]](list)
    for place in places_in(lines):
        found[page_of(place.name, pages)].append(place)
    return {page: _stretch(some) for page, some in found.items()}


def _stretch(places: list[Place]) -> Stretch:
    said = msgspec.msgpack.encode([(p.name, p.digest, p.origin) for p in places])
    return Stretch(
        msgspec.msgpack.encode(places),
        blake2b(said, digest_size=16).digest(),
        any(place.origin for place in places),
    )


def page_of(name: str, pages: int) -> int:
    """The page to which a name falls, as pages' script finds it; their number is a power of two."""
    return crc32(name.encode()) & (pages - 1)


class _Page(msgspec.Struct):
    """A page of the history on its way to a worker: names fall to it that `lines` are about.

    `lines` are places as shards hold them, each with the file and where the shard starts; `older`
    are places of problems from which some of these were parted.
    """

    number: int
    work: Path
    files: Files
    lines: list[tuple[int, int, Stretch]]
    older: Places = {}

    def places(self) -> Places:
        found: Places = {}
        for file, start, some in self.lines:
            for place in msgspec.msgpack.decode(some.places, type=list[Place]):
                place.file, place.start = file, start + place.start
                found.setdefault(place.name, []).append(place)
        return found

    def released(self) -> Places:
        """Those of problems that the last stage put out."""
        last = max(k for k, (_, name) in enumerate(self.files) if name == PROBLEMS)
        every = self.places().items()
        return {name: some for name, some in every if any(p.file == last for p in some)}

    def parents(self) -> list[str]:
        """From whom problems of this page were parted."""
        return [
            one
            for some in self.released().values()
            if (one := _parent(some, self.files))
        ]

    def parts(self) -> Iterator[bytes]:
        """All that it follows from."""
        yield encode(self.files)  # of which the last counts
        for file, _, some in self.lines:
            yield encode(self.files[file]) + some.said
        for name, places in sorted(self.older.items()):
            yield encode([name, [(self.files[p.file], p.digest.hex()) for p in places]])

    def write(self, path: Path) -> None:
        with ExitStack() as stack:
            lines = _Lines(self.work, self.files, stack)
            pasts = {
                name: past_of(
                    steps_of(some, self.older.get(_parent(some, self.files), ()), lines)
                )
                for name, some in sorted(self.released().items())
            }
        data = msgspec.json.encode(pasts)
        path.write_bytes(script("past", b"[%d,%s]" % (self.number, data)))


def _parent(places: Sequence[Place], files: Files) -> str:
    """The problem from which one was parted that nobody has read, or ""."""
    read = any(files[place.file][1] == RAW for place in places)
    own = (place.origin for place in places if files[place.file][1] == PROBLEMS)
    return "" if read else next(own, "")


class _Lines:
    """Lines by their places; each file is opened when it is asked for."""

    def __init__(self, work: Path, files: Files, stack: ExitStack) -> None:
        self.work, self.files, self._stack = work, files, stack
        self._opened: dict[int, BinaryIO] = {}

    def __getitem__(self, place: Place) -> bytes:
        if place.file not in self._opened:
            file = self.work.joinpath(*self.files[place.file]).open("rb", buffering=0)
            self._opened[place.file] = self._stack.enter_context(file)
        self._opened[place.file].seek(place.start)
        return self._opened[place.file].read(place.size)


def steps_of(
    places: Sequence[Place], older: Sequence[Place], lines: _Lines
) -> list[Step]:
    """A problem's steps through stage folders; `older` are places of what it was parted from.

    A step says which fields the stage changed and what they were, its rows in side tables, or the
    drop. What was parted from another problem is compared with that, and was read with it.
    """
    files = lines.files
    steps: dict[str, Step] = {}
    before: Place | None = None
    for place in places:
        stage, name = files[place.file]
        if name == PROBLEMS and before is not None and before.digest == place.digest:
            continue
        step = steps.setdefault(stage, {"stage": stage})
        row = msgspec.json.decode(lines[place])
        if name == PROBLEMS:
            whole = (
                p for p in older if files[p.file][1] == PROBLEMS and p.file < place.file
            )
            before = before or max(whole, key=lambda p: p.file, default=None)
            step |= _difference(row, b"{}" if before is None else lines[before])
            before = place
        else:
            step.setdefault("raw" if name == RAW else Path(name).stem, []).append(row)
    for raw in [place for place in older if files[place.file][1] == RAW][:1]:
        stage, _ = files[raw.file]
        steps = {
            stage: {"stage": stage, "raw": [msgspec.json.decode(lines[raw])]}
        } | steps
    return list(steps.values())


def _difference(now: dict[str, Any], before: bytes) -> Step:
    old = msgspec.json.decode(before)
    changed = {k: v for k, v in now.items() if old.get(k) != v}
    was = {k: old[k] for k in changed if k in old}
    return {"changed": changed} | ({"before": was} if was else {})


def steps_in(work: Path, name: str) -> list[Step]:
    """The steps of one problem of a build, [] of one that no stage knows.

    Example: `steps_in(Path("out/work"), "own-17")[1]["changed"]`
    """
    files = stage_files(work)
    places = _about(work, files, name)
    parent = _parent(places, files)
    older = _about(work, files, parent) if parent else []
    with ExitStack() as stack:
        return steps_of(places, older, _Lines(work, files, stack))


def _about(work: Path, files: Files, name: str) -> list[Place]:
    """The places of one name."""
    found = list[Place]()
    own = encode(name).strip()
    for number, file in enumerate(files):
        start = 0
        with work.joinpath(*file).open("rb") as lines:
            for line in lines:
                for place in places_in([line], number) if own in line else ():
                    if place.name == name:
                        place.start = start
                        found.append(place)
                start += len(line)
    return found


def write_history(release: Path, work: Path, engine: Engine = Engine()) -> Path:  # noqa: B008
    """Write `<release>-history` from the build's work folder: what its pages show on demand."""
    folder, work = history_folder(release), work.absolute()  # workers stand elsewhere
    problems = sum(
        len(split["ids"]) for split in read_manifest(release)["splits"].values()
    )
    count = 1 << max(problems // EACH, 1).bit_length() - 1
    with replacing_folder(folder.absolute()) as new, remembering(work):
        new.chmod(work.stat().st_mode & 0o777)  # it holds what is hidden there
        wanted = (
            (new / f"past-{page.number:05}.js", page)
            for page in _pages(work, count, engine)
        )
        made = files_of(wanted, _Page.write, parts=_Page.parts, engine=engine)
        deque(progress(made, "history", count, "pages"), maxlen=0)
        write_bytes(new / "index.js", script("pasts", encode(count).strip()))
    return folder


def _pages(work: Path, count: int, engine: Engine) -> Iterator[_Page]:
    """The pages, each with what its names need."""
    files = stage_files(work, OF_NOBODY + OF_SET)
    pages = [_Page(number, work, files, []) for number in range(count)]
    every = parallel_map(cut, (work.joinpath(*file) for file in files), engine)
    shards = [(number, one) for number, some in enumerate(every) for one in some]
    found = by_shard(
        places_by_page,
        (one for _, one in shards),
        dict[int, Stretch],
        count,
        work=work,
        engine=engine,
    )
    related = set[int]()
    for (file, one), stretches in zip(shards, found, strict=True):
        related.update(number for number, some in stretches.items() if some.related)
        for number, some in stretches.items():
            pages[number].lines.append((file, one.start, some))
    asked = sorted(related)
    named = parallel_map(_Page.parents, (pages[number] for number in asked), engine)
    parents = dict(zip(asked, named, strict=True))
    older: Places = {}
    for number in {
        page_of(name, count) for names in parents.values() for name in names
    }:
        older |= pages[number].places()
    for page in pages:
        names = parents.get(page.number, ())
        own = {name: older[name] for name in names if name in older}
        yield msgspec.structs.replace(page, older=own)


def past_of(steps: Iterable[Step]) -> Past:
    """A problem's steps as pages show them: for each stage names with texts."""
    past: Past = []
    for number, step in enumerate(steps):
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
                yield from (
                    (name, verbatim(text[:LONGEST])) for name, text in row["row"]
                )
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
    a = _text(field, old)
    b = _text(field, now)
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
        return "\n".join(
            f"{k}. {s['question']} → {s['answer']}" for k, s in enumerate(value, 1)
        )
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
    yield (
        f"{field}: decided",
        f"{outcome}, by {entry.get('policy')}: {entry.get('rule')}",
    )


def _when(said: str, vote: dict[str, Any]) -> str:
    return f"{said} · {vote['at']}" if vote.get("at") else said


def _told(value: Any) -> str:
    """Any value in words: what a row says, without the id that it stands under."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        told = (
            (k, v)
            for k, v in value.items()
            if k != "id" and v not in (None, "", [], {})
        )
        return " · ".join(f"{k}: {_told(v)}" for k, v in told)
    if isinstance(value, list) and all(
        isinstance(one, str | int | float) for one in value
    ):
        return ", ".join(map(str, value))
    if isinstance(value, list):
        return "; ".join(map(_told, value))
    return msgspec.json.encode(value).decode()
