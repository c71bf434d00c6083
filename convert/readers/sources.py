"""What a source is: its reader, its files and its rows, checked before anything is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import msgspec

from ...base.registry import Registry
from ...errors import BenchwrightError, UserError, nearest
from ...pipeline import (
    NAME,
    Lines,
    SourceSpec,
    bug,
)
from ...tables import check_path
from ...words import RoleError, own_roles
from .base import (
    PlaceError,
    Raw,
    Reader,
    Unreadable,
    common_folder,
    fitting,
)
from .constants import check_constants
from .mapped import (
    check_fields,
    with_columns,
)
from .recognise import instead

BUILT_IN = {
    "math-v": "convert.readers.math_v:problem",
    "we-math": "convert.readers.we_math:problem",
    "mathverse": "convert.readers.mathverse:problem",
    "mm-math": "convert.readers.mm_math:problem",
    "jsonl": "convert.readers.mapped:jsonl",
    "table": "convert.readers.mapped:table",
    "csv": "convert.readers.mapped:csv",
    "xml": "convert.readers.xml_records:problem",
    "problems": "convert.readers.problems:problem",
    "exam": "convert.readers.exam:problem",
    "document": "convert.readers.document:problem",
    "folders": "convert.readers.folders:problem",
    "gift": "convert.readers.gift:problem",
    "aiken": "convert.readers.aiken:problem",
    "rexams": "convert.readers.rexams:problem",
    "cnxml": "convert.readers.cnxml:problem",
    "stackexchange": "convert.readers.stack_exchange:problem",
    "moodle": "convert.readers.moodle:problem",
    "qti": "convert.readers.qti:problem",
    "tex": "convert.readers.tex:problem",
    "markdown": "convert.readers.markdown:problem",
    "pretext": "convert.readers.pretext:problem",
    "hub": "hub.reader:problem",
    "living": "living.reader:problem",
}
READERS = Registry("reader", BUILT_IN)
WHOLE = "@"  # the path to rows that is the file itself
ONE_A_FILE = ("tex", "markdown")  # readers of documents that may be one problem


def load_reader(name: str) -> Reader:
    """The reader a recipe calls `name`. Raises UserError naming the nearest known one."""
    function = READERS.load(name)
    return Reader(problem=function, **function.__reader__)


def check_source(spec: SourceSpec, folder: Path) -> None:
    """Fail before any reading when a source cannot be meant as it is written."""
    reader = load_reader(spec.reader)
    source_paths(spec, folder)
    if not NAME.fullmatch(spec.name):
        raise UserError(f"source {spec.name!r}", "use letters, digits, '.', '_', '-'")
    if spec.images is not None and not (folder / spec.images).is_dir():
        raise UserError(
            f"source {spec.name!r}: {folder / spec.images} is not a folder",
            "correct images: in the recipe (it is relative to the recipe)",
        )
    check_constants(spec, folder)
    if spec.rows is not None:
        _check_rows(spec, reader)
    if spec.roles:
        _check_roles(spec, reader)
    if reader.fields:
        check_fields(spec.fields)
    elif spec.fields:
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} takes no fields",
            "remove fields:, or use the reader jsonl or table",
        )
    if spec.options and not reader.options:
        raise UserError(
            f"source {spec.name!r}: reader {spec.reader!r} has no options",
            "remove options:",
        )
    for name in spec.options:
        if name not in reader.options:
            raise UserError(
                f"source {spec.name!r}: reader {spec.reader!r} has no option {name!r}",
                nearest(name, list(reader.options)),
            )


def _check_rows(spec: SourceSpec, reader: Reader) -> None:
    """Raises UserError for a path to rows that is none, or of a reader that has no use for it."""
    rows = spec.rows or ""
    if spec.reader in ONE_A_FILE and rows == WHOLE:
        return
    if not reader.nested:
        what = f"reader {spec.reader!r} takes no path to rows"
        raise PlaceError(
            spec.name, ("rows",), what, "remove it, or use the reader jsonl"
        )
    try:
        check_path(rows)
    except UserError as error:
        raise PlaceError(spec.name, ("rows",), error.message, error.remedy) from error


def _check_roles(spec: SourceSpec, reader: Reader) -> None:
    """Raises UserError for roles that contradict each other, or that nobody would ask for."""
    if not (reader.roles or reader.fields):
        what = f"reader {spec.reader!r} asks for no roles"
        raise PlaceError(spec.name, ("roles",), what, "remove them")
    try:
        own_roles(spec.roles)
    except RoleError as error:
        keys = ("roles", error.key)
        raise PlaceError(spec.name, keys, error.message, error.remedy) from error


def source_paths(spec: SourceSpec, folder: Path) -> list[Path]:
    """The dump files of a source; a name with `*`, `?` or `[` stands for all that it fits, sorted.

    Raises UserError for a name that is no file and fits none.
    """
    if (elsewhere := load_reader(spec.reader).paths) is not None:
        return elsewhere(spec, folder)
    return fitting(spec, folder)


def paths_of(spec: SourceSpec, folder: Path) -> list[Path]:
    """Every file and folder that a source is read from."""
    files = files_of(spec, folder)
    folders = [
        folder / name for name in (spec.images, spec.annotated) if name is not None
    ]
    beside = [] if spec.images is not None else [common_folder(files)]
    return [*files, *beside, *folders]


def files_of(spec: SourceSpec, folder: Path) -> list[Path]:
    """The files of a source that are read as a whole: the dump, and those that options name.

    Options name them as seen from the recipe, or from the dump.
    """
    dumps = source_paths(spec, folder)
    places = dict.fromkeys([folder, *(dump.parent for dump in dumps)])
    options = [
        value for value in spec.options.values() if isinstance(value, str) and value
    ]
    named = (place / value for place in places for value in options)
    return dumps + [path for path in named if path.is_file()]


def beside_of(spec: SourceSpec, folder: Path) -> list[Path]:
    """Files that would be read with a dump, whether or not they are there."""
    dumps = source_paths(spec, folder)
    suffixes = load_reader(spec.reader).beside
    return [dump.with_suffix(suffix) for dump in dumps for suffix in suffixes]


def settled_spec(spec: SourceSpec, paths: list[Path]) -> SourceSpec:
    """The source with what its rows say together; what reading says is said later, once."""
    reader = load_reader(spec.reader)
    if reader.fields and spec.roles and not reader.roles:
        spec = with_columns(spec)
    if not reader.settled:
        return spec
    with redirect_stderr(StringIO()):
        return reader.settled(spec, rows_of(spec, paths))


def rows_of(
    spec: SourceSpec, paths: Sequence[Path | Lines]
) -> Iterator[Raw | Unreadable]:
    reader = load_reader(spec.reader)
    files = [one.path if isinstance(one, Lines) else one for one in paths]
    try:
        for row in reader.rows(spec, paths):
            if isinstance(row, Unreadable):
                row = placeless(row, {path.parent for path in files})
            yield row
    except PlaceError:
        raise
    except UserError as error:
        others = (instead(path, spec.reader) for path in files)
        if other := next(filter(None, others), None):
            raise UserError(f"{error.message}; {other[0]}", other[1]) from error
        raise
    except BenchwrightError:
        raise
    except Exception as error:
        raise bug(
            f"reader {spec.reader!r}", reader.rows, error, str(files[0])
        ) from error


def placeless(row: Unreadable, folders: set[Path]) -> Unreadable:
    """Without the folders of this machine: the same dump gives the same quarantine anywhere."""
    cause = row.cause
    for folder in folders if "/" in cause else ():
        for spelling in (folder.absolute(), folder.resolve()):
            cause = cause.replace(f"{spelling}/", "").replace(str(spelling), ".")
    return msgspec.structs.replace(row, cause=cause)
