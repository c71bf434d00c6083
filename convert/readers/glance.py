"""A few rows of a source, and the lines of a recipe that say what is not understood in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ...errors import UserError
from ...pipeline import (
    SourceSpec,
)
from ...problem import Drop, Problem
from ...tables import arrays_of_records, root_of, value_of
from ...words import role_word
from ..conservation import Outside
from .base import (
    Raw,
    Unreadable,
    common_folder,
)
from .columns import look_at_columns
from .mapped import (
    FIELDS,
    columns_of,
)
from .one_row import convert, start_of
from .proposals import Paste, Read, roles_for, verified
from .recognise import instead
from .sources import (
    WHOLE,
    check_source,
    load_reader,
    rows_of,
    settled_spec,
    source_paths,
)


class Seen(NamedTuple):
    """A raw row, what it is, and what of it belongs to no problem."""

    raw: Raw | Unreadable
    result: Problem | Drop | Unreadable
    outside: list[Outside]


class Glance(msgspec.Struct):
    """What a few rows of a source hold."""

    source: str
    rows: int  # that were read
    problems: list[Problem]
    unreadable: list[Unreadable]
    unknown_columns: list[str]  # that `fields` names and no row has
    suggested: dict[str, str]  # field -> column, of fields that nobody mapped
    seen: list[Seen]  # the rows, each with what it is
    unused: dict[str, str] = {}  # column that no field uses -> what stands there once
    takes_fields: bool = False
    total: int = 0  # rows that the source holds
    lines: list[Paste] = []  # of the recipe, that say what was not understood
    way: str = ""  # to rows that lie inside of what was read as one
    instead: tuple[str, str] | None = (
        None  # what its files are, of which nothing is read
    )
    idle: list[str] = []  # words of its roles that stand nowhere


def glance(spec: SourceSpec, folder: Path, work: Path, most: int) -> Glance:
    """Up to `most` rows of a source, spread over the whole; pictures go to the store in `work`."""
    check_source(spec, folder)
    paths = source_paths(spec, folder)
    images = folder / spec.images if spec.images else common_folder(paths)
    reader = load_reader(spec.reader)
    spec = settled_spec(spec, paths)
    raws = list(rows_of(spec, paths))
    sound = [raw for raw in raws if isinstance(raw, Raw)]
    broken = [raw for raw in raws if isinstance(raw, Unreadable)]
    broken += _named_twice(sound, spec.fields.get("id", "id")) if reader.fields else []
    chosen = sound[:: max(1, -(-len(sound) // most))]
    seen = [Seen(raw, raw, []) for raw in broken]
    for raw in chosen:
        own = Raw(raw.file, raw.line, raw.data, raw.name, raw.notes)
        result, pictures = convert(reader, spec, folder, images, work, own)
        seen.append(Seen(raw, result, pictures.outside))
    results = [one.result for one in seen]
    unused = {entry.where: entry.text for one in seen for entry in one.outside}
    used = columns_of(FIELDS, spec.fields)
    used |= {root_of(name) for name in used}
    columns = dict.fromkeys(
        c for raw in chosen if isinstance(raw.data, dict) for c in raw.data
    )
    unknown: list[str] = []
    suggested: dict[str, str] = {}
    way = ""
    lines: list[Paste] = []

    def read(tried: SourceSpec) -> list[Any]:
        """What the rows are, as another source has them."""
        meant = settled_spec(tried, paths)
        rows = [raw for raw in rows_of(meant, paths) if isinstance(raw, Raw)]
        some = rows[:: max(1, -(-len(rows) // most))]
        made = (convert(reader, meant, folder, images, work, raw) for raw in some)
        return [result for result, _ in made]

    if reader.fields and columns:
        rows = [raw.data for raw in chosen if isinstance(raw.data, dict)]
        unknown, suggested = _map_of(spec, rows, read)
        read_already = any(isinstance(result, Problem) for result in results)
        if reader.nested and not (spec.rows or spec.fields or read_already):
            whole = rows_of(replace(spec, rows=WHOLE), paths)  # a file a problem
            files = [raw.data for raw in islice(whole, most) if isinstance(raw, Raw)]
            rows = [data for data in files if isinstance(data, dict)]
            of_files = _map_of(spec, rows, read)[1] if rows else {}
            suggested = of_files if len(of_files) >= len(suggested) else suggested
            if len(sound) == len(paths) and rows:
                way, of_way = _deeper(spec, rows[0], paths, read)
                suggested = of_way if way else suggested
    if reader.roles or (reader.fields and not suggested):
        lines += roles_for(spec, results, read)
    return Glance(
        spec.name,
        len(chosen) + len(broken),
        [result for result in results if isinstance(result, Problem)],
        [result for result in results if isinstance(result, Unreadable)],
        unknown,
        suggested,
        seen,
        {
            name: text
            for name, text in unused.items()
            if name in columns and name not in used
        },
        reader.fields,
        total=len(raws),
        lines=lines,
        way=way,
        instead=_instead(spec, paths, results),
        idle=_idle(spec, paths) if spec.roles else [],
    )


MOST_READ = 20_000_000  # characters of a source's files that are searched for words


def _instead(
    spec: SourceSpec, paths: list[Path], results: list[Any]
) -> tuple[str, str] | None:
    """What files are of which no problem is read, where that is for another reader."""
    if any(isinstance(one, Problem | Drop) for one in results):
        return None
    return next(filter(None, (instead(path, spec.reader) for path in paths)), None)


def _idle(spec: SourceSpec, paths: list[Path]) -> list[str]:
    """The names of a source's roles that stand nowhere in its files; of text alone."""
    texts: list[str] = []
    for path in paths:
        if sum(map(len, texts)) > MOST_READ:
            return []
        try:
            texts.append(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError):
            return []
    whole = "\n".join(texts).casefold()
    return [str(name) for name in spec.roles if role_word(str(name)) not in whole]


MOST_WAYS = 8  # arrays inside of a file that are tried


def _deeper(
    spec: SourceSpec, value: dict[str, Any], paths: list[Path], read: Read
) -> tuple[str, dict[str, str]]:
    """Where in files that are one row each questions with answers lie, and their map."""
    best: tuple[str, dict[str, str]] = ("", {})
    most = len(paths)
    for way in arrays_of_records(value)[:MOST_WAYS]:
        tried = replace(spec, rows=way)
        try:
            raws = [raw for raw in rows_of(tried, paths) if isinstance(raw, Raw)]
            rows = [raw.data for raw in raws if isinstance(raw.data, dict)]
            fields = _map_of(tried, rows, read)[1]
            results = read(replace(tried, fields=fields)) if fields else []
        except UserError:
            continue
        known = {*fields, *rows[0]} if rows else set()
        count = sum(isinstance(result, Problem) for result in results)
        if "question" in known and {"answer", "options"} & known and count > most:
            best, most = (way, fields), count
    return best


def _map_of(
    spec: SourceSpec, rows: list[dict[str, Any]], read: Read
) -> tuple[list[str], dict[str, str]]:
    """Columns of a map that are not there, and a map for fields that have none, as rows bear it."""
    columns = [str(name) for name in dict.fromkeys(c for row in rows for c in row)]
    unknown, proposed = look_at_columns(spec.fields, columns, rows)
    return unknown, verified(spec, proposed, rows, read) if proposed else {}


def _named_twice(rows: list[Raw], column: str) -> Iterator[Unreadable]:
    """Rows whose id is another row's: of these the build keeps the first."""
    places: dict[str, Raw] = {}
    for raw in rows:
        name = value_of(raw.data, column)
        first = places.setdefault(str(name), raw)
        if name not in (None, "") and first is not raw:
            is_same = first.data == raw.data
            how = "in the same words" if is_same else "of another problem"
            where = f"stands also at {first.place}, {how}"
            cause = f"id twice: {name!r} in {column!r} {where}"
            yield Unreadable(raw.file, raw.line, cause, start_of(raw.data))
