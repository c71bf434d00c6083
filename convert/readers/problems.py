"""Our own problems.jsonl, as `convert exam` and every stage write it.

Pictures are taken from the paths that the records name, relative to the file or to `images:`.
"""

from __future__ import annotations

from ...pipeline import SourceSpec
from ...problem import Image, Problem
from .base import Pictures, Raw, json_lines_rows, reader, row_as


@reader("problems", rows=json_lines_rows)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    found = row_as(Problem, raw)

    def stored(images: list[Image]) -> list[Image]:
        return [new for image in images for new in pictures.get([image.path], image.role)]

    found.images = stored(found.images)
    for step in found.steps:
        step.images = stored(step.images)
    for sample in found.samples:
        sample.images = stored(sample.images)
    found.source.license = found.source.license or spec.license
    return found
