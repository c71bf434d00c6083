"""The reader `living`: each file is a seed, read as the problem with its published numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..convert.readers import Holding, Pictures, Raw, Unreadable, reader
from ..errors import UserError
from ..pipeline import SourceSpec
from ..problem import Problem, Source
from .reading import read_seed
from .variants import published_of


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row a file, its text: another text is another row, the same anywhere is the same."""
    for path in paths:
        try:
            yield Raw(path.name, 1, {"seed": path.read_text("utf-8")})
        except (OSError, UnicodeDecodeError) as error:
            yield Unreadable(path.name, 1, f"cannot be read: {error}", "")


def held(raw: Raw, spec: SourceSpec) -> Holding:
    """Nothing to look for: a seed is read whole, or refused."""
    return Holding({})


@reader("living", rows=rows, holds=held)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    seed = read_seed(raw.file, raw.data["seed"])
    variant = published_of(seed)
    source_data = seed.data.get("source", {})
    if not isinstance(source_data, dict):
        raise UserError(
            f"{seed.file.at('source')}: source is no mapping", "write {url: ...}"
        )
    source = Source(
        name=spec.name,
        raw_id=seed.id,
        url=source_data.get("url", spec.url),
        license=source_data.get("license", spec.license),
        benchmark=spec.benchmark,
    )
    published = variant.problem(seed, source, "published")
    published.id = published.origin = f"{spec.name}-{seed.id}"
    variant.put_drawing(published, pictures.work)
    return published
