"""The reader `document`: Word, OpenDocument, notebooks, wikis and whatever else pandoc reads.

The document becomes the Markdown that the reader `exam` cuts, with the same options. A file that
cannot be read, or holds no problem, is one line of the quarantine where there are several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...errors import UserError, nearest
from ...latex import read_boxed
from ...pipeline import SourceSpec
from ...problem import Problem
from ..documents import FORMATS, format_of
from . import exam
from .base import Pictures, Raw, Unreadable, guess_kind, reader, stems_of


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per problem, as `exam` has them; one that is alone in its file is called as it."""
    said = spec.options.get("format")
    if said is not None and said not in FORMATS.values():
        remedy = nearest(str(said), sorted({*FORMATS.values()}))
        raise UserError(f"source {spec.name!r}: format {said!r}", remedy)
    stems = stems_of(paths)
    for path in paths:
        try:
            if not (said or format_of(path)):
                remedy = "say options: {format: mediawiki}, or what else it is"
                raise UserError(f"{path}: no document by its name", remedy)
            found = [*exam.rows(spec, [path])]
        except UserError as error:
            if len(paths) == 1:
                raise
            yield Unreadable(path.name, 0, error.message, "")
            continue
        problems = [row for row in found if isinstance(row, Raw)]
        for row in problems if len(paths) > 1 else ():
            cut = row.data.problem
            alone = len(problems) == 1
            cut.raw_id = stems[path] if alone else f"{stems[path]}.{cut.raw_id}"
        yield from found


@reader("document", rows=rows, roles=True, options=("key", "cut", "format"))
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    made = exam.problem(raw, spec, pictures)
    if not made.answer and made.solution:
        made.answer = _concluded(made.solution, bool(made.options))
        if made.answer:
            made.answer_kind = guess_kind(made.answer, made.options)
            made.notes.append(f"exam: answer-from-solution: {made.answer[:80]}")
    return made


# a letter of an option inside of a box, and behind the word in a formula of AoPS
_LETTER = re.compile(r"(?:\(|\b)([A-H])(?:\)|\b)")
_SAID = re.compile(r"(?i)\banswer[^A-Za-z]{0,6}\(([A-H])\)")


def _concluded(solution: str, chosen: bool) -> str:
    """What all boxes of a solution hold, or the one letter that it says; "" where they differ."""
    try:
        boxed = read_boxed(solution)
    except UserError:
        boxed = []
    if not chosen:
        return boxed[0].strip() if len({*boxed}) == 1 else ""
    letters = [m[1] for text in boxed for m in [_LETTER.search(text)] if m]
    letters += _SAID.findall(solution)
    return letters[0] if len({*letters}) == 1 else ""
