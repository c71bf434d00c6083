"""Our own problems.jsonl, as `convert exam` and every stage write it.

Pictures are taken from the paths that the records name, relative to the file or to `images:`.
"""

from __future__ import annotations

import msgspec

from ...pipeline import SourceSpec
from ...problem import Image, Problem, Sample, Step
from ..conservation import Holding
from .base import Pictures, Raw, json_lines_rows, reader, row_as


def held(raw: Raw, spec: SourceSpec) -> Holding:
    """Nothing to look for: a record is read whole, or refused."""
    return Holding({})


@reader("problems", rows=json_lines_rows, holds=held)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    record = row_as(Problem, raw)

    def stored(images: list[Image]) -> list[Image]:
        return [
            msgspec.structs.replace(new, caption=_still_said(image, new, record))
            for image in images
            for new in pictures.get([image.path], image.role)
        ]

    parts: list[Problem | Step | Sample] = [record, *record.steps, *record.samples]
    for part in parts:
        part.images = stored(part.images)
        for option in part.options:
            option.image = (
                next(iter(stored([option.image])), None) if option.image else None
            )
    return record


def _still_said(old: Image, new: Image, record: Problem) -> str:
    """A caption stays with the picture that it was written for."""
    if old.sha256 != new.sha256 and old.caption:
        record.notes.append(f"caption-left-out: {old.path} is another picture now")
        return ""
    return old.caption
