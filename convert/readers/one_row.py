"""One row -> a problem, a drop, or why it is unreadable; what came out nowhere is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.files import encode
from ...base.published import keep
from ...errors import BenchwrightError, UserError
from ...latex import mended
from ...options import PICTURE_NAME
from ...pipeline import (
    SourceSpec,
    bug,
)
from ...problem import Drop, Problem, all_images
from ..conservation import row_of, unaccounted
from .base import (
    Pictures,
    Raw,
    Reader,
    Unreadable,
)
from .columns import not_to_be_left
from .constants import completed
from .sources import (
    placeless,
)

DEEPEST = 30  # of a row whose texts are mended


def convert(
    reader: Reader, spec: SourceSpec, folder: Path, images: Path, work: Path, raw: Raw
) -> tuple[Problem | Drop | Unreadable, Pictures]:
    """What one row is; the pictures that were looked for, and what of the row is no problem's."""
    pictures = Pictures(images, work, _folder_of(raw))
    pictures.notes += raw.notes
    given = _restored(raw, pictures)
    result: Problem | Drop | Unreadable
    try:
        result = reader.problem(raw, spec, pictures)
        if isinstance(result, Problem):
            _keep_published(result, given)
            result = completed(result, spec, pictures, folder)
    except (UserError, ValueError, TypeError, LookupError) as error:
        cause = f"no {error}" if isinstance(error, KeyError) else str(error)
        result = Unreadable(raw.file, raw.line, cause, start_of(raw.data))
        result = placeless(result, {folder, images})
    except BenchwrightError:
        raise
    except Exception as error:
        at = f"{raw.file}:{raw.line}"
        raise bug(f"reader {spec.reader!r}", reader.problem, error, at) from error
    if isinstance(result, Problem):
        result.notes.extend(pictures.notes)
        _account(reader, raw, spec, result, pictures)
    elif not isinstance(result, Drop | Unreadable):
        raise UserError(
            f"reader {reader.name!r} returned {type(result).__name__} for {raw.file}:{raw.line}",
            "return a Problem, or a Drop with its reason",
        )
    return result, pictures


def _folder_of(raw: Raw) -> str:
    """Where the file of a row lies, below the folder of several."""
    file = object.__getattribute__(raw, "file")  # a place that makes no id
    return str(file).rpartition("/")[0]


def _account(
    reader: Reader, raw: Raw, spec: SourceSpec, problem: Problem, pictures: Pictures
) -> None:
    """Note what of the row came out nowhere; what nothing was taken of is outside."""
    row = reader.holds(raw, spec) if reader.holds else row_of(raw.data)
    notes, outside = unaccounted(row, problem, pictures.marks)
    problem.notes.extend(notes)
    if isinstance(raw.data, dict) and outside and reader.fields:
        unread = {one.where: one.text for one in outside}
        for column in not_to_be_left(raw.data, [*unread], problem):
            problem.notes.append(f"lost-text: {column}: {unread[column][:80]}")
    pictures.outside.extend(outside)
    if not all_images(problem):
        named = [one for one in outside if PICTURE_NAME.fullmatch(one.text)]
        problem.notes += [
            f"unused-picture: {one.where}: {one.text[:80]}" for one in named
        ]


MENDED = ("question", "answer", "solution")  # whose published spelling is kept


def _restored(raw: Raw, pictures: Pictures) -> dict[str, str]:
    """Restore damaged backslashes of a row before anything is read of it, with a note.

    What was restored, each with what stood there. What cannot be restored, `check` finds.
    """
    commands: list[str] = []
    given: dict[str, str] = {}
    data = object.__getattribute__(raw, "data")
    if isinstance(data, dict | list | str):
        raw.data = _whole(data, commands, given, 0)
    if commands:
        told = ", ".join(dict.fromkeys(commands))
        pictures.notes.append(f"text: backslashes restored: {told}")
    return given


def _whole(value: Any, commands: list[str], given: dict[str, str], depth: int) -> Any:
    """A value of plain data with every text in it restored; the value itself where none is."""
    if isinstance(value, str):
        text, found = mended(value)
        if found:
            commands += found
            given[text.strip()] = value
        return text
    if depth > DEEPEST or not isinstance(value, dict | list):
        return value
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    new = {
        k: whole
        for k, v in pairs
        if (whole := _whole(v, commands, given, depth + 1)) is not v
    }
    if not new:
        return value
    return (
        value | new
        if isinstance(value, dict)
        else [new.get(k, v) for k, v in enumerate(value)]
    )


def _keep_published(problem: Problem, given: dict[str, str]) -> None:
    """Keep how a restored field was published."""
    made = {name: getattr(problem, name) for name in MENDED}
    said = {name: given.get((text or "").strip(), text) for name, text in made.items()}
    if said != made:
        keep(problem, said, made)


def start_of(data: Any) -> str:
    """How a row starts, for the quarantine; a reader's own type as it prints itself."""
    try:
        return encode(data)[:500].decode("utf-8", "replace")
    except TypeError:
        return str(data)[:500]
