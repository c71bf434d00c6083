"""The reader `document`: Word, OpenDocument, notebooks, wikis and whatever else pandoc reads.

The document becomes the Markdown that the reader `exam` cuts, with the same options. A file that
cannot be read, or holds no problem, is one line of the quarantine where there are several.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Problem
from . import exam
from .base import Pictures, Raw, Unreadable, reader


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per problem, as `exam` has them; one that is alone in its file is called as it."""
    for path in paths:
        try:
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
            cut.raw_id = path.stem if alone else f"{path.stem}.{cut.raw_id}"
        yield from found


@reader("document", rows=rows, options=("key", "cut"))
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return exam.problem(raw, spec, pictures)
