"""A folder a problem: a record of JSON and the pictures beside it, as Geometry3K is kept.

What the record names is found as always; where it names no picture, those that lie beside it are
its own. The option `picture` says which, where there are several: `img_diagram.png`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from ...base.files import read_bytes
from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Problem
from .base import Pictures, Raw, Unreadable, json_lines_rows, reader
from .mapped import held, jsonl, settled

MAX_PICTURES = 20  # beside a record
MAX_PICTURE = 20_000_000  # bytes
SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
BESIDE = "(pictures beside)"


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per record, with the pictures of its folder and its folder's name as id."""
    wanted = spec.options.get("picture", "*")
    if not isinstance(wanted, str) or "/" in wanted:
        what = f"source {spec.name!r}: picture {wanted!r}"
        raise UserError(what, "name a file, or a pattern such as *.png")
    fields = {k: v for k, v in spec.options.items() if k != "picture"}
    for path in paths:
        inner = SourceSpec(
            name=spec.name,
            reader="jsonl",
            path=path.name,
            fields=spec.fields,
            options=fields,
        )
        found = [*json_lines_rows(inner, [path])]
        for raw in found:
            place = f"{path.parent.name}/{path.name}"
            if isinstance(raw, Raw) and isinstance(raw.data, dict):
                data = raw.data
                if len(found) == 1:
                    data = {"id": path.parent.name} | data
                beside = _beside(path, wanted)
                yield Raw(place, raw.line, data | ({BESIDE: beside} if beside else {}))
            elif isinstance(raw, Unreadable):
                yield Unreadable(place, raw.line, raw.cause, raw.raw)
            else:
                yield Unreadable(place, raw.line, "no record", "")


def _beside(path: Path, wanted: str) -> list[dict[str, object]]:
    """The pictures in a record's folder, in order of their names."""
    names = sorted(
        file.name
        for file in path.parent.iterdir()
        if file.suffix.lower() in SUFFIXES and fnmatch(file.name, wanted)
    )
    files = [path.parent / name for name in names[:MAX_PICTURES]]
    sound = [f for f in files if not f.is_symlink() and f.stat().st_size <= MAX_PICTURE]
    return [{"path": file.name, "bytes": read_bytes(file)} for file in sound]


@reader(
    "folders",
    rows=rows,
    fields=True,
    options=("gold", "key", "picture"),
    holds=held,
    settled=settled,
)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    beside = raw.data.pop(BESIDE, [])
    made = jsonl(raw, spec, pictures)
    if made.images or not beside:
        return made
    made.images = pictures.get(beside[:1])
    if len(beside) > 1:
        names = ", ".join(one["path"] for one in beside)
        remedy = "say which by the option picture"
        pictures.notes.append(
            f"several-pictures: {names}: the first is taken: {remedy}"[:300]
        )
    return made
