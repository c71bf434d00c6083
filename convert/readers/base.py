"""What all readers share: rows of a raw dump, pictures, options, and what to do with bad lines.

A reader is a function that turns one raw row into a Problem, or into a Drop with its reason. It is
marked with `rows`, which cuts a dump into raw rows (a row may be a group of lines). Whatever cannot
be read becomes Unreadable, never an error.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from glob import glob
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar

import msgspec

from ...base.files import inside, read_bytes, read_lines, sha256_file
from ...base.json_lines import decode
from ...base.pictures import (
    changes_of,
    embedded,
    holds_several,
    names_of,
    store_picture,
)
from ...base.registry import mark
from ...base.terminal import say
from ...errors import MachineError, UserError, nearest
from ...options import LETTERS as LETTERS
from ...options import guess_kind as guess_kind
from ...options import lettered as lettered
from ...pipeline import Lines, SourceSpec
from ...problem import Drop, Image, Problem, Source, parts_text
from ...tables import (
    Damaged,
    holds_lines,
    json_value,
    pieces,
    read_table,
    root_of,
    value_of,
    whole_rows,
)
from ..conservation import Holding, Outside
from .turns import exchange_of

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
OF_LINES = ".line"  # stands before the number in the name of a row
REMEMBERED = 4096  # pictures of a process: rows that share one stand near each other


class Raw(msgspec.Struct):
    """One row, or one group of rows, of a dump and where it stands."""

    file: str  # of several, as seen from the folder that holds all
    line: int  # from 1; in a JSON array the number of the element
    data: Any
    name: str = ""  # of the row where it says none itself
    notes: list[str] = []  # what was seen where it was cut

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


class PlaceError(UserError):
    """What a source says and cannot mean; `keys` lead to it in the source's part of a recipe."""

    def __init__(
        self, source: str, keys: tuple[str, ...], what: str, remedy: str = ""
    ) -> None:
        said = ": ".join(keys)
        super().__init__(f"source {source!r}: {said}: {what}", remedy)
        self.source = source
        self.keys = keys


class Unreadable(msgspec.Struct):
    """A line of quarantine.jsonl: where, why, and the start of what stood there."""

    file: str
    line: int
    cause: str
    raw: str


class Input(msgspec.Struct, frozen=True):
    """One file that was looked for, under the name that was asked; a missing one has the hash ''.

    A link that leads out of its folder is refused, and is no longer what it was when it leads
    elsewhere, or is a file itself.
    """

    path: str
    sha256: str
    size: int = 0
    mtime: int = 0  # nanoseconds; it only spares hashing, and decides nothing alone
    refused: str = ""  # where a refused path led

    def unchanged(self) -> bool:
        """Whether reading would find the same again."""
        if self.refused:
            return os.path.realpath(self.path) == self.refused
        try:
            stat = os.stat(self.path)
        except (OSError, ValueError):
            return not self.sha256
        if not S_ISREG(stat.st_mode):
            return not self.sha256
        same = (stat.st_size, stat.st_mtime_ns) == (self.size, self.mtime)
        return same or sha256_file(Path(self.path)) == self.sha256


class Redrawn(msgspec.Struct, frozen=True):
    """A line of redrawn.jsonl: a picture that is stored as people see it, and what that changed."""

    path: str
    given: str
    changes: str


def whole_file(path: Path, most: int) -> bytes:
    """The bytes of a file that is read at once. Raises UserError for one of more than `most`."""
    if path.stat().st_size > most:
        raise UserError(f"{path}: more than {most:,} bytes", "export it in parts")
    return read_bytes(path)


def refused(path: Path) -> list[Input]:
    """A path that may not be read, as it leads now; nothing of one that no file can have."""
    try:
        return [Input(str(path), "", refused=os.path.realpath(path))]
    except ValueError:  # a NUL is no name
        return []


def input_of(path: Path) -> Input:
    """The file as it is now. Raises MachineError when it is there and cannot be read."""
    try:
        stat = path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL is no name
        return Input(str(path), "")
    except OSError as error:
        raise MachineError(
            f"cannot read {path}: {error.strerror}", "check the disk"
        ) from error
    if not S_ISREG(stat.st_mode):
        return Input(str(path), "")
    digest = _digest(path, stat.st_size, stat.st_mtime_ns)
    return Input(str(path), digest, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=REMEMBERED)
def _digest(path: Path, size: int, mtime: int) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()


@lru_cache(maxsize=REMEMBERED)
def _stored(path: Path, digest: str, name: str, work: Path) -> tuple[Image, bool, str]:
    """A picture that many rows share is opened once."""
    return _kept(read_bytes(path), name, work)


def _kept(data: bytes, name: str, work: Path) -> tuple[Image, bool, str]:
    """The stored picture, whether the file holds others after it, what was changed of it."""
    image = store_picture(data, work, name=name)
    return image, holds_several(data), changes_of(data, image)


RowReader = Callable[[SourceSpec, Any], Iterable[Raw | Unreadable]]  # of its files
Holds = Callable[[Raw, SourceSpec], Holding]
Settled = Callable[[SourceSpec, Iterable[Raw | Unreadable]], SourceSpec]
Paths = Callable[[SourceSpec, Path], list[Path]]


class Reader(msgspec.Struct, frozen=True):
    """How to read one format. `problem` may raise UserError, ValueError or a decoding error."""

    name: str
    problem: Callable[[Raw, SourceSpec, Pictures], Problem | Drop]
    rows: RowReader
    fields: bool = False  # whether a source maps fields, and says roles of its columns
    roles: bool = False  # whether it says what words, commands, classes are
    nested: bool = False  # whether `rows` may lead to its rows inside of a file
    options: tuple[str, ...] = ()  # what a source's options may name
    # suffixes of files that are read with a dump where they are
    beside: tuple[str, ...] = ()
    # what a row holds that must come out; None: all its leaves
    holds: Holds | None = None
    settled: Settled | None = None  # the source with what all its rows say together
    paths: Paths | None = None  # where `path` is no file here


_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")


def _spelt(names: list[str]) -> Iterator[str]:
    """Other spellings of names: with a suffix where there is none, or with it in another case."""
    for name in names:
        stem, dot, suffix = name.rpartition(".")
        if dot and f".{suffix.lower()}" in _SUFFIXES:
            cases = (
                f"{stem}.{suffix.lower()}",
                f"{stem}.{suffix.upper()}",
                name.lower(),
            )
            yield from dict.fromkeys(cases)
        else:
            for suffix in (*_SUFFIXES, *map(str.upper, _SUFFIXES)):
                yield f"{name}{suffix}"


def named_beside(spec: SourceSpec, path: Path, name: str) -> Path:
    """The file that an option names, as seen from the recipe, or from the file that is read."""
    named = [spec.path] if isinstance(spec.path, str) else spec.path
    ends = (one.split("*")[0].rpartition("/")[0] for one in named)
    parents = [str(path.parent)]
    recipes = (Path(parents[0].removesuffix(end)) for end in ends if end)
    for folder in (*recipes, path.parent):
        if (folder / name).is_file():
            return folder / name
    raise PlaceError(
        spec.name,
        ("options",),
        f"no file {name!r} beside the recipe or beside {path.name}",
        "correct the name",
    )


class Pictures:
    """Puts a source's pictures into the store; what cannot be stored becomes a note.

    A reader adds to `notes` what is doubtful, and to `outside` what of the row is no problem's.

    Notes read `missing-picture: <path>` or `broken-picture: <path>: <cause>`; the check stage
    turns them into findings. `moving-picture: <path>: ...` tells frames that are not kept.
    `redrawn` are those of which other bytes are kept than were given.
    """

    def __init__(self, folder: Path, work: Path, beside: str = "") -> None:
        self.folder = folder
        self.beside = beside  # the folder below it that the row's file lies in
        self.work = work
        self.notes: list[str] = []
        self.inputs: list[Input] = []  # what was looked for
        self.outside: list[Outside] = []
        self.redrawn: list[Redrawn] = []
        # labels and separators that stand for the options' labels
        self.marks: list[str] = []

    def get(self, pictures: Iterable[Any], role: str = "figure") -> list[Image]:
        """The stored pictures, given as paths or as what `embedded` knows.

        A path that leaves the folder is noted as broken, and is never opened. Raises MachineError
        when one that is there cannot be read, or the store cannot be written.
        """
        images = []
        for picture in pictures:
            try:
                name, data = embedded(picture)
            except UserError as error:
                self._note(f"broken-picture: {error.message}")
                continue
            file = self._file(name) if data is None else None
            if data is None and file is None:
                continue
            try:
                if file:
                    image, several, changes = self._from_file(file, name)
                else:
                    image, several, changes = _kept(data or b"", name, self.work)
                images.append(msgspec.structs.replace(image, role=role))
                if several:
                    self._note(f"moving-picture: {name}: only its first frame is kept")
                elif changes:
                    self.redrawn.append(Redrawn(image.path, name, changes))
            except UserError as error:
                self._note(f"broken-picture: {name}: {error.message}")
        return images

    def _file(self, name: str) -> Input | None:
        """The file of this name in the folder, or else one of the end of its path; or a note."""
        ends = names_of(name)
        if not ends:
            self._note(f"broken-picture: {name[:80]!r} is no name of a file")
            return None
        leaves = ""
        written = [] if "//" in name[:12] else [name]  # an address is no path
        if written and self.beside:
            written.insert(0, f"{self.beside}/{name}")
        for spelling in dict.fromkeys([*written, *ends]):
            path = self.folder / spelling
            try:
                inside(self.folder, spelling)
            except UserError as error:
                self.inputs += refused(path)
                leaves = leaves or error.message
                continue
            file = input_of(path)
            self.inputs.append(file)
            if file.sha256:
                return file
        if leaves:
            self._note(f"broken-picture: {name[:200]}: {leaves}")
            return None
        if other := self.first(_spelt(ends)):
            return input_of(self.folder / other)
        self._note(f"missing-picture: {name[:200]}")
        return None

    def called(self, name: str) -> list[Image]:
        """The picture whose file is called so, whatever its suffix, where there is one."""
        if len(name) >= 200 or "/" in name:
            return []
        file = self.first(_spelt([name]))
        return self.get([file]) if file else []

    def _from_file(self, file: Input, name: str) -> tuple[Image, bool, str]:
        path = Path(file.path)
        stored = _stored(path, file.sha256, name, self.work)
        if not (self.work / stored[0].path).exists():  # the store was emptied meanwhile
            return _stored.__wrapped__(path, file.sha256, name, self.work)
        return stored

    def first(self, names: Iterable[str]) -> str | None:
        """The first of the names that is a file; also those that are not were looked for."""
        here = f"{self.beside}/" if self.beside else ""
        spelt = dict.fromkeys(x for name in names for x in (here + name, name))
        files = {name: input_of(self.folder / name) for name in spelt}
        self.inputs += files.values()
        return next((name for name, file in files.items() if file.sha256), None)

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def reader(
    name: str,
    *,
    rows: RowReader,
    fields: bool = False,
    roles: bool = False,
    nested: bool = False,
    options: tuple[str, ...] = (),
    beside: tuple[str, ...] = (),
    holds: Holds | None = None,
    settled: Settled | None = None,
    paths: Paths | None = None,
) -> Callable[[F], F]:
    """Mark a function `(raw, source, pictures) -> Problem | Drop` as a reader.

    `rows(source, paths)` gives the raw rows: `table_rows`, `json_lines_rows`, or your own function.
    `options` are the keys that a recipe may give under the source's `options:`. Files with the
    suffixes `beside` are read with `dump.md` where they lie beside it, as `dump.lines.json`.
    `holds(raw, source)` says what a row holds that must be in its problem (`conservation.py`); a
    row of plain data says it itself. `settled(source, rows)` gives the source with what its rows
    say together, before any of them is read. `paths(source, folder)` gives the files of a source
    whose `path` names none on this machine.
    """
    facts = {"rows": rows, "fields": fields, "roles": roles, "nested": nested}
    more = {
        "options": options,
        "beside": beside,
        "holds": holds,
        "settled": settled,
        "paths": paths,
    }
    return mark("reader", name, **facts, **more)


def json_lines_rows(
    spec: SourceSpec, paths: Sequence[Path | Lines]
) -> Iterator[Raw | Unreadable]:
    """Rows of JSON files; a broken line does not stop the rest.

    Besides lines, rows may stand in an array, in an object under a name (which `key` of the
    source's options gives, where there are several), by id or as columns. `Lines` of a file are
    rows.
    """
    is_row = is_row_of(spec)
    key = _key(spec)
    column = spec.fields.get("id", "id")
    files = file_names([path for path in paths if isinstance(path, Path)])
    for path in paths:
        if isinstance(path, Lines):
            lines = path.numbered()
            name, front = path.path.name, ""
        else:
            lines = read_lines(path)
            name, called = files[path]
            front = front_of(path, called)
            try:
                rows = whole_rows(path, is_row, key, column, spec.rows or "")
            except UserError as error:
                if spec.rows:
                    what, remedy = error.message, error.remedy
                    raise PlaceError(spec.name, ("rows",), what, remedy) from error
                raise
            if rows is not None:
                for number, row in enumerate(rows, 1):
                    several = called and len(rows) > 1
                    own = f"{called}{OF_LINES}{number}" if several else called
                    yield Raw(name, number, row, own)
                continue
        for number, line in lines:
            raw = _decoded(name, number, line.rstrip(b"\r\n"))
            data = raw.data if isinstance(raw, Raw) else None
            if isinstance(raw, Raw):
                raw.name = line_name(front, number)
            if isinstance(raw, Raw) and isinstance(data, dict) and len(data) == 1:
                [(id, inner)] = data.items()  # {"Problem_1": {...}}
                if is_row(inner):
                    raw.data = {column: id} | inner
            yield raw


def in_lines(spec: SourceSpec, path: Path) -> bool:
    """Whether each line of a file is a row, which `json_lines_rows` reads wherever it stands."""
    return holds_lines(path, is_row_of(spec), _key(spec) or spec.rows or "")


def file_names(paths: Sequence[Path]) -> dict[Path, tuple[str, str]]:
    """What each file is called, and its rows: of several, by their paths below one folder.

    >>> [*file_names([Path("q/1/item.json"), Path("q/2/item.json")]).values()]
    [('1/item.json', '1'), ('2/item.json', '2')]
    >>> [*file_names([Path("q/item.json")]).values()]
    [('item.json', '')]
    """
    if len(paths) < 2:
        return {path: (path.name, "") for path in paths}
    top = common_folder(paths)
    below = [path.relative_to(top) for path in paths]
    ways = [list(one.with_suffix("").parts) for one in below]
    while len({way[-1] for way in ways}) == 1 and min(map(len, ways)) > 1:
        ways = [way[:-1] for way in ways]
    names = ["-".join(way) for way in ways]
    if len({*names}) < len(names):  # a.md beside a.tex
        names = ["-".join(one.parts) for one in below]
    pairs = zip([one.as_posix() for one in below], names, strict=True)
    return dict(zip(paths, pairs, strict=True))


def stems_of(paths: Sequence[Path]) -> dict[Path, str]:
    """What files call their problems: by their stems, or by their paths where two have one.

    >>> [*stems_of([Path("q/a.md"), Path("q/b.md")]).values()]
    ['a', 'b']
    >>> [*stems_of([Path("q/1/a.md"), Path("q/2/a.md")]).values()]
    ['1', '2']
    """
    alone = len({path.stem for path in paths}) == len(paths)
    called = {path: path.stem for path in paths}
    return (
        called
        if alone
        else {path: name for path, (_, name) in file_names(paths).items()}
    )


def fitting(spec: SourceSpec, folder: Path) -> list[Path]:
    """The files that the names and patterns of a source's `path` fit, each once.

    Raises UserError for one that fits none.
    """
    paths: list[Path] = []
    for name in [spec.path] if isinstance(spec.path, str) else spec.path:
        if (folder / name).is_file():
            paths.append(folder / name)
            continue
        pattern = bool(set("*?[") & set(name))
        fits = sorted(glob(name, root_dir=folder, recursive=True)) if pattern else []
        found = [folder / one for one in fits if (folder / one).is_file()]
        if not found:
            what = "fits no file" if pattern else "is not a file"
            remedy = "correct path: in the recipe (it is relative to the recipe)"
            raise PlaceError(
                spec.name,
                ("path",),
                f"{folder / name} {what}",
                f"{_beside_it(folder / name)}{remedy}",
            )
        paths += found
    return list(dict.fromkeys(paths))


def _beside_it(path: Path) -> str:
    """The file beside one that is not there whose name is most like it, as a question."""
    try:
        names = [one.name for one in islice(path.parent.iterdir(), 1_000)]
    except OSError:
        return ""
    close = get_close_matches(path.name, sorted(names), 1)
    return f"did you mean {close[0]!r}? " if close else ""


def common_folder(paths: Sequence[Path]) -> Path:
    """The folder below which all files lie."""
    return Path(os.path.commonpath([path.parent for path in paths]))


def front_of(path: Path, called: str) -> str:
    """What the names of a file's rows begin with; the name itself where it has one line."""
    alone = len(list(islice(read_lines(path), 2))) < 2 if called else True
    return called if alone else f"{called}{OF_LINES}"


def line_name(front: str, number: int) -> str:
    """The name of a row of one of several files; of a single file, none."""
    return f"{front}{number}" if front.endswith(OF_LINES) else front


def _key(spec: SourceSpec) -> str:
    """Under which name rows stand, as the source says."""
    key = spec.options.get("key", "")
    if not isinstance(key, str):
        raise UserError(
            f"source {spec.name!r}: key {key!r}", "name what holds the rows, as a.b"
        )
    return key


def is_row_of(spec: SourceSpec) -> Callable[[Any], bool]:
    """Whether a value is a row, by the column that asks."""
    column = spec.fields.get("question", "question")

    def is_row(value: Any) -> bool:
        question = value_of(value, column) if isinstance(value, dict) else None
        if isinstance(question, list) and question and column not in value:
            return all(isinstance(one, str | None) for one in question) and any(
                question
            )
        return isinstance(question, str) or exchange_of(question) is not None

    return is_row


def _decoded(file: str, number: int, line: bytes) -> Raw | Unreadable:
    try:
        return Raw(file, number, json_value(line))
    except (msgspec.DecodeError, ValueError) as error:
        return Unreadable(file, number, explain(error, line), _start(line))


def _start(data: bytes) -> str:
    """How a line or a file starts, for the quarantine."""
    return data[:500].decode("utf-8", "replace")


def json_array_rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """Elements of JSON arrays, as the official We-Math and MathVerse files are."""
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise UserError(
                f"cannot read {path}: {error.strerror}", "check the path"
            ) from error
        try:
            rows = decode(data)
            if not isinstance(rows, list):
                raise msgspec.ValidationError("the file is not a JSON array")
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield Unreadable(path.name, 1, explain(error, data), _start(data))
            continue
        for number, row in enumerate(rows, 1):
            yield Raw(path.name, number, row)


def grouped_rows(
    spec: SourceSpec,
    paths: list[Path],
    kind: type[T],
    key: Callable[[T], tuple[str, str]],
) -> Iterator[Raw | Unreadable]:
    """Elements of JSON arrays that belong together as one Raw: {role: row}, by first occurrence.

    `key` gives a row's group and its role in it, and raises ValueError for a row that has none.
    """
    groups: dict[str, Raw] = {}
    for raw in json_array_rows(spec, paths):
        if isinstance(raw, Unreadable):
            yield raw
            continue
        start = _start(msgspec.json.encode(raw.data))
        try:
            row = row_as(kind, raw)
            name, role = key(row)
        except ValueError as error:  # msgspec's errors are such
            yield Unreadable(raw.file, raw.line, str(error), start)
            continue
        if hasattr(row, "place"):
            row.place = raw.line
        group = groups.setdefault(name, Raw(raw.file, raw.line, {}))
        if role in group.data:
            yield Unreadable(
                raw.file, raw.line, f"{name} has a second row {role!r}", start
            )
        else:
            group.data[role] = row
    yield from groups.values()


def table_rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """Rows of CSV, TSV, Excel and Parquet files; a row that is damaged is unreadable.

    A source's options may name `encoding`, `delimiter` and `sheet`; what was found instead is told.
    """
    options = {name: value for name, value in spec.options.items() if name != "gold"}
    for name, value in options.items():
        if not isinstance(value, str) or (name == "delimiter" and len(value) != 1):
            remedy = "give one character" if name == "delimiter" else "give a text"
            raise UserError(f"source {spec.name!r}: {name} {value!r}", remedy)
    files = file_names(paths)
    for path in paths:
        name, called = files[path]
        front = called and f"{called}{OF_LINES}"
        table = read_table(path, **options)
        if table.remark:
            say(f"{spec.name}: {name}: {table.remark}")
        if table.columns:
            _check_columns(f"{name}:{table.line}", table.columns, spec.fields)
        for line, row in table.rows:
            if isinstance(row, Damaged):
                yield Unreadable(name, line, row.cause, row.start)
            else:
                yield Raw(name, line, row, line_name(front, line))


def _check_columns(at: str, header: list[str], fields: dict[str, str]) -> None:
    for field, name in fields.items():
        for column in [name] if name in header else pieces(name):
            if column not in header and root_of(column) not in header:
                raise UserError(
                    f"{at}: no column {column!r} for {field!r}",
                    nearest(column, header),
                )


def explain(error: Exception, data: bytes) -> str:
    """The cause of a decoding error, in words that lead to a remedy."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return f"not UTF-8 (byte {data[wrong.start]:#04x} at {wrong.start}); convert the file"
    if isinstance(error, msgspec.DecodeError) and "truncated" in str(error):
        if data.rstrip().endswith((b"}", b"]")):
            return r"half of a surrogate pair (\ud800 to \udfff), or truncated JSON"
        return "truncated JSON: the line ends in the middle of a value"
    return str(error)


def row_as(kind: type[T], raw: Raw) -> T:
    """The row as a struct; raises msgspec.ValidationError naming the field."""
    return msgspec.convert(raw.data, kind)


def problem_of(
    spec: SourceSpec, raw_id: str, question: str, answer: str, **fields: Any
) -> Problem:
    """The problem of a raw row, called by its source and its id there.

    The kind of its answer is guessed where none is given; labels that say nothing are left out.
    """
    name = f"{spec.name}-{raw_id}"
    answer = answer or parts_text(fields.get("parts", []))
    kind = fields.pop("answer_kind", "") or guess_kind(
        answer, fields.get("options", [])
    )
    labels = fields.pop("labels", {})
    return Problem(
        id=name,
        origin=name,
        source=Source(name=spec.name, raw_id=raw_id),
        question=question,
        answer=answer,
        answer_kind=kind,
        labels={
            label: said for label, said in labels.items() if said not in (None, "", [])
        },
        **fields,
    )
